"""The official test suite and a sample of published schemas: nothing fails that is not listed, and the lists shrink.

When a listed failure is gone, or a new one is meant, write the lists anew with: make ratchet
"""

from __future__ import annotations

import pytest

from tests.corpus import schemas, suite
from tests.corpus.ratchet import SCHEMAS, SUITE, all_failures, known, news
from tests.corpus.verdicts import Case, failures

NOTHING: dict[str, list[str]] = {"new failures": [], "no longer failing": []}


@pytest.mark.parametrize("draft", suite.DRAFTS)
def test_the_official_suite_fails_just_where_it_is_listed(draft: str) -> None:
    listed = {name: failure for name, failure in known(SUITE).items() if name.startswith(f"{draft} | ")}
    assert news(all_failures(suite.cases(draft)), listed) == NOTHING


@pytest.mark.parametrize("part", range(schemas.PARTS))
def test_published_schemas_fail_just_where_it_is_listed(part: int) -> None:
    cases = schemas.cases(part)
    ids = {case.name for case in cases}
    listed = {name: failure for name, failure in known(SCHEMAS).items() if name.partition(" | ")[0] in ids}
    assert news(all_failures(cases), listed) == NOTHING


def test_every_listed_failure_is_one_of_a_case() -> None:
    drafts = tuple(f"{draft} | " for draft in suite.DRAFTS)
    assert all(name.startswith(drafts) for name in known(SUITE))
    ids = {case.name for part in range(schemas.PARTS) for case in schemas.cases(part)}
    assert {name.partition(" | ")[0] for name in known(SCHEMAS)} <= ids


@pytest.mark.parametrize(
    ("schema", "tests", "wrong"),
    [
        ({"type": "null"}, [(None, True), (0, False)], {}),
        ({"type": "null"}, [(None, False)], {"x | 0": "false accept: null"}),
        (False, [(None, False)], {}),
    ],
)
def test_the_judge_tells_right_from_wrong(schema: object, tests: list[tuple[object, bool]], wrong: object) -> None:
    case = Case("x", schema, [{"data": value, "valid": valid} for value, valid in tests], {})
    assert failures(case) == wrong
    turned = Case("x", schema, [{"data": value, "valid": not valid} for value, valid in tests], {})
    assert len(failures(turned)) == len(tests) - len(wrong)  # type: ignore[arg-type]

"""No golden grammar costs more than it did.

When a figure has fallen, or is meant to rise, write the list anew with: make ratchet
"""

from __future__ import annotations

import pytest

from tests.cost.ratchet import known, worst
from tests.golden import GOLDEN


@pytest.mark.parametrize("name", GOLDEN)
def test_no_figure_of_a_golden_grammar_rises(name: str) -> None:
    listed = known()[name]
    risen = {key: f"{listed[key]} -> {figure}" for key, figure in worst(name).items() if figure > listed[key]}
    assert not risen, "write the list anew if this is meant: make ratchet"


def test_the_list_has_just_the_golden_grammars() -> None:
    assert list(known()) == list(GOLDEN)

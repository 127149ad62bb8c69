"""No grammar of a published schema reads a text in more ways than one, but those that are listed.

A small sample; SCHEMA2GBNF_READINGS=1000 takes all of it. When a listed defect is gone: make ratchet
"""

from __future__ import annotations

import os

from tests.cost.corpus import SIZE, defects, known, sample

COUNT = min(int(os.environ.get("SCHEMA2GBNF_READINGS", "25")), SIZE)


def test_every_defect_is_listed_and_every_listed_one_is_there() -> None:
    names = {name for name, _ in sample(COUNT)}
    listed = {name: what for name, what in known().items() if name in names}
    found = defects(COUNT)
    assert {
        name: what for name, what in found.items() if what.split(":")[0] != listed.get(name, "").split(":")[0]
    } == {}
    assert [name for name in listed if name not in found] == []

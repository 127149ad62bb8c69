"""Counterexamples are made small, and shrinking comes to an end."""

from __future__ import annotations

from typing import Any

from schema2gbnf.verification.shrinking import STEPS, smaller_texts, smaller_values, smallest


def test_values_lose_what_does_not_matter() -> None:
    value = {"a": [1, {"b": "xxneedlexx", "c": None}, 3], "d": 12345}
    assert smallest(value, smaller_values, lambda each: "needle" in str(each)) == "needle"


def test_what_matters_stays() -> None:
    def fails(value: Any) -> bool:
        return isinstance(value, dict) and isinstance(value.get("n"), int) and value["n"] > 100

    assert smallest({"n": 123456, "m": [1, 2, 3]}, smaller_values, fails) == {"n": 123}


def test_texts_lose_what_does_not_matter() -> None:
    assert smallest('{"a": "x"", "b": 1}', smaller_texts, lambda text: text.count('"') % 2 == 1) == '"'


def test_every_step_is_smaller() -> None:
    value: Any = {"a": ["x", 10, True, {"b": -5}], "": "yy"}
    assert all(len(str(each)) <= len(str(value)) for each in smaller_values(value))


def test_the_work_is_bounded() -> None:
    asked = []

    def never(value: Any) -> bool:
        asked.append(value)
        return False

    smallest(["x" * 200] * 50, smaller_values, never)
    assert len(asked) <= STEPS

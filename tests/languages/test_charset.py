"""Character sets against Python's own sets, and the partition into letters against its law."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from schema2gbnf.languages.charset import ANY, LAST, NONE, SPACE, WORD, CharSet, minterms

# Points at both ends of Unicode and beside each other, so that intervals meet, overlap and reach the edges.
POINTS = [*range(12), 0xD800, 0xDFFF, LAST - 2, LAST - 1, LAST]
spans = st.tuples(st.sampled_from(POINTS), st.sampled_from(POINTS))
charsets = st.lists(spans, max_size=4).map(CharSet.union)


def points(chars: CharSet) -> set[int]:
    return {point for point in POINTS if chr(point) in chars}


@given(charsets, charsets)
def test_the_operators_are_those_of_sets(a: CharSet, b: CharSet) -> None:
    assert points(a | b) == points(a) | points(b)
    assert points(a & b) == points(a) & points(b)
    assert points(a - b) == points(a) - points(b)
    assert points(~a) == set(POINTS) - points(a)


@given(charsets, charsets)
def test_equal_sets_are_equal_values(a: CharSet, b: CharSet) -> None:
    assert (a & b) | (a - b) == a
    assert ~(a | b) == ~a & ~b
    assert a | ~a == ANY
    assert a & ~a == NONE


@given(charsets)
def test_the_normal_form_is_sorted_with_gaps(chars: CharSet) -> None:
    assert all(low <= high for low, high in chars.ranges)
    assert all(left[1] + 1 < right[0] for left, right in zip(chars.ranges, chars.ranges[1:]))  # noqa: B905
    assert len(chars) == sum(high - low + 1 for low, high in chars.ranges)


@given(st.lists(charsets, max_size=5))
def test_letters_are_the_coarsest_partition_that_every_set_is_a_union_of(sets: list[CharSet]) -> None:
    cuts, letters, masks = minterms(sets)
    ends = (*(cut - 1 for cut in cuts[1:]), LAST)
    classes = [
        CharSet.union((low, high) for low, high, each in zip(cuts, ends, letters, strict=True) if each == letter)
        for letter in range(max(letters) + 1)
    ]
    assert CharSet.union(span for chars in classes for span in chars.ranges) == ANY
    assert sum(map(len, classes)) == LAST + 1
    for chars in sets:
        made_of = [each for letter, each in enumerate(classes) if masks[chars] >> letter & 1]
        assert CharSet.union(span for each in made_of for span in each.ranges) == chars
    memberships = [tuple(bool(chars & each) for chars in sets) for each in classes]
    assert len(set(memberships)) == len(classes)


def test_the_classes_of_ecma_262() -> None:
    assert all(c in WORD for c in "azAZ09_")
    assert not any(c in WORD for c in "-é\u0130\u017f")
    assert all(c in SPACE for c in "\t\n\v\f\r \u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff")
    assert not any(c in SPACE for c in "\u0085\u180e\u200b\u2060\x1c")


def test_single() -> None:
    assert CharSet.of("x").single == "x"
    assert CharSet.of("xy").single is None
    assert NONE.single is None

"""The cache: what is kept, and what is given up first."""

from __future__ import annotations

from schema2gbnf.cache import Cache


def test_the_longest_unused_is_given_up_first() -> None:
    cache: Cache[int, str] = Cache(capacity=3)
    for key in range(3):
        cache.put(key, str(key), weight=1)
    assert cache.get(0) == "0"
    cache.put(3, "3", weight=1)
    assert [cache.get(key) for key in range(4)] == ["0", None, "2", "3"]


def test_one_heavy_entry_takes_the_place_of_many() -> None:
    cache: Cache[int, str] = Cache(capacity=10)
    for key in range(10):
        cache.put(key, "", weight=1)
    cache.put(10, "heavy", weight=8)
    assert [key for key in range(11) if cache.get(key) is not None] == [8, 9, 10]


def test_what_is_too_heavy_is_not_kept_and_takes_no_place() -> None:
    cache: Cache[int, str] = Cache(capacity=10)
    cache.put(0, "light", weight=1)
    cache.put(1, "heavy", weight=11)
    assert (cache.get(0), cache.get(1)) == ("light", None)


def test_a_key_is_kept_once() -> None:
    cache: Cache[int, str] = Cache(capacity=10)
    for _ in range(100):
        cache.put(0, "again", weight=6)
    cache.put(1, "other", weight=4)
    assert (cache.get(0), cache.get(1)) == ("again", "other")


def test_a_cleared_cache_is_empty() -> None:
    cache: Cache[int, str] = Cache(capacity=10)
    cache.put(0, "", weight=10)
    cache.clear()
    cache.put(1, "", weight=10)
    assert (cache.get(0), cache.get(1)) == (None, "")

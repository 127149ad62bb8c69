"""What was made before, kept for the next time within a bound on its size.

`functools.lru_cache` counts entries, and an entry may be a few characters or megabytes. Here each entry has a weight,
and once all of them weigh more than the cache may hold, the oldest are given up; one that was asked for in the meantime
is spared once (the clock algorithm of Corbató 1968), so that asking only sets a mark.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakSet

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


_EVERY: WeakSet[Cache[Any, Any]] = WeakSet()


def clear_all() -> None:
    """Give up what is in any cache."""
    for cache in list(_EVERY):
        cache.clear()


@dataclass(slots=True)
class _Entry(Generic[V]):
    value: V
    weight: int
    was_asked_for: bool = False
    """Since it was put in, or since it was spared the last time."""


class Cache(Generic[K, V]):
    """Values by their keys; threads may share it.

    >>> cache: Cache[str, int] = Cache(capacity=10)
    >>> cache.put("a", 1, weight=6)
    >>> cache.put("b", 2, weight=4)
    >>> cache.get("a"), cache.put("c", 3, weight=4), cache.get("b"), cache.get("a")
    (1, None, None, 1)
    """

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._entries: dict[K, _Entry[V]] = {}
        self._weight = 0
        self._lock = Lock()
        _EVERY.add(self)

    def get(self, key: K) -> V | None:
        """The value under the key, if it is still there."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        entry.was_asked_for = True
        return entry.value

    def put(self, key: K, value: V, weight: int) -> None:
        """Keep a value; one that alone weighs more than the cache may hold is not kept."""
        with self._lock:
            before = self._entries.pop(key, None)
            self._weight -= 0 if before is None else before.weight
            if weight > self.capacity:
                return
            self._entries[key] = _Entry(value, weight)
            self._weight += weight
            while self._weight > self.capacity:
                oldest = next(iter(self._entries))
                entry = self._entries.pop(oldest)
                if entry.was_asked_for:
                    entry.was_asked_for = False
                    self._entries[oldest] = entry
                else:
                    self._weight -= entry.weight

    def clear(self) -> None:
        """Give up everything."""
        with self._lock:
            self._entries.clear()
            self._weight = 0

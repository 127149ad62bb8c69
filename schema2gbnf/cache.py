"""What was made before, kept for the next time within a bound on its size.

`functools.lru_cache` counts entries, and an entry may be a few characters or megabytes. Here each entry has a weight,
and those unused the longest are given up once all of them weigh more than the cache may hold.
"""

from __future__ import annotations

from collections.abc import Hashable
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
        self._entries: dict[K, tuple[V, int]] = {}
        self._weight = 0
        self._lock = Lock()
        _EVERY.add(self)

    def get(self, key: K) -> V | None:
        """The value under the key, if it is still there."""
        with self._lock:
            entry = self._entries.pop(key, None)
            if entry is None:
                return None
            # The entries are in order of their last use.
            self._entries[key] = entry
            return entry[0]

    def put(self, key: K, value: V, weight: int) -> None:
        """Keep a value; one that alone weighs more than the cache may hold is not kept."""
        with self._lock:
            _, before = self._entries.pop(key, (None, 0))
            self._weight -= before
            if weight > self.capacity:
                return
            self._entries[key] = (value, weight)
            self._weight += weight
            while self._weight > self.capacity:
                oldest = next(iter(self._entries))
                self._weight -= self._entries.pop(oldest)[1]

    def clear(self) -> None:
        """Give up everything."""
        with self._lock:
            self._entries.clear()
            self._weight = 0

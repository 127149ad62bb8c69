"""A callback for LiteLLM's proxy: the tools of every request are normalized on their way to the back end.

In the proxy's configuration, before callbacks that filter tools:

    litellm_settings:
      callbacks: [schema2gbnf.integrations.litellm.normalizer]

Other settings need a file of one's own beside the configuration, say `callbacks.py`, named there as
`callbacks.normalizer`:

    from schema2gbnf.integrations.litellm import ToolNormalizer
    normalizer = ToolNormalizer(target="ollama", models=["local/*"])

A request is never lost over it: what cannot be normalized is logged and goes on as it came, but in strict mode, where
the request is answered with status 400 and the events. Nothing is kept between requests except a bounded cache.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections import OrderedDict
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from litellm.integrations.custom_logger import CustomLogger

from schema2gbnf.normalize import DEFAULT_TARGET, Event, NormalizationError, normalize_tools
from schema2gbnf.normalize.options import chosen
from schema2gbnf.normalize.targets import target_of

LOGGER = logging.getLogger("schema2gbnf.normalize")
CACHED = 256
"""Tool lists whose results are remembered."""
LONGEST_CACHED = 1 << 20
"""Characters of a tool list that is remembered."""
MOST_LISTED = 10
"""Events that a summary names one by one."""
LISTS = ("tools", "functions")
"""Where a request has its tools."""


class Outcome(NamedTuple):
    """What has become of a tool list."""

    tools: str | None
    """Its JSON text; None when it stays as it is."""
    events: tuple[Event, ...]
    counters: dict[str, int]


class ToolNormalizer(CustomLogger):  # type: ignore[misc]  # LiteLLM is not there when types are checked
    """Normalizes the tools of requests for models whose names match one of the patterns, or for all.

    `deployment` waits until the proxy has chosen a deployment, so that the patterns are matched with its model;
    `choices` are the options of `normalize_tools`.
    """

    def __init__(
        self,
        target: Any = DEFAULT_TARGET,
        *,
        models: Iterable[str] = (),
        deployment: bool = False,
        **choices: Any,
    ) -> None:
        super().__init__()
        self.target = target_of(target)
        self.options = chosen(None, choices)
        self.models = tuple(models)
        self.deployment = deployment
        self._cache: OrderedDict[bytes, Outcome] = OrderedDict()

    async def async_pre_call_hook(self, user_api_key_dict: Any, cache: Any, data: Any, call_type: Any) -> Any:
        """Called by the proxy with each request; answers with the request to send."""
        return data if self.deployment else await self.normalized(data)

    async def async_pre_call_deployment_hook(self, kwargs: Any, call_type: Any) -> Any:
        """Called by the router with each request once a deployment is chosen."""
        return await self.normalized(kwargs) if self.deployment else None

    async def normalized(self, data: Any) -> Any:
        """The request with its tools normalized."""
        if not isinstance(data, dict) or not self._concerns(data.get("model")):
            return data
        for name in LISTS:
            if isinstance(data.get(name), list) and data[name]:
                outcome = await self._outcome(data[name], data.get("model"))
                if outcome is None:
                    continue
                if outcome.tools is not None:
                    data[name] = json.loads(outcome.tools)
                self._summarize(data.get("model"), outcome)
        return data

    def _concerns(self, model: object) -> bool:
        return not self.models or any(fnmatchcase(str(model), pattern) for pattern in self.models)

    async def _outcome(self, tools: list[Any], model: object) -> Outcome | None:
        """What becomes of a tool list; None, and logged, when that cannot be told."""
        try:
            text = json.dumps(tools, separators=(",", ":"))
            key = hashlib.sha256(text.encode()).digest()
            found = self._cache.get(key)
            if found is None:
                # A long list takes some milliseconds, in which the proxy should serve others.
                found = await asyncio.to_thread(self._normalize, text)
                if len(text) <= LONGEST_CACHED:
                    self._cache[key] = found
            if key in self._cache:
                self._cache.move_to_end(key)
            while len(self._cache) > CACHED:
                self._cache.popitem(last=False)
            return found
        except NormalizationError as error:
            raise _refused(error) from None
        except Exception:
            LOGGER.exception("schema2gbnf.normalize model=%s: the tools go on as they came", model)
            return None

    def _normalize(self, text: str) -> Outcome:
        result = normalize_tools(json.loads(text), self.target, options=self.options)
        changed = result.modified or self.options.on_error == "drop"
        return Outcome(json.dumps(result.tools) if changed else None, result.events, result.counters)

    def _summarize(self, model: object, outcome: Outcome) -> None:
        """One line for a request whose tools were changed, loosened, or failed."""
        counts = outcome.counters
        told = [counts[f"tools_{name}"] for name in ("seen", "modified", "loosened", "failed")]
        if not any(told[1:]):
            return
        listed = [f"{event.tool}:{event.path}:{event.kind}" for event in outcome.events if event.severity != "lossless"]
        LOGGER.log(
            logging.WARNING if told[2] or told[3] else logging.INFO,
            "schema2gbnf.normalize model=%s tools=%d modified=%d loosened=%d failed=%d",
            model,
            *told,
            extra={**counts, "model": model, "counters": counts, "events": listed[:MOST_LISTED]},
        )


def _refused(error: NormalizationError) -> Exception:
    """The answer to a request that strict mode refuses."""
    from fastapi import HTTPException

    events = [event.as_json() for event in error.events]
    refusal: Exception = HTTPException(status_code=400, detail={"error": str(error), "events": events})
    return refusal


def __getattr__(name: str) -> Any:
    """The callback with default settings, made when the proxy first asks for it."""
    if name != "normalizer":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = ToolNormalizer()
    return globals()[name]

"""For users of llama-cpp-python: a `LlamaGrammar` from a schema, and completions under a grammar at nearly full speed.

llama-cpp-python masks the whole vocabulary before every token, which costs as much as the token itself on small models.
Here a token is drawn first and shown to the grammar alone; only when the grammar refuses it are others looked at. Needs
llama-cpp-python (the extra `engine`); without it every function raises `ModuleNotFoundError`.
"""

from __future__ import annotations

import codecs
import ctypes
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from schema2gbnf.api import Result, compile_schema
from schema2gbnf.extras import need
from schema2gbnf.options import Options

if TYPE_CHECKING:
    from llama_cpp import Llama
    from llama_cpp.llama_grammar import LlamaGrammar

Prompt = str | Sequence[int] | Sequence[Mapping[str, Any]]
"""A text, its tokens, or chat messages with `role` and `content`."""

FEW = 1_024
"""Candidates that are shown to the grammar all at once; of more, one after the other is drawn and shown."""
DRAWS = 32
"""Candidates that are drawn and refused before all others are masked."""


def llama_grammar(schema: object, options: Options | None = None, **choices: Any) -> LlamaGrammar:
    """The grammar of a schema, as llama-cpp-python's own functions take it; arguments are those of `compile_schema`."""
    need("engine", "llama.cpp", "llama_cpp")
    from llama_cpp.llama_grammar import LlamaGrammar

    return LlamaGrammar.from_string(compile_schema(schema, options, **choices).gbnf, verbose=False)


def load_model(path: str | PathLike[str], **arguments: Any) -> Llama:
    """`Llama(path, verbose=False, **arguments)` without llama.cpp's repacked weights.

    A build for the machine it stands on repacks weights for AMX where the processor has it, and under some hypervisors
    the first token then ends the process. `Llama` has no argument to choose otherwise, so the default it reads is
    changed while it is made.
    """
    need("engine", "llama.cpp", "llama_cpp")
    from llama_cpp import Llama, llama_cpp

    defaults = llama_cpp.llama_model_default_params

    def plain() -> Any:
        params = defaults()
        params.use_extra_bufts = False
        return params

    llama_cpp.llama_model_default_params = plain
    try:
        return Llama(fspath(path), **{"verbose": False, **arguments})
    finally:
        llama_cpp.llama_model_default_params = defaults


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote under a grammar."""

    text: str
    complete: bool
    """Whether the text is a sentence of the grammar; otherwise `max_tokens` or the context cut it off."""
    tokens: tuple[int, ...]
    masked: int
    """How many masks of the whole vocabulary it took."""

    @property
    def value(self) -> Any:
        """The value of the text. Raises `ValueError` when the text is not complete."""
        if not self.complete:
            raise ValueError("the text was cut off before its end; allow more with max_tokens")
        return json.loads(self.text)


def complete(
    llama: Llama,
    prompt: Prompt,
    grammar: Result | str | None,
    *,
    max_tokens: int = 512,
    temperature: float = 0.8,
    top_k: int = 40,
    top_p: float = 0.95,
    min_p: float = 0.05,
    seed: int = 0,
) -> Completion:
    """Let the model write under a grammar: a compiled schema, GBNF text, or None for free running.

    The next token has exactly this distribution: the model's own, cut by `top_k`, `top_p` and `min_p` and sharpened by
    `temperature`, restricted to the tokens that the grammar allows and renormalised. For drawing until a token is
    allowed, a refused one never twice, is drawing from that distribution; where all candidates are few they are masked
    instead, which comes to the same. When the cut leaves no token that is allowed, the grammar is applied to the whole
    vocabulary before the cut, as llama-cpp-python always does. (It so keeps unlikely tokens where the likeliest
    are refused; with `top_k=0, top_p=1, min_p=0` there is no cut, and both distributions are the same.)

    The same seed gives the same text, as far as the model computes the same. Raises `ValueError` when llama.cpp refuses
    the grammar, or the prompt does not fit into the context.
    """
    writer = _Writer(llama, grammar, temperature, top_k, top_p, min_p, seed)
    pieces = list(writer.write(prompt, max_tokens))
    return Completion("".join(pieces), writer.finished, tuple(writer.tokens), writer.masked)


def stream(
    llama: Llama,
    prompt: Prompt,
    grammar: Result | str | None,
    *,
    max_tokens: int = 512,
    temperature: float = 0.8,
    top_k: int = 40,
    top_p: float = 0.95,
    min_p: float = 0.05,
    seed: int = 0,
) -> Iterator[str]:
    """The text of `complete`, piece by piece as it is written."""
    return _Writer(llama, grammar, temperature, top_k, top_p, min_p, seed).write(prompt, max_tokens)


class _Writer:
    """One completion under way."""

    def __init__(
        self,
        llama: Llama,
        grammar: Result | str | None,
        temperature: float,
        top_k: int,
        top_p: float,
        min_p: float,
        seed: int,
    ) -> None:
        need("engine", "llama.cpp", "llama_cpp")
        from llama_cpp import llama_cpp

        self._library: Any = llama_cpp
        self._llama = llama
        self._vocabulary = llama_cpp.llama_model_get_vocab(llama.model)
        self._candidates = _Candidates(llama_cpp, llama.n_vocab())
        self._cut = _Chain(llama_cpp)
        self._cut.add(llama_cpp.llama_sampler_init_top_k(top_k))
        self._cut.add(llama_cpp.llama_sampler_init_top_p(top_p, 1))
        self._cut.add(llama_cpp.llama_sampler_init_min_p(min_p, 1))
        self._draw = _Chain(llama_cpp)
        if temperature > 0:
            self._cut.add(llama_cpp.llama_sampler_init_temp(temperature))
            self._draw.add(llama_cpp.llama_sampler_init_dist(seed & 0xFFFFFFFF))
        else:
            self._draw.add(llama_cpp.llama_sampler_init_greedy())
        self._grammar: _Chain | None = None
        if grammar is not None:
            gbnf = grammar.gbnf if isinstance(grammar, Result) else grammar
            sampler = llama_cpp.llama_sampler_init_grammar(self._vocabulary, gbnf.encode(), b"root")
            if not sampler:
                raise ValueError("llama.cpp refuses the grammar; its reason is on standard error")
            self._grammar = _Chain(llama_cpp)
            self._grammar.add(sampler)
        self.tokens: list[int] = []
        self.finished = False
        self.masked = 0

    def write(self, prompt: Prompt, most: int) -> Iterator[str]:
        """The pieces of the text; after the last one it is known whether it is finished."""
        tokens = self._tokens_of(prompt)
        room = self._llama.n_ctx() - len(tokens)
        if room <= 0:
            raise ValueError(f"the prompt has {len(tokens)} tokens, the context has room for {self._llama.n_ctx()}")
        decoder = codecs.getincrementaldecoder("utf-8")(errors="ignore")
        self._llama.reset()  # type: ignore[no-untyped-call]
        self._llama.eval(tokens)
        for number in range(min(most, room)):
            if number:
                self._llama.eval([self.tokens[-1]])
            token = self._next()
            if self._library.llama_vocab_is_eog(self._vocabulary, token):
                self.finished = True
                return
            self.tokens.append(token)
            if piece := decoder.decode(self._llama.detokenize([token], prev_tokens=[token], special=True)):
                yield piece
        self.finished = self._may_end()

    def _tokens_of(self, prompt: Prompt) -> list[int]:
        if isinstance(prompt, str):
            return self._llama.tokenize(prompt.encode(), add_bos=True, special=True)
        if all(isinstance(each, int) for each in prompt):
            return [each for each in prompt if isinstance(each, int)]
        return self._llama.tokenize(_chat(self._llama, prompt).encode(), add_bos=False, special=True)

    # -- one token -----------------------------------------------------------------------------------------------------

    def _next(self) -> int:
        """Draw a token and tell the grammar of it."""
        candidates = self._candidates
        candidates.fill(self._llama)
        self._cut.apply(candidates)
        token = self._drawn()
        if self._grammar is not None and not self._grammar.allows(token):
            candidates.drop_selected()
            token = self._another()
        if self._grammar is not None:
            self._grammar.accept(token)
        return token

    def _drawn(self) -> int:
        self._draw.apply(self._candidates)
        return self._candidates.selected

    def _another(self) -> int:
        """A token that the grammar allows, the candidates being those that have not been refused yet."""
        assert self._grammar is not None
        candidates = self._candidates
        for _ in range(DRAWS):
            if len(candidates) <= FEW:
                break
            token = self._drawn()
            if self._grammar.allows(token):
                return token
            candidates.drop_selected()
        if len(candidates):
            self.masked += len(candidates) > FEW
            self._grammar.apply(candidates)
            if candidates.keep_possible():
                return self._drawn()
        self.masked += 1
        candidates.fill(self._llama)
        self._grammar.apply(candidates)
        if not candidates.keep_possible():
            raise ValueError("no token of the model's vocabulary can go on under the grammar")
        self._cut.apply(candidates)
        return self._drawn()

    def _may_end(self) -> bool:
        if self._grammar is None:
            return True
        return self._grammar.allows(self._library.llama_vocab_eos(self._vocabulary))


class _Chain:
    """Samplers of llama.cpp, applied one after the other, and freed with this object."""

    def __init__(self, library: Any) -> None:
        self._library = library
        self._chain = library.llama_sampler_chain_init(library.llama_sampler_chain_default_params())
        self._single = (library.llama_token_data * 1)()
        self._alone = library.llama_token_data_array(data=self._single, size=1, selected=-1, sorted=False)

    def __del__(self) -> None:
        self._library.llama_sampler_free(self._chain)

    def add(self, sampler: Any) -> None:
        self._library.llama_sampler_chain_add(self._chain, sampler)

    def apply(self, candidates: _Candidates) -> None:
        self._library.llama_sampler_apply(self._chain, ctypes.byref(candidates.array))

    def allows(self, token: int) -> bool:
        """Whether a token passes alone."""
        self._single[0] = self._library.llama_token_data(token, 0.0, 0.0)
        self._library.llama_sampler_apply(self._chain, ctypes.byref(self._alone))
        return bool(self._single[0].logit == 0.0)

    def accept(self, token: int) -> None:
        self._library.llama_sampler_accept(self._chain, token)


class _Candidates:
    """The tokens that may be drawn with their logits, as llama.cpp's samplers take and change them."""

    def __init__(self, library: Any, size: int) -> None:
        import numpy

        self._numpy = numpy
        self._library = library
        fields = [("id", numpy.intc), ("logit", numpy.single), ("p", numpy.single)]
        self._data = numpy.zeros(size, dtype=numpy.dtype(fields, align=True))
        self._ids = numpy.arange(size, dtype=numpy.intc)
        pointer = self._data.ctypes.data_as(library.llama_token_data_p)
        self.array = library.llama_token_data_array(data=pointer, size=size, selected=-1, sorted=False)

    def __len__(self) -> int:
        return int(self.array.size)

    @property
    def selected(self) -> int:
        """The token that was drawn."""
        return int(self._data["id"][self.array.selected])

    def fill(self, llama: Llama) -> None:
        """All tokens, with the logits behind the last token evaluated."""
        logits = self._library.llama_get_logits_ith(llama.ctx, -1)
        self._data["id"] = self._ids
        self._data["logit"] = self._numpy.ctypeslib.as_array(logits, shape=self._ids.shape)
        self._resize(len(self._ids))

    def drop_selected(self) -> None:
        """All but the token that was drawn."""
        last = len(self) - 1
        self._data[self.array.selected] = self._data[last]
        self._resize(last)

    def keep_possible(self) -> int:
        """Only the tokens that are not masked; how many there are."""
        present = self._data[: len(self)]
        kept = present[self._numpy.isfinite(present["logit"])]
        self._data[: len(kept)] = kept
        self._resize(len(kept))
        return len(kept)

    def _resize(self, size: int) -> None:
        self.array.size = size
        self.array.selected = -1
        self.array.sorted = False


def _chat(llama: Llama, messages: Any) -> str:
    """The messages in the model's own chat template."""
    from llama_cpp.llama_chat_format import Jinja2ChatFormatter

    template = llama.metadata.get("tokenizer.chat_template")
    if template is None:
        raise ValueError("the model has no chat template; give the prompt as text")

    def text(token: int) -> str:
        return llama.detokenize([token], special=True).decode(errors="ignore") if token >= 0 else ""

    formatter = Jinja2ChatFormatter(template, eos_token=text(llama.token_eos()), bos_token=text(llama.token_bos()))
    return formatter(messages=messages).prompt

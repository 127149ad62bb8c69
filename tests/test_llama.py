"""Completions under a grammar: always sentences, the same for a seed, and distributed as the model's own logits say."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from schema2gbnf import compile_schema
from schema2gbnf.gbnf import Matcher, parse
from schema2gbnf.llama import _Writer, complete, llama_grammar, load_model, stream
from schema2gbnf.verification import engines
from schema2gbnf.verification.engines.child import LlamaCpp
from schema2gbnf.verification.engines.vocabulary import END_OF_TEXT, FIRST_BYTE
from tests.engine import require_engine
from tests.golden import EXAMPLES
from tests.model import real_model, write_tiny_model

PLAIN = {"top_k": 0, "top_p": 1.0, "min_p": 0.0, "temperature": 1.0}
"""No cut: the constrained distribution is the model's own, masked."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require_engine()
    found = tmp_path_factory.mktemp("models") / "tiny.gguf"
    write_tiny_model(found)
    return found


@pytest.fixture(scope="module")
def llama(path: Path) -> Iterator[Any]:
    model = load_model(path, n_ctx=512)
    yield model
    model.close()


SCHEMA = {
    "type": "object",
    "properties": {"kind": {"enum": ["cat", "dog"]}, "age": {"type": "integer", "minimum": 0, "maximum": 30}},
    "required": ["kind", "age"],
}


@pytest.mark.parametrize(
    "use",
    [
        lambda: llama_grammar({"type": "null"}),
        lambda: load_model("model.gguf"),
        lambda: complete(None, "", None),  # type: ignore[arg-type]
        lambda: stream(None, "", None),  # type: ignore[arg-type]
    ],
    ids=["llama_grammar", "load_model", "complete", "stream"],
)
def test_a_missing_library_is_named(use: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schema2gbnf.extras.find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match=r"llama\.cpp is not installed; pip install 'schema2gbnf\[engine\]'"):
        use()


@pytest.mark.parametrize(
    "choices", [{}, PLAIN, {"temperature": 0.0}, {"top_k": 1}, {"top_k": 3, "top_p": 0.5}], ids=str
)
def test_completions_are_values_of_the_schema(choices: dict[str, Any], llama: Any) -> None:
    result = compile_schema(SCHEMA, whitespace="compact")
    for seed in range(5):
        completion = complete(llama, "x", result, seed=seed, **choices)
        assert completion.complete
        jsonschema.validate(completion.value, SCHEMA)
        assert completion.text == json.dumps(completion.value, separators=(",", ":"))


def test_the_seed_chooses(llama: Any) -> None:
    texts = [complete(llama, "x", "root ::= [a-z]{20}", seed=seed).text for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def test_pieces_are_the_text(llama: Any) -> None:
    grammar = 'root ::= [a-zé🙂]{30} "é"'
    text = complete(llama, "x", grammar, seed=3).text
    assert text.endswith("é")
    assert "".join(stream(llama, "x", grammar, seed=3)) == text


def test_what_is_cut_off_is_not_complete(llama: Any) -> None:
    completion = complete(llama, "x", "root ::= [a-z]{20}", max_tokens=10)
    assert not completion.complete
    assert len(completion.text) == 10
    with pytest.raises(ValueError, match="cut off"):
        _ = completion.value


def test_what_may_end_where_it_is_cut_off_is_complete(llama: Any) -> None:
    assert complete(llama, "x", "root ::= [a-z]*", max_tokens=10, temperature=0.0).complete


def test_free_running_is_the_models_own(llama: Any) -> None:
    free = complete(llama, "x", None, max_tokens=20, seed=4, **PLAIN)
    anything = complete(llama, "x", "root ::= [^\\x00]*", max_tokens=20, seed=4, **PLAIN)
    assert free.masked == 0
    assert len(free.tokens) <= 20
    assert anything.complete


def test_a_prompt_of_tokens(llama: Any) -> None:
    tokens = llama.tokenize(b"x")
    grammar = "root ::= [a-z]{9}"
    assert complete(llama, tokens, grammar, seed=5) == complete(llama, "x", grammar, seed=5)


def test_the_context_is_not_overrun(llama: Any) -> None:
    completion = complete(llama, "x" * 500, "root ::= [a-z]*", max_tokens=100, temperature=0.0)
    assert len(completion.tokens) <= 512 - 500
    with pytest.raises(ValueError, match="the context has room for 512"):
        complete(llama, "x" * 600, "root ::= [a-z]*")


def test_a_grammar_that_the_engine_refuses(llama: Any) -> None:
    with pytest.raises(ValueError, match=r"llama\.cpp refuses the grammar"):
        complete(llama, "x", "root ::= x")


# -- the distribution --------------------------------------------------------------------------------------------------


def probabilities(llama: Any, allowed: bytes, end: bool = False) -> dict[int, float]:
    """The model's distribution of the token after "x", restricted to some bytes and perhaps the end."""
    import numpy
    from llama_cpp import llama_cpp

    llama.reset()
    llama.eval(llama.tokenize(b"x"))
    logits = numpy.ctypeslib.as_array(llama_cpp.llama_get_logits_ith(llama.ctx, -1), shape=(llama.n_vocab(),))
    tokens = [FIRST_BYTE + byte for byte in allowed] + ([END_OF_TEXT] if end else [])
    odds = {token: float(numpy.exp(numpy.float64(logits[token]))) for token in tokens}
    return {token: odd / sum(odds.values()) for token, odd in odds.items()}


@pytest.mark.parametrize(
    ("grammar", "allowed", "end"),
    [
        ("root ::= [abc] root", b"abc", False),
        ("root ::= [a-z] root", bytes(range(ord("a"), ord("z") + 1)), False),
        ('root ::= ("a" | "b")*', b"ab", True),
    ],
)
@pytest.mark.parametrize("many", [1, 1_000], ids=["one by one", "masked"])
def test_tokens_have_the_constrained_distribution(
    many: int, grammar: str, allowed: bytes, end: bool, llama: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The grammar allows the same after each token, and the logits stay, so that all draws are of one distribution."""
    monkeypatch.setattr("schema2gbnf.llama.FEW", many)
    expected = probabilities(llama, allowed, end)
    writer = _Writer(llama, grammar, seed=7, **PLAIN)
    draws = 3000
    drawn = Counter(writer._next() for _ in range(draws))
    assert set(drawn) <= set(expected)
    # Pearson's statistic; twice the degrees of freedom and ten is beyond one in a thousand for all of these.
    statistic = sum((drawn[token] - draws * p) ** 2 / (draws * p) for token, p in expected.items())
    assert statistic < 2 * len(expected) + 10, statistic


def test_the_cut_comes_before_the_grammar(llama: Any) -> None:
    """Of the likeliest tokens those that the grammar allows are drawn, and others only when it allows none of them."""
    everything = probabilities(llama, bytes(range(256)), end=True)
    likeliest = sorted(everything, key=lambda token: -everything[token])

    def drawn(tokens: tuple[int, ...], top_k: int) -> set[int]:
        bytes_ = "".join(f"\\x{token - FIRST_BYTE:02X}" for token in tokens)
        grammar = f"root ::= [{bytes_}]"
        return {
            complete(llama, "x", grammar, max_tokens=1, seed=seed, top_k=top_k, top_p=1.0, min_p=0.0).tokens[0]
            for seed in range(30)
        }

    ascii_only = tuple(token for token in likeliest if 0x21 <= token - FIRST_BYTE < 0x7F)
    a, b, c = ascii_only[0], ascii_only[1], ascii_only[-1]
    cut = likeliest.index(b) + 1
    assert drawn((a, b, c), cut) == {a, b}
    assert drawn((c,), 1) == {c}


# -- the library's own grammar, and a real model -----------------------------------------------------------------------


def test_a_schema_becomes_a_grammar_of_the_library(llama: Any) -> None:
    grammar = llama_grammar(SCHEMA, whitespace="compact")
    written = llama.create_completion("x", grammar=grammar, max_tokens=200, seed=1)["choices"][0]["text"]
    jsonschema.validate(json.loads(written), SCHEMA)


def test_a_model_draws_sentences_in_the_child(path: Path) -> None:
    result = compile_schema(SCHEMA)
    matcher = Matcher(parse(result.gbnf))
    with LlamaCpp(path) as engine:
        engine.load(result.gbnf)
        draws = list(engine.draws(4, 1))
    assert all(isinstance(draw, engines.Draw) for draw in draws)
    assert any(draw.complete for draw in draws)
    assert all(matcher.accepts(draw.text) for draw in draws if draw.complete)


def test_a_real_model_writes_a_tool_call() -> None:
    require_engine()
    model = load_model(real_model(), n_ctx=512)
    schema = json.loads((EXAMPLES / "tool-parameters.json").read_bytes())
    question = [{"role": "user", "content": "The weather in Oslo for five days, please."}]
    completion = complete(model, question, compile_schema(schema), max_tokens=120, seed=1)
    model.close()
    jsonschema.validate(completion.value, schema)

"""Characters as a JSON string spells them.

Comes in: a set of characters. Goes out: an expression whose texts are the spellings of these characters between the
quotes. Each character has one canonical spelling, the one `json.dumps(ensure_ascii=False)` writes: itself, but for the
quote, the backslash and the controls, which have a short escape or `\\u00XX` in lower case. Free strings take every
spelling JSON has (`every_spelling`). Surrogates have none: JSON spells them as halves of a pair or not at all.
"""

from __future__ import annotations

from schema2gbnf.grammar.drafts import Draft
from schema2gbnf.grammar.rules import NOTHING, CharClass, Expr, Literal, Ref, alternation, repeat, sequence
from schema2gbnf.languages.charset import LINE_TERMINATOR, SPACE, SURROGATES, TEXT, CharSet

SHORT = {'"': '"', "\\": "\\", "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t"}
"""The letter behind the backslash, for characters that have one and no other canonical spelling."""

ESCAPED = CharSet.of('"\\') | CharSet.span("\x00", "\x1f")
PLAIN = TEXT - ESCAPED
HEX = CharSet.span("0", "9") | CharSet.span("a", "f") | CharSet.span("A", "F")

CHAR, ESCAPE, PLAIN_CHAR, PLAIN_ESCAPE = "char", "escape", "plain-char", "plain-escape"
NAMES = {TEXT: PLAIN_CHAR, TEXT - LINE_TERMINATOR: "line-char", TEXT - SPACE: "nonspace-char"}
"""Sets that patterns often ask for."""

SHARED = (*NAMES.values(), PLAIN_ESCAPE, CHAR, ESCAPE)
"""Names of the rules that many others share, in the order they are best printed."""


def raw(chars: CharSet, draft: Draft) -> Expr:
    """One character of the set, as it stands."""
    chars = chars - SURROGATES
    if not chars:
        return NOTHING
    return CharClass(chars) if chars.single is None else Literal(chars.single)


def spelled(chars: CharSet, draft: Draft) -> Expr:
    """One character of the set in its canonical spelling.

    >>> spelled(CharSet.of("\\n"), Draft())
    Literal(text='\\\\n')
    >>> spelled(TEXT, Draft())
    Ref(name='plain-char')
    """
    char = chars.single
    if char is not None and " " <= char <= "~" and char not in SHORT:
        return Literal(char)

    def make() -> Expr:
        text = chars - SURROGATES
        expr = alternation(_escape(text & ESCAPED, draft), raw(text & PLAIN, draft))
        return draft.share(NAMES[text], expr) if text in NAMES else expr

    return draft.once(("spelled", chars), make)


def every_spelling(draft: Draft) -> Ref:
    """Any one character in any of its spellings: a surrogate pair is one, half of it is none."""
    digits = CharClass(HEX)
    basic = alternation(
        sequence(CharClass(HEX - CharSet.of("dD")), repeat(digits, 3, 3)),
        sequence(CharClass(CharSet.of("dD")), CharClass(CharSet.span("0", "7")), repeat(digits, 2, 2)),
    )
    high = sequence(CharClass(CharSet.of("dD")), CharClass(CharSet.of("89abAB")), repeat(digits, 2, 2))
    low = sequence(CharClass(CharSet.of("dD")), CharClass(CharSet.of("cdefCDEF")), repeat(digits, 2, 2))
    letters = CharClass(CharSet.of("/" + "".join(SHORT.values())))
    pair = sequence(high, Literal("\\u"), low)
    escape = sequence(Literal("\\"), alternation(letters, sequence(Literal("u"), alternation(basic, pair))))
    return draft.share(CHAR, alternation(draft.share(ESCAPE, escape), CharClass(PLAIN)))


def _escape(chars: CharSet, draft: Draft) -> Expr:
    """The canonical spelling of a character that needs an escape; a choice of many is a rule named by its content."""
    if not chars:
        return NOTHING
    letters = CharSet.of("".join(SHORT[c] for c in chars if c in SHORT))
    coded = [f"{ord(c):02x}" for c in chars if c not in SHORT]
    digits = {high: CharSet.of("".join(code[1] for code in coded if code[0] == high)) for high in "01"}
    codes = (sequence(Literal(high), raw(lows, draft)) for high, lows in digits.items())
    body = sequence(Literal("\\"), alternation(raw(letters, draft), sequence(Literal("u00"), alternation(*codes))))
    if len(coded) <= 1:
        return body
    return draft.share(_escape_name(chars), body)


def _escape_name(chars: CharSet) -> str:
    """`plain-escape`, or what is lacking of it (`plain-escape-but-n-r`), or what there is (`plain-escape-t-n-u0b`)."""

    def names(chars: CharSet) -> str:
        return "".join("-" + _word(c) for c in chars)

    lacking = ESCAPED - chars
    if not lacking:
        return PLAIN_ESCAPE
    if len(lacking) <= 6:
        return f"{PLAIN_ESCAPE}-but{names(lacking)}"
    return f"{PLAIN_ESCAPE}{names(chars)}" if len(chars) <= 6 else PLAIN_ESCAPE


def _word(char: str) -> str:
    return {'"': "quote", "\\": "backslash"}.get(char) or SHORT.get(char) or f"u{ord(char):02x}"

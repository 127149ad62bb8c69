"""Uniform and internationalised resource identifiers, their references and templates: RFC 3986, 3987 and 6570."""

from __future__ import annotations

from dataclasses import dataclass

from schema2gbnf.languages.formats.addresses import IPV6
from schema2gbnf.languages.formats.format import exact

HEX = "[0-9A-Fa-f]"
PERCENT = f"%{HEX}{HEX}"
UNRESERVED = r"A-Za-z0-9._~\-"
SCHEME = "[A-Za-z][A-Za-z0-9+.-]*:"
SUB_DELIMS = "!$&'()*+,;="
# RFC 3987, section 2.2
UCSCHAR = r"\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + "".join(
    rf"\u{{{plane:x}{'1000' if plane == 14 else '0000'}}}-\u{{{plane:x}fffd}}" for plane in range(1, 15)
)
IPRIVATE = r"\ue000-\uf8ff\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}"


@dataclass(frozen=True, slots=True)
class _Syntax:
    """The grammar of RFC 3986, appendix A, with the characters that RFC 3987 adds to `unreserved` and to `query`."""

    more: str
    more_in_query: str

    def _text(self, others: str) -> str:
        return f"(?:[{UNRESERVED}{self.more}{SUB_DELIMS}{others}]|{PERCENT})"

    @property
    def pchar(self) -> str:
        return self._text(":@")

    @property
    def authority(self) -> str:
        # A reg-name matches every IPv4 address.
        literal = rf"\[(?:{IPV6}|[Vv]{HEX}+\.[{UNRESERVED}{SUB_DELIMS}:]+)\]"
        return f"(?:{self._text(':')}*@)?(?:{literal}|{self._text('')}*)(?::[0-9]*)?"

    @property
    def segments(self) -> str:
        """*( "/" segment )"""
        return f"(?:/{self.pchar}*)*"

    @property
    def rooted(self) -> str:
        """What may follow a first "/": the rest of path-absolute, or a second one and an authority."""
        return f"(?:/{self.authority}{self.segments}|{self.pchar}+{self.segments})?"

    @property
    def tail(self) -> str:
        """[ "?" query ] [ "#" fragment ]"""
        return rf"(?:\?{self._text(f':@/?{self.more_in_query}')}*)?(?:#{self._text(':@/?')}*)?"

    @property
    def identifier(self) -> str:
        """URI"""
        return f"{SCHEME}(?:/{self.rooted}|{self.pchar}+{self.segments})?{self.tail}"

    @property
    def reference(self) -> str:
        """URI-reference: without a scheme, the first segment of a path that does not begin with "/" has no colon."""
        rootless = f"{SCHEME}{self.pchar}+{self.segments}|{self._text('@')}+{self.segments}"
        return f"(?:(?:{SCHEME})?(?:/{self.rooted})?|{rootless}){self.tail}"


_URI = _Syntax("", "")
_IRI = _Syntax(UCSCHAR, IPRIVATE)

# -- RFC 6570, section 2 ---------------------------------------------------------------------------------------------

# The apostrophe by erratum 6937.
LITERALS = rf"(?:[!#$&'()*+,\-./0-;=?@A-Z[\]_a-z~{UCSCHAR}{IPRIVATE}]|{PERCENT})"
VARCHAR = f"(?:[A-Za-z0-9_]|{PERCENT})"
VARSPEC = rf"{VARCHAR}(?:\.?{VARCHAR})*(?:\*|:[1-9][0-9]{{0,3}})?"
URI_TEMPLATE = rf"(?:{LITERALS}|\{{[+#./;?&=,!@|]?{VARSPEC}(?:,{VARSPEC})*\}})*"

FORMATS = (
    exact("uri", _URI.identifier),
    exact("uri-reference", _URI.reference),
    exact("iri", _IRI.identifier),
    exact("iri-reference", _IRI.reference),
    exact("uri-template", URI_TEMPLATE),
)


def _parts(syntax: _Syntax, prefix: str) -> dict[str, str]:
    return {
        f"{prefix}char": syntax.pchar,
        f"{prefix}path": syntax.segments,
        f"{prefix}rootless": f"{syntax.pchar}+{syntax.segments}",
        f"{prefix}authority": syntax.authority,
        f"{prefix}suffix": syntax.tail,
    }


PARTS = {
    "pct-encoded": PERCENT,
    "scheme": SCHEME,
    **_parts(_URI, "uri-"),
    **_parts(_IRI, "iri-"),
    "literal": LITERALS,
    "varspec": VARSPEC,
}

"""Internet addresses in digits: RFC 2673 (ipv4) and RFC 4291, section 2.2 (ipv6)."""

from __future__ import annotations

from schema2gbnf.languages.formats.format import exact

OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
IPV4 = rf"{OCTET}\.{OCTET}\.{OCTET}\.{OCTET}"

GROUP = "[0-9A-Fa-f]{1,4}"


def _after_gap(most: int) -> str:
    """Up to so many groups behind the `::`, the last two of which may be an IPv4 address."""
    groups = f"{GROUP}(?::{GROUP}){{0,{most - 1}}}" if most > 1 else GROUP
    dotted = f"|(?:{GROUP}:){{0,{most - 2}}}{IPV4}" if most > 2 else f"|{IPV4}" if most == 2 else ""
    return f"(?:{groups}{dotted})?"


def _after_group(count: int) -> str:
    """What may follow when so many of the eight groups have been read, and no gap."""
    if count == 7:
        return f":(?::|{GROUP})"
    dotted = f"|{IPV4}" if count == 6 else ""
    return f":(?::{_after_gap(7 - count)}|{GROUP}{_after_group(count + 1)}{dotted})"


IPV6 = f"(?:::{_after_gap(7)}|{GROUP}{_after_group(1)})"

FORMATS = (
    exact("ipv4", IPV4),
    exact("ipv6", IPV6),
)

PARTS = {"dec-octet": OCTET, "ipv4-address": IPV4, "h16": GROUP, "ipv6-address": IPV6}

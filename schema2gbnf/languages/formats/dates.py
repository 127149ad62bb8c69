"""Dates, times and durations: RFC 3339, with the calendar and the leap seconds as they are."""

from __future__ import annotations

from schema2gbnf.languages.formats.format import exact, narrowed

# -- RFC 3339, section 5.6 and appendix C: full-date ---------------------------------------------------------------

DAY_TO_28 = "(?:0[1-9]|1[0-9]|2[0-8])"
DAY_TO_30 = "(?:0[1-9]|[12][0-9]|30)"
DAY_TO_31 = "(?:0[1-9]|[12][0-9]|3[01])"
LEAP_YEAR = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
FULL_DATE = (
    f"(?:[0-9]{{4}}-(?:(?:0[13578]|1[02])-{DAY_TO_31}|(?:0[469]|11)-{DAY_TO_30}|02-{DAY_TO_28})|{LEAP_YEAR}-02-29)"
)

# -- RFC 3339, section 5.6: full-time ------------------------------------------------------------------------------

HOUR = "(?:[01][0-9]|2[0-3])"
TO_59 = "[0-5][0-9]"
FRACTION = r"(?:\.[0-9]+)?"
OFFSET = f"(?:[Zz]|[+-]{HOUR}:{TO_59})"


def _leap_second(hour: int) -> str:
    """A sixtieth second in this hour of local time, with the offsets by which it is 23:59:60 in UTC."""
    ahead, next_ahead, behind = f"{hour:02}", f"{(hour + 1) % 24:02}", f"{23 - hour:02}"
    utc = "[Zz]|" if hour == 23 else ""
    return rf"(?:29:60{FRACTION}(?:\+{ahead}|-{behind}):30|59:60{FRACTION}(?:{utc}(?:\+{next_ahead}|-{behind}):00))"


def _leap_seconds() -> str:
    """All leap seconds, the hours told apart digit by digit."""
    hours = {tens: range(10 if tens < 2 else 4) for tens in range(3)}
    return "|".join(
        f"{tens}(?:{'|'.join(f'{ones}:{_leap_second(10 * tens + ones)}' for ones in hours[tens])})" for tens in hours
    )


FULL_TIME = f"(?:{HOUR}:{TO_59}:{TO_59}{FRACTION}{OFFSET}|{_leap_seconds()})"
OUTER_TIME = f"{HOUR}:{TO_59}:(?:{TO_59}|60){FRACTION}{OFFSET}"
LEAP_SECONDS = "leap seconds only at offsets of whole and half hours"

# -- RFC 3339, appendix A: duration --------------------------------------------------------------------------------

NUMBER = "[0-9]+"
DURATION_TIME = f"T{NUMBER}(?:S|M(?:{NUMBER}S)?|H(?:{NUMBER}M(?:{NUMBER}S)?)?)"
DURATION_DATE = f"D|M(?:{NUMBER}D)?|Y(?:{NUMBER}M(?:{NUMBER}D)?)?"
DURATION = f"P(?:{NUMBER}(?:W|(?:{DURATION_DATE})(?:{DURATION_TIME})?)|{DURATION_TIME})"

FORMATS = (
    exact("date", FULL_DATE),
    narrowed("time", FULL_TIME, OUTER_TIME, LEAP_SECONDS),
    narrowed("date-time", f"{FULL_DATE}[Tt]{FULL_TIME}", f"{FULL_DATE}[Tt]{OUTER_TIME}", LEAP_SECONDS),
    exact("duration", DURATION),
)

"""Dates, times and durations: RFC 3339, with the calendar and the leap seconds as they are."""

from __future__ import annotations

from schema2gbnf.languages.formats.format import exact, narrowed

# -- RFC 3339, section 5.6 and appendix C: full-date ---------------------------------------------------------------

LEAP_YEAR = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
MONTH_DAY = (
    "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))"
)
FULL_DATE = f"(?:[0-9]{{4}}-{MONTH_DAY}|{LEAP_YEAR}-02-29)"

# -- RFC 3339, section 5.6: full-time ------------------------------------------------------------------------------

HOUR = "(?:[01][0-9]|2[0-3])"
TO_59 = "[0-5][0-9]"
SECFRAC = r"\.[0-9]+"
FRACTION = f"(?:{SECFRAC})?"
OFFSET = f"(?:[Zz]|[+-]{HOUR}:{TO_59})"


def _leap_second(hour: int) -> str:
    """The sixtieth seconds in this hour of local time, with the offsets by which it is 23:59:60 in UTC."""
    choices = []
    for minute in (14, 29, 44, 59):
        ahead, behind = divmod(60 * hour + minute + 1, 60), divmod(60 * (23 - hour) + 59 - minute, 60)
        offsets = [f"\\+{ahead[0] % 24:02}:{ahead[1]:02}"] if minute in (29, 59) or ahead < (14, 0) else []
        offsets += [f"-{behind[0]:02}:{behind[1]:02}"] if minute in (29, 59) or behind < (12, 0) else []
        offsets += ["[Zz]"] if (hour, minute) == (23, 59) else []
        choices += [f"{minute}:60{FRACTION}(?:{'|'.join(offsets)})"] if offsets else []
    return f"{hour:02}:(?:{'|'.join(choices)})"


LEAP_SECOND = f"(?:{'|'.join(map(_leap_second, range(24)))})"
FULL_TIME = f"(?:{HOUR}:{TO_59}:{TO_59}{FRACTION}{OFFSET}|{LEAP_SECOND})"
OUTER_TIME = f"{HOUR}:{TO_59}:(?:{TO_59}|60){FRACTION}{OFFSET}"
LEAP_SECONDS = "leap seconds only at offsets of whole and half hours, and of quarters from -12:00 to +14:00"

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

PARTS = {
    "leap-year": LEAP_YEAR,
    "month-day": MONTH_DAY,
    "full-date": FULL_DATE,
    "time-hour": HOUR,
    "time-secfrac": SECFRAC,
    "time-offset": OFFSET,
    "leap-second": LEAP_SECOND,
    "full-time": FULL_TIME,
    "duration-time": DURATION_TIME,
}

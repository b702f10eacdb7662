"""Parts of times, as record.times asks for them: hour, weekday, month, and the age in days."""

from __future__ import annotations

import datetime
import re
from typing import Any, Mapping, Optional

import numpy as np

from fairstream._texts import RecordError, text

_CLOCK = r"(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d+))?"
_LAYOUTS = {
    "rfc3339": re.compile(rf"(\d{{4}})-(\d\d)-(\d\d)T{_CLOCK}(?:Z|([+-])(\d\d):(\d\d))", re.ASCII),
    "local": re.compile(rf"(\d{{4}})-(\d\d)-(\d\d)[T ]{_CLOCK}", re.ASCII),
    "date": re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII),
}
_SECOND = 10**9
_HOUR, _DAY = 3600 * _SECOND, 24 * 3600 * _SECOND
# The first second of the year 10000, and that of the year 1, which stands for no time.
_LATEST, _NO_TIME = 253402300800, -62135596800 * _SECOND
_LONGEST = 2**63 - 1  # of a duration, in nanoseconds


class Moment:
    """A time: nanoseconds since 1970 in UTC, and how far its zone is ahead."""

    __slots__ = ("at", "ahead")

    def __init__(self, at: int, ahead: int = 0) -> None:
        self.at, self.ahead = at, ahead

    def part(self, name: str) -> int:
        days, rest = divmod(self.at + self.ahead, _DAY)
        if name == "hour":
            return rest // _HOUR
        if name == "weekday":
            return (days + 3) % 7 + 1
        return _month(days)


def _days(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01 in the Gregorian calendar."""
    if year == 0:  # which datetime does not have: a leap year
        return datetime.date(400, month, day).toordinal() - 719163 - 146097
    return datetime.date(year, month, day).toordinal() - 719163


def _month(days: int) -> int:
    return datetime.date.fromordinal((days + 719163 - 1) % 146097 + 1).month


def read(form: str, value: str) -> Optional[Moment]:
    """The time that a text is; None if it is not written so."""
    layout = _LAYOUTS.get(form)
    if layout is None:
        return _unix(value, 1000 if form == "unix-ms" else 1)
    found = layout.fullmatch(value)
    if not found:
        return None
    groups = found.groups()
    try:
        at = _days(int(groups[0]), int(groups[1]), int(groups[2])) * _DAY
    except ValueError:
        return None
    if form == "date":
        return Moment(at)
    hour, minute, second = int(groups[3]), int(groups[4]), int(groups[5])
    if hour > 23 or minute > 59 or second > 59:
        return None
    at += hour * _HOUR + (minute * 60 + second) * _SECOND + int(((groups[6] or "") + "0" * 9)[:9])
    if form == "local" or groups[7] is None:
        return Moment(at)
    zone_hour, zone_minute = int(groups[8]), int(groups[9])
    if zone_hour > 24 or zone_minute > 60:
        return None
    ahead = (zone_hour * 60 + zone_minute) * 60 * _SECOND * (-1 if groups[7] == "-" else 1)
    return Moment(at - ahead, ahead)


_WHOLE = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def _unix(value: str, per_second: int) -> Optional[Moment]:
    """Whole numbers are exact; a fraction is rounded to the microsecond."""
    if _WHOLE.fullmatch(value) and -(2**63) <= int(value) < 2**63:
        n = int(value)
        return Moment(n * (_SECOND // per_second)) if abs(n) < _LATEST * per_second else None
    if not _DECIMAL.fullmatch(value) or not abs(float(value)) < _LATEST * per_second:
        return None
    micro = float(value) * (1e6 / per_second)
    return Moment(_away(micro) * 1000)


def _away(x: float) -> int:
    """The nearest whole number, halves away from zero."""
    whole = int(x)
    return whole + (1 if x > 0 else -1) if abs(x - whole) >= 0.5 else whole


def written(form: str, value: Any) -> Optional[str]:
    """The text of a time that a field of this format holds. A datetime is written in the format; it is in UTC where it has no
    zone."""
    if isinstance(value, np.datetime64) and not np.isnat(value):
        value = value.astype("datetime64[us]").item()
    if not isinstance(value, datetime.date) or value != value:
        return text(value)
    at = value if isinstance(value, datetime.datetime) else datetime.datetime(value.year, value.month, value.day)
    if form == "date":
        return at.date().isoformat()
    if form == "local":
        return at.replace(tzinfo=None).isoformat()
    if form == "rfc3339":
        return re.sub(r"\+00:00$", "Z", at.isoformat()) if at.tzinfo else at.isoformat() + "Z"
    since = (at if at.tzinfo else at.replace(tzinfo=datetime.timezone.utc)) - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    micro = (since.days * 86400 + since.seconds) * 10**6 + since.microseconds
    unit = 10**3 if form == "unix-ms" else 10**6
    return str(micro // unit) if micro % unit == 0 else repr(micro / unit)


def age(event: Moment, at: Moment) -> str:
    """The days from a time to the event, rounded to two decimals."""
    nano = max(-_LONGEST - 1, min(_LONGEST, event.at - at.at))
    sign = -1 if nano < 0 else 1
    hours, rest = divmod(abs(nano), _HOUR)
    days = (float(sign * hours) + float(sign * rest) / (60 * 60 * 1e9)) / 24
    scaled = days * 100
    rounded = float(_away(scaled)) if _away(scaled) else (-0.0 if scaled < 0 or str(scaled) == "-0.0" else 0.0)
    return repr(rounded / 100).removesuffix(".0")


class Parts:
    """What a configuration's record.times and record.time ask for."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        event = record.get("time") or {}
        self.event: str = event.get("field", "")
        self.event_form: str = event.get("format") or "rfc3339"
        self.fields: list[tuple[str, str, list[str]]] = []
        for times in record.get("times") or []:
            form = times.get("format") or "rfc3339"
            parts = times.get("parts") or (["weekday", "month"] if form == "date" else ["hour", "weekday"])
            self.fields.append((times["field"], form, parts))
        self.ages = any("age" in parts for _, _, parts in self.fields)

    def names(self) -> set[str]:
        """The fields that are read to make the parts."""
        return {field for field, _, _ in self.fields} | ({self.event} if self.event and self.ages else set())

    def made(self) -> set[str]:
        """The fields that the parts become."""
        return {f"{field}.{part}" for field, _, parts in self.fields for part in parts}

    def replace(self, fields: dict[str, Any], missing: frozenset[str]) -> None:
        """Replaces each time among the fields of a record by its parts."""
        event = self._moment(fields, self.event, self.event_form, missing) if self.ages else None
        made: dict[str, Optional[str]] = {}
        for field, form, parts in self.fields:
            below = field + "."
            for name in [name for name in fields if name.startswith(below)]:
                del fields[name]
            if field not in fields:
                continue
            moment = self._moment(fields, field, form, missing)
            for part in parts:
                if moment is None:
                    made[below + part] = None
                elif part != "age":
                    made[below + part] = str(moment.part(part))
                elif event is None or event.at == _NO_TIME or moment.at == _NO_TIME:
                    made[below + part] = None
                else:
                    made[below + part] = age(event, moment)
        fields.update(made)

    @staticmethod
    def _moment(fields: Mapping[str, Any], field: str, form: str, missing: frozenset[str]) -> Optional[Moment]:
        value = written(form, fields.get(field))
        if value is None or value in missing:
            return None
        moment = read(form, value)
        if moment is None:
            raise RecordError(f"bad_time in field {field!r}: not a time written as {form}")
        return moment

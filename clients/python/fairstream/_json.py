"""JSON as the program writes it. A hash covers bytes, which a Python library would write differently."""

from __future__ import annotations

import json
import math
import re
from typing import Any

_SPACE = re.compile(r'("(?:[^"\\]|\\.)*")|[ \t\r\n]+')
_ESCAPED = re.compile('["\\\\\x00-\x1f<>&\u2028\u2029]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def compact(text: str) -> str:
    """JSON without insignificant space; all else stays as it is written."""
    return _SPACE.sub(lambda m: m.group(1) or "", text)


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


_decoder = json.JSONDecoder(parse_constant=_no_constant)
_blank = re.compile(r"[ \t\r\n]*")


def members(text: str) -> tuple[dict[str, Any], dict[str, str]]:
    """A JSON object: its values by key, and the text of each value as it stands there. ValueError if it is none, or if a key
    comes twice."""
    values: dict[str, Any] = {}
    texts: dict[str, str] = {}

    def skip(at: int) -> int:
        found = _blank.match(text, at)
        assert found
        return found.end()

    at = skip(0)
    if text[at : at + 1] != "{":
        raise ValueError("not a JSON object")
    at = skip(at + 1)
    while text[at : at + 1] != "}":
        if values:
            if text[at : at + 1] != ",":
                raise ValueError(f"malformed JSON at character {at}")
            at = skip(at + 1)
        key, at = _decoder.raw_decode(text, at)
        at = skip(at)
        if not isinstance(key, str) or text[at : at + 1] != ":" or key in values:
            raise ValueError(f"malformed JSON, or a key that comes twice, at character {at}")
        start = skip(at + 1)
        values[key], end = _decoder.raw_decode(text, start)
        texts[key] = text[start:end]
        at = skip(end)
    if skip(at + 1) != len(text):
        raise ValueError(f"malformed JSON at character {at + 1}")
    return values, texts


def write(value: Any) -> str:
    """The JSON that the program writes for a value, without space."""
    if isinstance(value, dict):
        return "{" + ",".join(_quoted(k) + ":" + write(v) for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(write, value)) + "]"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, float):
        return _number(value)
    return json.dumps(value)


def _quoted(text: str) -> str:
    return '"' + _ESCAPED.sub(lambda m: _SHORT.get(m.group(), f"\\u{ord(m.group()):04x}"), text) + '"'


def _number(x: float) -> str:
    """The shortest decimal, with an exponent below 1e-6 and from 1e21 on."""
    if not math.isfinite(x):
        raise ValueError(f"{x} is not JSON")
    if x == 0:
        return "-0" if math.copysign(1, x) < 0 else "0"
    sign, digits, exponent = _decimal(x)
    point = len(digits) + exponent
    if not 1e-6 <= abs(x) < 1e21:
        return f"{sign}{digits[0]}{'.' + digits[1:] if len(digits) > 1 else ''}e{point - 1:+03d}".replace("e-0", "e-")
    if exponent >= 0:
        return sign + digits + "0" * exponent
    if point > 0:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    return f"{sign}0.{'0' * -point}{digits}"


def _decimal(x: float) -> tuple[str, str, int]:
    """Sign, shortest digits, and the power of ten of the last of them."""
    mantissa, _, exponent = repr(abs(x)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits, power = whole + fraction, int(exponent or 0) - len(fraction)
    stripped = digits.rstrip("0")
    return ("-" if x < 0 else "", stripped.lstrip("0"), power + len(digits) - len(stripped))

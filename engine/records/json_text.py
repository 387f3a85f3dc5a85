"""JSON as people save it: what is wrong with a text is said with its line, and no key may stand twice."""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

__all__ = ["decode_json"]

_BYTE = re.compile(r"^(?:JSON is malformed: )?(?P<what>.*) \(byte (?P<at>\d+)\)$", re.DOTALL)
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
#: Editors on Windows begin a text in UTF-8 with this.
_MARK = b"\xef\xbb\xbf"


def decode_json(text: bytes) -> Any:
    """The plain value in a JSON text. Raises ValueError that says what is wrong with it, and where.

    >>> decode_json(b'{"a": [1, 2]}')
    {'a': [1, 2]}
    """
    text = text.removeprefix(_MARK)
    _demand_text(text)
    try:
        value = msgspec.json.decode(text)
        json.loads(text, object_pairs_hook=each_once)
    except msgspec.DecodeError as error:
        raise ValueError(_not_finite(text) or f"not well-formed JSON ({_placed(str(error), text)})") from error
    except RecursionError as error:
        raise ValueError(f"not well-formed JSON ({error})") from error
    return value


def _demand_text(text: bytes) -> None:
    if text.startswith(_UTF_16):
        raise ValueError("expected text in UTF-8, found UTF-16: save it as UTF-8")
    if not text.strip():
        raise ValueError("expected JSON, found an empty file")
    try:
        text.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"expected text in UTF-8, found byte 0x{error.object[error.start]:02x}") from error


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of a JSON text. Raises ValueError where a key stands in it twice: one of them would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        beside = next((f', beside "{key}": {json.dumps(value)[:40]}' for key, value in pairs if key != twice), "")
        raise ValueError(f'expected each key once in an object, got "{twice}" twice{beside}')
    return found


def _not_finite(text: bytes) -> str | None:
    """The complaint about the first number that is none (NaN, 1e999); None where something else is wrong."""
    with contextlib.suppress(ValueError, RecursionError):
        where = next(_endless(json.loads(text)), None)
        return None if where is None else f"{where.lstrip('.') or 'the whole file'}: expected a finite number"
    return None


def _endless(value: Any, where: str = "") -> Iterator[str]:
    if isinstance(value, float) and not math.isfinite(value):
        yield where
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _endless(inner, f"{where}.{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _endless(inner, f"{where}[{index}]")


def _placed(message: str, text: bytes) -> str:
    """What msgspec says of a byte, said of a line and column."""
    found = _BYTE.match(message)
    before = text[: int(found["at"])] if found else text
    line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
    if found is None and "truncated" not in message:
        return message
    what = found["what"] if found else "it ends too soon, or within a broken character"
    return f"line {line}, column {column}: {what}"

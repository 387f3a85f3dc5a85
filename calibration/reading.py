"""Strict reading and atomic writing of Vedette's files: one clear line for whatever is wrong with one."""

from __future__ import annotations

import json
import math
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from calibration.errors import UnusableFile
from calibration.misfits import misfit
from calibration.replacing import replace_whole

T = TypeVar("T")

#: Up to here a number with a point tells every whole number.
_MOST_WHOLE = 2**53
#: As a file to write to: standard output.
STANDARD_OUTPUT = Path("-")

_SPELLING = re.compile(r"^Expected str matching regex '.*?'(?=, got )")


def read_json(path: Path, record: type[T], form: str) -> T:
    """The record in a JSON file.

    ``form`` is the file's first key, such as ``vedette-camera/1``.
    Raises UnusableFile where the file is missing, malformed, of another form, or holds an unknown key,
    a wrong type or a number that is not finite.
    """
    return _read(path, record, form, "JSON", _json)


def read_toml(path: Path, record: type[T], form: str) -> T:
    """The record in a TOML file; errors as for `read_json`."""
    return _read(path, record, form, "TOML", lambda raw: tomllib.loads(raw.decode("utf-8-sig")))


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file so that it holds either what it held before or all of ``data``.

    A link stays a link to the file that is written; a device or pipe is written to as it is, and ``-`` is standard
    output.
    Raises UnusableFile where it cannot be written, and leaves nothing behind.
    """
    try:
        if path == STANDARD_OUTPUT:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        elif path.is_dir():
            raise UnusableFile(f"{path}: expected a file to write to, found a folder")
        elif path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            replace_whole(path.resolve(), data)
    except OSError as error:
        raise UnusableFile(f"{path}: cannot be written ({error.strerror})") from error


def _json(raw: bytes) -> Any:
    text = raw.decode("utf-8-sig")
    if not text.strip():
        raise ValueError("expected JSON, found an empty file")
    return json.loads(text, object_pairs_hook=each_once, parse_float=_number)


def _number(text: str) -> float:
    """A number with a point or an exponent; one that is whole all the same may stand for a whole number."""
    value = float(text)
    return int(value) if value.is_integer() and abs(value) <= _MOST_WHOLE else value


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of a JSON text. Raises ValueError where a key stands in it twice: one of them would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise ValueError(f'expected each key once in an object, got "{twice}" twice')
    return found


def _later(got: Any, form: str) -> str:
    """What to do with a file of a format that this program does not know yet; nothing of any other."""
    name, _, version = form.partition("/")
    told, _, number = str(got).partition("/")
    newer = told == name and number.isdecimal() and int(number) > int(version)
    return ": a newer Vedette wrote it, which can read it" if newer else ""


def _read(path: Path, record: type[T], form: str, text: str, decode: Callable[[bytes], Any]) -> T:
    try:
        raw = decode(path.read_bytes())
    except OSError as error:
        raise UnusableFile(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise UnusableFile(
            f"{path}: expected text in UTF-8, found byte 0x{error.object[error.start]:02x}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise UnusableFile(f"{path}: expected a {form} file, found no well-formed {text}: {error}") from error
    if not isinstance(raw, dict) or "format" not in raw:
        raise UnusableFile(f'{path}: format: expected "{form}", found no such key')
    if raw["format"] != form:
        raise UnusableFile(f'{path}: format: expected "{form}", got {raw["format"]!r}{_later(raw["format"], form)}')
    for where in _not_finite(raw):
        raise UnusableFile(f"{path}: {where}: expected a finite number")
    try:
        return fitting(raw, record)
    except UnusableFile as error:
        raise UnusableFile(f"{path}: {error}") from error


def fitting(raw: Any, record: type[T]) -> T:
    """A plain value as a record of these files. Raises UnusableFile with the key and what was expected there."""
    try:
        return msgspec.convert(raw, record)
    except msgspec.ValidationError as error:
        where, what = misfit(raw, record, error)
        # of all that is written in these files only colours have a spelling
        what = _SPELLING.sub("expected a colour such as #9e2b25", what)
        raise UnusableFile(f"{where.lstrip('.') or 'the whole file'}: {what}") from error


def _not_finite(value: Any, where: str = "") -> Iterator[str]:
    if isinstance(value, float) and not math.isfinite(value):
        yield where
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _not_finite(inner, f"{where}.{key}" if where else str(key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _not_finite(inner, f"{where}[{index}]")

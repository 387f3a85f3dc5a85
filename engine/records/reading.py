"""Strict reading of the engine's JSON: one clear line for whatever is wrong with a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import msgspec

from calibration.misfits import misfit
from engine.errors import UnusableFile
from engine.records.json_text import decode_json

T = TypeVar("T")

#: Up to here a number with a point tells every whole number.
_MOST_WHOLE = 2**53


def load_json(path: Path) -> Any:
    """The plain value in a JSON file, 4.0 read as 4. Raises UnusableFile where it is missing or malformed."""
    try:
        return whole(parse_json(path.read_bytes(), str(path)))
    except OSError as error:
        raise UnusableFile(f"{path}: cannot be read ({error.strerror})") from error


def whole(value: Any) -> Any:
    """A value with 4 for 4.0: JSON has one kind of number, and some programs write all of theirs with a point.

    >>> whole({"rep": 4.0, "at": [2.0, 1.5, 1e300]})
    {'rep': 4, 'at': [2, 1.5, 1e+300]}
    """
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) <= _MOST_WHOLE else value
    if isinstance(value, dict):
        return {key: whole(inner) for key, inner in value.items()}
    return [whole(inner) for inner in value] if isinstance(value, list) else value


def parse_json(text: bytes, source: str) -> Any:
    """The plain value in a JSON text; ``source`` names it in the errors. Raises UnusableFile."""
    try:
        return decode_json(text)
    except ValueError as error:
        raise UnusableFile(f"{source}: {error}") from error


def demand_format(raw: Any, form: str, source: str) -> dict[str, Any]:
    """``raw`` as an object whose first key is ``form``. Raises UnusableFile."""
    if not isinstance(raw, dict) or "format" not in raw:
        raise UnusableFile(f'{source}: format: expected "{form}", found no such key')
    if raw["format"] != form:
        raise UnusableFile(
            f'{source}: format: expected "{form}", got {raw["format"]!r}{_later(raw["format"], form)}'
        )
    return raw


def _later(got: Any, form: str) -> str:
    """What to do with a file of a format that this program does not know yet; nothing of any other.

    >>> _later("vedette-game/2", "vedette-game/1"), _later("vedette-table/1", "vedette-game/1")
    (': a newer Vedette wrote it, which can read it', '')
    """
    name, _, version = form.partition("/")
    told, _, number = str(got).partition("/")
    newer = told == name and number.isdecimal() and int(number) > int(version)
    return ": a newer Vedette wrote it, which can read it" if newer else ""


def convert(raw: Any, record: type[T], source: str, under: str = "") -> T:
    """``raw`` as a record, strictly; ``under`` is the key path that ``raw`` stands at. Raises UnusableFile."""
    try:
        return msgspec.convert(raw, record)
    except msgspec.ValidationError as error:
        inner, what = misfit(raw, record, error)
        where = f"{under}{inner}".lstrip(".") or "the whole file"
        raise UnusableFile(f"{source}: {where}: {what}") from error


def split_extra(raw: Any, known: frozenset[str]) -> Any:
    """``raw`` with the keys that are not ``known`` gathered under ``extra``, for the ruleset to judge."""
    if not isinstance(raw, dict):
        return raw
    kept = {key: value for key, value in raw.items() if key in known and key != "extra"}
    extra = {key: value for key, value in raw.items() if key not in known or key == "extra"}
    return {**kept, "extra": extra} if extra else kept


def join_extra(built: dict[str, Any]) -> dict[str, Any]:
    """The reverse of `split_extra`: the keys under ``extra`` beside the others."""
    extra = built.pop("extra", None) or {}
    return {**built, **extra}

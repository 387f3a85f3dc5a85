"""Strict reading of the engine's JSON: one clear line for whatever is wrong with a file."""

from __future__ import annotations

import codecs
import json
import math
import re
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from engine.errors import UnusableFile

T = TypeVar("T")

#: How msgspec tells of a word or a tag that is none of those known, without saying which are.
_CHOICE = re.compile(r"^Invalid (?:enum )?value (?P<got>.*)$", re.DOTALL)
_AT = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)


def load_json(path: Path) -> Any:
    """The plain value in a JSON file. Raises UnusableFile where it is missing or malformed."""
    try:
        return parse_json(path.read_bytes(), str(path))
    except OSError as error:
        raise UnusableFile(f"{path}: cannot be read ({error.strerror})") from error


def parse_json(text: bytes, source: str) -> Any:
    """The plain value in a JSON text; ``source`` names it in the errors. Raises UnusableFile."""
    try:
        return msgspec.json.decode(text.removeprefix(codecs.BOM_UTF8))  # as some editors begin a file
    except (ValueError, RecursionError) as error:
        raise UnusableFile(f"{source}: {_fault(text, error)}") from error


def _fault(text: bytes, error: Exception) -> str:
    """What is wrong with a text that is not JSON, and where, as one finds it again in an editor."""
    try:
        raw = json.loads(text.decode("utf-8-sig"))
    except json.JSONDecodeError as found:
        return f"not well-formed JSON (line {found.lineno}, column {found.colno}: {found.msg})"
    except UnicodeDecodeError as found:
        return f"not well-formed JSON (expected UTF-8, byte {found.start} is none)"
    except (ValueError, RecursionError):
        return f"not well-formed JSON ({error})"
    place = _not_finite(raw)
    return f"not well-formed JSON ({error})" if place is None else f"{place}: expected a finite number"


def _not_finite(raw: Any, path: str = "") -> str | None:
    """The key path of the first number that is not finite (NaN, Infinity, 1e999), which JSON has no word for."""
    if isinstance(raw, float) and not math.isfinite(raw):
        return path.lstrip(".") or "the whole file"
    members: list[tuple[str, Any]] = []
    if isinstance(raw, dict):
        members = [(f"{path}.{key}", value) for key, value in raw.items()]
    elif isinstance(raw, list):
        members = [(f"{path}[{index}]", value) for index, value in enumerate(raw)]
    found = (_not_finite(value, where) for where, value in members)
    return next((place for place in found if place is not None), None)


def demand_format(raw: Any, form: str, source: str) -> dict[str, Any]:
    """``raw`` as an object whose first key is ``form``. Raises UnusableFile."""
    if not isinstance(raw, dict) or "format" not in raw:
        raise UnusableFile(f'{source}: format: expected "{form}", found no such key')
    if raw["format"] != form:
        raise UnusableFile(f'{source}: format: expected "{form}", got {raw["format"]!r}')
    return raw


def convert(raw: Any, record: type[T], source: str, under: str = "") -> T:
    """``raw`` as a record, strictly; ``under`` is the key path that ``raw`` stands at. Raises UnusableFile."""
    try:
        return msgspec.convert(raw, record)
    except msgspec.ValidationError as error:
        found = _AT.match(str(error))
        inner = (found["path"] or "") if found else ""
        what = (found["what"] if found else str(error)).replace("`", "")
        where = f"{under}{inner}".lstrip(".") or "the whole file"
        wrong = _CHOICE.match(what)
        if wrong is not None:
            from engine.records.choices import choices_at

            known = choices_at(record, inner)
            what = f"expected one of {', '.join(known)}, got {wrong['got']}" if known else what
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

"""Why a plain value does not fit a record, in a user's words: the key, what was expected there, and what was given.

msgspec stops at the first fault and tells of types; here its message is read, and the value at its path looked up.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from calibration.misfits.choices import choices_at, keys_at

__all__ = ["misfit"]

_AT = re.compile(r"^(?P<what>.*?)(?: - at (?:`key` in )?`\$(?P<path>.*)`)?$", re.DOTALL)
_STEP = re.compile(r"\[(?P<place>\d+)\]|(?P<any>\[\.\.\.\])|\.?(?P<key>[^.\[]+)")
_MISSING = re.compile(r"^Object missing required field `(?P<key>.*)`$", re.DOTALL)
_UNKNOWN = re.compile(r"^Object contains unknown field `(?P<key>.*)`$", re.DOTALL)
_CHOICE = re.compile(r"^Invalid (?:enum )?value ")
_KIND = re.compile(
    r"^Expected `(?P<kinds>[^`]+)`"
    r"(?:, got `.*`| of length (?P<length>>=|<=)? ?(?P<long>\d+).*| (?P<sign>[<>]=?) (?P<bound>\S+))$"
)

#: How msgspec calls a kind of value → what a person who writes the file calls it.
_WORDS: Mapping[str, str] = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list, [ ]",
    "object": "keys with values, { }",
    "null": "null",
}
_BOUNDS: Mapping[str, str] = {">=": "of at least ", "<=": "of at most ", ">": "above ", "<": "below "}
#: Values of which the first that the key would take is the example.
_EXAMPLES: Mapping[str, tuple[float, ...]] = {"int": (4, 1, 0, 12, 100, 1800), "float": (12.5, 0.5, 250.0)}
#: More of a value than this many characters is not shown.
_MOST_SHOWN = 60

_Path = tuple[str | int, ...]


class _Nothing:
    """Stands where a key is missing, so that msgspec says what it would expect there."""


def misfit(raw: Any, record: Any, error: msgspec.ValidationError) -> tuple[str, str]:
    """The path of the key for which ``raw`` is no ``record``, and what was expected there.

    ``error`` is what msgspec said of it.

    >>> try:
    ...     msgspec.convert({"rep": "x"}, dict[str, int])
    ... except msgspec.ValidationError as error:
    ...     misfit({"rep": "x"}, dict[str, int], error)
    ('.rep', "expected a whole number such as 4, got 'x'")
    """
    found = _AT.match(str(error))
    what, told = (found["what"], found["path"] or "") if found else (str(error), "")
    path = _named(raw, record, str(error), told)
    missing, unknown = _MISSING.match(what), _UNKNOWN.match(what)
    if missing:
        path = (*path, missing["key"])
        expected = _expected_at(raw, record, path, f"{told}.{missing['key']}")
        return _written(path), f"{expected}, found no such key"
    if unknown:
        return _written((*path, unknown["key"])), "unknown key" + _instead(unknown["key"], record, told)
    expected = _expected(raw, record, path, told, what)
    got = _value_at(raw, path)
    return _written(path), f"{expected}, got {_shown(got)}"


def _named(raw: Any, record: Any, message: str, told: str) -> _Path:
    """The path that msgspec tells, with the keys that it leaves out as ``[...]``."""
    path: _Path = ()
    for step in _STEP.finditer(told):
        if step["any"]:
            path = (*path, _guilty(raw, record, message, path))
        else:
            path = (*path, int(step["place"]) if step["place"] else step["key"])
    return path


def _guilty(raw: Any, record: Any, message: str, path: _Path) -> str:
    """Which key of the object at ``path`` it is: the one that is refused by itself with the same words."""
    for key, value in _value_at(raw, path).items():
        try:
            msgspec.convert(_with(raw, path, {key: value}), record)
        except msgspec.ValidationError as error:
            if str(error) == message:
                return str(key)
    return "..."


def _expected(raw: Any, record: Any, path: _Path, told: str, what: str) -> str:
    """What msgspec's message expects, in a person's words."""
    known = choices_at(record, told)
    kind = _KIND.match(what)
    if known and (_CHOICE.match(what) or kind):
        return f"expected one of {', '.join(known)}"
    if not kind:
        return what.replace("`", "")
    kinds = kind["kinds"].split(" | ")
    if kind["long"]:
        of = _WORDS.get(kinds[0], kinds[0]).partition(",")[0]
        return f"expected {of} of {_BOUNDS.get(kind['length'] or '', '').removeprefix('of ')}{kind['long']}"
    if kind["sign"]:
        return f"expected {_WORDS.get(kinds[0], kinds[0])} {_BOUNDS[kind['sign']]}{float(kind['bound']):.12g}"
    told_kinds = [_WORDS.get(one, one) + _example(raw, record, path, one) for one in kinds]
    return "expected " + ", or ".join(told_kinds)


def _expected_at(raw: Any, record: Any, path: _Path, told: str) -> str:
    """What is expected at a key that is not there."""
    try:
        msgspec.convert(_with(raw, path, _Nothing()), record)
    except msgspec.ValidationError as error:
        found = _AT.match(str(error))
        if found and found["path"] == told:
            return _expected(raw, record, path, told, found["what"])
    return "expected this key"


def _example(raw: Any, record: Any, path: _Path, kind: str) -> str:
    """`` such as 4``, where the key would take a 4; nothing for a kind that needs no example."""
    for value in _EXAMPLES.get(kind, ()):
        try:
            msgspec.convert(_with(raw, path, value), record)
        except msgspec.ValidationError as error:
            if (found := _AT.match(str(error))) and _same_place(found["path"], path):
                continue
        return f" such as {value:g}"
    return ""


def _same_place(told: str | None, path: _Path) -> bool:
    """Whether msgspec tells of that very key, whatever stands for the keys that it leaves out."""
    steps = [step["any"] or step["key"] or int(step["place"]) for step in _STEP.finditer(told or "")]
    return len(steps) == len(path) and all(one in ("[...]", other) for one, other in zip(steps, path, strict=True))


def _instead(key: str, record: Any, told: str) -> str:
    """What may have been meant by a key that there is not: the nearest one, else all that there are."""
    known = keys_at(record, told)
    if key in known:  # of another record that may stand there: the width of a round base
        return " for a thing of this sort: leave it out"
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.7)
    if near:
        return f" (did you mean {near[0]}?)"
    return f"; its keys are: {', '.join(known)}" if known else ""


def _value_at(raw: Any, path: _Path) -> Any:
    for step in path:
        raw = raw[step]
    return raw


def _with(raw: Any, path: _Path, value: Any) -> Any:
    """``raw`` with another value at the path; what lies beside the path is shared, not copied."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        inner: Sequence[Any] = raw
        return [_with(one, rest, value) if at == step else one for at, one in enumerate(inner)]
    return {**raw, step: _with(raw.get(step), rest, value)}


def _written(path: _Path) -> str:
    return "".join(_steps_written(path))


def _steps_written(path: _Path) -> Iterator[str]:
    for step in path:
        yield f"[{step}]" if isinstance(step, int) else f".{step}"


def _shown(value: Any) -> str:
    """A value as the file has it, cut where it is long."""
    text = repr(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + " …"

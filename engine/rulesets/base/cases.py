"""Worked cases: a game, what is asked or done, and what is expected of it. Rulebooks and packs bring them.

A case has ``kind`` (``ask`` or ``resolve``), ``game`` (or the name of its file, beside the case's), ``unit`` or
``action`` and ``dice``, and ``expect``, a list of {"path", operator: value}. A path is keys joined by dots;
``[key=value,key=value]`` picks members of a list, ``[n]`` one by number. It starts at the unit's entry for ``ask``
(with the keys of the whole answer beside it), at the result for ``resolve``. A path that leads nowhere equals null.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from engine.dice import TypedDice
from engine.errors import EngineError, UnusableFile
from engine.play import play
from engine.records.action import action_from
from engine.records.answer import answer_builtins
from engine.records.game import Game, game_from, read_game
from engine.records.reading import convert, load_json
from engine.result import result_builtins
from engine.rulesets import find_ruleset
from engine.rulesets.base.ruleset import Ruleset

__all__ = ["failures", "select", "unmet"]

_STEP = re.compile(r"\[([^\]]*)\]|([^.\[\]]+)")


class _Case(Struct, frozen=True, kw_only=True):
    """A case's file; it may have other keys, for people."""

    kind: Literal["ask", "resolve"]
    game: dict[str, Any] | str
    expect: tuple[dict[str, Any], ...]
    unit: str | None = None
    action: dict[str, Any] | None = None
    dice: tuple[int, ...] | None = None


def failures(path: Path, rulesets: Mapping[str, Ruleset] | None = None) -> list[str]:
    """What a case expects and does not get, in words; empty where it passes.

    ``rulesets``: others than those that are known, by id. Raises UnusableFile for a file that is no case.
    """
    case = convert(load_json(path), _Case, str(path))
    operators = {*_OPERATORS, "approx", *_NO_OPERATORS}
    for number, one in enumerate(case.expect):
        strange = [name for name in one if name not in operators] if "path" in one else ["no path"]
        if strange:
            raise UnusableFile(f"{path}: expect[{number}]: expected a path and operators, got {strange[0]!r}")
    game = read_game(path.parent / case.game) if isinstance(case.game, str) else game_from(case.game, str(path))
    ruleset = (rulesets or {}).get(game.ruleset) or find_ruleset(game.ruleset)
    ruleset.check(game)
    status = next((one["equals"] for one in case.expect if one["path"] == "exit_status"), None)
    if status is not None:
        return _refusal_faults(case, game, ruleset, status)
    root = _asked(case, game, ruleset, path) if case.kind == "ask" else _resolved(case, game, ruleset)
    return [fault for expectation in case.expect for fault in unmet(root, expectation)]


def _refusal_faults(case: _Case, game: Game, ruleset: Ruleset, status: int) -> list[str]:
    try:
        _resolved(case, game, ruleset)
    except EngineError as error:
        wrong = f"exit_status equals {status}, got {error.exit_status}: {error}"
        return [] if error.exit_status == status else [wrong]
    return [f"exit_status equals {status}, got 0"]


def _asked(case: _Case, game: Game, ruleset: Ruleset, path: Path) -> Any:
    answer = json.loads(json.dumps(answer_builtins(ruleset.ask(game))))
    for entry in answer["units"]:
        if entry["unit"] == case.unit:
            return {**answer, **entry}
    raise UnusableFile(f"{path}: unit: expected a unit of the game, got {case.unit!r}")


def _resolved(case: _Case, game: Game, ruleset: Ruleset) -> Any:
    played = play(game, ruleset.begin(game, action_from(case.action or {})), TypedDice(case.dice or ()))
    return json.loads(json.dumps(result_builtins(played)))


def unmet(root: Any, expectation: Mapping[str, Any]) -> list[str]:
    """The operators of one expectation that do not hold, in words."""
    found, many = select(root, expectation["path"])
    first = found[0] if found else None
    faults = []
    for name, wanted in expectation.items():
        if name in _NO_OPERATORS:
            continue
        if name == "approx":
            held = bool(found) and _near(first, wanted, expectation.get("tol", 0.5))
        else:
            held = _OPERATORS[name](found, _size(found, many), wanted)
        if not held:
            faults.append(f"{expectation['path']} {name} {wanted!r}, got {found[:3] if many else first!r}")
    return faults


def select(root: Any, path: str) -> tuple[list[Any], bool]:
    """All that a path selects, and whether it ends with picking members of a list."""
    found, picks = [root], False
    for inside, name in _STEP.findall(path):
        picks = bool(inside) and not re.fullmatch(r"-?\d+", inside)
        found = [value for one in found for value in _step(one, inside, name, picks=picks)]
    return found, picks


def _step(value: Any, inside: str, name: str, *, picks: bool) -> list[Any]:
    members = value if isinstance(value, list) else [value]
    if name:
        return [member[name] for member in members if isinstance(member, dict) and name in member]
    if not picks:
        number = int(inside)
        return [value[number]] if isinstance(value, list) and -len(value) <= number < len(value) else []
    wanted = dict(part.split("=", 1) for part in inside.split(",") if "=" in part)
    return [
        member
        for member in members
        if isinstance(member, dict) and all(_word(member.get(key)) == text for key, text in wanted.items())
    ]


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _size(found: list[Any], many: bool) -> int:
    if many:
        return len(found)
    first = found[0] if found else None
    return len(first) if isinstance(first, list | str | dict) else int(first is not None)


def _near(value: Any, wanted: Any, tolerance: float) -> bool:
    if isinstance(wanted, list):
        return len(value) == len(wanted) and all(_near(a, b, tolerance) for a, b in zip(value, wanted, strict=True))
    return isinstance(value, int | float) and abs(value - wanted) <= tolerance


def _same(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        return (
            isinstance(value, list)
            and len(value) == len(wanted)
            and all(_same(a, b) for a, b in zip(value, wanted, strict=True))
        )
    if isinstance(wanted, bool) or not isinstance(wanted, int | float):
        return bool(value == wanted)
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value - wanted) < 1e-6


def _has(value: Any, wanted: Any) -> bool:
    if isinstance(value, list):
        return any(_same(member, wanted) or (isinstance(member, str) and _has(member, wanted)) for member in value)
    return isinstance(value, str) and str(wanted).lower() in value.lower()


def _number(found: list[Any], size: int) -> float:
    first = found[0] if found else None
    return float(first) if isinstance(first, int | float) and not isinstance(first, bool) else size


_NO_OPERATORS = ("path", "tol", "note", "rule")
_OPERATORS: Mapping[str, Callable[[list[Any], int, Any], bool]] = {
    "equals": lambda found, size, wanted: _same(found[0] if found else None, wanted),
    "contains": lambda found, size, wanted: any(_has(value, wanted) for value in found),
    "not_contains": lambda found, size, wanted: not any(_has(value, wanted) for value in found),
    "excludes": lambda found, size, wanted: not any(_has(value, wanted) for value in found),
    "at_least": lambda found, size, wanted: _number(found, size) >= wanted,
    "at_most": lambda found, size, wanted: _number(found, size) <= wanted,
    "count": lambda found, size, wanted: size == wanted,
    "count_min": lambda found, size, wanted: size >= wanted,
    "count_max": lambda found, size, wanted: size <= wanted,
    "absent": lambda found, size, wanted: (not found) == wanted,
    "one_of": lambda found, size, wanted: any(_same(found[0] if found else None, one) for one in wanted),
}

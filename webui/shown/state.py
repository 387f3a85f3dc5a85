"""The state that the page draws: the game, what can be done, what the camera sees, the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from calibration.records import Table
from engine.keeping.branches import course_of, other_courses
from engine.keeping.entries import standing, superseded
from engine.keeping.entry import Entry, told_under
from engine.moved.moves import Move, Spent
from engine.records.answer import Answer
from engine.records.answer_text import AnswerText
from engine.records.game import game_builtins
from engine.rulesets.base.ruleset import Ruleset
from engine.rulesets.base.units.mustering import roll_of
from engine.words.story import Names, title_of
from vision.records import BaseSeen
from vision.unpainted import kind_of
from webui.camera.cells import cells_view
from webui.camera.sightings import STALE_S, CameraView, Picture
from webui.people.concealing import Known, entry_for, said_for
from webui.people.seats import UMPIRE
from webui.table.desk import Desk

__all__ = [
    "LOG_LENGTH",
    "camera_state",
    "courses_view",
    "entry_view",
    "game_state",
    "log_view",
    "picture_state",
    "table_size",
]

#: How many entries of the log the state carries; older ones are asked for by themselves.
LOG_LENGTH = 200

#: A side without paint of its own in the table file is drawn in one of these, which the colour-blind tell apart.
SIDE_COLOURS = ("#9e2b25", "#2f4f9e", "#b07a1a", "#3f7f5f")


def game_state(
    desk: Desk, trouble: Sequence[str] = (), known: Known | None = None, text: AnswerText | None = None
) -> dict[str, Any]:
    """Everything of the state that follows from the game, the journal and the last look at the table.

    ``trouble`` are faults to be said beside it. For somebody who knows less (``known``) all of it follows from the
    game as he knows it. ``text`` writes the answer, and has written the one before.
    """
    if not desk.begun:
        return {
            "game": None, "answer": None, "ruleset": None, "sides": [], "turn_order": [], "presence": {},
            "strays": [], "tags": [], "moves": [], "spent": {}, "set_back": [], "put_back": [], "verdict": None,
            "cells": {}, "log": [], "log_from": 1, "courses": [], "began": None, "undo": None, "redo": None,
            "trouble": list(trouble),
        }  # fmt: skip
    known = known or Known(seat=UMPIRE, hidden=frozenset(), game=desk.game)
    hidden, game, ruleset = known.hidden, known.game, desk.ruleset
    faults = list(trouble)
    try:
        answer = ruleset.ask(game) if hidden else desk.answer()
    except Exception as error:  # of a ruleset from anywhere: the page and the camera go on without it
        answer = Answer(ruleset=game.ruleset, units=())
        faults.append(f"the rules engine failed on this game: {type(error).__name__}: {error}")
    return {
        "game": game_builtins(game),
        "answer": msgspec.Raw((text or AnswerText()).of(answer)),
        "ruleset": _ruleset(ruleset),
        "sides": _sides(desk),
        "turn_order": ruleset.turn_order(desk.game),
        "presence": {unit: seen for unit, seen in _presence(desk).items() if unit not in hidden},
        "strays": [stray for stray in _strays(desk) if stray["lost_from"] not in hidden],
        "tags": _tags(desk),
        "moves": [_move(move) for move in desk.moves if move.unit not in hidden],
        "spent": {unit: _spent(spent) for unit, spent in desk.spent().items() if unit not in hidden},
        "set_back": [unit for unit in desk.to_set_back() if unit not in hidden],
        "put_back": [unit for unit in desk.can_put_back() if unit not in hidden],
        "verdict": ruleset.verdict(desk.game),
        "cells": cells_view(game),
        "log": log_view(desk, None, known),
        "log_from": _log_from(desk.journal.entries),
        "courses": courses_view(desk, hidden),
        "began": desk.journal.entries[0].at,
        "undo": _known(_undo(desk), desk, hidden),
        "redo": _known(_redo(desk), desk, hidden),
        "trouble": faults,
    }


def _ruleset(ruleset: Ruleset) -> dict[str, Any]:
    return {
        "id": ruleset.id,
        "title": ruleset.title,
        "unit": ruleset.unit_of_length,
        "mm_per_unit": ruleset.mm_per_unit,
        "parts": msgspec.to_builtins(roll_of(ruleset).parts),
    }


def table_size(desk: Desk) -> dict[str, float]:
    """The play area: the game's where there is one, else the table file's."""
    size = desk.game.table if desk.begun else desk.table.table
    return {"width_mm": size.width_mm, "depth_mm": size.depth_mm}


def log_view(desk: Desk, before: int | None, known: Known, length: int = LOG_LENGTH) -> list[dict[str, Any]]:
    """The newest entries of the log as a seat may read them, or those before number ``before``; newest last."""
    entries = desk.journal.entries
    course, stand = _course(entries), {entry.number for entry in standing(entries)}
    end = len(entries) if before is None else max(0, min(before - 1, len(entries)))
    empty = superseded(entries)
    told = [entry for entry in entries[max(0, end - length) : end] if entry.number not in empty]
    views = [entry_view(desk, entry, stand, course) for entry in told]
    return [entry_for(view, desk.game, known.hidden, known.seat) for view in views]


def _log_from(entries: Sequence[Entry]) -> int:
    """The number of the first entry that the log shows."""
    empty = superseded(entries)
    return next(entry.number for entry in entries if entry.number not in empty)


def courses_view(desk: Desk, hidden: frozenset[str] = frozenset()) -> list[dict[str, Any]]:
    """The courses that the game has left: where, how long each is, and what happened last in it."""
    entries, told = desk.journal.entries, []
    for course in other_courses(entries):
        last = entry_view(desk, entries[course.tip - 1])
        told.append(
            {
                "tip": course.tip, "leaves": course.leaves, "entries": len(course.numbers), "turn": last["turn"],
                "title": said_for(last["title"], desk.game, hidden),
            }
        )  # fmt: skip
    return told


def _course(entries: Sequence[Entry]) -> frozenset[int]:
    return frozenset(entry.number for entry in course_of(entries))


def entry_view(
    desk: Desk, entry: Entry, stand: set[int] | None = None, course: frozenset[int] | None = None
) -> dict[str, Any]:
    """An entry as the page's log shows it; ``stand`` are the numbers of the entries that stand, ``course`` of all
    that led to the game as it is."""
    entries = desk.journal.entries
    stand = {one.number for one in standing(entries)} if stand is None else stand
    aside = entry.number not in (_course(entries) if course is None else course)
    other = entry.follows if entry.undoes is None else entry.undoes
    meant = None if other is None else entries[other - 1]
    return {
        "number": entry.number,
        "at": entry.at,
        "turn": told_under(entry),
        "side": entry.side,
        "kind": entry.kind,
        "undone": entry.undoes is None and entry.follows is None and not aside and entry.number not in stand,
        "undoes": entry.undoes,
        "follows": entry.follows,
        "aside": aside,
        "overruled": entry.overruled,
        **desk.teller.told(entry, meant, desk.game, desk.ruleset),
    }


def camera_state(view: CameraView, desk: Desk, now_s: float) -> dict[str, Any]:
    """How the camera is; ages by the clock of the process."""
    age = None if view.seen_at_s is None else max(0.0, now_s - view.seen_at_s)
    seen = desk.observation
    warnings = list(seen.warnings) if seen is not None else []
    if view.trouble is not None:
        warnings.insert(0, view.trouble)
    sigmas = sorted(base.sigma_mm for base in seen.bases) if seen is not None else []
    return {
        "state": view.state,
        "detail": view.detail,
        "age_s": None if age is None else round(age, 2),
        "stale": is_stale(view, now_s),
        "disturbed": view.disturbed,
        "bumped": view.bumped,
        "warnings": warnings,
        "markers_used": [] if seen is None else list(seen.camera.markers_used),
        "rms_px": None if seen is None else round(seen.camera.reprojection_rms_px, 3),
        "sigma_mm": round(sigmas[len(sigmas) // 2], 2) if sigmas else None,
    }


def is_stale(view: CameraView, now_s: float) -> bool:
    """Whether what is shown rests on a picture that is too old to trust."""
    return view.seen_at_s is not None and now_s - view.seen_at_s > STALE_S


def picture_state(picture: Picture | None) -> dict[str, Any] | None:
    """Where the page finds the picture, and where it lies on the table."""
    if picture is None:
        return None
    url = f"/api/picture.jpg?r={picture.revision}"
    return {"revision": picture.revision, "url": url, "bounds_mm": picture.bounds_mm}


def _names(desk: Desk) -> Names:
    return desk.teller.names(desk.game, desk.ruleset)


def _sides(desk: Desk) -> list[dict[str, Any]]:
    paint = {army.name.casefold(): army.base_colour for army in desk.table.armies if army.base_colour is not UNSET}
    return [
        {
            "name": side.name,
            "edge": side.edge,
            "colour": paint.get(side.name.casefold(), SIDE_COLOURS[place % len(SIDE_COLOURS)]),
        }
        for place, side in enumerate(desk.game.sides)
    ]


def _presence(desk: Desk) -> dict[str, dict[str, Any]]:
    """How many of each unit's figures the camera sees, and which it does not, where there are such."""
    if desk.mustered is None:
        return {}
    missing = desk.unseen()
    told: dict[str, dict[str, Any]] = {}
    for unit in desk.game.units:
        unseen = [figure.id for figure in unit.figures if figure.id in missing]
        counts = {"seen": len(unit.figures) - len(unseen), "of": len(unit.figures)}
        told[unit.id] = counts | ({"unseen": unseen} if unseen else {})
    return told


def _strays(desk: Desk) -> list[dict[str, Any]]:
    if desk.mustered is None or desk.observation is None:
        return []
    bases = desk.observation.bases
    built: list[dict[str, Any]] = []
    for index in (*desk.mustered.strays, *sorted(desk.mustered.lost)):
        base = bases[index]
        stray = {"army": base.army, "base": base.base, "x_mm": round(base.x_mm, 2), "y_mm": round(base.y_mm, 2)}
        stray |= {"bearing_deg": base.lies_deg, "sigma_mm": base.sigma_mm}
        stray["lost_from"] = desk.mustered.lost.get(index)
        built.append(stray | _shape(desk.table, base))
    return built


def _move(move: Move) -> dict[str, Any]:
    """A move that the camera has just seen: where the figures stood before it, and whether the rules allowed it."""
    built: dict[str, Any] = msgspec.to_builtins(move)
    return {**built, "distance_mm": round(move.distance_mm, 1), "sigma_mm": round(move.sigma_mm, 2)}


def _spent(spent: Spent) -> dict[str, float]:
    return {"distance_mm": round(spent.distance_mm, 1), "sigma_mm": round(spent.sigma_mm, 2)}


def _tags(desk: Desk) -> list[dict[str, Any]]:
    return [] if desk.observation is None else [msgspec.to_builtins(tag) for tag in desk.observation.tags]


def _shape(table: Table, base: BaseSeen) -> dict[str, Any]:
    kind = kind_of(base, table)
    if kind is None:
        return {"shape": "round", "diameter_mm": 25.0}
    built: dict[str, Any] = msgspec.to_builtins(kind)
    return {key: value for key, value in built.items() if key not in ("name", "height_mm")}


def _known(step: dict[str, Any] | None, desk: Desk, hidden: frozenset[str]) -> dict[str, Any] | None:
    return None if step is None else {**step, "title": said_for(step["title"], desk.game, hidden)}


def _undo(desk: Desk) -> dict[str, Any] | None:
    entry = desk.journal.undoable()
    return None if entry is None else {"number": entry.number, "title": title_of(entry, _names(desk))}


def _redo(desk: Desk) -> dict[str, Any] | None:
    undo = desk.journal.redoable()
    if undo is None or undo.undoes is None:
        return None
    entry: Mapping[int, Entry] = {one.number: one for one in desk.journal.entries}
    return {"number": undo.number, "title": title_of(entry[undo.undoes], _names(desk))}

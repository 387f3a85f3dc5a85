"""Moves in the log: what was judged of a move is written with it, and told in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from msgspec.structs import replace

from engine.events import Event
from engine.moved.moves import Move

__all__ = ["held_against", "judged_event"]


class _Lengths(Protocol):
    def short_length(self, mm: float) -> str: ...

    def within(self, text: str) -> str: ...


def judged_event(event: Event, moves: Mapping[str, Move | None]) -> Event:
    """A ``moved`` event with the fact ``judged``: whether the rules allow the unit's whole way in this turn."""
    if event.event != "moved" or event.facts["unit"] not in moves:
        return event
    if event.facts.get("returning"):
        return replace(event, facts={**event.facts, "judged": {"verdict": "returning"}})
    return replace(event, facts={**event.facts, "judged": _judged(moves[event.facts["unit"]])})


def _judged(move: Move | None) -> dict[str, Any]:
    if move is None:
        return {"verdict": "back"}
    told: dict[str, Any] = {"verdict": move.verdict, "way_mm": round(move.distance_mm, 1), "steps": move.steps}
    if move.allowance_mm is not None:
        told["allowance_mm"] = round(move.allowance_mm, 1)
    if move.why_not:
        told["why_not"] = list(move.why_not)
    if move.cells is not None:
        cells = move.cells
        told |= {"cell": cells.kind, "cells": cells.moved, "points": cells.points}
        told |= {"cost": cells.cost, "allowance": cells.allowance}
    return told


def held_against(facts: Mapping[str, Any], names: _Lengths) -> str:
    """What follows the length of a move in the log: the turn's sum of what it might, what speaks against it."""
    judged = facts.get("judged")
    if not isinstance(judged, Mapping):
        return ""
    figures, verdict = _figures(judged, names), _verdict(judged, names)
    told = ", ".join(part for part in (figures, verdict) if part)
    return f": {told}" if told else ""


def _figures(judged: Mapping[str, Any], names: _Lengths) -> str:
    if "cells" in judged:
        number, kind = judged["cells"], "hex" if judged["cell"] == "hex" else "square"
        told = f"{number} {kind if number == 1 else kind + ('es' if kind == 'hex' else 's')}"
        allowance = judged.get("allowance")
        spent = "" if judged.get("cost") is None else f"{judged['cost']:g} of "
        return told if allowance is None else f"{told} ({spent}{allowance:g} {judged['points']})"
    if "allowance_mm" not in judged:
        return ""
    sum_of = f"{names.short_length(judged['way_mm'])} of {names.short_length(judged['allowance_mm'])}"
    return f"this turn {sum_of}" if judged.get("steps", 1) > 1 else sum_of


def _verdict(judged: Mapping[str, Any], names: _Lengths) -> str:
    why = "; ".join(names.within(str(one)) for one in judged.get("why_not", ()))
    words = {
        "back": "back where it stood",
        "returning": "set back after what was undone",
        "within": "within its move",
        "beyond": "farther than it may",
        "borderline": f"too near to call{f' ({why})' if why else ''}",
        "may-not": f"though it may not move{f' ({why})' if why else ''}",
        "off-way": why,
        "out-of-turn": "not in its side's turn",
    }
    return words.get(str(judged.get("verdict")), "")

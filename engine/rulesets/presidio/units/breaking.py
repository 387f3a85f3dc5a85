"""Things that break: guns, wagons and boats, doors, walls and houses (PR-604, PR-915, PR-519 to PR-521)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.dice import Roll
from engine.events import Change, Event, RemoveFigures, RemoveTerrain, SetTerrain
from engine.geometry.shapes.breaches import breached
from engine.geometry.shapes.pieces import pieces_from
from engine.play import Procedure, happen, roll
from engine.records.game import Figure, Game, Terrain
from engine.rulesets.presidio.changes import state
from engine.rulesets.presidio.fight_book import fight_book
from engine.rulesets.presidio.units.casualties import felled
from engine.rulesets.presidio.vocabulary import MM_PER_IN, figures_of, state_of

__all__ = ["break_model", "break_patch", "broken"]

#: What opens when it breaks, and what breaks a few inches at a time.
_DOORS = ("door", "gate")
_WALLS = ("wall", "fence", "palisade", "works")


def break_model(game: Game, name: str, figure: Figure, least: int | None, strength: int | None) -> Procedure[Game]:
    """A model is hit: the die that destroys it, from ``least`` on (None: it cannot be harmed), or weakens it.

    Without a ``strength`` it is destroyed outright. All aboard a boat go with it.
    """
    unit = game.unit(name)
    if strength is not None:
        score = yield from _die(f"{figure.id} is destroyed", least)
        if score is None:
            return game
        if least is None or score < least:
            lost = state_of(unit).strength_lost + fight_book().gun.weakened
            facts = {"unit": name, "figure": figure.id, "left": max(strength - fight_book().gun.weakened, 0)}
            changes = state(name, strength_lost=lost)
            return (yield from happen(Event(event="weakened", facts=facts, changes=changes, rule="PR-915")))
    facts = {"unit": name, "figure": figure.id}
    gone: tuple[Change, ...] = (RemoveFigures(unit=name, figures=(figure.id,)),)
    game = yield from happen(Event(event="destroyed", facts=facts, changes=gone, rule="PR-604"))
    aboard = [one.id for one in figures_of(game.unit(name))] if unit.type == "boat" else []
    if aboard:
        game = yield from felled(game, name, len(aboard), aboard, "PR-521")
    return game


def _die(purpose: str, least: int | None) -> Procedure[int | None]:
    """The die of damage; None where nothing can come of it: no number reaches so far, or it only glances."""
    if least is None:
        return None
    score = (yield from roll(Roll(purpose=purpose, count=1, die="d12", each=True, rule="PR-915"))).total
    return None if score == 1 else score


def break_patch(
    game: Game, name: str, least: int | None, strength: int, at: tuple[float, float]
) -> Procedure[tuple[Game, bool]]:
    """A structure is hit at a place: the die that breaks it, from ``least`` on, or weakens it (PR-915).

    The game after it, and whether it broke.
    """
    score = yield from _die(f"{name} is destroyed", least)
    if score is None or least is None:
        return game, False
    piece = next(one for one in game.terrain if one.id == name)
    if score >= least:
        return (yield from happen(broken(piece, at))), True
    left = max(strength - fight_book().gun.weakened, 0)
    changes = (SetTerrain(terrain=_with(piece, body=left)),)
    facts = {"terrain": name, "left": left}
    return (yield from happen(Event(event="weakened", facts=facts, changes=changes, rule="PR-915"))), False


def _with(piece: Terrain, **keys: Any) -> Terrain:
    return replace(piece, extra={**piece.extra, **keys})


def broken(piece: Terrain, at: tuple[float, float]) -> Event:
    """The event of a structure that breaks: doors stand open, walls have a gap of 3 in, the rest is gone."""
    facts = {"terrain": piece.id}
    if piece.kind in _DOORS:
        changes: tuple[Change, ...] = (SetTerrain(terrain=_with(piece, body=0, shut=False)),)
    elif piece.kind in _WALLS:
        changes = _breached(piece, at)
    else:
        changes = (RemoveTerrain(terrain=piece.id),)
    return Event(event="destroyed", facts=facts, changes=changes, rule="PR-915")


def _breached(piece: Terrain, at: tuple[float, float]) -> tuple[Change, ...]:
    """What is left of a wall with a gap where it was hit; nothing of a short one."""
    outline, *holes = pieces_from([piece]).rings[0]
    parts = breached(outline, at, fight_book().gun.breach * MM_PER_IN, holes)
    if not parts:
        return (RemoveTerrain(terrain=piece.id),)
    return tuple(
        SetTerrain(
            terrain=replace(
                piece, id=piece.id if number == 0 else f"{piece.id}-{number + 1}", polyline_mm=None, width_mm=None,
                polygon_mm=tuple((float(x), float(y)) for x, y in part),
            )
        )
        for number, part in enumerate(parts)
    )  # fmt: skip

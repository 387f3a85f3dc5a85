"""``wheel``: a formed unit swings round the figure at one end, where no camera sees it done by hand (MM-44)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated

import numpy as np
from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.errors import ActionRefused
from engine.events import Change, Event, PlaceFigures
from engine.geometry.moving.moves import mean_bearing, places
from engine.geometry.moving.passing import overlap
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import MM, at_most
from engine.geometry.reach import turn_until_contact
from engine.geometry.reach.movers import wheel_ends
from engine.geometry.reach.wheels import about
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.options.move_options import allowance_mm, move_reasons
from engine.rulesets.muskets_mohawks.options.reaching import held_up_by
from engine.rulesets.muskets_mohawks.procedures.changes import state
from engine.rulesets.muskets_mohawks.procedures.movement.going import after_going
from engine.rulesets.muskets_mohawks.procedures.movement.manoeuvres import manoeuvres
from engine.rulesets.muskets_mohawks.table.bodies import body_of
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, formation_of, state_of
from engine.rulesets.muskets_mohawks.wording import angle, length

__all__ = ["WheelKeys", "wheel"]

_NEVER_FORMED = ("gunners", "leader", "wagon", "pef")
#: In how many steps of a wheel it is looked whether somebody comes off the table.
_STEPS = 24


class WheelKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``wheel``: by how many degrees to the right, about the right end; to the left is negative."""

    turn_deg: Annotated[float, Meta(ge=-360, le=360)]


class _Swing(Struct, frozen=True, kw_only=True):
    """A wheel: where the end figure stands that it turns about, how far round, how far the other end goes."""

    figures: tuple[Figure, ...]
    pivot: Vector
    turn_deg: float
    arc_mm: float

    def after(self, share: float = 1.0) -> tuple[Figure, ...]:
        """The figures when a share of it is done."""
        spots = np.array([(one.x_mm, one.y_mm) for one in self.figures], dtype=float)
        turn = self.turn_deg * share
        round_it = about(spots, np.array(self.pivot), math.radians(turn)).tolist()
        return tuple(
            replace(
                one,
                x_mm=x,
                y_mm=y,
                bearing_deg=None if one.bearing_deg is None else (one.bearing_deg + turn) % 360.0,
            )
            for one, (x, y) in zip(self.figures, round_it, strict=True)
        )


def wheel(game: Game, action: Action, keys: WheelKeys) -> Procedure[None]:
    """Begins ``wheel``. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    swing = _swing(game, unit, keys.turn_deg)
    if swing is None:
        raise ActionRefused([f"{unit.id} faces no way, or has nobody at its ends: it cannot wheel"], ["MM-44"])
    reasons = move_reasons(game, unit)
    if not reasons:
        _judge(game, unit, swing, reasons)
    return _wheel(game, action, unit, swing, allow(action, reasons))


def _swing(game: Game, unit: Unit, turn_deg: float) -> _Swing | None:
    """None where a unit faces no way, or has not two ends."""
    figures = figures_of(unit)
    facing = mean_bearing(figures)
    if facing is None or len(figures) < 2:
        return None
    left, right = (figures[number] for number in wheel_ends(body_of(game, unit, figures).bases, facing))
    inner, outer = (right, left) if turn_deg > 0 else (left, right)
    pivot = inner.x_mm, inner.y_mm
    arc = math.dist(pivot, (outer.x_mm, outer.y_mm)) * math.radians(abs(turn_deg))
    return _Swing(figures=figures, pivot=pivot, turn_deg=turn_deg, arc_mm=arc)


def _judge(game: Game, unit: Unit, swing: _Swing, reasons: Reasons) -> None:
    """Why the unit may not wheel so: not formed, too far round, after a move, somebody in the way."""
    loose = unit.type in _NEVER_FORMED or formation_of(unit) == "unformed"
    reasons.add(loose, "only who is formed wheels", "MM-44")
    most, moved, left = manoeuvres().wheel_deg, state_of(unit).moved_mm, allowance_mm(game, unit)
    reasons.add(not at_most(abs(swing.turn_deg), most), f"a formed unit wheels up to {angle(most)}", "MM-44")
    reasons.add(abs(swing.turn_deg) < MM, "it faces that way already", "MM-44")
    text = f"has moved {length(moved)} in this activation: it wheels before it goes on"
    reasons.add(moved > MM, text, "MM-44")
    text = f"its outer end goes {length(swing.arc_mm)}, and it may move {length(left)}"
    reasons.add(not at_most(swing.arc_mm, left), text, "MM-44")
    if not reasons:
        reasons.extend(_in_the_way(game, unit, swing, left))


def _in_the_way(game: Game, unit: Unit, swing: _Swing, left_mm: float) -> Iterator[tuple[str, str]]:
    """Whom and what the unit would swing into or end upon, as text and row."""
    firm = held_up_by(game, unit, left_mm)
    most, clockwise = math.radians(abs(swing.turn_deg)), swing.turn_deg > 0
    bases = body_of(game, unit, swing.figures).bases
    stop = turn_until_contact(bases, firm, np.array(swing.pivot), most, clockwise)
    if stop is not None:
        yield f"{firm.names[stop.shape]} is in its way after {angle(math.degrees(stop.turn_rad))}", "MM-52"
    for step in range(1, _STEPS + 1):
        there = swing.after(step / _STEPS)
        width, depth = game.table.width_mm, game.table.depth_mm
        if any(not (0 <= one.x_mm <= width and 0 <= one.y_mm <= depth) for one in there):
            yield "some of it would leave the table", "MM-44"
            break
    end = swing.after()
    for other in game.units:
        if other.side != unit.side or other.id == unit.id or other.type == "pef" or not other.figures:
            continue
        upon = overlap(end, other.figures, (0.0, 1.0)) if state_of(other).in_building is None else None
        if upon is not None and upon[0] <= MM and formation_of(other) == "unformed":
            yield f"it cannot get wholly through {other.id}", "MM-51"


def _wheel(game: Game, action: Action, unit: Unit, swing: _Swing, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    gone = swing.after()
    changes: tuple[Change, ...] = (
        PlaceFigures(places=places(gone)),
        *state(unit.id, moved_mm=state_of(unit).moved_mm + swing.arc_mm),
        *after_going(game, unit, gone),
    )
    facts = {"unit": unit.id, "turn_deg": swing.turn_deg, "distance_mm": swing.arc_mm}
    yield from happen(Event(event="wheeled", facts=facts, changes=changes, rule="MM-44"))

"""``np-deploy``: where a further unit of the enemy that nobody plays joins its line (MM-227, MM-231)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.dice import Roll
from engine.events import Change, Event, Place, PlaceFigures
from engine.geometry.moving.deploying import Spot, Where, beside
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Base, Figure, Game, Round, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.table.approaches import impassable
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, formation_of, state_of

__all__ = ["np_deploy"]

_NO_LINE = ("pef", "wagon", "leader")
#: Up to this score the unit goes to the left (MM-231).
_LEFT = 3


def np_deploy(game: Game, action: Action) -> Procedure[None]:
    """Begins ``np-deploy``. Raises ActionRefused where the unit or the line that it joins is not on the table."""
    unit, reasons = game.unit(action.unit or ""), Reasons()
    line = [
        figure
        for other in game.units
        if other.side == unit.side and other.id != unit.id and other.type not in _NO_LINE
        for figure in figures_of(other)
    ]
    reasons.add(not unit.figures, f"{unit.id} has no figures on the table", "MM-231")
    reasons.add(unit.type in _NO_LINE, f"a {unit.type} stands in no line", "MM-231")
    now = state_of(unit)
    reasons.add(bool(now.in_melee), "in melee: it stands where it fights", "MM-231")
    reasons.add(now.in_building is not None, "in a building: it stands there", "MM-231")
    reasons.add(
        now.activated or now.moved_mm > 0, "it has already acted this turn: it stands where it is", "MM-231"
    )
    reasons.add(not line, f"no unit of {unit.side} is on the table to tie in to", "MM-231")
    return _deploy(game, action, unit, line, allow(action, reasons))


def _deploy(
    game: Game, action: Action, unit: Unit, line: Sequence[Figure], against: tuple[str, ...]
) -> Procedure[None]:
    """Left or right of those there by a die; behind them where that flank has no room."""
    game = yield from overruled(game, action, against)
    rolled = yield from roll(Roll(purpose=f"flank that {unit.id} ties in to", count=1, rule="MM-231"))
    flank: Where = "left" if rolled.total <= _LEFT else "right"
    ways: tuple[Where, ...] = (flank, "behind")
    where, places = next(((way, found) for way in ways if (found := _places(game, unit, line, way))), (None, ()))
    changes: tuple[Change, ...] = (PlaceFigures(places=places),) if places else ()
    facts = {"unit": unit.id, "flank": flank, "where": where}
    yield from happen(Event(event="np-deployed", facts=facts, changes=changes, rule="MM-231"))


def _places(game: Game, unit: Unit, line: Sequence[Figure], where: Where) -> tuple[Place, ...]:
    """Where the unit's figures stand there; none where there is no room.

    Lines carry on the front base to base; the others a base apart, two deep, together (MM-227).
    """
    taken = [figure for other in game.units if other.id != unit.id for figure in other.figures]
    base = max((one.base for one in unit.figures), key=_width, default=Round(diameter_mm=25.0))
    formed = formation_of(unit) in ("formed-line", "square")
    count = len(unit.figures)
    gap_mm, ranks = (0.0, 1) if formed else (_width(base), min(2, count))
    spots = (
        beside(line, where, count, base, game.table, taken, gap_mm=gap_mm, ranks=ranks) if line and count else None
    )
    if spots and not _firm(game, spots, _width(base)):
        return ()
    return tuple(
        Place(figure=one.id, x_mm=x, y_mm=y, bearing_deg=bearing, sigma_mm=one.sigma_mm)
        for one, (x, y, bearing) in zip(unit.figures, spots or (), strict=False)
    )


def _firm(game: Game, spots: Sequence[Spot], width_mm: float) -> bool:
    """Whether bases so wide can stand there: not in water, in a house or on other barred ground (R-22)."""
    centre = np.array([spot[:2] for spot in spots])
    return not any(
        impassable(sheet_of(game), centre - across, centre + across) for across in width_mm / 2 * np.eye(2)
    )


def _width(base: Base) -> float:
    return base.diameter_mm if isinstance(base, Round) else max(base.width_mm, base.depth_mm)

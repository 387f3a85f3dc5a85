"""``hide-under``: head to head, a unit is noted under one of its side's markers, which else is a decoy (MM-196)."""

from __future__ import annotations

from msgspec import Struct, to_builtins

from engine.errors import UnusableFile
from engine.events import AddUnit, Change, Event, RemoveFigures, RemoveUnit
from engine.geometry.moving.moves import centroid
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.procedures.changes import state
from engine.rulesets.muskets_mohawks.procedures.setup.mustering import at_spot, back_at, put_away
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, figures_of, state_of

__all__ = ["HideKeys", "hide_under", "revealed"]


class HideKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``hide-under``: the marker under which the unit comes."""

    marker: str


def hide_under(game: Game, action: Action, keys: HideKeys) -> Procedure[None]:
    """Begins ``hide-under``. Raises ActionRefused; UnusableFile where there is no such marker."""
    unit, marker, reasons = game.unit(action.unit or ""), game.unit(keys.marker), Reasons()
    if marker.type != "pef" or marker.side != unit.side:
        raise UnusableFile(f"hide-under: marker: expected a marker of {unit.side}, got {keys.marker!r}")
    alone = conditions_of(game).evening.play != "head-to-head"
    reasons.add(alone, "only in a game against each other do markers stand for units that are noted", "MM-196")
    reasons.add(unit.type == "pef", "a marker stands under no other", "MM-196")
    reasons.add(not figures_of(unit), f"{unit.id} has no figures to take off the table", "MM-196")
    reasons.add(conditions_of(game).evening.stage == "battle", "the battle has begun", "MM-196")
    return _hide(game, action, unit, marker, allow(action, reasons))


def _hide(game: Game, action: Action, unit: Unit, marker: Unit, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    facts = {"unit": unit.id, "marker": marker.id}
    changes: tuple[Change, ...] = (
        *state(
            unit.id,
            hidden=True,
            under=marker.id,
            strength=len(figures_of(unit)),
            put_away=[to_builtins(figure) for figure in unit.figures],
        ),
        RemoveFigures(unit=unit.id, figures=tuple(figure.id for figure in unit.figures)),
    )
    yield from happen(Event(event="hidden-under", facts=facts, changes=changes, rule="MM-196"))


def revealed(game: Game, marker: Unit) -> Procedure[None]:
    """Who stands under a marker is put in its place, without any table; nobody, where it was a decoy."""
    spot = centroid(figures_of(marker))
    under = [unit for unit in game.units if state_of(unit).under == marker.id]
    facts = {"unit": marker.id, "units": [unit.id for unit in under], "decoy": not under}
    game = yield from happen(
        Event(event="revealed", facts=facts, changes=(RemoveUnit(unit=marker.id),), rule="MM-196")
    )
    for unit in under:
        away = put_away(unit)
        there = back_at(game, unit, spot, away) if away else at_spot(game, unit, spot, state_of(unit).strength)
        changes: tuple[Change, ...] = (
            RemoveUnit(unit=unit.id), AddUnit(unit=there), *state(unit.id, hidden=False, under=None, put_away=[]),
        )  # fmt: skip
        game = yield from happen(Event(event="arrived", facts={"units": [unit.id]}, changes=changes, rule="MM-196"))

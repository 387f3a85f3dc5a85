"""``loot``: a unit inside a building carries off its stores, for as many turns as a die says (MM-233)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.dice import Roll
from engine.events import Change, Event, SetTerrain
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.muskets_mohawks.procedures.buildings.bombardment import building_of
from engine.rulesets.muskets_mohawks.procedures.buildings.start_fire import must_be_left
from engine.rulesets.muskets_mohawks.procedures.changes import state
from engine.rulesets.muskets_mohawks.procedures.refusal import unable_to_act
from engine.rulesets.muskets_mohawks.vocabulary import state_of

__all__ = ["loot"]


def loot(game: Game, action: Action) -> Procedure[None]:
    """Begins ``loot``. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    reasons, inside = unable_to_act(unit), state_of(unit).in_building
    reasons.add(inside is None, "not in a building", "MM-233")
    now = state_of(unit)
    reasons.add(now.retiring, "retiring: it has to rally first", "MM-56")
    reasons.add(now.taking_trophies, "spends this activation taking trophies", "MM-67")
    burns = inside is not None and must_be_left(building_of(game, inside))
    reasons.add(burns, f"half of {inside} burns: it must be left", "MM-178")
    left = None if inside is None else building_of(game, inside).extra.get("loot_turns")
    reasons.add(left == 0, f"{inside} is looted", "MM-233")
    against = allow(action, reasons)
    return _loot(game, action, unit, inside, left, against)


def _loot(
    game: Game, action: Action, unit: Unit, inside: str | None, left: int | None, against: tuple[str, ...]
) -> Procedure[None]:
    """The first turn tells how many it takes: half a die, rounded up."""
    game = yield from overruled(game, action, against)
    if inside is None:
        return
    if left is None:
        rolled = yield from roll(Roll(purpose=f"turns to loot {inside}", count=1, rule="MM-233"))
        left = (rolled.total + 1) // 2
    left = max(0, left - 1)
    house = building_of(game, inside)
    changes: tuple[Change, ...] = (
        SetTerrain(terrain=replace(house, extra={**house.extra, "loot_turns": left})),
        *state(unit.id, activated=True),
    )
    facts = {"unit": unit.id, "building": inside, "left": left, "looted": left == 0}
    yield from happen(Event(event="loot", facts=facts, changes=changes, rule="MM-233"))

"""What speaks against firing whatever the weapon: the firing unit's state, the target's, the weather."""

from __future__ import annotations

from engine.geometry.moving.moves import gap_between
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.base.kept import once
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, conditions_of, figures_of, gun_of, state_of
from engine.rulesets.muskets_mohawks.wording import length

#: Why a unit in the middle of its charge does nothing else.
CHARGING_ON = "in the middle of its charge: may only charge another"

#: Why a gun whose crew fell stands there for nothing.
NO_CREW = "no crew left to serve the gun: the rules have no action that gives it another"

#: How near its gun a crew serves it (MM-136).
AT_GUN_MM = 2 * MM_PER_INCH

_NEVER_FIRE = {"leader": "a Leader on his own", "pef": "a possible enemy force", "wagon": "a wagon"}


def markers(count: int) -> str:
    """How many reload markers, in words."""
    return f"{count} reload marker{'' if count == 1 else 's'}"


def holding_markers(unit: Unit) -> int:
    """The reload markers that keep a unit where it is (MM-111): those of a gun that its crew left do not (R-35)."""
    state = state_of(unit)
    return 0 if state.left_gun else state.reload_markers


def left_gun(unit: Unit) -> str:
    """That the crew has left its gun, how far it is from it, and what it takes to serve it again (R-35)."""
    gun, text = gun_of(unit), "the crew has left its gun"
    gap = None if gun is None else gap_between(figures_of(unit), [gun])
    if gap is None:
        return text
    return f"{text}: it serves it again within {length(AT_GUN_MM)}, and is {length(gap.distance_mm)} off"


def returns_fire(unit: Unit, target: Unit) -> bool:
    """Whether a unit would but return the fire of another, which who has had enough may (MM-166)."""
    return target.id in state_of(unit).fired_on_by


def own_reasons(reasons: Reasons, game: Game, unit: Unit, *, at_charger: bool, returns: bool = False) -> None:
    """What about the firing unit itself speaks against firing (MM-94, MM-114); ``returns``: it returns fire."""
    state = state_of(unit)
    reasons.add(not figures_of(unit), "no figures left on the table", "MM-94")
    reasons.add(unit.type in _NEVER_FIRE, f"{_NEVER_FIRE.get(unit.type, '')} does not fire", "MM-94")
    if not at_charger:
        reasons.add(state.activated, "already activated this turn", "MM-94")
        reasons.add(state.charging_on, CHARGING_ON, "MM-148")
        moved = f"has moved {length(state.moved_mm)} in this activation"
        reasons.add(state.moved_mm > 0, moved, "MM-94")
        enough = "has had enough: may not open fire, but return that of who has fired at it"
        reasons.add(state.had_enough and not returns, enough, "MM-166")
        reasons.add(state.taking_trophies, "spends this activation taking trophies", "MM-94")
    reasons.add(bool(state.in_melee), "in melee", "MM-94")
    reasons.add(state.retiring, "retiring: must rally first", "MM-94")
    reasons.add(state.left_gun, left_gun(unit), "MM-94")
    level = conditions_of(game).level
    reasons.add(conditions_of(game).nothing_fires, f"nothing fires in this weather (level {level})", "MM-114")


def target_reasons(target: Unit) -> tuple[tuple[str, str], ...]:
    """What about the target speaks against firing at it (MM-94, R-44)."""
    return once(target, "mm_not_fired_at", lambda: tuple(_target_reasons(target)))


def _target_reasons(target: Unit) -> Reasons:
    reasons = Reasons()
    reasons.add(not figures_of(target), f"{target.id} has no figures left on the table", "MM-94")
    reasons.add(bool(state_of(target).in_melee), f"{target.id} is in melee", "R-44")
    reasons.add(target.type == "pef", f"{target.id} is only a possible enemy force", "MM-94")
    return reasons

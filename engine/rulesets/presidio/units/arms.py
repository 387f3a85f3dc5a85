"""What a unit's figures carry, and who of them shoots (PR-402, PR-420 to PR-422, PR-1018)."""

from __future__ import annotations

from engine.records.game import Figure, Unit
from engine.rulesets.presidio.book import SmallArm, is_small_arm, small_arms
from engine.rulesets.presidio.table.sorts import MUSICIANS, is_character, leads
from engine.rulesets.presidio.vocabulary import figures_of, state_of, stats_of

__all__ = [
    "armed_with", "carries", "fires", "loading_left", "marksman", "melee_weapon_of", "volleys", "weapons_of",
]  # fmt: skip

_NEVER = (*MUSICIANS, "flag-bearer", "chaplain", "shaman", "gun", "limber", "wagon", "prisoner")
_BUTTS = {
    "long": "rifle-butt",
    "pistol": "pistol-butt",
    "bow": "knife",
    "flint-bow": "flint-knife",
    "thrown": "fists",
}


def carries(unit: Unit, figure: Figure, weapon: str) -> bool:
    """Whether a figure has a weapon: its own, one that the unit lists for it, else the unit's main one.

    Grenades are carried beside a man's other weapon (PR-936).
    """
    if figure.weapon is not None:
        return figure.weapon == weapon
    listed = [arm.weapon for arm in stats_of(unit).arms if figure.id in arm.figures]
    others = [name for name in listed if name not in small_arms() or small_arms()[name].family != "thrown"]
    return weapon in listed or (weapon == unit.weapon and not others)


def weapons_of(unit: Unit) -> tuple[str, ...]:
    """The small arms that a unit can shoot with, the main one first (PR-402)."""
    names = [unit.weapon, *(figure.weapon for figure in unit.figures), *(arm.weapon for arm in stats_of(unit).arms)]
    return tuple(dict.fromkeys(name for name in names if name is not None and is_small_arm(name)))


def fires(figure: Figure) -> bool:
    """Whether a figure ever shoots: musicians, flag bearers and clerics do not (PR-422, R-14)."""
    return figure.role not in _NEVER


def volleys(figure: Figure) -> bool:
    """Whether a figure fires in a volley: officers, NCOs, chiefs and heroes do not count there (PR-421)."""
    return fires(figure) and not leads(figure) and figure.role != "hero"


def marksman(unit: Unit, figure: Figure) -> bool:
    """Whether a figure may aim: sharpshooters, heroes, characters by themselves (PR-420)."""
    return fires(figure) and (figure.role in ("sharpshooter", "hero") or is_character(unit))


def armed_with(unit: Unit, weapon: str) -> tuple[Figure, ...]:
    """The figures that shoot with a weapon, in list order."""
    return tuple(figure for figure in figures_of(unit) if fires(figure) and carries(unit, figure, weapon))


def loading_left(unit: Unit) -> int:
    """The actions that it takes to load a unit's small arms: all of them where it would fire otherwise (PR-427)."""
    now = state_of(unit)
    if now.reload_left or now.fire_mode is None:
        return now.reload_left
    main = [unit.weapon] if unit.weapon in weapons_of(unit) else weapons_of(unit)
    return max((small_arms()[weapon].reload for weapon in main), default=0)


def melee_weapon_of(unit: Unit, figure: Figure | None = None) -> str:
    """What a unit fights with hand to hand, or one of its figures (PR-1018)."""
    stats, main = stats_of(unit), unit.weapon
    if figure is not None:
        main = figure.weapon or next((arm.weapon for arm in stats.arms if figure.id in arm.figures), main)
    if stats.melee_weapon is not None:
        return stats.melee_weapon
    if state_of(unit).bayonets:
        return "bayonet"
    arm: SmallArm | None = small_arms().get(main)
    if arm is not None and arm.family == "melee":
        return main
    unskilled = unit.type in ("civilian", "artillery") or (figure is not None and figure.role == "crew")
    return "fists" if arm is None or unskilled else _BUTTS[arm.family]

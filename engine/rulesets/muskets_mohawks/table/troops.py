"""What a unit counts as: its type, formation, traits, the period and the ground under it taken together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from engine.records.game import Game, Unit
from engine.rulesets.base.data.tables import of_tables, table
from engine.rulesets.base.kept import once
from engine.rulesets.muskets_mohawks.table.broken_ground import in_water
from engine.rulesets.muskets_mohawks.vocabulary import Conditions, conditions_of, formation_of, state_of, stats_of

__all__ = ["Troop", "troop", "troops"]

Reaction = Literal["regulars", "irregulars", "gunners", "cavalry"]


class Troop(Struct, frozen=True, kw_only=True):
    """What a unit counts as, with its type, formation, state, special traits and the period taken together."""

    name: str
    reaction: Reaction | None
    regular: bool
    irregular: bool
    ferocious: bool
    may_volley: bool
    volley_type: bool
    may_form_line: bool
    infantry: bool
    cavalry: bool
    formed: bool
    mob: bool
    mounted: bool


@of_tables
def troops() -> Mapping[str, Mapping[str, Any]]:
    """What is so of each type of troops, by name."""
    return table("engine.rulesets.muskets_mohawks", "troops.toml")


def troop(unit: Unit, game: Game | None = None) -> Troop:
    """What the unit counts as; ``game`` brings period, options and land (without it: FIW, the defaults, dry)."""
    conditions, formation = Conditions() if game is None else conditions_of(game), formation_of(unit)
    if game is not None and formation != "unformed" and in_water(game, unit):
        formation = "unformed"
    key = f"troop {formation} {conditions.period} {conditions.options.militia_volley}"
    return once(unit, key, lambda: _troop(unit, conditions, formation))


def _troop(unit: Unit, conditions: Conditions, formation: str) -> Troop:
    row, state, special = troops()[unit.type], state_of(unit), stats_of(unit).special
    skirmishing = unit.type == "light" and formation == "unformed" and conditions.period in ("napoleonic", "texas")
    mounted = bool(state.mounted)
    horse = unit.type in ("cavalry", "mounted-infantry") and mounted
    irregular = row.get("irregular", False) or skirmishing or "irregular" in special
    regular = row.get("regular", False) and not irregular
    line = row.get("line", False) and (unit.type != "mounted-infantry" or mounted) and "irregular" not in special
    volley_type = row.get("volley", False) or (unit.type == "militia" and conditions.options.militia_volley)
    return Troop(
        name=unit.type,
        reaction=_reaction(unit, formation, skirmishing, horse),
        regular=regular,
        irregular=irregular,
        ferocious=row.get("ferocious", False) or irregular or "ferocious" in special,
        volley_type=volley_type,
        may_volley=volley_type and not irregular,
        may_form_line=line,
        infantry=row.get("infantry", False) and not mounted,
        cavalry=horse,
        formed=formation in ("formed-line", "square"),
        mob=formation == "mob",
        mounted=mounted,
    )


def _reaction(unit: Unit, formation: str, skirmishing: bool, horse: bool) -> Reaction | None:
    if skirmishing:
        return "irregulars"
    if unit.type == "militia":
        return "regulars" if formation == "formed-line" else "irregulars"
    if unit.type == "mounted-infantry":
        return "cavalry" if horse else "irregulars"
    reaction: Reaction | None = troops()[unit.type].get("reaction")
    return reaction

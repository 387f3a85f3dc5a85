"""How strong things are: guns, wagons, boats, walls, gates, houses; what a hit does to them (PR-915, PR-916)."""

from __future__ import annotations

from engine.records.game import Unit
from engine.rulesets.presidio.book import artillery
from engine.rulesets.presidio.fight_book import fight_book
from engine.rulesets.presidio.table.field import Field
from engine.rulesets.presidio.table.patches import Patch
from engine.rulesets.presidio.table.sorts import models
from engine.rulesets.presidio.vocabulary import state_of, stats_of

__all__ = ["is_model", "strength_of_model", "strength_of_patch"]

#: What pieces are made of where they do not say, of the kinds that come in several materials.
_USUAL = {
    "house": "framed", "gate": "timber", "bridge": "wood", "wall": "stone", "works": "hasty",
}  # fmt: skip


def is_model(field: Field, number: int) -> bool:
    """Whether a figure is a thing: a gun, a limber, a wagon, a boat."""
    return models(field.units[number], field.figures[number])


def strength_of_model(unit: Unit, role: str) -> int:
    """What is left of the strength of a gun, limber, wagon or boat."""
    strengths, stats = fight_book().strengths, stats_of(unit)
    if role == "gun" and unit.weapon in artillery():
        whole = artillery()[unit.weapon].body
    else:
        whole = strengths["boat" if unit.type == "boat" else "wagon"]
    if stats.body is not None and role != "limber":
        whole = stats.body
    return max(whole - state_of(unit).strength_lost, 0)


def strength_of_patch(patch: Patch) -> int | None:
    """The strength of a piece of terrain; None of what shot does not break (PR-916)."""
    keys, strengths = patch.keys, fight_book().strengths
    if keys.body is not None:
        return keys.body
    material = keys.material or _USUAL.get(patch.kind)
    if material == "adobe":
        return int(strengths["adobe_per_foot"] * keys.wall_in / 12)
    return strengths.get(patch.kind if material is None or patch.kind == "door" else f"{patch.kind}-{material}")

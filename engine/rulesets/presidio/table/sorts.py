"""What sort of unit it is: its class, whether it has a front, whether it rides, who leads in it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engine.records.game import Figure, Unit
from engine.rulesets.presidio.book import Class, book
from engine.rulesets.presidio.vocabulary import figures_of, state_of, stats_of

__all__ = [
    "MUSICIANS",
    "class_of",
    "formation_of",
    "fronted",
    "has_role",
    "holds_front",
    "is_character",
    "leads",
    "models",
    "mounted",
    "on_roof",
    "rides_freely",
    "specialty",
    "starting_size",
]  # fmt: skip

#: What a unit of a class stands in where its file does not say.
_USUAL: Mapping[Class, str] = MappingProxyType(
    {
        "line": "line", "light": "skirmish", "skirmish": "skirmish", "artillery": "unlimbered",
        "vehicle": "column", "beast": "skirmish",
    }
)  # fmt: skip
_FRONTED = ("line", "extended-line", "column", "limbered", "unlimbered")
_MODELS = ("gun", "limber", "wagon")
_PLAIN = (
    "private", "rank", "sharpshooter", "horse-holder", "gun", "crew", "limber", "wagon", "driver", "sentry",
    "villager", "prisoner",
)  # fmt: skip

MUSICIANS = ("drummer", "bugler", "fifer")


def class_of(unit: Unit) -> Class:
    """The class of a unit's type: line, light, skirmish, artillery, vehicle or beast."""
    return book().classes[unit.type]


def formation_of(unit: Unit) -> str:
    """The formation of a unit, the usual one of its class where none is said; wagons are always in column."""
    if class_of(unit) == "vehicle":
        return "column"
    return _USUAL[class_of(unit)] if unit.formation == "unformed" else unit.formation


def fronted(unit: Unit) -> bool:
    """Whether a unit is formed, and so has a front, flanks and a rear."""
    return formation_of(unit) in _FRONTED


def holds_front(unit: Unit) -> bool:
    """Whether a unit stands in line or extended line."""
    return formation_of(unit) in ("line", "extended-line")


def mounted(unit: Unit) -> bool:
    """Whether a unit moves and is shot at as mounted: more than half of its figures ride."""
    figures = figures_of(unit)
    return 2 * sum(figure.mounted for figure in figures) > len(figures)


def models(unit: Unit, figure: Figure) -> bool:
    """Whether a figure of a unit is a thing and no man: a gun, a limber, a wagon, the hull of a boat (PR-604).

    Where none of a wagon's or boat's figures has the role `wagon`, its privates are such.
    """
    if figure.role in _MODELS:
        return True
    nameless = class_of(unit) == "vehicle" and figure.role in ("private", "rank")
    return nameless and all(one.role != "wagon" for one in unit.figures)


def leads(figure: Figure) -> bool:
    """Whether a figure has a command skill: NCOs, officers, chiefs (PR-105)."""
    return figure.role in book().command


def specialty(figure: Figure) -> bool:
    """Whether a figure is more than a private: those that the die of PR-601 may single out."""
    return figure.role not in _PLAIN


def is_character(unit: Unit) -> bool:
    """Whether the unit is one detached leader or character."""
    return unit.type == "leader"


def has_role(unit: Unit, *roles: str) -> bool:
    """Whether a unit has a figure of one of the roles."""
    return any(figure.role in roles for figure in figures_of(unit))


def starting_size(unit: Unit) -> int:
    """How many figures a unit began with: those left and those lost."""
    return len(figures_of(unit)) + state_of(unit).casualties


def on_roof(unit: Unit) -> bool:
    """Whether men of the unit have climbed to a roof and not come down again (PR-303)."""
    return state_of(unit).position == "parapet" and any(figure.z_mm > 0 for figure in figures_of(unit))


def rides_freely(unit: Unit, year: int) -> bool:
    """Whether riding leaves a unit both of its actions to fight with (PR-211)."""
    since = book().rides_freely_since.get(stats_of(unit).people)
    return since is not None and year >= since

"""The action ``terrain``: nine sections, and the features that they ask for (MM-180 to MM-193)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from engine.dice import Roll
from engine.events import Event, SetCondition
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.actions.refusing import allow
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.base.data.tables import of_tables, table
from engine.rulesets.muskets_mohawks.procedures.campaign.encounters import overall_terrain
from engine.rulesets.muskets_mohawks.procedures.changes import noted
from engine.rulesets.muskets_mohawks.procedures.setup.terrain_layout import proposals
from engine.rulesets.muskets_mohawks.procedures.solo.sections import near_edge
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of

__all__ = ["TerrainKeys", "terrain"]

#: The section whose river is a lake (MM-192).
_MIDDLE = 5


class TerrainKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``terrain``: the overall type, where the players choose it."""

    type: Literal["clear", "hilly", "wooded"] | None = None


@of_tables
def generator() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """The terrain generator, by kind of country."""
    return table(__package__, "terrain.toml")


def terrain(game: Game, action: Action, keys: TerrainKeys) -> Procedure[None]:
    """Begins the action. Raises ActionRefused where a side is to lay the ground out as it likes (MM-258)."""
    layer, reasons = conditions_of(game).evening.laid_out_by, Reasons()
    reasons.add(layer is not None, f"you agreed that {layer} lays the ground out as it likes", "MM-258")
    allow(action, reasons)
    return _terrain(game, keys.type)


def _terrain(game: Game, chosen: str | None) -> Procedure[None]:
    overall = chosen
    if overall is None:
        overall = yield from overall_terrain("MM-181")
    yield from happen(
        Event(
            event="overall-terrain", facts={"type": overall},
            changes=(SetCondition(key="overall_terrain", value=overall), *noted(game, rolled=True)), rule="MM-181",
        )
    )  # fmt: skip
    rows: list[tuple[int, int, Mapping[str, Any]]] = []
    for section in range(1, 10):
        rolled = yield from roll(Roll(purpose=f"section {section}", count=2, rule="MM-182"))
        rows.append((section, rolled.total, generator()[overall][str(rolled.total)]))
    features: list[dict[str, Any]] = []
    buildings: dict[int, int] = {}
    for section, _, row in rows:
        found = yield from _features(section, row)
        features += found
        buildings[section] = next((one["number"] for one in found if one["kind"] == "buildings"), 0)
    for section, total, row in rows:
        facts = {
            "section": section, "total": total, "terrain": row["terrain"], "buildings": buildings[section],
        }  # fmt: skip
        yield from happen(Event(event="section", facts=facts, rule="MM-182"))
    for feature in features:
        yield from happen(Event(event="feature", facts=feature, rule=_rule(feature["kind"])))
    names, stores = [row["terrain"] for _, _, row in rows], conditions_of(game).evening.structures
    pieces = proposals(game.table, near_edge(game), names, features, stores)
    told = [
        {
            "kind": piece.kind, "section": piece.section, "polygon_mm": [list(spot) for spot in piece.polygon_mm],
            **({} if piece.dv is None else {"dv": piece.dv}),
        }
        for piece in pieces
    ]  # fmt: skip
    for number, piece in enumerate(told):
        kept = SetCondition(key="proposals", value=told)  # drawn on the map until they are laid out
        changes = (kept,) if number + 1 == len(told) else ()
        yield from happen(Event(event="proposal", facts=piece, changes=changes, rule="MM-186"))


def _rule(kind: str) -> str:
    return {"buildings": "MM-193", "road": "MM-188", "creek": "MM-191"}.get(kind, "MM-192")


def _features(section: int, row: Mapping[str, Any]) -> Procedure[list[dict[str, Any]]]:
    found: list[dict[str, Any]] = []
    if row.get("settled", False):
        found.append((yield from _buildings(section)))
    name = str(row["terrain"])
    if name.startswith("road"):
        direction = yield from _direction(f"road of section {section}", "MM-188")
        found.append({"section": section, "kind": "road", "direction": direction})
    if name.startswith("river"):
        found.append((yield from _river(section)))
    return found


def _buildings(section: int) -> Procedure[dict[str, Any]]:
    number = yield from _half(f"buildings of section {section}", "MM-185")
    values = []
    for place in range(number):
        rolled = yield from roll(Roll(purpose=f"building {place + 1} of section {section}", count=1, rule="MM-193"))
        values.append(1 if rolled.total <= 3 else 2 if rolled.total <= 5 else 3)
    return {"section": section, "kind": "buildings", "number": number, "dv": values}


def _half(purpose: str, rule: str) -> Procedure[int]:
    """1/2d6: one die, halved upwards (MM-05)."""
    rolled = yield from roll(Roll(purpose=purpose, count=1, rule=rule))
    return (rolled.total + 1) // 2


def _direction(purpose: str, rule: str) -> Procedure[str]:
    rolled = yield from roll(Roll(purpose=f"direction of the {purpose}", count=1, rule=rule))
    return "lengthwise" if rolled.total <= 3 else "widthwise"


def _river(section: int) -> Procedure[dict[str, Any]]:
    """A creek or a river; in the middle section a lake, as wide as a river and as directed (MM-190 to MM-192)."""
    kind = "lake"
    if section != _MIDDLE:
        rolled = yield from roll(Roll(purpose=f"creek or river in section {section}", count=1, rule="MM-190"))
        kind = "creek" if rolled.total <= 4 else "river"
    width = yield from _half(f"width of the {kind}", "MM-191")
    direction = yield from _direction(kind, "MM-191")
    feature: dict[str, Any] = {
        "section": section, "kind": kind, "direction": direction,
        "width_in": width if kind == "creek" else 4 + width,
    }  # fmt: skip
    if kind == "river":
        feature |= yield from _crossing()
    return feature


def _crossing() -> Procedure[dict[str, Any]]:
    rolled = yield from roll(Roll(purpose="bridge or fords", count=1, rule="MM-192"))
    if rolled.total <= 2:
        return {"crossing": "bridge"}
    number = 1 if rolled.total <= 4 else 2
    widths = []
    for _ in range(number):
        widths.append(1 + (yield from _half("width of the ford", "MM-192")))
    if number == 1:
        return {"crossing": "one-ford", "ford_width_in": widths}
    while True:
        places = []
        for _ in range(2):
            die = yield from roll(Roll(purpose="section of the ford", count=1, rule="MM-192"))
            places.append((die.total + 1) // 2)
        if places[0] != places[1]:
            return {"crossing": "two-fords", "ford_width_in": widths, "ford_sections": places}

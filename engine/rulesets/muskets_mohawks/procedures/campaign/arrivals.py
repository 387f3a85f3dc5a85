"""Who arrives and where: the reinforcement tables and the entry table (MM-204, MM-212 to MM-217)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.dice import Roll
from engine.events import Event
from engine.play import Procedure, happen, roll
from engine.records.game import Game
from engine.rulesets.base.data.tables import of_tables, table
from engine.rulesets.muskets_mohawks.procedures.campaign.campaign_tables import fielded, side_campaign
from engine.rulesets.muskets_mohawks.procedures.setup.mustering import arrived
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, conditions_of, figures_of

__all__ = ["army_table", "arrivals", "enter", "in_quarters", "is_winter", "lost_heart", "table_rule"]

#: The highest line of every table stands for all above it.
_TOP = 10
#: November to February (MM-199).
_WINTER = (11, 12, 1, 2)
_QUARTERED = ("regular", "light", "grenadier", "guard", "militia", "cavalry", "gunners")


@of_tables
def reinforcements() -> Mapping[str, Mapping[str, Any]]:
    """Who arrives, by army."""
    return table(__package__, "reinforcements.toml")


def army_table(army: str | None) -> str:
    """The table that an army reads; armies of other periods read the British one (R-58)."""
    return army if army is not None and army in reinforcements() else "british"


def table_rule(army: str | None) -> str:
    """The row of the army's table."""
    return str(reinforcements()[army_table(army)]["rule"])


def is_winter(game: Game, month: int | None) -> bool:
    """Whether such a month is one of the French and Indian War's winters (MM-199)."""
    return conditions_of(game).period == "fiw" and month in _WINTER


def in_quarters(game: Game, kind: str, month: int | None) -> bool:
    """Whether troops of a type rest in such a month: in the winters of this war only irregulars fight (MM-199)."""
    return is_winter(game, month) and kind in _QUARTERED


def arrivals(game: Game, side: str, total: int) -> list[dict[str, Any]]:
    """What a total brings to a side: each ``{what, type, number, lieutenant}``."""
    army = fielded(game, side)
    lines = reinforcements()[army_table(army)][str(min(total, _TOP))]
    return [
        {
            "what": line["what"], "type": _in_season(game, line["type"]), "number": line.get("number", 1),
            "lieutenant": bool(line.get("dagger", False)) and _lone(game, side, _in_season(game, line["type"])),
        }
        for line in lines
        if not _out_of_the_war(game, side, army, line["type"])
    ]  # fmt: skip


def _in_season(game: Game, kind: str) -> str:
    """In the winters of this war irregulars come in the place of Regulars and militia (MM-199)."""
    winter = is_winter(game, conditions_of(game).month)
    return "irregular" if winter and kind in ("regular", "militia") else kind


def _lone(game: Game, side: str, kind: str) -> bool:
    """Whether a single unit of the type is on the table, so that this one completes its platoon (MM-216)."""
    return sum(unit.side == side and unit.type == kind and bool(figures_of(unit)) for unit in game.units) == 1


def _out_of_the_war(game: Game, side: str, army: str | None, kind: str) -> bool:
    """Whether the army that the troops would come from has lost heart (MM-204)."""
    source = army or ""
    if kind == "indian" and not source.endswith("-indians"):
        source = f"{source}-indians"
    return lost_heart(game, side, source)


def lost_heart(game: Game, side: str, army: str) -> bool:
    """Whether an army of a side, its own or an ally's, has no campaign morale left: no further part (MM-204)."""
    campaign = side_campaign(game, side)
    own = army == (campaign.army or "")
    return (campaign.local_campaign_morale if own else campaign.allies.get(army)) == 0


def enter(game: Game, side: str, arrive: Sequence[Mapping[str, Any]]) -> Procedure[Game]:
    """Rolls where troops come onto the table, and puts them there (MM-217, MM-261)."""
    rolled = yield from roll(Roll(purpose=f"entry of {side}", count=1, rule="MM-217"))
    result = rolled.total
    count = 1 if result in (3, 4) else 2
    way = yield from roll(Roll(purpose=f"place of entry of {side}", count=count, rule="MM-217"))
    inches = way.total + (0 if count == 1 else 6)
    x, y = _point(game, side, result, inches * MM_PER_INCH)
    facts = {"side": side, "result": result, "x_mm": x, "y_mm": y}
    game = yield from happen(Event(event="entry", facts=facts, rule="MM-217"))
    come = arrived(game, side, arrive, (x, y))
    names = [change.unit.id for change in come]
    return (yield from happen(Event(event="arrived", facts={"units": names}, changes=come, rule="MM-261")))


def _point(game: Game, side: str, result: int, along: float) -> tuple[float, float]:
    """The point of entry: as the side looks in from its edge, across from its left, then deep."""
    edge = game.side(side).edge
    width, depth = game.table.width_mm, game.table.depth_mm
    across, deep = (width, depth) if edge in ("south", "north") else (depth, width)
    left_to_right, far = {
        1: (0.0, along), 2: (along, 0.0), 3: (across / 2 - along, 0.0),
        4: (across / 2 + along, 0.0), 5: (across - along, 0.0), 6: (across, along),
    }[result]  # fmt: skip
    left_to_right, far = min(max(left_to_right, 0.0), across), min(far, deep)
    return {
        "south": (left_to_right, far),
        "north": (width - left_to_right, depth - far),
        "west": (far, depth - left_to_right),
        "east": (width - far, left_to_right),
    }[edge]

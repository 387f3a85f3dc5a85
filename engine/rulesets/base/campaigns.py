"""What a campaign shows of itself: its stage, its map of hexes with what stands there, cards where there is no map.

A ruleset builds a `CampaignView` from a game as somebody knows it; pages and the command line show any of them.
Places of the map are in hexes from side to side (1 is a hex), x to the right, y up (north).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from engine.geometry.grids.flat import around
from engine.geometry.grids.hexes import HexGrid
from engine.records.game import Cell, Game, Unit

__all__ = [
    "CampaignView", "Card", "Fact", "Gesture", "Ground", "Line", "MapHex", "Mark", "Piece", "drawn_hexes",
    "drawn_lines", "kept_view", "named", "roster_line",
]  # fmt: skip

#: What a hex is drawn as.
Ground = Literal["fields", "woods", "settlement", "hills", "water"]
Mark = Literal["hill", "road", "river"]
Point = tuple[float, float]


class _Part(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What all parts share: immutable, keyword only; a default is not written."""


class Fact(_Part, frozen=True, kw_only=True):
    """A thing to know: what it is called and its value, in words."""

    label: str
    value: str


class MapHex(_Part, frozen=True, kw_only=True):
    """A hex: what it is written as, where it lies, what is in it; ``title`` is what people call it."""

    id: str
    cell: Cell
    centre: Point
    outline: tuple[Point, ...]
    ground: Ground = "fields"
    marks: tuple[Mark, ...] = ()
    title: str = ""


class Line(_Part, frozen=True, kw_only=True):
    """A road or a river from the middle of one hex to that of the next."""

    kind: Literal["road", "river"]
    points: tuple[Point, ...]


class Piece(_Part, frozen=True, kw_only=True):
    """Something that stands on the map, or (``hex`` None) waits beside it.

    ``lines`` say what it is as far as it is known; ``reach`` are the hexes that it may go to now.
    """

    id: str
    side: str
    title: str
    hex: str | None = None
    lines: tuple[str, ...] = ()
    known: bool = False
    moved: bool = False
    reach: tuple[str, ...] = ()


class Gesture(_Part, frozen=True, kw_only=True):
    """The action that a touch on a piece and a hex begins, and which of its keys they and the side become."""

    action: str
    piece: str
    hex: str
    side: str = ""


class Card(_Part, frozen=True, kw_only=True):
    """A thing told in a few lines; ``act`` is an action with its keys that it leads to, under ``act_title``."""

    id: str
    title: str
    lines: tuple[str, ...] = ()
    side: str | None = None
    act: Mapping[str, Any] | None = None
    act_title: str = ""


class CampaignView(_Part, frozen=True, kw_only=True):
    """A campaign as somebody knows it; ``side`` is whose turn it is, None: everybody's."""

    title: str
    begun: bool = True
    stage: str = ""
    text: str = ""
    side: str | None = None
    facts: tuple[Fact, ...] = ()
    hexes: tuple[MapHex, ...] = ()
    lines: tuple[Line, ...] = ()
    pieces: tuple[Piece, ...] = ()
    cards: tuple[Card, ...] = ()
    move: Gesture | None = None
    enter: Gesture | None = None


def drawn_hexes(cells: Sequence[Cell]) -> Iterator[tuple[Point, tuple[Point, ...]]]:
    """The middle and the corners of hexes with flat tops, one from side to side.

    >>> next(drawn_hexes([(0, 1)]))[0]
    (0.577, 1.5)
    """
    grid = HexGrid(1.0)
    if not cells:
        return
    for centre, outline in zip(
        grid.centres(list(cells)).round(3).tolist(), grid.outlines(list(cells)).round(3).tolist(), strict=True
    ):
        yield (centre[0], centre[1]), tuple((x, y) for x, y in outline)


def drawn_lines(kind: Literal["road", "river"], cells: Iterable[Cell]) -> Iterator[Line]:
    """A line between the middles of each two of the cells that lie side by side; a lone one has a short stroke.

    >>> [line.points for line in drawn_lines("road", [(0, 0), (0, 1)])]
    [((0.577, 0.5), (0.577, 1.5))]
    """
    known = list(dict.fromkeys(cells))
    middles = dict(zip(known, (centre for centre, _ in drawn_hexes(known)), strict=True))
    for cell in known:
        beside = [other for other in around(cell) if other in middles]
        for other in beside:
            if cell < other:
                yield Line(kind=kind, points=(middles[cell], middles[other]))
        if not beside:
            x, y = middles[cell]
            yield Line(kind=kind, points=((x - 0.25, y), (x + 0.25, y)))


def kept_view(game: Game, title: str) -> CampaignView:
    """A campaign that its rules keep as plain values: a fact for each, a card for each table, and the rosters."""
    kept: Mapping[str, Any] = game.conditions.get("campaign") or {}
    facts = tuple(Fact(label=named(key), value=_plain(value)) for key, value in kept.items() if not _table(value))
    sides = {side.name for side in game.sides}
    cards = [
        Card(id=key, title=named(key), lines=tuple(_lines(value)), side=key if key in sides else None)
        for key, value in kept.items()
        if _table(value)
    ]
    for side in game.sides:
        roster = tuple(roster_line(unit) for unit in game.units if unit.side == side.name)
        if roster:
            cards.append(
                Card(id=f"roster-{side.name}", title=f"Roster of {named(side.name)}", lines=roster, side=side.name)
            )
    return CampaignView(title=title, begun=bool(kept), facts=facts, cards=tuple(cards))


def roster_line(unit: Unit) -> str:
    """A unit in a line: name, type, weapon and numbers, its figures, and its strength where that is another.

    >>> roster_line(Unit(id="rangers", side="british", type="irregular", stats={"rep": 4, "paper_strength": 7}))
    'rangers: Irregular; Rep 4, paper strength 7, 0 figures'
    """
    said = [(key, value) for key, value in unit.stats.items() if _simple(value) and value is not False]
    words = [named(key) if place == 0 else named(key).lower() for place, (key, _) in enumerate(said)]
    numbers = [word if value is True else f"{word} {value}" for word, (_, value) in zip(words, said, strict=True)]
    count = len(unit.figures)
    men = [f"{count} figure{'' if count == 1 else 's'}"]
    strength = unit.state.get("strength", unit.state.get("figures"))
    if strength not in (None, count):
        men.append(f"strength {strength}")
    armed = "" if unit.weapon == "none" else f" with {named(unit.weapon).lower()}"
    return f"{unit.name or unit.id}: {named(unit.type)}{armed}; {', '.join([*numbers, *men])}"


def named(key: str) -> str:
    """A key in words.

    >>> named("local_campaign_morale")
    'Local campaign morale'
    """
    words = key.replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


def _simple(value: Any) -> bool:
    return isinstance(value, int | float | str)


def _table(value: Any) -> bool:
    return isinstance(value, Mapping) and bool(value)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_plain, value)) or "-"
    return "-" if value in (None, "", {}) else str(value)


def _lines(table: Mapping[str, Any], before: str = "") -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, Mapping) and value:
            yield from _lines(value, f"{before}{named(key)}, ")
        else:
            yield f"{before}{named(key)}: {_plain(value)}"

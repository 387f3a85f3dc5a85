"""The muster: which figure stands on which base that the camera sees, and what has moved.

Pure functions from (game, memory, observation) to events. Still, identical bases are told apart by where they
were: a base where a figure stood is that figure; the others are assigned together, by the least sum of squared
distances, so that a line that advances keeps its order. A figure that is not seen stays where it was.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np
from msgspec import UNSET, Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.records import BaseKind, RectBase, RoundBase, Table
from engine.events import Event, Place, PlaceFigures
from engine.records.game import Base, Figure, Game, Rect, Unit
from vision.records import BaseSeen
from vision.unpainted import ShapeName, as_of, called, like, shapes_of
from webui.camera.memory import Memory, Seen, faced, held, place_on, pose_of, remembered
from webui.camera.wheels import Turn, turn_between

__all__ = ["Kind", "Mustered", "has_arrived", "kinds_of", "muster", "turned_deg"]

#: A base this near to where a figure stood is that figure, whatever else may be near.
STILL_MM = 2.5
#: Farther than this no single figure goes between two looks at the table; a whole unit may be carried anywhere.
REACH_MM = 1200.0
#: When the camera first looks at a game, its figures may stand anywhere.
ANYWHERE_MM = 1e6
#: A move is one that the measurement cannot have made up: this many sigma, and at least these.
MOVED_SIGMAS = 4.0
MOVED_MM = 1.5
TURNED_DEG = 5.0
#: A figure that was put somewhere in the game has arrived when its base lies as near as this, and turned so far.
ARRIVED_MM = 15.0
ARRIVED_DEG = 15.0
#: Two descriptions of a base's size that differ by less are the same base.
SAME_SIZE_MM = 1.0


class Kind(NamedTuple):
    """Army and base name of the table file that a figure's base is seen as, and its name as nobody's."""

    army: str
    base: str
    shape: ShapeName


class Mustered(Struct, frozen=True, kw_only=True):
    """What a look at the table comes to.

    ``matches`` says on which base (its place in the observation) each figure stands; ``strays`` are the bases
    of no figure; ``lost`` those of figures that the game has lost and nobody has taken off yet, by unit.
    """

    matches: Mapping[str, int]
    strays: tuple[int, ...]
    lost: Mapping[int, str]
    events: tuple[Event, ...]
    memory: Memory


def muster(
    game: Game,
    memory: Memory,
    bases: Sequence[BaseSeen],
    table: Table,
    *,
    reach_mm: float = REACH_MM,
    stayed: Container[str] = frozenset(),
) -> Mustered:
    """Matches what the camera sees with the figures of the game, and tells what has moved.

    ``reach_mm`` is how far a figure may have gone since the last look. ``stayed`` are figures that cannot have
    gone, for the picture has not changed where they stand: the measurement may miss them, no other base is theirs;
    but for one where another base has come to stand so near that both cannot be there.
    """
    kinds = kinds_of(game, table)
    figures = {f.id: (unit, f) for unit in game.units for f in unit.figures if f.id in kinds}
    known = {name: memory.get(name) or pose_of(unit.id, f, 0.0) for name, (unit, f) in figures.items()}
    settled = _arrived(game, known, bases, kinds, _standing(game, known, memory, bases, kinds))
    gone = {
        name: seen
        for name, seen in known.items()
        if name not in settled.matches and (name not in stayed or _crowded_out(seen, figures[name][1], bases))
    }
    reach = dict.fromkeys(gone, reach_mm) | dict.fromkeys(_carried(game, gone), ANYWHERE_MM)
    matches, lost = _followed(settled, gone, bases, kinds, reach)
    whole = [unit for unit in game.units if unit.id not in settled.lost.values()]
    matches = _as_one(whole, known, matches, bases)
    strays = tuple(sorted(set(range(len(bases))) - set(matches.values()) - set(lost)))
    events = tuple(_events(game, known, matches, _as_theirs(bases, matches, kinds, table)))
    after = remembered(memory, "camera", events, game)
    return Mustered(matches=matches, strays=strays, lost=lost, events=events, memory=after)


def kinds_of(game: Game, table: Table) -> dict[str, Kind]:
    """How the camera sees each figure's base; figures whose base the table file does not list are left out."""
    armies = armies_of(game, table)
    by_army = {army.name: army.bases for army in table.armies}
    shapes = shapes_of(table)
    kinds: dict[str, Kind] = {}
    for unit in game.units:
        for figure in unit.figures:
            for army in armies[unit.side]:
                kind = next((kind for kind in by_army[army] if same_base(figure.base, kind)), None)
                if kind is not None:
                    shape = next(one.name for one in shapes if like(kind, [one.kind]))
                    kinds.setdefault(figure.id, Kind(army, kind.name, shape))
    return kinds


def armies_of(game: Game, table: Table) -> dict[str, tuple[str, ...]]:
    """The armies of the table file that each side fields: the one of its name, else those that no side has."""
    names = {army.name.casefold(): army.name for army in table.armies}
    own = {side.name: names[side.name.casefold()] for side in game.sides if side.name.casefold() in names}
    free = tuple(army.name for army in table.armies if army.name not in own.values())
    fielded: dict[str, tuple[str, ...]] = {name: (army,) for name, army in own.items()}
    without = [side.name for side in game.sides if side.name not in own]
    if len(free) == len(without):
        fielded |= {name: (army,) for name, army in zip(without, free, strict=True)}
    return fielded | {name: free for name in without if name not in fielded}


def same_base(base: Base, kind: BaseKind) -> bool:
    """Whether a figure's base is of that kind of the table file."""
    if isinstance(kind, RoundBase):
        return not isinstance(base, Rect) and abs(base.diameter_mm - kind.diameter_mm) < SAME_SIZE_MM
    assert isinstance(kind, RectBase)
    return (
        isinstance(base, Rect)
        and abs(base.width_mm - kind.width_mm) < SAME_SIZE_MM
        and abs(base.depth_mm - kind.depth_mm) < SAME_SIZE_MM
    )


def turned_deg(before: float | None, after: float | None) -> float:
    """By how much a bearing changed, 0 to 180; 0 where one is not known.

    >>> turned_deg(350.0, 10.0)
    20.0
    """
    if before is None or after is None:
        return 0.0
    return abs((after - before + 180.0) % 360.0 - 180.0)


class _Settled(Struct, frozen=True, kw_only=True):
    """Figures on the bases where they stood, and the bases of figures that the game has lost, by unit."""

    order: tuple[int, ...]
    matches: Mapping[str, int]
    lost: Mapping[int, str]


def _standing(
    game: Game, known: Memory, memory: Memory, bases: Sequence[BaseSeen], kinds: Mapping[str, Kind]
) -> _Settled:
    order = tuple(sorted(range(len(bases)), key=lambda index: (bases[index].x_mm, bases[index].y_mm)))
    everyone = {figure.id for unit in game.units for figure in unit.figures}
    ghosts = {name: seen for name, seen in memory.items() if name not in everyone and seen.unit in game.by_id}
    matches = assigned({**known, **ghosts}, bases, order, kinds, STILL_MM)
    return _Settled(
        order=order,
        matches={name: index for name, index in matches.items() if name not in ghosts},
        lost={index: ghosts[name].unit for name, index in matches.items() if name in ghosts},
    )


def _crowded_out(seen: Seen, figure: Figure, bases: Sequence[BaseSeen]) -> bool:
    """Whether a base lies over the middle of where a figure stood, which looks as before where its line sidled."""
    base = figure.base
    half = (min(base.width_mm, base.depth_mm) if isinstance(base, Rect) else base.diameter_mm) / 2
    return any(_away_mm(seen, other) < half for other in bases)


def _arrived(
    game: Game, known: Memory, bases: Sequence[BaseSeen], kinds: Mapping[str, Kind], settled: _Settled
) -> _Settled:
    """Figures that somebody has carried to where a rule or a person had put them in the game."""
    said = held(known, game) - set(settled.matches)
    wanted = {f.id: pose_of(unit.id, f, 0.0) for unit in game.units for f in unit.figures if f.id in said}
    free = [index for index in settled.order if index not in {*settled.matches.values(), *settled.lost}]
    there = assigned(wanted, bases, free, kinds, ARRIVED_MM)
    return replace(settled, matches={**settled.matches, **there})


def _followed(
    settled: _Settled,
    gone: Memory,
    bases: Sequence[BaseSeen],
    kinds: Mapping[str, Kind],
    reach: Mapping[str, float],
) -> tuple[dict[str, int], dict[int, str]]:
    """The figures that are gone from where they stood, on the bases that nobody stood on."""
    matches, lost = dict(settled.matches), dict(settled.lost)
    taken = {*matches.values(), *lost}
    matches |= assigned(gone, bases, [index for index in settled.order if index not in taken], kinds, reach)
    gone = {name: seen for name, seen in gone.items() if name not in matches}
    for unit in sorted(set(lost.values())):  # another base of the unit was taken off than the one it lost
        theirs = [index for index in settled.order if lost.get(index) == unit]
        others = assigned({n: s for n, s in gone.items() if s.unit == unit}, bases, theirs, kinds, reach)
        matches |= others
        lost = {index: name for index, name in lost.items() if index not in others.values()}
    return matches, lost


def _carried(game: Game, gone: Memory) -> list[str]:
    """The figures of units that are gone for the greater part: carried as one, they may be anywhere."""
    carried: list[str] = []
    for unit in game.units:
        away = [figure.id for figure in unit.figures if figure.id in gone]
        if 2 * len(away) > len(unit.figures):
            carried += away
    return carried


def _as_one(
    units: Sequence[Unit], known: Memory, matches: Mapping[str, int], bases: Sequence[BaseSeen]
) -> dict[str, int]:
    """Units of which few figures went far, where all of them may as well have gone a little, went together.

    A line that sidles by the width of a base leaves most of its places filled as before: it has moved all the same.
    """
    after = dict(matches)
    for unit in units:
        ours = {f.id: known[f.id] for f in unit.figures if f.id in matches}
        theirs = sorted(matches[name] for name in ours)
        still = sum(_away_mm(known[name], bases[matches[name]]) <= STILL_MM for name in ours)
        if len(ours) < 2 or still in (0, len(ours)):
            continue
        dx = sum(bases[index].x_mm for index in theirs) / len(ours) - sum(s.x_mm for s in ours.values()) / len(ours)
        dy = sum(bases[index].y_mm for index in theirs) / len(ours) - sum(s.y_mm for s in ours.values()) / len(ours)
        shifted = {name: replace(seen, x_mm=seen.x_mm + dx, y_mm=seen.y_mm + dy) for name, seen in ours.items()}
        together = assigned(shifted, bases, theirs, {}, STILL_MM)
        if len(together) == len(ours):
            after |= together
    return after


def _away_mm(seen: Seen, base: BaseSeen) -> float:
    return math.hypot(base.x_mm - seen.x_mm, base.y_mm - seen.y_mm)


def assigned(
    figures: Memory,
    bases: Sequence[BaseSeen],
    among: Sequence[int],
    kinds: Mapping[str, Kind],
    reach: float | Mapping[str, float],
) -> dict[str, int]:
    """Figures to bases by the least sum of squared distances, none farther than its ``reach`` in mm.

    ``among`` are the places in ``bases`` that may be taken. A figure of a kind that is not known takes any base.
    """
    from scipy.optimize import linear_sum_assignment

    names = sorted(figures)
    if not names or not among:
        return {}
    far = np.array([(reach[name] if isinstance(reach, Mapping) else reach) ** 2 for name in names])
    cost = np.minimum(_squared_mm(figures, names, bases, among), far[:, None])
    for row, name in enumerate(names):
        for column, index in enumerate(among):
            if not _may_be(kinds.get(name), bases[index]):
                cost[row, column] = far[row]
    rows, columns = linear_sum_assignment(cost)
    return {
        names[row]: among[column]
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        if cost[row, column] < far[row]
    }


def _squared_mm(
    figures: Memory, names: Sequence[str], bases: Sequence[BaseSeen], among: Sequence[int]
) -> NDArray[np.float64]:
    """(figures, bases) squared distances in mm²."""
    at = np.array([(figures[name].x_mm, figures[name].y_mm) for name in names], dtype=np.float64)
    to = np.array([(bases[index].x_mm, bases[index].y_mm) for index in among], dtype=np.float64)
    squared: NDArray[np.float64] = ((at[:, None, :] - to[None, :, :]) ** 2).sum(axis=2)
    return squared


def _may_be(kind: Kind | None, base: BaseSeen) -> bool:
    if kind is None:
        return True
    if base.army is None:
        return base.base is None or called(base) == kind.shape
    return base.army == kind.army and base.base in (None, kind.base)


def _as_theirs(
    bases: Sequence[BaseSeen], matches: Mapping[str, int], kinds: Mapping[str, Kind], table: Table
) -> list[BaseSeen]:
    """The bases, those of nobody's paint as of the army whose figure stands on them."""
    armies = {army.name: army for army in table.armies}
    theirs = list(bases)
    for name, index in matches.items():
        if name in kinds and bases[index].army is None:
            theirs[index] = as_of(bases[index], armies[kinds[name].army], table) or bases[index]
    return theirs


def _moved(seen: Seen, base: BaseSeen) -> bool:
    """Whether a base has moved or turned by more than the measurement can have made up."""
    sigma = math.hypot(seen.sigma_mm, base.sigma_mm)
    distance = _away_mm(seen, base)
    turn_sigma = math.hypot(seen.bearing_sigma_deg or 0.0, base.bearing_sigma_deg or 0.0)
    turn = turned_deg(seen.bearing_deg, base.bearing_deg)
    return distance > max(MOVED_MM, MOVED_SIGMAS * sigma) or turn > max(TURNED_DEG, MOVED_SIGMAS * turn_sigma)


def _events(game: Game, known: Memory, matches: Mapping[str, int], bases: Sequence[BaseSeen]) -> Iterable[Event]:
    """What the matches say that the game does not know yet, unit by unit in the order of the game.

    ``moved`` where figures really moved. ``found`` where they stand as they should, but where exactly was only
    given so far: now it is measured, with its error.
    """
    said, before = held(known, game), dict(known)
    for unit in game.units:
        moved: list[Place] = []
        found: list[Place] = []
        turn = _turn_of(unit, known, matches, bases)
        for figure in unit.figures:
            if figure.id not in matches:
                continue
            base, stood = bases[matches[figure.id]], known[figure.id]
            if base.bearing_deg is None:
                stood = before[figure.id] = replace(stood, bearing_deg=_front_deg(stood, figure))
                base = _wheeled(base, stood, turn) if base.axis_deg is UNSET else faced(base, stood.bearing_deg)
            if _moved(stood, base):
                arrived = figure.id in said and has_arrived(figure, base)
                (found if arrived else moved).append(place_on(figure.id, base, figure.bearing_deg))
            elif figure.id not in said and _news(figure, base):
                found.append(place_on(figure.id, base, figure.bearing_deg))
        if moved:
            yield _event("moved", unit, moved, before)
        if found:
            yield _event("found", unit, found, before)


def _turn_of(unit: Unit, known: Memory, matches: Mapping[str, int], bases: Sequence[BaseSeen]) -> Turn | None:
    """By how much the unit was turned as one, in degrees, and one sigma of it; None where it was not."""
    seen = [(known[figure.id], bases[matches[figure.id]]) for figure in unit.figures if figure.id in matches]
    places = np.array([[(was.x_mm, was.y_mm), (now.x_mm, now.y_mm)] for was, now in seen]).reshape(-1, 2, 2)
    return turn_between(places[:, 0], places[:, 1])


def _wheeled(base: BaseSeen, stood: Seen, turn: Turn | None) -> BaseSeen:
    """A round base whose front is not seen, which is turned as its unit is."""
    if turn is None or stood.bearing_deg is None:
        return base
    sigma = math.hypot(stood.bearing_sigma_deg or 0.0, turn[1])
    return replace(base, bearing_deg=(stood.bearing_deg + turn[0]) % 360.0, bearing_sigma_deg=sigma)


def _front_deg(seen: Seen, figure: Figure) -> float | None:
    """Which way a figure faced: as was seen, unless it was only said, or said to be just the other way about."""
    said_deg = figure.bearing_deg
    about = said_deg is not None and turned_deg(seen.bearing_deg, said_deg) > 180.0 - ARRIVED_DEG
    return said_deg if seen.bearing_deg is None or about else seen.bearing_deg


def has_arrived(figure: Figure, base: BaseSeen | Seen) -> bool:
    """Whether a base lies where a figure was put in the game, as near as a hand sets it there."""
    away = math.hypot(base.x_mm - figure.x_mm, base.y_mm - figure.y_mm)
    return away <= ARRIVED_MM and turned_deg(figure.bearing_deg, base.bearing_deg) <= ARRIVED_DEG


def _news(figure: Figure, base: BaseSeen) -> bool:
    """Whether a figure that did not move was never measured, or its bearing never seen."""
    return figure.sigma_mm is None or (figure.bearing_deg is None and base.bearing_deg is not None)


def _event(name: str, unit: Unit, places: Sequence[Place], known: Memory) -> Event:
    distances = [math.hypot(p.x_mm - known[p.figure].x_mm, p.y_mm - known[p.figure].y_mm) for p in places]
    turns = [turned_deg(known[p.figure].bearing_deg, p.bearing_deg) for p in places]
    facts = {
        "unit": unit.id,
        "figures": [place.figure for place in places],
        "of": len(unit.figures),
        "distance_mm": round(max(distances), 1),  # as rules measure a move: of whoever went farthest
        "turned_deg": round(median(turns), 1),
        "sigma_mm": round(max(place.sigma_mm or 0.0 for place in places), 2),
    }
    return Event(event=name, facts=facts, changes=(PlaceFigures(places=tuple(places)),))

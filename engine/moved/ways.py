"""The way that each unit has been moved by hand in this turn: where it stood when it began, and every step since.

What counts is the sum of the steps, for two short moves are as long as one long one. A unit that is put back to
where it stood takes its steps back; one that is set right by a little is moved from where the last step began.
A unit that is set back by hand where it stood before what was undone makes no step of it (the fact ``returning``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from engine.events import Event, PlaceFigures, SetUnit, apply
from engine.keeping.entries import events_on, standing
from engine.keeping.entry import PLACING, Entry
from engine.records.answer import Answer, MoveOption
from engine.records.game import Figure, Game, Unit

__all__ = ["Pose", "Step", "Way", "Ways", "after_entry", "returning", "sum_mm", "ways_told", "with_options_of"]

#: Figures put back by hand come to stand so near to where they were.
_BACK_MM = 10.0
#: A step no longer than this sets the one before it right.
_NUDGE_MM = 15.0

PointMm = tuple[float, float]

#: Where a unit's figures stand, by their ids.
Pose = Mapping[str, Figure]


class Step(Struct, frozen=True, kw_only=True):
    """A step: where it led, and how the unit might have moved just before it, where that was known."""

    pose: Pose
    option: MoveOption | None = None


class Way(Struct, frozen=True, kw_only=True):
    """A unit's way in a turn (its number and whose it is); without steps it stands where it began.

    ``granted_mm`` is how far an order has let it go that is carried out by hand. ``forming`` while the figures may
    still be set in the order that they were told to take up, which is no step; ``formed`` when that was just done:
    it begins a way anew, for which ``taken_mm`` were gone before. ``returning`` while the figures are being set
    back to where the way has led, which is no step.
    """

    turn: tuple[int, str | None]
    start: Pose
    steps: tuple[Step, ...] = ()
    granted_mm: float | None = None
    forming: bool = False
    formed: bool = False
    returning: bool = False
    taken_mm: float = 0.0

    @property
    def poses(self) -> tuple[Pose, ...]:
        """Where it stood at its begin and after each step."""
        return (self.start, *(step.pose for step in self.steps))


#: The ways of the units that were moved in this turn, by unit.
Ways = Mapping[str, Way]


def sum_mm(way: Way, figure: str) -> float:
    """How far one figure has gone: the sum of its steps, and what was gone before them."""
    poses = way.poses
    return way.taken_mm + sum(_apart_mm(one, other, figure) for one, other in pairwise(poses))


def after_entry(
    ways: Ways, kind: str, events: Sequence[Event], before: Game, after: Game, answer: Answer | None = None
) -> Ways:
    """The ways after the events of an entry of that kind; ``answer`` is that of the game before, where it is known.

    What the rules move, or say anew where it stands, begins a new way: that move was theirs.
    """
    if kind == "begin" or before.turn.number != after.turn.number:
        return {}
    found = dict(ways)
    for event in events:
        if kind == "camera" and event.event == "moved":
            name = str(event.facts["unit"])
            stepped = _returned if event.facts.get("returning") else _stepped
            found[name] = stepped(_way_of(found.get(name), name, before, after), name, after, answer)
            continue
        for name in _placed(event, after) & set(found):
            if kind == "place":
                found[name] = _corrected(found[name], after.unit(name))
            elif kind not in PLACING:
                del found[name]
        for name in _ordered_anew(event) & set(after.by_id):
            known = found.get(name) or Way(turn=_turn(after), start=_pose(after.unit(name)))
            found[name] = replace(known, forming=True)
        granted = _granted(event)
        if granted is not None and event.facts.get("unit") in after.by_id:
            name = str(event.facts["unit"])
            found[name] = Way(turn=_turn(after), start=_pose(after.unit(name)), granted_mm=granted)
    return found


def ways_told(entries: Sequence[Entry]) -> Ways:
    """The ways that a whole journal leads to; how the units might have moved is not known of them."""
    ways: Ways = {}
    game: Game | None = None
    for entry in standing(entries):
        before, events = game, events_on(entry, game)
        for event in events:
            game = apply(game, event)
        if before is not None and game is not None:
            ways = after_entry(ways, entry.kind, events, before, game)
    return ways


def with_options_of(known: Way | None, way: Way) -> Way:
    """A way that was told again, with what was known of how the unit might have moved if it is the same."""
    same = known is not None and (known.turn, known.poses) == (way.turn, way.poses)
    return replace(way, steps=known.steps) if known is not None and same else way


def returning(way: Way | None, unit: Unit, was: Mapping[str, PointMm], now: Mapping[str, PointMm]) -> bool:
    """Whether figures of a unit that are to be set back come nearer to where its way had led, or are there.

    ``was`` and ``now`` are where they stood on the table, and stand; a unit without a way stands where it did.
    """
    end = _pose(unit) if way is None else way.poses[-1]
    return all(
        _away_mm(end[name], now[name]) <= max(_NUDGE_MM, _away_mm(end[name], was[name]))
        for name in now
        if name in end and name in was
    )


def _way_of(way: Way | None, name: str, before: Game, after: Game) -> Way:
    """The way that a unit goes on with; a new one where it has none in this turn."""
    if way is not None and way.turn == _turn(before) and any(f.id in way.start for f in after.unit(name).figures):
        return way
    return Way(turn=_turn(before), start=_pose(before.unit(name)))


def _returned(way: Way, *_: object) -> Way:
    return replace(way, returning=True)


def _stepped(way: Way, name: str, after: Game, answer: Answer | None) -> Way:
    pose = _pose(after.unit(name))
    forming = way.forming
    way = replace(way, forming=False, formed=False, returning=False)
    if forming and not _as_one(way.poses[-1], pose):
        taken = max((sum_mm(way, figure) for figure in way.start), default=0.0)
        return replace(way, start=pose, steps=(), formed=True, taken_mm=taken)
    for number, earlier in enumerate(way.poses[:-1]):
        if _farthest_mm(earlier, pose) <= _BACK_MM:
            return replace(way, steps=way.steps[:number])
    if way.steps and _farthest_mm(way.poses[-1], pose) <= _NUDGE_MM:
        return replace(way, steps=(*way.steps[:-1], replace(way.steps[-1], pose=pose)))
    units = () if answer is None else answer.units
    option = next((one.move for one in units if one.unit == name), None)
    return replace(way, steps=(*way.steps, Step(pose=pose, option=option)))


def _corrected(way: Way, unit: Unit) -> Way:
    """A way whose end a person has put right."""
    if not way.steps:
        return replace(way, start=_pose(unit))
    return replace(way, steps=(*way.steps[:-1], replace(way.steps[-1], pose=_pose(unit))))


def _granted(event: Event) -> float | None:
    """How far an order lets a unit go by hand, formed or not, whichever is more."""
    lengths = [event.facts.get(key) for key in ("formed_mm", "unformed_mm")]
    return max((float(one) for one in lengths if isinstance(one, int | float)), default=None)


def _ordered_anew(event: Event) -> set[str]:
    """The units of which an event changes the formation."""
    return {one.unit for one in event.changes if isinstance(one, SetUnit) and one.key == "formation"}


def _as_one(one: Pose, other: Pose) -> bool:
    """Whether the figures were all carried alike, in the order in which they stood."""
    far = [(other[name].x_mm - one[name].x_mm, other[name].y_mm - one[name].y_mm) for name in _both(one, other)]
    return all(math.dist(way, far[0]) <= _NUDGE_MM for way in far)


def _placed(event: Event, game: Game) -> set[str]:
    """The units of which an event says where figures stand."""
    figures = {p.figure for change in event.changes if isinstance(change, PlaceFigures) for p in change.places}
    return {unit.id for unit in game.units if any(figure.id in figures for figure in unit.figures)}


def _pose(unit: Unit) -> Pose:
    return {figure.id: figure for figure in unit.figures}


def _turn(game: Game) -> tuple[int, str | None]:
    return game.turn.number, game.turn.active_side


def _farthest_mm(one: Pose, other: Pose) -> float:
    return max((_apart_mm(one, other, figure) for figure in _both(one, other)), default=0.0)


def _both(one: Pose, other: Pose) -> Iterable[str]:
    return (figure for figure in one if figure in other)


def _apart_mm(one: Pose, other: Pose, figure: str) -> float:
    """How far apart a figure stands in two poses; 0 where one of them lacks it."""
    if figure not in one or figure not in other:
        return 0.0
    return _away_mm(one[figure], (other[figure].x_mm, other[figure].y_mm))


def _away_mm(figure: Figure, point: PointMm) -> float:
    return math.hypot(figure.x_mm - point[0], figure.y_mm - point[1])

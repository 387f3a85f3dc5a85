"""Units that come into a game: what they start as, where their figures are to be put (MM-23, MM-216, MM-261)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from engine.events import AddUnit
from engine.geometry.moving.deploying import laid_out, near_by
from engine.geometry.moving.moves import bearing_to
from engine.records.game import Base, Figure, Game, Rect, Round, Unit
from engine.records.reading import convert
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, figures_of, gun_of, state_of

__all__ = ["arrived", "at_edge", "at_spot", "back_at", "marker", "new_unit", "put_away", "usual_formation"]

Spot = tuple[float, float]

#: Figures of a unit and of a gun's crew (MM-23), and the bases that they stand on unless the players' are others.
_MEN, _CREW = 10, 5
_FOOT, _HORSE = Round(diameter_mm=25.0), Rect(width_mm=25.0, depth_mm=50.0)
_GUN = Rect(width_mm=40.0, depth_mm=60.0)
_LINES = ("regular", "light", "grenadier", "guard", "militia", "cavalry")
_HORSES = ("cavalry", "mounted-infantry")
#: Units in a platoon or war party (MM-34).
_IN_PLATOON = 2
#: War parties under a War Chief (MM-34).
_IN_CHIEFDOM = 2


def new_unit(
    id: str, side: str, type: str, *, name: str | None = None, weapon: str | None = None,
    stats: Mapping[str, Any] | None = None,
) -> Unit:  # fmt: skip
    """A unit of a type as it starts, without figures yet: its formation, its weapon, whether it is mounted."""
    arms = {"leader": "none", "pef": "none", "gunners": "cannon"}
    return Unit(
        id=id, side=side, type=type, name=name, weapon=weapon or arms.get(type, "musket"), stats=stats or {},
        formation=usual_formation(type),
        state={"mounted": True} if type in _HORSES else {},
    )  # fmt: skip


def usual_formation(type: str) -> str:
    """The formation in which a unit of a type comes to a battle."""
    return "formed-line" if type in _LINES else "unformed"


def at_edge(game: Game, unit: Unit, men: int | None = None, were: Unit | None = None) -> Unit:
    """The unit with its figures at its side's edge, on bases of its own; without any where there is no room.

    Lines stand base to base; the others a base apart, two deep. As the unit that they ``were`` in an earlier battle
    they have its bases, and who fought in it to the end his own weapon.
    """
    edge, taken = game.side(unit.side).edge, _figures(game)

    def lay(count: int, base: Base, gap_mm: float, ranks: int, others: Sequence[Figure]) -> Any:
        return laid_out(count, base, edge, game.table, others, gap_mm=gap_mm, ranks=ranks)

    return _manned(unit, men, lay, taken, were)


def at_spot(game: Game, unit: Unit, spot: Spot, men: int | None = None) -> Unit:
    """The unit with its figures as near to a spot as there is room, facing the nearest enemy, else the middle."""
    taken = _figures(game)
    bearing = _facing(game, unit, spot)

    def lay(count: int, base: Base, gap_mm: float, ranks: int, others: Sequence[Figure]) -> Any:
        return near_by(spot, bearing, count, base, game.table, others, gap_mm=gap_mm, ranks=ranks)

    return _manned(unit, men, lay, taken)


def put_away(unit: Unit) -> tuple[Figure, ...]:
    """The figures that a marker stands for (MM-196); none where the unit is on the table."""
    return tuple(convert(list(state_of(unit).put_away), list[Figure], f"{unit.id}: state.put_away"))


def back_at(game: Game, unit: Unit, spot: Spot, figures: Sequence[Figure]) -> Unit:
    """The unit with the very figures that had been taken off, as near to a spot as there is room, facing alike.

    Without any where there is no room.
    """
    men = [figure for figure in figures if figure.role != "gun"]
    gun = [figure for figure in figures if figure.role == "gun"]
    bearing, taken, line = _facing(game, unit, spot), _figures(game), unit.formation in ("formed-line", "mob")
    ranks = 1 if unit.formation == "formed-line" else min(2, len(men))
    put: list[Figure] = []
    for some, gap_mm, deep in ((men, 0.0 if line else 25.0, ranks), (gun, 0.0, 1)):
        if some:
            base, others = some[0].base, [*taken, *put]
            spots = near_by(spot, bearing, len(some), base, game.table, others, gap_mm=gap_mm, ranks=deep)
            put += [
                replace(figure, x_mm=x, y_mm=y, bearing_deg=facing)
                for figure, (x, y, facing) in zip(some, spots or (), strict=bool(spots))
            ]
    return replace(unit, figures=tuple(put))


def _figures(game: Game) -> list[Figure]:
    return [figure for other in game.units for figure in other.figures]


def _facing(game: Game, unit: Unit, spot: Spot) -> float:
    foes = [(f.x_mm, f.y_mm) for foe in game.enemies(unit) for f in figures_of(foe) if foe.type != "pef"]
    middle = (game.table.width_mm / 2, game.table.depth_mm / 2)
    goal = min(foes, key=lambda at: (at[0] - spot[0]) ** 2 + (at[1] - spot[1]) ** 2, default=middle)
    return bearing_to(spot, goal)


def _manned(unit: Unit, men: int | None, lay: Any, taken: list[Figure], were: Unit | None = None) -> Unit:
    horse, gunners, lone = unit.type in _HORSES, unit.type == "gunners", unit.type in ("leader", "pef")
    rides = horse or (unit.type == "leader" and bool(unit.state.get("mounted")))
    count = 1 if lone else men or (_CREW if gunners else _MEN)
    if were and not were.figures:
        were = replace(were, figures=put_away(were))
    old, piece = (figures_of(were), gun_of(were)) if were else ((), None)
    base, line = old[0].base if old else _HORSE if horse else _FOOT, unit.formation == "formed-line"
    carried = dict(enumerate((figure.weapon for figure in old), start=1))
    spots = lay(count, base, 0.0 if line else 25.0, 1 if line else min(2, count), taken)
    others = "crew" if gunners else "pef" if unit.type == "pef" else "rank"
    chief = 0 if unit.type == "pef" else (count + 1) // 2
    figures = [
        Figure(
            id=f"{unit.id}-{number}", x_mm=x, y_mm=y, bearing_deg=bearing, base=base, mounted=rides,
            role="leader" if number == chief else others, weapon=carried.get(number),
        )
        for number, (x, y, bearing) in enumerate(spots or (), start=1)
    ]  # fmt: skip
    if gunners and figures:
        under = piece.base if piece else _GUN
        where = lay(1, under, 0.0, 1, [*taken, *figures])
        figures += [
            Figure(id=f"{unit.id}-gun", x_mm=x, y_mm=y, bearing_deg=bearing, base=under, role="gun")
            for x, y, bearing in where or ()
        ]
    return replace(unit, figures=tuple(figures))


def marker(game: Game, side: str, spot: Spot) -> AddUnit:
    """A possible enemy force on a spot, or as near to it as there is room; it faces no way."""
    unit = at_spot(game, new_unit(_free(game, f"{side}-pef"), side, "pef"), spot)
    return AddUnit(unit=replace(unit, figures=tuple(replace(one, bearing_deg=None) for one in unit.figures)))


def arrived(game: Game, side: str, arrive: Sequence[Mapping[str, Any]], spot: Spot) -> tuple[AddUnit, ...]:
    """Those of an ``arrive`` list as units about a spot, in its order; a platoon or war party is two units.

    A platoon has its lieutenant with it, a unit that completes one brings him, two war parties their War Chief
    (MM-34, MM-216). Their Reps are the players' to roll (MM-38).
    """
    changes: list[AddUnit] = []
    evening = conditions_of(game).evening
    enough = any(state_of(one).had_enough for one in game.units if one.side == side)
    for line in arrive:
        number = int(line["number"]) * (1 if line["what"] == "unit" else _IN_PLATOON)
        chief = _chief(line)
        ranks = [None] * number if chief is None else [*[None] * number, chief]
        for rank in ranks:
            kind, stats = (str(line["type"]), {}) if rank is None else ("leader", {"rank": rank})
            unit = at_spot(game, new_unit(_free(game, f"{side}-{kind}"), side, kind, stats=stats), spot)
            if enough:  # their player is leaving, and they with him (MM-166)
                unit = replace(unit, state={**unit.state, "had_enough": True})
            if evening.play is not None and evening.theirs == "scout" and kind != "leader":
                unit = replace(unit, state={**unit.state, "tactics": "scout"})  # until they meet somebody (MM-226)
            changes.append(AddUnit(unit=unit))
            game = replace(game, units=(*game.units, unit))
    return tuple(changes)


def _chief(line: Mapping[str, Any]) -> str | None:
    """The rank of the higher Leader who comes with a line of an ``arrive`` list, if any does."""
    if line["what"] == "platoon" or line["lieutenant"]:
        return "lieutenant"
    return "war-chief" if line["what"] == "war-party" and int(line["number"]) >= _IN_CHIEFDOM else None


def _free(game: Game, stem: str) -> str:
    """The first of ``stem-1``, ``stem-2`` … that no unit is called."""
    number = 1
    while f"{stem}-{number}" in game.by_id:
        number += 1
    return f"{stem}-{number}"

"""The step of the armies: a base that is pointed at is read, named, and becomes an army of the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from calibration.errors import UnusableFile
from calibration.reading import fitting
from calibration.records import Army, BaseKind, RectBase, RoundBase, Table
from vision.ground import FLAT, ground_of
from vision.measure import measure
from vision.pointing import Pointed, colour_at, kind_in, read_base
from webui.errors import BadRequest, Refused
from webui.evening.bench import Workbench
from webui.table.desk import Desk

__all__ = [
    "RADIUS_PX",
    "ArmyWanted",
    "armies_view",
    "army_of",
    "keep_army",
    "point_at_base",
    "point_at_colour",
    "remove_army",
]

Point = tuple[float, float]

_LONGEST_NAME = 40
#: How far about the finger a colour is looked for: a front mark is small, a wood is large and dappled.
RADIUS_PX = {"mark": 1.6, "ground": 7.0}


class ArmyWanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An army as somebody wants it, its rims unpainted where they have no colour; ``was`` is its name so far, None
    for a new one."""

    name: str
    base_colour: str | None = None
    front_mark: str | None = None
    bases: tuple[BaseKind, ...]
    was: str | None = None


def armies_view(bench: Workbench) -> list[dict[str, Any]]:
    """The armies of the table, and how many bases of each the camera sees; those without paint see each other's."""
    counts = bench.live.do(_counts)
    return [
        {
            **msgspec.to_builtins(army),
            "seen": None if counts is None else counts.get(None if army.base_colour is UNSET else army.name, 0),
            "used": _used(bench, army.name),
        }
        for army in bench.table.armies
    ]


def point_at_base(bench: Workbench, share: Point) -> dict[str, Any]:
    """Reads the base at a place of the picture: its colour, shape and size, and how many like it are seen.

    Raises JobFailed where there is no base.
    """
    frame, model = bench.frame(), bench.model()
    at = share[0] * frame.image.shape[1], share[1] * frame.image.shape[0]
    seen = bench.live.do(lambda desk: desk.observation)
    ground = FLAT if seen is None else ground_of(seen.terrain, bench.table)
    pointed = read_base(frame.image, model, bench.table, at, bench.found(), ground)
    known = next((army.name for army in bench.table.armies if kind_in([army], army.name, pointed.kind)), None)
    like = _alike(bench, pointed)
    return {
        **msgspec.to_builtins(pointed),
        "like_it": len(like),
        "at": [_share(bench, x, y) for x, y in like],
        "same_size_in": known,
    }


def point_at_colour(bench: Workbench, share: Point, radius_px: float) -> str:
    """The usual colour about a place of the picture: a front mark, a wood. Raises JobFailed."""
    image = bench.frame().image
    return colour_at(image, (share[0] * image.shape[1], share[1] * image.shape[0]), bench.found(), radius_px)


def keep_army(bench: Workbench, wanted: ArmyWanted) -> None:
    """Adds an army to the table, or changes one. Raises BadRequest, Refused."""
    army = army_of(wanted)
    others = [one for one in bench.table.armies if one.name != wanted.was]
    if wanted.was is not None and len(others) == len(bench.table.armies):
        raise BadRequest(f"was: there is no army {wanted.was!r}")
    if army.name.casefold() in {one.name.casefold() for one in others}:
        raise BadRequest(f"name: there is an army {army.name!r} already: change that one, or choose another name")
    if wanted.was is not None and army.name != wanted.was and _used(bench, wanted.was):
        raise Refused(f"{wanted.was} has units in the game: it keeps its name")
    if wanted.was is None:
        armies: tuple[Army, ...] = (*bench.table.armies, army)
    else:
        armies = tuple(army if one.name == wanted.was else one for one in bench.table.armies)
    bench.use_table(_with(bench.table, armies))


def remove_army(bench: Workbench, name: str) -> None:
    """Takes an army from the table. Raises BadRequest where there is none, Refused where it has units."""
    left = tuple(army for army in bench.table.armies if army.name != name)
    if len(left) == len(bench.table.armies):
        raise BadRequest(f"name: there is no army {name!r}")
    if _used(bench, name):
        raise Refused(f"{name} has units in the game: disband them first")
    bench.use_table(_with(bench.table, left))


def army_of(wanted: ArmyWanted) -> Army:
    """The army in a request. Raises BadRequest naming what is wrong."""
    name = " ".join(wanted.name.split())
    if not name or len(name) > _LONGEST_NAME:
        raise BadRequest(f"name: expected 1 to {_LONGEST_NAME} letters")
    if not wanted.bases:
        raise BadRequest("bases: expected at least one kind of base")
    names = [base.name for base in wanted.bases]
    if len(set(names)) < len(names) or not all(one.strip() for one in names):
        raise BadRequest("bases: expected a name of its own for each kind of base")
    for base in wanted.bases:
        for size in (base.diameter_mm,) if isinstance(base, RoundBase) else _sides(base):
            if not 8 <= size <= 200:
                raise BadRequest(f"bases: expected a size from 8 to 200 mm, got {size:g}")
        if base.height_mm > 30:
            raise BadRequest(f"bases: height_mm: expected the rim's height, 0 to 30 mm, got {base.height_mm:g}")
    paint, mark = (UNSET if one is None else one for one in (wanted.base_colour, wanted.front_mark))
    if paint is UNSET and mark is not UNSET:
        raise BadRequest("front_mark: expected none, for no mark is read where the rims have no paint")
    army = Army(name=name, base_colour=paint, front_mark=mark, bases=wanted.bases)
    try:
        return fitting(msgspec.to_builtins(army), Army)
    except UnusableFile as error:
        raise BadRequest(str(error)) from error


def _sides(base: BaseKind) -> tuple[float, ...]:
    assert isinstance(base, RectBase)
    return base.width_mm, base.depth_mm


def _with(table: Table, armies: tuple[Army, ...]) -> Table:
    return replace(table, armies=armies)


def _counts(desk: Desk) -> Counter[str | None] | None:
    """How many bases of each army are seen, and of none; None while the camera has not looked."""
    return None if desk.observation is None else Counter(base.army for base in desk.observation.bases)


def _used(bench: Workbench, army: str) -> bool:
    def used(desk: Desk) -> bool:
        return any(unit.side.casefold() == army.casefold() for unit in desk.game.units)

    return bench.live.do(used)


def _alike(bench: Workbench, pointed: Pointed) -> Sequence[Point]:
    """Where the bases like one that was pointed at stand, in table mm."""
    army = Army(name="like it", base_colour=pointed.colour, bases=(pointed.kind,))
    alone = replace(bench.table, armies=(army,), tags=UNSET)
    seen = measure(bench.frame().image, alone, bench.lens)
    return [(base.x_mm, base.y_mm) for base in seen.bases]


def _share(bench: Workbench, x_mm: float, y_mm: float) -> Point:
    image = bench.frame().image
    x, y = bench.model().project([[x_mm, y_mm, 0.0]])[0]
    return round(float(x) / image.shape[1], 5), round(float(y) / image.shape[0], 5)

"""``vedette evening``: armies, and the units that bases are put into."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webui.evening.options import FACING, FILE, PHOTO, colour_of, of_an_evening, stats_of

if TYPE_CHECKING:
    from calibration.records import Army, BaseKind
    from webui.camera.assigning import Assignment, Point
    from webui.evening.armies import ArmyWanted
    from webui.evening.bench import Workbench
    from webui.evening.facing import Facing
    from webui.evening.offline import Evening, Photo
    from webui.table.desk import Desk

__all__ = ["army", "muster", "unit"]


@click.command()
@click.argument("name")
@of_an_evening
@click.option("--colour", metavar="RRGGBB", type=colour_of, help="The rim's colour; none where rims have no paint.")
@click.option("--front-mark", metavar="RRGGBB", type=colour_of, help="The front mark's colour, or none.")
@click.option("--base", "bases", metavar="KIND=SIZE", multiple=True, help="A base, foot=25 or horse=25x50, in mm.")
@click.option("--was", metavar="NAME", help="The army's name so far.")
@click.option("--photo", metavar="PHOTO", type=FILE, help="Read colour and base off this picture …")
@click.option("--at", metavar="PX,PY", help="… of the base that has its middle at this pixel.")
@click.option("--mark-at", metavar="PX,PY", help="The pixel of its front mark.")
@click.option("--remove", is_flag=True, help="Take the army out; one with units in the game stays.")
def army(evening: Evening, name: str, remove: bool, photo: Path | None, at: str | None, **wanted: Any) -> None:
    """Adds an army to the table, changes one, or takes one out.

    What is not told of an army that is there stays.
    """
    from webui.evening.armies import keep_army, remove_army
    from webui.evening.offline import at_the_bench

    if remove and (photo is not None or at is not None or any(wanted.values())):
        raise click.UsageError("--remove takes the army out: leave the rest away")
    if (photo is None) != (at is None) or (wanted["mark_at"] is not None and photo is None):
        raise click.UsageError("give both --photo and --at, or neither; --mark-at belongs to them")
    with at_the_bench(evening, photo) as (bench, _, stand):
        if remove:
            remove_army(bench, name)
            return
        if at is not None:
            wanted |= _read_off(bench, stand, at, wanted)
        known = next((one for one in bench.table.armies if one.name == (wanted["was"] or name)), None)
        keep_army(bench, _army(name, known, wanted))


@click.command()
@click.argument("name", metavar="[UNIT]", required=False)
@click.argument("places", metavar="[X,Y]...", nargs=-1)
@of_an_evening
@PHOTO
@click.option("--group", metavar="N", type=click.IntRange(min=1), help="All of this group of the list.")
@click.option("--side", help="A new unit's side.")
@click.option("--type", "type", metavar="TYPE", help="A new unit's type, of those that the rules know.")
@click.option("--name", "title", help="A new unit's name.")
@click.option("--weapon", help="A new unit's weapon; none unless told.")
@click.option("--formation", help="A new unit's formation; unformed unless told.")
@click.option(
    "--role",
    "roles",
    metavar="ROLE=X,Y",
    multiple=True,
    help="Which base is the leader, the gun …, by its place.",
)
@click.option("--stat", "stats", metavar="KEY=VALUE", multiple=True, help="What its rules ask for, such as rep=4.")
@click.option(
    "--facing", metavar="DEG|line", type=FACING,
    help="Which way it faces, where none is seen; line: as its line or sides lie, towards the enemy.",
)  # fmt: skip
def muster(
    evening: Evening, photo: Path, name: str | None, places: tuple[str, ...], group: int | None,
    facing: Facing | None, **words: Any,
) -> None:  # fmt: skip
    """Puts bases that belong to nobody into a unit, or lists them in groups as they stand together.

    X,Y are places in mm on the table, as the list has them. The unit's missing figures come first; the rest are new
    figures. A unit that is not there yet is made: it needs --side and --type.
    """
    from webui.evening.offline import at_the_bench
    from webui.evening.roster import muster_unit

    told = sorted(key for key, value in words.items() if value)
    roles = words.pop("roles")
    if name is None and (told or group is not None or facing is not None):
        raise click.UsageError("expected the UNIT that the bases are put into")
    if name is not None and bool(places) == (group is not None):
        raise click.UsageError("expected the bases of the unit: some X,Y, or --group N of the list")
    with at_the_bench(evening, photo) as (bench, desk, _):
        if name is None:
            _list_groups(desk)
            return
        if name in desk.game.by_id and any(words.values()):
            raise click.UsageError(f"{name} is there already: 'vedette evening unit' says what it is and is called")
        points = _of_group(desk, group) if group is not None else tuple(map(_point, places))
        muster_unit(bench, _assignment(name, _with_roles(points, roles), words), facing)


def _assignment(unit: str, bases: tuple[Point, ...], words: Mapping[str, Any]) -> Assignment:
    """The bases of a unit with the words that were told of it."""
    from webui.camera.assigning import Assignment

    told = {key: value for key, value in words.items() if value and key not in ("title", "stats")}
    return Assignment(unit=unit, bases=bases, name=words["title"], stats=stats_of(words["stats"]), **told)


@click.command()
@click.argument("unit_id", metavar="UNIT")
@click.argument("stats", metavar="[KEY=VALUE]...", nargs=-1)
@of_an_evening
@click.option("--name", help="What it is called.")
@click.option("--side", help="Whose it is.")
@click.option("--type", "type", metavar="TYPE", help="Its type, of those that the rules know.")
@click.option("--weapon", help="Its weapon.")
@click.option("--formation", help="Its formation.")
@click.option(
    "--facing", metavar="DEG|line|about", type=FACING,
    help="Which way its figures face; line: as they stand, towards the enemy; about: the other way.",
)  # fmt: skip
@click.option("--role", "roles", metavar="ROLE=FIGURE", multiple=True, help="Which figure is its leader, gun …")
@click.option("--disband", is_flag=True, help="It leaves the game, and its bases are nobody's.")
def unit(
    evening: Evening,
    unit_id: str,
    stats: tuple[str, ...],
    facing: Facing | None,
    roles: tuple[str, ...],
    **wanted: Any,
) -> None:
    """Says what a unit is called and armed with, whose it is and how it stands, or disbands it.

    KEY=VALUE are what its rules ask for, such as rep=4; 'vedette unit' sets its state as well.
    """
    from webui.evening.offline import at_the_bench
    from webui.evening.roster import UnitWanted, change_unit

    if isinstance(facing, str):
        wanted["facing"] = facing
    else:
        wanted["facing_deg"] = facing
    if not stats and not roles and not any(value is not None and value is not False for value in wanted.values()):
        raise click.UsageError("expected what is to change, such as --name, --weapon or rep=4; or --disband")
    with at_the_bench(evening) as (bench, _, _):
        parts = {figure: role for role, figure in map(_role, roles)}
        change_unit(bench, UnitWanted(unit=unit_id, stats=stats_of(stats), roles=parts, **wanted))


def _list_groups(desk: Desk) -> None:
    from engine.rulesets.base.units.mustering import roll_of
    from webui.evening.roster import free_groups

    strays = desk.strays()
    for number, group in enumerate(free_groups(desk), start=1):
        bases = [strays[place] for place in group.bases]
        tag = "" if group.tag is None else f", tag {group.tag}"
        count = f"{len(bases)} base{'s' if len(bases) > 1 else ''}"
        click.echo(f"group {number}: {group.army or 'no army'}, {count}{tag}")
        click.echo("  " + " ".join(f"{base.x_mm:.0f},{base.y_mm:.0f}" for base in bases))
    if not strays:
        click.echo("no base in sight belongs to nobody")
    kinds = [kind.name for kind in roll_of(desk.ruleset).types]
    if kinds:
        click.echo(f"types of {desk.ruleset.title}: {', '.join(kinds)}")


def _of_group(desk: Desk, number: int) -> tuple[Point, ...]:
    from webui.camera.assigning import Point
    from webui.evening.roster import free_groups

    groups, strays = free_groups(desk), desk.strays()
    if number > len(groups):
        raise click.UsageError(f"--group: expected one of the {len(groups)} groups in sight, got {number}")
    return tuple(Point(x_mm=strays[place].x_mm, y_mm=strays[place].y_mm) for place in groups[number - 1].bases)


def _with_roles(points: tuple[Point, ...], roles: tuple[str, ...]) -> tuple[Point, ...]:
    """The bases, each nearest to the place of a role with that role. Raises UsageError."""
    from msgspec.structs import replace

    from webui.camera.placing import MEANT_MM

    told = list(points)
    for role, place in map(_role, roles):
        there = _point(place)
        away = [math.hypot(one.x_mm - there.x_mm, one.y_mm - there.y_mm) for one in told]
        nearest = away.index(min(away))
        if away[nearest] > MEANT_MM:
            raise click.UsageError(f"--role: none of the bases stands at {place}")
        told[nearest] = replace(told[nearest], role=role)
    return tuple(told)


def _role(text: str) -> tuple[str, str]:
    """A role and whose it is, as they are typed. Raises UsageError."""
    role, sign, whose = text.partition("=")
    if not sign or not role or not whose:
        raise click.UsageError(f"--role: expected such as leader=…, got {text!r}")
    return role, whose


def _point(text: str) -> Point:
    from vision.setup_cli import pair
    from webui.camera.assigning import Point

    x_mm, y_mm = pair(text, ",", "X,Y", "250,300")
    return Point(x_mm=x_mm, y_mm=y_mm)


def _read_off(bench: Workbench, stand: Photo, at: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """What a photo tells of an army: the colour and base that are pointed at, and the mark's colour."""
    import msgspec

    from calibration.records import BaseKind
    from vision.setup_cli import pair
    from webui.evening.armies import RADIUS_PX, point_at_base, point_at_colour

    read = point_at_base(bench, stand.share(pair(at, ",", "--at", "960,540")))
    told: dict[str, Any] = {"colour": read["colour"], "kinds": (msgspec.convert(read["kind"], BaseKind),)}
    if wanted["mark_at"] is not None:
        mark = stand.share(pair(wanted["mark_at"], ",", "--mark-at", "960,540"))
        told["front_mark"] = point_at_colour(bench, mark, RADIUS_PX["mark"])
    return told


def _army(name: str, known: Army | None, wanted: Mapping[str, Any]) -> ArmyWanted:
    """The army as it is wanted: what is not told stays. Raises UsageError."""
    from msgspec import UNSET

    from webui.evening.armies import ArmyWanted

    colour = wanted["colour"]
    if colour is None and known is None:
        raise click.UsageError(f"{name}: a new army needs --colour and --base, or --photo and --at")
    if colour is None and known is not None and known.base_colour is not UNSET:
        colour = known.base_colour
    kinds = wanted.get("kinds") or tuple(map(_base, wanted["bases"])) or (() if known is None else known.bases)
    mark = wanted["front_mark"]
    if mark is None and colour != "none" and known is not None and known.front_mark is not UNSET:
        mark = known.front_mark
    was = wanted["was"] or (None if known is None else known.name)
    return ArmyWanted(
        name=name,
        base_colour=None if colour == "none" else colour,
        front_mark=None if mark == "none" else mark,
        bases=kinds,
        was=was,
    )


def _base(text: str) -> BaseKind:
    """A base as it is typed: ``foot=25`` is round, ``horse=25x50`` is not. Raises UsageError."""
    from calibration.records import RectBase, RoundBase
    from vision.pointing import HEIGHT_MM

    name, _, size = text.partition("=")
    try:
        sides = [float(one) for one in size.split("x")]
    except ValueError:
        sides = []
    if len(sides) == 1:
        return RoundBase(name=name, diameter_mm=sides[0], height_mm=HEIGHT_MM)
    if len(sides) == 2:
        return RectBase(name=name, width_mm=sides[0], depth_mm=sides[1], height_mm=HEIGHT_MM)
    raise click.UsageError(f"--base: expected KIND=SIZE such as foot=25 or horse=25x50, got {text!r}")

"""``vedette evening ground``: terrain that is looked for, drawn, corrected or accepted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webui.evening.options import FILE, PHOTO, colour_of, of_an_evening

if TYPE_CHECKING:
    from webui.evening.offline import Evening

__all__ = ["ground"]

_HEIGHT = click.option(
    "--height", "height_mm", type=click.FloatRange(0, 1000), help="Its top above the table, in mm."
)


@click.group()
def ground() -> None:
    """Says what lies on the table: woods, hills, roads. 'vedette evening show' tells which pieces there are."""


@ground.command()
@click.argument("kind")
@click.argument("colour", metavar="[RRGGBB]", required=False, type=colour_of)
@of_an_evening
@click.option("--photo", metavar="PHOTO", type=FILE, help="Read the colour off this picture …")
@click.option("--at", metavar="PX,PY", help="… at this pixel.")
@_HEIGHT
def colour(
    evening: Evening, kind: str, colour: str | None, photo: Path | None, at: str | None, height_mm: float | None
) -> None:
    """Has terrain of a colour looked for as KIND; 'evening look' then takes in the pieces that it sees."""
    from vision.setup_cli import pair
    from webui.evening.armies import RADIUS_PX, point_at_colour
    from webui.evening.ground import GroundWanted, change_ground
    from webui.evening.offline import at_the_bench

    if (photo is None) != (at is None) or (colour is None) == (photo is None):
        raise click.UsageError("expected the colour such as 2e5a2c, or --photo and --at to read it off")
    with at_the_bench(evening, photo, look=False) as (bench, _, stand):
        if at is not None:
            place = stand.share(pair(at, ",", "--at", "960,540"))
            colour = point_at_colour(bench, place, RADIUS_PX["ground"])
        change_ground(bench, GroundWanted(do="colour", kind=kind, colour=colour, height_mm=height_mm))


@ground.command()
@click.argument("kind")
@of_an_evening
def forget(evening: Evening, kind: str) -> None:
    """Has no more terrain of that kind looked for; its pieces go."""
    _change(evening, do="forget", kind=kind)


@ground.command()
@click.argument("kind")
@click.argument("corners", metavar="X,Y X,Y X,Y...", nargs=-1, required=True)
@of_an_evening
@_HEIGHT
def draw(evening: Evening, kind: str, corners: tuple[str, ...], height_mm: float | None) -> None:
    """Lays a piece of KIND with these corners, in mm on the table, one after another all the way round."""
    from vision.setup_cli import pair
    from webui.evening.ground import lay_piece
    from webui.evening.offline import at_the_bench

    outline = [pair(one, ",", "X,Y", "250,300") for one in corners]
    with at_the_bench(evening) as (bench, _, _):
        lay_piece(bench, kind, outline, height_mm or 0.0)


@ground.command()
@click.argument("piece", metavar="ID")
@of_an_evening
@click.option("--kind", help="What it is.")
@click.option("--name", help="Its name, by which it is called from now on.")
@_HEIGHT
def change(evening: Evening, piece: str, **wanted: Any) -> None:
    """Gives a piece another kind, name or height."""
    if all(value is None for value in wanted.values()):
        raise click.UsageError("expected what is to change: --kind, --name or --height")
    _change(evening, do="change", id=piece, **wanted)


@ground.command()
@click.argument("piece", metavar="ID")
@of_an_evening
def remove(evening: Evening, piece: str) -> None:
    """Takes a piece off the table."""
    _change(evening, do="remove", id=piece)


@ground.command()
@of_an_evening
@PHOTO
def accept(evening: Evening, photo: Path) -> None:
    """Lays what a photo shows and the game has not; from then on nothing is taken from the camera."""
    _change(evening, photo, do="accept")


@ground.command()
@of_an_evening
def again(evening: Evening) -> None:
    """Has terrain taken from the camera again."""
    _change(evening, do="again")


def _change(evening: Evening, photo: Path | None = None, **wanted: Any) -> None:
    from webui.evening.ground import GroundWanted, change_ground
    from webui.evening.offline import at_the_bench

    with at_the_bench(evening, photo) as (bench, _, _):
        change_ground(bench, GroundWanted(**wanted))

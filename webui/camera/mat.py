"""The grid printed on a mat, found in the camera's picture, put into the table file or into the game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from calibration.ranges import FiniteRange

if TYPE_CHECKING:
    from calibration.camera import CameraModel
    from calibration.records import GridOnMat, Table
    from engine.events import Event
    from engine.records.game import Game, Grid
    from vision.frames.records import Image
    from vision.mats import GridFound
    from vision.records import Observation

__all__ = ["find_grid", "game_grid", "grid", "grid_event", "grid_like"]

_FILE = click.Path(path_type=Path)
_AROUND_MM = 12.0  # round a base lie its shadow and its figure


@click.command()
@click.argument("photo", type=_FILE)
@click.option("--table", "table_file", required=True, type=_FILE, help="The table's file (vedette-table/1).")
@click.option("--intrinsics", "lens_file", type=_FILE, help="The lens from `vedette calibrate`.")
@click.option("--kind", type=click.Choice(["hex", "square"]), help="What is printed; both are tried unless told.")
@click.option(
    "--size", "size_mm", type=FiniteRange(min=0, max=1e6, min_open=True), help="Its size in mm, to an eighth."
)
@click.option("--game", "game_file", type=_FILE, help="A game whose grid it is to be; cells keep their names.")
@click.option("-o", "--output", type=_FILE, help="Where to write: the game with --game, else the table file.")
@click.option("--json", "as_json", is_flag=True, help="Print the grid as JSON.")
def grid(
    photo: Path, table_file: Path, lens_file: Path | None, kind: Literal["hex", "square"] | None,
    size_mm: float | None, game_file: Path | None, output: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Find the hexes or squares printed on the mat in one photo of the table."""
    import msgspec

    from calibration.pictures import read_picture
    from calibration.records import read_intrinsics, read_table, write_table
    from engine.records.files import write_file
    from engine.records.game import game_json, read_game
    from vision.measure import Measurer

    table = read_table(table_file)
    game = None if game_file is None else read_game(game_file)
    measurer = Measurer(table, None if lens_file is None else read_intrinsics(lens_file))
    picture = read_picture(photo)
    seen = measurer.measure(picture)
    assert measurer.camera is not None
    like = None if game is None else grid_like(game)
    found = find_grid(picture, measurer.camera, seen, table, like, kind=kind, size_mm=size_mm)
    for warning in seen.warnings:
        click.echo(f"warning: {warning}", err=True)
    click.echo(msgspec.json.encode(found).decode() if as_json else told(found))
    if output is not None and game is not None:
        write_file(output, game_json(_with_grid(game, found)))
    elif output is not None:
        write_table(output, msgspec.structs.replace(table, grid=_on_mat(found)))


def told(found: GridFound) -> str:
    """A grid in words."""
    name, of = ("hexes", "from side to side ") if found.kind == "hex" else ("squares", "")
    x, y = found.origin_mm
    return (
        f"{found.columns} x {found.rows} {name} of {found.size_mm:.2f} mm {of}(± {found.size_sigma_mm:.2f}), from"
        f" {x:.1f}, {y:.1f} mm, turned {found.turn_deg:.2f}° (± {found.turn_sigma_deg:.2f}); its lines are where"
        f" the grid has them to {found.sigma_mm:.2f} mm; {found.seen:.0%} of {found.sides} sides in sight show one"
    )


def find_grid(
    picture: Image, camera: CameraModel, seen: Observation, table: Table, like: GridOnMat | None,
    *, kind: Literal["hex", "square"] | None = None, size_mm: float | None = None,
) -> GridFound:  # fmt: skip
    """The grid on the mat in a picture that was measured; what was seen on the mat is left out. Raises NoGrid."""
    import numpy as np

    from vision.mats import fit_grid

    covered = [np.array(piece.polygon_mm) for piece in seen.terrain]
    covered += [_square(one.x_mm, one.y_mm, 25.0 + _AROUND_MM) for one in seen.bases]
    covered += [_square(one.x_mm, one.y_mm, 20.0) for one in seen.tags]
    return fit_grid(picture, camera, table.table, kind=kind, size_mm=size_mm, covered_mm=covered, like=like)


def _square(x: float, y: float, half: float) -> Any:
    import numpy as np

    return np.array([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])


def grid_like(game: Game) -> GridOnMat | None:
    """The grid that a game has, as a table file has it."""
    from calibration.records import GridOnMat

    own = game.table.grid
    if own is None:
        return None
    turn = float(own.extra.get("turn_deg", 0.0))
    return GridOnMat(
        kind=own.kind,
        size_mm=own.size_mm,
        columns=own.columns,
        rows=own.rows,
        origin_mm=own.origin_mm,
        turn_deg=turn,
    )


def _on_mat(found: GridFound) -> GridOnMat:
    from calibration.records import GridOnMat

    return GridOnMat(
        kind=found.kind, size_mm=found.size_mm, columns=found.columns, rows=found.rows, origin_mm=found.origin_mm,
        turn_deg=found.turn_deg, sigma_mm=found.sigma_mm,
    )  # fmt: skip


def game_grid(mat: GridOnMat | GridFound) -> Grid:
    """A grid of the mat as a game has it."""
    from engine.records.game import Grid

    return Grid(
        kind=mat.kind, size_mm=mat.size_mm, columns=mat.columns, rows=mat.rows, origin_mm=mat.origin_mm,
        extra={"turn_deg": mat.turn_deg} if mat.turn_deg else {},
    )  # fmt: skip


def _with_grid(game: Game, found: GridFound) -> Game:
    from engine.events import apply

    return apply(game, grid_event(found))


def grid_event(found: GridFound) -> Event:
    """The event that a game is played on the grid found."""
    from engine.events import Event, SetGrid

    facts = {
        "kind": found.kind, "size_mm": found.size_mm, "origin_mm": list(found.origin_mm),
        "turn_deg": found.turn_deg, "sigma_mm": found.sigma_mm,
    }  # fmt: skip
    return Event(event="grid", facts=facts, changes=(SetGrid(grid=game_grid(found)),))

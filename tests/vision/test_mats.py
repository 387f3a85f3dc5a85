"""The grid printed on a mat is found in the picture; the oracle is the grid that the simulated camera drew."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.pictures import grey_of
from calibration.poses.pose import solve_pose
from calibration.prints.markers import find_markers
from calibration.records import GridOnMat
from engine.geometry.grids import HexGrid, SquareGrid
from tests.long_runs import some
from tests.vision.small_table import LENS, TABLE, base, camera, table
from vision.mats import GridFound, NoGrid, fit_grid
from vision.simulated import Effects, MatPrint, Renderer, TerrainPlaced

SIZE = TABLE.table
CROWD = tuple(
    base(f"{army}-{n}", 90.0 + 42.0 * (n % 10), y + 60.0 * (n // 10), army=army, bearing_deg=20.0 * n)
    for army, y in (("british", 90.0), ("french", 290.0))
    for n in range(20)
)
#: As the measuring sees it: a base and what stands on it, each.
COVERED = [
    np.array([(b.x_mm + x, b.y_mm + y) for x, y in ((-30, -30), (30, -30), (30, 30), (-30, 30))]) for b in CROWD
]

WOODS = TerrainPlaced(kind="woods", polygon_mm=((240.0, 170.0), (330.0, 180.0), (310.0, 250.0), (230.0, 240.0)))


def hexes(size_mm: float, turn_deg: float = 0.0, **more: Any) -> MatPrint:
    return MatPrint(kind="hex", size_mm=size_mm, origin_mm=(13.0, 7.0), turn_deg=turn_deg, **more)


def squares(size_mm: float, turn_deg: float = 0.0, **more: Any) -> MatPrint:
    return MatPrint(kind="square", size_mm=size_mm, origin_mm=(13.0, 7.0), turn_deg=turn_deg, **more)


@cache
def seen(mat: MatPrint | None, *, crowded: bool = True, effects: Effects | None = None) -> Any:
    """A picture of the small table with a mat on it, and where the camera is found to hang."""
    things = {"terrain": (WOODS,)} if crowded else {}
    virtual = table(*(CROWD if crowded else ()), printed=mat, **things)
    picture = Renderer(camera(), effects).render(virtual)
    found = find_markers(grey_of(picture), TABLE.markers.dictionary)
    return picture, solve_pose(found, TABLE, LENS, (LENS.width_px, LENS.height_px))


def fitted(mat: MatPrint | None, *, crowded: bool = True, effects: Effects | None = None, **more: Any) -> GridFound:
    picture, where = seen(mat, crowded=crowded, effects=effects)
    more.setdefault("covered_mm", COVERED if crowded else ())
    return fit_grid(picture, where, SIZE, **more)


def middles(grid: GridFound | MatPrint, columns: range, rows: range) -> NDArray[np.float64]:
    """The middles (N, 2) of cells of a grid."""
    kind = SquareGrid if grid.kind == "square" else HexGrid
    lattice = kind(grid.size_mm, None, None, grid.origin_mm, turn_deg=grid.turn_deg)
    cells = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
    return np.asarray(lattice.centres(cells), dtype=np.float64)


def on_table(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return points[np.all((points >= 0) & (points <= (SIZE.width_mm, SIZE.depth_mm)), axis=1)]


def farthest(found: GridFound, drawn: MatPrint) -> float:
    """How far the cells found lie from those drawn, at the most; each of those on the table must be among them."""
    ours = middles(found, range(found.columns), range(found.rows))
    reach = range(-60, 61)
    theirs = on_table(middles(drawn, reach, reach))
    apart = np.linalg.norm(theirs[:, None] - ours[None], axis=2).min(axis=1)
    return float(apart.max())


MATS = [
    hexes(45.0, 30.0 + 2.5), hexes(25.4, -11.0), hexes(75.0, 17.0, colour="#d9d9c9"), squares(25.4, 3.0),
    squares(76.2, -20.0, colour="#d9d9c9"), squares(38.1, 45.0), hexes(60.0), hexes(38.1, 4.0), hexes(50.0, 30.0),
    hexes(42.0, opacity=0.35), squares(50.8),
]  # fmt: skip


@pytest.mark.parametrize(
    "mat", some(6, MATS), ids=lambda mat: f"{mat.kind}-{mat.size_mm:g}-{mat.turn_deg:g}-{mat.colour}"
)
def test_the_printed_grid_is_found_under_figures_and_woods(mat: MatPrint) -> None:
    found = fitted(mat)
    assert found.kind == mat.kind
    assert found.size_mm == pytest.approx(mat.size_mm, abs=3 * found.size_sigma_mm)
    off = farthest(found, mat)
    assert off < 0.6
    assert off < 4 * found.sigma_mm
    assert found.off_mm < 0.5


@pytest.mark.parametrize("mat", [hexes(60.0, 3.0), squares(50.8)], ids=["hexes", "squares"])
@pytest.mark.parametrize(
    "effects",
    [
        Effects(lamp=0.5, vignetting=0.3),
        Effects(exposure=0.55, noise=4.0),
        Effects(defocus_px=0.9, jpeg_quality=80),
    ],
    ids=["shade", "dark", "dull"],
)
def test_it_is_found_in_bad_light(mat: MatPrint, effects: Effects) -> None:
    assert farthest(fitted(mat, effects=effects), mat) < 0.8


@pytest.mark.parametrize("crowded", [False, True], ids=["bare", "crowded"])
def test_a_mat_without_lines_is_said_to_have_none_and_what_to_do(crowded: bool) -> None:
    with pytest.raises(NoGrid, match=r"no lines .* clear it, light it evenly .* by hand"):
        fitted(None, crowded=crowded)


def test_cells_of_half_or_twice_the_size_are_never_taken_for_the_printed_ones() -> None:
    for mat in (hexes(60.0), squares(50.8)):
        for wrong in (mat.size_mm / 2, mat.size_mm * 2, mat.size_mm / np.sqrt(3)):
            with pytest.raises(NoGrid, match="no lines"):
                fitted(mat, size_mm=wrong)
        other = "square" if mat.kind == "hex" else "hex"
        with pytest.raises(NoGrid, match="no lines"):
            fitted(mat, kind=other)


def test_where_little_of_the_mat_is_in_sight_that_is_said() -> None:
    everything = np.array([[0.0, 0.0], [600.0, 0.0], [600.0, 400.0], [0.0, 400.0]])
    with pytest.raises(NoGrid, match=r"only 11% of the mat is in sight and bare"):
        fitted(hexes(60.0), covered_mm=[everything])


def test_a_grid_like_the_one_the_game_has_keeps_the_names_of_its_cells() -> None:
    mat = hexes(60.2, 1.0)
    like = GridOnMat(kind="hex", size_mm=60.0, columns=9, rows=6, origin_mm=(18.0, 3.0))
    found = fitted(mat, like=like)
    assert (found.columns, found.rows) == (9, 6)
    assert found.origin_mm == pytest.approx(mat.origin_mm, abs=0.6)
    assert found.turn_deg == pytest.approx(1.0, abs=0.05)


def test_pointed_hexes_run_in_columns_along_the_other_edge_of_the_table() -> None:
    found = fitted(hexes(50.0, 30.0))
    assert abs(found.turn_deg) == pytest.approx(90.0, abs=0.1)
    ours = on_table(middles(found, range(found.columns), range(found.rows)))
    assert len(ours) > 0.85 * found.columns * found.rows


def test_figures_that_were_not_seen_do_not_hide_the_grid() -> None:
    found = fitted(hexes(60.0), covered_mm=())
    assert found.sides > fitted(hexes(60.0)).sides
    assert farthest(found, hexes(60.0)) < 0.6


def test_the_small_tables_virtual_mat_is_the_only_thing_that_differs() -> None:
    plain, printed = seen(None)[0], seen(hexes(60.0))[0]
    assert replace(table(), printed=hexes(60.0)).printed is not None
    assert (plain != printed).mean() > 0.02

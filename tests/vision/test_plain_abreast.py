"""Rectangles that stand shoulder to shoulder are told by the outer edge of their row, where no seam shows."""

from __future__ import annotations

import math
from dataclasses import replace as but_for

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from calibration.records import RectBase
from tests.vision.small_table import TABLE, base, camera, table
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline, outline_of, turned
from vision.ground import FLAT
from vision.plain.choosing.abreast import abreast, rows_of
from vision.plain.choosing.packing import Settled
from vision.plain.fitting.fit import fit
from vision.plain.picture.backdrop import backdrop_of
from vision.plain.picture.scene import Scene, scene_of
from vision.simulated import Effects, Renderer, VirtualTable

KIND, SQUARE = (
    msgspec.convert({"name": name, "shape": "rect", "width_mm": 40.0, "depth_mm": deep, "height_mm": 3.0}, RectBase)
    for name, deep in (("gun", 50.0), ("limber", 40.0))
)
GUN, LIMBER, ROUND = outline_of(KIND), outline_of(SQUARE), Outline("round", True, 20.0, 20.0, 3.0)


def row(count: int, bearing_deg: float, gap_mm: float = 0.3, outline: Outline = GUN) -> list[Placed]:
    """A row from left to right about the middle of the table."""
    u = (np.arange(count) - (count - 1) / 2) * (40.0 + gap_mm)
    at = turned(np.column_stack([u, np.zeros(count)]), bearing_deg) + np.array([300.0, 220.0])
    return [Placed(outline, x, y, 0.0, bearing_deg % 180.0) for x, y in at.tolist()]


@given(
    count=st.integers(2, 7),
    bearing_deg=st.floats(0.0, 179.9),
    gap_mm=st.floats(-1.0, 2.0),
    seed=st.integers(0, 1000),
)
def test_who_stands_right_beside_the_next_is_of_one_row_from_left_to_right(
    count: int, bearing_deg: float, gap_mm: float, seed: int
) -> None:
    true = row(count, bearing_deg, gap_mm)
    shuffled = [true[k] for k in np.random.default_rng(seed).permutation(count)]
    away = [but_for(base, x_mm=base.x_mm + 1000.0) for base in row(1, bearing_deg)]
    ((told, _),) = rows_of([*shuffled, *away])
    in_order = [true.index(shuffled[k]) for k in told]
    assert in_order in (list(range(count)), list(range(count))[::-1])


@pytest.mark.parametrize(
    "two",
    [
        [but_for(base, outline=ROUND) for base in row(2, 20.0)],
        row(2, 20.0, gap_mm=8.0),
        [row(2, 20.0)[0], but_for(row(2, 20.0)[1], bearing_deg=40.0)],
        [row(2, 20.0)[0], but_for(row(2, 20.0)[1], outline=but_for(GUN, name="wagon"))],
    ],
    ids=["rounds", "apart", "turned", "of two kinds"],
)
def test_others_stand_in_no_row(two: list[Placed]) -> None:
    assert rows_of(two) == []


def scene_with(stand: list[Placed]) -> Scene:
    """A table with bases of the mat's own colour, as the search for them sees it."""
    effects = Effects(jpeg_quality=0, noise=1.0)
    known = replace(TABLE, armies=(replace(TABLE.armies[0], bases=(KIND, SQUARE)),))
    empty = replace(table(flock=VirtualTable(table=TABLE).mat), table=known)
    bases = (
        replace(base(f"m{k}", p.x_mm, p.y_mm, bearing_deg=p.bearing_deg), base=p.outline.name, plain=True)
        for k, p in enumerate(stand)
    )
    before = Renderer(camera(), effects, 1).render(empty)
    after = Renderer(camera(), effects, 1).render(replace(empty, bases=tuple(bases)))
    backdrop = backdrop_of(after, before, camera(), known, FLAT)
    scale = float(camera().px_per_mm(np.array([[300.0, 225.0, 0.0]]))[0])
    return scene_of(after.astype(np.float32), backdrop, camera(), scale)


def slid_aside(bases: list[Placed], bearing_deg: float, round_deg: float = 0.0) -> list[Placed]:
    """A row of four, the last three along it by some millimetres, and all of them turned."""
    along = turned(np.array([[1.0, 0.0]]), bearing_deg)[0]
    return [
        but_for(
            p,
            x_mm=p.x_mm + float(along[0]) * mm,
            y_mm=p.y_mm + float(along[1]) * mm,
            bearing_deg=p.bearing_deg + round_deg,
        )
        for p, mm in zip(bases, (0.0, 3.5, 3.0, 2.0), strict=True)
    ]


@pytest.mark.parametrize(
    ("bearing_deg", "outline", "round_deg"),
    [(0.0, GUN, 0.0), (35.0, GUN, 180.0), (35.0, LIMBER, 90.0)],
    ids=["along the edge", "aslant", "squares a quarter round"],
)
def test_a_row_that_slid_aside_where_no_seam_shows_is_brought_back_by_its_outer_edge(
    bearing_deg: float, outline: Outline, round_deg: float
) -> None:
    true = row(4, bearing_deg, outline=outline)
    slid = slid_aside(true, bearing_deg, round_deg)
    stands = abreast(scene_with(true), Settled(slid, [], None, None, np.zeros(4)), [])
    off = [math.dist((p.x_mm, p.y_mm), (q.x_mm, q.y_mm)) for p, q in zip(stands.held, true, strict=True)]
    assert max(off) < 1.0


def test_a_row_of_which_nothing_is_seen_may_be_elsewhere() -> None:
    slid = slid_aside(row(4, 35.0), 35.0)
    stands = abreast(scene_with([]), Settled(slid, [], None, None, np.zeros(4)), [])
    assert stands.otherwise_mm[0] > 0.5  # by what grain tells of each
    assert stands.otherwise_mm[1:].min() > 1.0  # … and where each may as well stand by itself


def test_squares_stand_in_a_row_though_one_of_them_was_found_a_quarter_round() -> None:
    true = row(4, 35.0, outline=LIMBER)
    some = [true[1], *(but_for(p, bearing_deg=p.bearing_deg + 90.0) for p in (true[0], true[3], true[2]))]
    ((told, along_deg),) = rows_of(some)
    assert (told, along_deg) == ([1, 0, 3, 2], pytest.approx(35.0))


@pytest.mark.parametrize("bearing_deg", [-0.4, 0.0, 0.4, 179.8, 180.2])
def test_a_base_along_the_tables_edge_is_fitted_the_way_round_that_it_was_given(bearing_deg: float) -> None:
    """A little more or less would else be half a turn, and the ends of its row would change places."""
    true = row(1, 0.0)
    (now,) = fit(scene_with(true), [but_for(true[0], bearing_deg=bearing_deg)], 6, free=1).placed
    assert now.bearing_deg == pytest.approx(bearing_deg, abs=3.0)


def test_who_stands_in_no_row_stays() -> None:
    true = row(2, 0.0, gap_mm=30.0)
    stands = Settled(true, [], None, None, np.zeros(2))
    assert abreast(scene_with(true), stands, []).held == true

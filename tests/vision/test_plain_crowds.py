"""Who stands among bases stands on one; a crowd of figures stands on bases; and a die is no base."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace as but_for
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.small_table import camera
from tests.vision.test_plain_places import FOOT, stage_of
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline
from vision.plain.choosing.companions import Told, but_on, companions
from vision.plain.choosing.crowds import crowds
from vision.plain.fitting.doubt import Doubt
from vision.plain.fitting.fit import Fit
from vision.plain.picture.backdrop import Backdrop
from vision.plain.picture.changed import Changes
from vision.plain.picture.matte import gridded
from vision.plain.picture.scene import scene_of
from vision.plain.picture.shade import Shade
from vision.plain.stage import Stage
from vision.plain.weighing.lamp import in_shade
from vision.plain.weighing.presence import there
from vision.records import BaseSeen

Floats = NDArray[np.float64]

MOB = [(220.0 + 26.0 * k + 5.0 * n, 180.0 + 27.0 * n - 3.0 * k) for n in range(2) for k in range(3)]
BALL = (480.0, 350.0)


class _Table:
    """A stage on which only some places have changed, and where figures are seen."""

    def __init__(self, changed: Sequence[tuple[float, float]], feet: Floats) -> None:
        self.known: list[Placed] = []
        self.feet = feet
        self._changed = changed

    def filled(self, placed: Sequence[Placed]) -> Floats:
        return np.array([any(math.dist((p.x_mm, p.y_mm), at) < 6.0 for at in self._changed) for p in placed], float)


def told(at: tuple[float, float], confidence: float = 0.9) -> Told:
    seen = BaseSeen(
        army=None, base="foot", x_mm=at[0], y_mm=at[1], z_mm=0.0, bearing_deg=None, sigma_mm=0.4,
        bearing_sigma_deg=None, confidence=confidence,
    )  # fmt: skip
    return Told(seen, Placed(FOOT, *at, 0.0, 0.0), confidence)


def under(changed: Sequence[tuple[float, float]], figures: Floats, sure: Sequence[Told]) -> list[Told]:
    return companions(cast(Stage, _Table(changed, figures)), sure, figures)


def test_a_figure_among_bases_stands_on_one_like_theirs_and_in_its_middle() -> None:
    """All figures are seen 2.5 mm aside: those of the bases that are told say so."""
    figures = np.array(MOB) + np.array([2.0, 1.5])
    (one,) = under(MOB, figures, [told(at) for at in MOB[:-1]])
    assert one.seen.base == "foot"
    assert math.dist((one.seen.x_mm, one.seen.y_mm), MOB[-1]) < 0.01
    assert one.seen.sigma_mm > 1.0
    assert one.seen.confidence < 0.9


def test_the_light_and_shade_of_a_ball_among_bases_are_no_figures_of_theirs() -> None:
    """It is higher than a base, and its lit side is seen beside it; a man next to it is one all the same."""
    ball = Placed(FOOT, *MOB[-1], 0.0, 0.0)
    lit, man = (MOB[-1][0] + 16.0, MOB[-1][1]), (MOB[-1][0] + 25.0, MOB[-1][1])
    seen = but_on(np.array([*MOB, lit, man]), [ball])
    assert seen.tolist() == [list(at) for at in [*MOB[:-1], man]]
    assert but_on(seen, []).tolist() == seen.tolist()


def test_who_is_told_by_companions_tells_the_next() -> None:
    line = [(150.0 + 25.4 * k, 200.0) for k in range(8)]
    more = under(line, np.array(line), [told(at) for at in line[:2]])
    assert sorted(one.seen.x_mm for one in more) == pytest.approx([x for x, _ in line[2:]])


@pytest.mark.parametrize(
    "why", ["the ground is as it was", "a base stands there", "it stands alone", "one companion that may be none"]
)
def test_a_figure_has_no_base_where(why: str) -> None:
    far = (500.0, 400.0) if why == "it stands alone" else MOB[-1]
    sure = [told(at) for at in MOB[:-1]]
    changed = [*MOB[:-1], far]
    if why == "the ground is as it was":
        changed = MOB[:-1]
    if why == "a base stands there":
        far = (MOB[0][0] - 18.0, MOB[0][1])
        changed = [*MOB, far]
    if why == "one companion that may be none":
        sure = [told(MOB[-2], 0.7)]
        changed = [MOB[-2], far]
    assert under(changed, np.array([(one.seen.x_mm, one.seen.y_mm) for one in sure] + [far]), sure) == []


def test_a_crowd_of_figures_on_changed_ground_stands_on_bases_though_none_of_these_is_told() -> None:
    stage = stage_of(MOB)
    large = Outline("large", True, 30.0, 30.0, 3.0)
    more = crowds(stage, [], [large, FOOT], stage.feet)
    assert len(more) == len(MOB)
    assert {one.placed.outline.name for one in more} == {"foot"}
    at = [(one.seen.x_mm, one.seen.y_mm) for one in more]
    assert max(min(math.dist(place, one) for one in at) for place in MOB) < 4.0


@pytest.mark.parametrize(
    "other", [Outline("other", False, 10.5, 10.5, 3.0), Outline("other", True, 13.0, 13.0, 3.0)]
)
def test_a_crowd_stands_on_bases_of_the_kind_whose_outline_is_seen_about_its_figures(other: Outline) -> None:
    stage = in_shade(stage_of(MOB), Shade(0.35, -0.35, 3.0))
    more = crowds(stage, [], [other, FOOT], stage.feet)
    assert {one.placed.outline.name for one in more} == {"foot"}


def test_few_figures_and_colours_too_near_each_other_are_no_crowd() -> None:
    stage = stage_of(MOB)
    assert crowds(stage, [], [FOOT], stage.feet[:3]) == []
    page = stage.feet[0] + [(9.0 * k, 9.0 * n) for k in range(3) for n in range(2)]
    assert crowds(stage, [], [FOOT], page) == []


def test_what_is_even_where_a_crowd_s_figures_should_stand_is_a_thing_of_which_only_the_edges_are_seen() -> None:
    stage = stage_of(MOB)
    even = but_for(stage, scene=but_for(stage.scene, frame=np.full_like(stage.scene.frame, 40.0)))
    assert crowds(even, [], [FOOT], stage.feet) == []


def fitted(residual: float, opaque: float, gain: float = 5.0) -> Fit:
    one = Placed(FOOT, 200.0, 200.0, 0.0, 0.0)
    return Fit([one], np.zeros((1, 3, 3)), np.array([gain]), np.array([opaque]), np.array([residual]))


def doubt(spread_mm: float, aside_mm: float, *, company: bool = False) -> Doubt:
    told = {"turned": 8.0, "spread_mm": spread_mm, "sigma_mm": 0.08, "residual": 2.0, "aside_mm": aside_mm}
    return Doubt(
        **{name: np.array([value]) for name, value in told.items()},
        whole=np.zeros(1, np.bool_), beside=np.full((1, 1), company),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fit", "of", "likely", "other"),
    [
        (fitted(2.0, 1.5), doubt(0.3, 1.0), True, False),
        (fitted(2.0, 1.5), doubt(4.0, 3.0), False, True),  # where exactly is not known, but that it is there
        (fitted(2.0, 1.5), doubt(4.0, 9.0), False, False),  # without a figure
        (fitted(1.5, 3.0), doubt(0.6, 9.0), False, True),  # its figure is as dark as a shadow
        (fitted(2.0, 1.5), doubt(2.0, 6.5, company=True), False, True),
        (fitted(2.0, 1.5), doubt(4.0, 9.0, company=True), False, False),  # shadows in a row stand so, too
        (fitted(4.5, 1.5), doubt(0.9, 3.2), False, False),  # a die
        (fitted(4.5, 1.5, 17.0), doubt(0.9, 3.2), True, False),  # so clear an outline leaves more
        (fitted(2.0, -0.6), doubt(0.9, 3.2), False, False),  # the table is seen through it
        (fitted(3.2, 3.6, 8.1), doubt(0.1, 10.0), False, False),  # a ball, on which nobody stands
    ],
)
def test_what_is_there_is_told_apart_from_where_it_is(fit: Fit, of: Doubt, likely: bool, other: bool) -> None:
    one, more = there(fit, of, np.ones(1))
    assert (bool(one[0]), bool(more[0])) == (likely, other)


def flat_scene(things: Sequence[tuple[tuple[float, float], float, tuple[int, int, int]]]) -> NDArray[np.float32]:
    """How vivid round things of some diameter (mm) and colour are on a green table, at each pixel."""
    then = np.full((540, 720, 3), (60, 110, 70), np.float32)
    frame = then.copy()
    rows, columns = np.mgrid[:540, :720]
    for at, across_mm, colour in things:
        x, y = camera().project(np.array([[*at, 0.0]]))[0]
        frame[np.hypot(columns - x, rows - y) < across_mm / 2 * 0.85] = colour
    backdrop = Backdrop(then, np.full_like(then, 2.0), np.ones((540, 720), np.bool_))
    return scene_of(frame, backdrop, camera(), 0.85).vivid


@pytest.mark.parametrize(("colour"), [(40, 60, 160), (230, 230, 235)])
def test_a_man_on_flock_of_another_colour_is_vivid_and_neither_the_flock_nor_a_ball(
    colour: tuple[int, int, int],
) -> None:
    at = (300.0, 220.0)
    x, y = (round(v) for v in camera().project(np.array([[*at, 0.0]]))[0].tolist())
    vivid = flat_scene([(at, 40.0, (150, 110, 90)), (at, 9.0, colour), (BALL, 34.0, colour)])
    assert vivid[y, x] > 0.9
    assert vivid[y, x - 10] < 0.1
    x, y = (round(v) for v in camera().project(np.array([[*BALL, 0.0]]))[0].tolist())
    assert vivid[y, x] < 0.1


def test_what_blurs_about_a_clear_base_is_no_change_about_it() -> None:
    """A JPEG's halo reaches far; where terrain has been moved, what is about a thing has changed as it has."""
    rows, columns = np.mgrid[:200, :200]
    away = np.hypot(columns - 100, rows - 100) - 12.5
    off = np.where(away < 0, 25.0, np.where(away < 14, 2.5, 0.0)).astype(np.float32)
    halo = np.repeat(off[..., None], 3, axis=2)
    changed = (off > 1.5).astype(np.float32)
    seen = Changes(halo, changed, changed.astype(np.int32), 1.0)
    base = Placed(FOOT, 70.0, 70.0, 0.0, 0.0)
    assert seen.open([base], [], camera())[0] > 0.9
    moved = but_for(seen, off=np.repeat(25 * changed[..., None], 3, axis=2))
    assert moved.open([base], [], camera())[0] < 0.1


def test_a_thing_as_long_as_a_regiment_is_looked_up_in_a_fine_picture() -> None:
    stage = stage_of(MOB[:1])
    seen = stage.scene.frame, stage.scene.backdrop, stage.scene.camera
    long = Outline("foot 9x3", False, 115.0, 38.0, 3.0)
    samples, cells = gridded([Placed(long, 300.0, 220.0, 0.0, 20.0)], *seen, 1.6)
    assert samples.now.shape[2] == cells.shape[1] > 2**15
    few, some = gridded([Placed(FOOT, 300.0, 220.0, 0.0, 0.0)], *seen, 1.6)
    where = {int(cell): k for k, cell in enumerate(cells[0])}
    same = [where[int(cell)] for cell in some[0]]
    assert np.allclose(samples.xy_mm[0][same], few.xy_mm[0])

"""A thing on which no figure stands is no base, where bases have figures; and a line of horse is no row of foot."""

from __future__ import annotations

from dataclasses import replace as with_

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from calibration.records import RectBase
from tests.vision.small_table import TABLE, base, camera
from vision.bases.pixels import Placed
from vision.bases.shapes import outline_of
from vision.ground import FLAT
from vision.plain.block import block_of
from vision.plain.choosing.formed import flanked, loosely, men_on
from vision.plain.choosing.vetting import Formed, holds
from vision.plain.fitting.fit import Fit
from vision.plain.picture.backdrop import backdrop_of
from vision.plain.picture.scene import scene_of
from vision.plain.weighing.bare import bare
from vision.simulated import ClutterPlaced, Effects, Renderer, VirtualTable

LAMP = Effects(jpeg_quality=0, noise=1.0, lamp_mm=(0.56, -0.48), shadow_depth=0.4, shadow_soft_mm=4.0)


def rect(name: str, width_mm: float, depth_mm: float) -> RectBase:
    return msgspec.convert(
        {"name": name, "shape": "rect", "width_mm": width_mm, "depth_mm": depth_mm, "height_mm": 3.0}, RectBase
    )


HORSE = rect("horse", 25.0, 50.0)
GUN = rect("gun", 50.0, 50.0)
FOOT = outline_of(TABLE.armies[0].bases[0])
KNOWN = replace(TABLE, armies=tuple(replace(army, bases=(*army.bases, HORSE, GUN)) for army in TABLE.armies))
CASE = (180.0, 324.0)  # at the end of the tape
MEN = [(150.0 + 60 * k, 130.0 + 45 * (k % 2)) for k in range(6)]


def test_a_figure_parts_its_base_s_top_and_nothing_parts_the_top_of_a_tape_s_case() -> None:
    """The case is as large as a gun's base and its edge is as sharp, but it is even from edge to edge."""
    empty = VirtualTable(table=KNOWN, flock=VirtualTable(table=KNOWN).mat)
    tape = ClutterPlaced(what="tape", x_mm=330.0, y_mm=330.0, size_mm=300.0)
    men = tuple(replace(base(f"m{k}", *at), plain=True) for k, at in enumerate(MEN))
    before = Renderer(camera(), LAMP, 1).render(empty)
    after = Renderer(camera(), LAMP, 2).render(replace(empty, bases=men, clutter=(tape,)))
    backdrop = backdrop_of(after, before, camera(), KNOWN, FLAT)
    scale = float(camera().px_per_mm(np.array([[300.0, 225.0, 0.0]]))[0])
    scene = scene_of(after.astype(np.float32), backdrop, camera(), scale)
    gun = outline_of(GUN)
    placed = [*(Placed(FOOT, *at, 0.0, 0.0) for at in MEN), Placed(gun, CASE[0], CASE[1], 27.0, 0.0)]
    assert bare(scene, placed).tolist() == [False] * len(MEN) + [True]


@pytest.mark.parametrize(("gain", "more"), [(8.0, True), (0.4, False)])
def test_loose_bases_tell_more_than_a_faint_line_in_their_place_only_where_each_is_clear(
    gain: float, more: bool
) -> None:
    horse = outline_of(HORSE)
    riders = [Placed(horse, 200.0 + 25.4 * k, 200.0, 0.0, 0.0) for k in range(3)]
    far = Placed(horse, 500.0, 200.0, 0.0, 0.0)
    none = np.zeros(4)
    alone = Fit([*riders, far], np.zeros((4, 3, 3)), np.array([gain, gain, gain, 50.0]), none, none)
    line = block_of(FOOT, (3, 1), 0.4, Placed(FOOT, 225.4, 200.0, 0.0, 0.0), 3, (0.4, 0.5))
    told = loosely(with_(line, members=tuple(line.bases())), alone, usual=1.5, feet=np.zeros((0, 2)))
    assert (told > 500.0) == more
    assert told == pytest.approx(3 * (gain - 0.15 * 1.5) * 150.0)


BLOCK = block_of(FOOT, (4, 3), 0.4, Placed(FOOT, 225.4, 200.0, 0.0, 0.0), 12, (0.4, 0.5))
RANKED = with_(BLOCK, members=tuple(BLOCK.bases()))
FIGURES = np.array([(p.x_mm, p.y_mm) for p in RANKED.members])


def test_long_bases_over_a_block_of_round_ones_explain_nothing_where_its_figures_stand_on_them() -> None:
    none = np.zeros(2)
    over = [Placed(outline_of(HORSE), x, 212.7, 0.0, 0.0) for x in (190.0, 240.0)]
    alone = Fit(over, np.zeros((2, 3, 3)), np.array([8.0, 8.0]), none, none)
    assert loosely(RANKED, alone, usual=1.5, feet=FIGURES) == 0.0
    assert loosely(RANKED, alone, usual=1.5, feet=FIGURES[:0]) > 2000.0


def test_a_figure_between_two_others_of_its_rank_is_only_not_seen_and_one_at_the_end_may_not_be_there() -> None:
    within, corner = FIGURES[[k for k in range(12) if k not in (1, 5)]], FIGURES[1:]
    assert flanked(RANKED, within) == 2
    assert flanked(RANKED, corner) == 0


def test_a_base_whose_outline_is_hidden_takes_nothing_from_what_the_others_of_its_block_tell() -> None:
    gain = np.where(np.arange(12) % 2, 2.0, -1.5)
    now = Fit(list(RANKED.members), np.zeros((12, 3, 3)), gain, np.zeros(12), np.zeros(12))
    assert holds(now, Formed(RANKED, list(range(12))), 2.0)
    assert not holds(with_(now, gain=gain - 1.0), Formed(RANKED, list(range(12))), 2.0)


def test_a_gun_and_its_crew_stand_anywhere_on_a_broad_base() -> None:
    """Beside eight men in a row, two to a gun, a line of four guns was told as eight horse."""
    gun = with_(outline_of(HORSE), name="gun", half_width_mm=25.0, half_depth_mm=30.0)
    line = block_of(gun, (4, 1), 0.4, Placed(gun, 300.0, 220.0, 0.0, 20.0), 0, (0.4, 0.5))
    middles = np.array([[p.x_mm, p.y_mm] for p in line.bases()])
    right = np.array([np.cos(np.deg2rad(20.0)), -np.sin(np.deg2rad(20.0))])
    crews = np.concatenate([middles + 13.0 * right, middles - 13.0 * right])
    assert men_on(line, crews) == (4, 4, 0.0)
    assert men_on(line, crews[1:3]) == (2, 2, 0.0)


def test_a_horse_s_head_and_croup_are_no_figures_beside_its_rider() -> None:
    """From above some riders of a line are seen in three parts: it was held to be laid over other figures. Men
    beside the middles of their bases are such, and so are those along bases in whose middle nobody is seen."""
    horse = outline_of(HORSE)
    line = block_of(horse, (5, 1), 0.4, Placed(horse, 300.0, 220.0, 0.0, 20.0), 0, (0.4, 0.5))
    riders = np.array([[p.x_mm, p.y_mm] for p in line.bases()])
    ahead = np.array([np.sin(np.deg2rad(20.0)), np.cos(np.deg2rad(20.0))])
    parts = np.concatenate([riders[:4] + 12.0 * ahead, riders[1:3] - 11.0 * ahead])
    beside = riders[:4] + 9.0 * ahead[::-1] * [1.0, -1.0]
    assert men_on(line, np.concatenate([riders, parts]))[:2] == (5, 5)
    assert men_on(line, np.concatenate([riders, beside]))[:2] == (5, 9)
    assert men_on(line, np.concatenate([riders[:3], riders[3:] + 12.0 * ahead]))[:2] == (3, 5)

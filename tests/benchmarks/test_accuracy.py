"""The accuracy harness: it scores what it says, draws the same table for a seed, and keeps cases as they are."""

from __future__ import annotations

from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
import shapely

from benchmarks.accuracy.cases import Case, packed, read_case, unpacked, write_case
from benchmarks.accuracy.command import main
from benchmarks.accuracy.disturbances import DISTURBANCES, turned
from benchmarks.accuracy.drawing import Kind, case_of, draw
from benchmarks.accuracy.layout import footprint
from benchmarks.accuracy.measuring import measured
from benchmarks.accuracy.overlay import picture_of_errors
from benchmarks.accuracy.report import faults_of, line_of
from benchmarks.accuracy.scoring import Score, join, score
from calibration.pictures import grey_of
from calibration.prints.markers import find_markers
from tests.vision.small_table import LENS, TABLE, base, camera, table
from vision.records import BaseSeen, CameraSeen, Observation, TagSeen, TerrainSeen
from vision.simulated import Renderer, TagPlaced, truth_of
from vision.simulated.truth import BaseTruth, TagTruth, TerrainTruth, Truth

SQUARE = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
HALF = ((0.0, 0.0), (50.0, 0.0), (50.0, 100.0), (0.0, 100.0))
CAMERA = CameraSeen(reprojection_rms_px=0.1, position_mm=(0, 0, 1000), markers_used=(0,))


def true_base(name: str = "a", x_mm: float = 100.0, **more: object) -> BaseTruth:
    known = {"army": "red", "base": "foot", "y_mm": 50.0, "bearing_deg": 10.0, "visible_rim_fraction": 1.0, **more}
    return msgspec.convert({"id": name, "x_mm": x_mm, **known}, BaseTruth)


def seen_base(x_mm: float = 100.0, **more: object) -> BaseSeen:
    known = {
        "army": "red", "base": "foot", "y_mm": 50.0, "z_mm": 0.0, "bearing_deg": 10.0, "sigma_mm": 0.2,
        "bearing_sigma_deg": 1.0, "confidence": 1.0, **more,
    }  # fmt: skip
    return msgspec.convert({"x_mm": x_mm, **known}, BaseSeen)


def scored(truths: list[BaseTruth], seen: list[BaseSeen]) -> Score:
    return score(Truth(bases=tuple(truths)), Observation(camera=CAMERA, bases=tuple(seen)))


def test_a_base_found_is_scored_by_how_far_off_it_is() -> None:
    result = scored([true_base()], [seen_base(100.3, bearing_deg=350.0)])
    assert (result.bases_found, result.bases_asked, result.bases_false) == (1, 1, ())
    (error,) = result.bases
    assert error.off_mm == pytest.approx(0.3)
    assert error.sigmas == pytest.approx(1.5)
    assert error.bearing_deg == pytest.approx(20.0)


@pytest.mark.parametrize(
    ("seen", "found", "false"),
    [
        ([], 0, 0),
        ([seen_base(113.0)], 0, 1),
        ([seen_base(army="blue")], 0, 1),
        ([seen_base(base="horse")], 0, 1),
        ([seen_base(100.0), seen_base(101.0)], 1, 1),
    ],
)
def test_another_army_another_base_or_twelve_millimetres_off_is_not_found(
    seen: list[BaseSeen], found: int, false: int
) -> None:
    result = scored([true_base()], seen)
    assert (result.bases_found, len(result.bases_false)) == (found, false)


def test_pairs_are_assigned_so_that_most_bases_are_found() -> None:
    result = scored([true_base("a", 100.0), true_base("b", 110.0)], [seen_base(109.0), seen_base(119.0)])
    assert result.bases_found == 2


def test_a_hidden_base_is_neither_asked_for_nor_held_against_the_program() -> None:
    hidden = true_base(visible_rim_fraction=0.2)
    assert scored([hidden], []).bases_asked == 0
    assert scored([hidden], [seen_base(base="horse")]).bases_false == ()
    assert len(scored([hidden], [seen_base()]).bases) == 1


@pytest.mark.parametrize(
    ("visible", "mark", "bearing", "flips", "axis", "silent"),
    [
        ("full", 1.0, 190.0, 1, None, False),
        ("full", 0.1, 190.0, 0, None, False),
        ("mod180", None, 193.0, 0, 3.0, False),
        ("mod90", None, 103.0, 0, 3.0, False),
        ("mod180", None, None, 0, None, True),
        ("none", None, None, 0, None, False),
    ],
)
def test_a_bearing_is_scored_by_what_can_be_known_of_it(
    visible: str, mark: float | None, bearing: float | None, flips: int, axis: float | None, silent: bool
) -> None:
    truth = true_base(bearing_visible=visible, visible_mark_fraction=mark)
    result = scored([truth], [seen_base(bearing_deg=bearing)])
    assert result.flips == flips
    assert (result.bases[0].axis_deg, result.bases[0].silent) == (axis, silent)


def test_terrain_is_scored_by_overlap_with_its_top_or_its_foot() -> None:
    truth = Truth(terrain=(TerrainTruth(kind="hill", polygon_mm=HALF, foot_polygon_mm=SQUARE),))
    for outline, value in ((SQUARE, 1.0), (HALF, 1.0)):
        seen = Observation(camera=CAMERA, terrain=(TerrainSeen(kind="hill", polygon_mm=outline, sigma_mm=1.0),))
        assert score(truth, seen).terrain == (("hill", pytest.approx(value)),)
    wrong = Observation(camera=CAMERA, terrain=(TerrainSeen(kind="woods", polygon_mm=HALF, sigma_mm=1.0),))
    assert (score(truth, wrong).terrain, score(truth, wrong).terrain_false) == ((("hill", 0.0),), ("woods",))


def test_tags_are_scored_by_their_numbers_and_places() -> None:
    truth = Truth(tags=tuple(TagTruth(id=n, x_mm=10.0 * n, y_mm=0.0, bearing_deg=0.0) for n in (11, 12, 13)))
    places = [(11, 110.4), (12, 160.0), (40, 0.0)]
    tags = tuple(TagSeen(id=n, x_mm=x, y_mm=0.0, bearing_deg=359.0, sigma_mm=0.2) for n, x in places)
    result = score(truth, Observation(camera=CAMERA, tags=tags))
    assert (result.tags_asked, result.tags_missed, sorted(result.tags_false)) == (3, (13,), [12, 40])
    assert result.tags_off_mm == (pytest.approx(0.4),)
    assert result.tags_off_deg == (pytest.approx(1.0),)


def test_scores_join_and_say_in_words_what_is_wrong() -> None:
    missed, false = scored([true_base()], []), scored([], [seen_base()])
    both = join([missed, false])
    assert faults_of(both) == "missed 1 red/foot; false 1 red/foot"
    assert "0/1" in line_of("both", both, 0.0)
    assert faults_of(Score()) == "nothing"


@pytest.fixture(scope="module")
def small() -> Case:
    """A small case that is measured without a fault."""
    bases = [base(f"b{n}", 150.0 + 40 * n, 160.0, bearing_deg=20.0 * n) for n in range(5)]
    virtual = table(*bases, tags=(TagPlaced(id=17, x_mm=480.0, y_mm=120.0, bearing_deg=30.0),))
    file = packed(Renderer(camera()).render(virtual), 95)
    truth = truth_of(virtual, camera(), "small")
    return Case(name="small", photo=unpacked(file), table=TABLE, intrinsics=LENS, truth=truth, photo_file=file)


def test_a_case_written_and_read_again_is_the_same(small: Case, tmp_path: Path) -> None:
    write_case(tmp_path / "small", small)
    again = read_case(tmp_path / "small")
    assert np.array_equal(again.photo, small.photo)
    assert (again.table, again.intrinsics, again.truth) == (small.table, small.intrinsics, small.truth)


def test_a_drawn_case_without_paint_is_kept_as_it_was_measured(tmp_path: Path) -> None:
    case = case_of(1, Kind(fair=True, plain=True))
    write_case(tmp_path / "plain", case)
    again = read_case(tmp_path / "plain")
    assert case.empty is not None
    assert again.empty is not None
    assert np.array_equal(again.photo, case.photo)
    assert np.array_equal(again.empty, case.empty)
    assert (again.table, again.intrinsics, again.truth) == (case.table, case.intrinsics, case.truth)


def test_a_case_is_measured_whole_or_in_part_and_drawn(small: Case) -> None:
    whole = measured(small)
    assert (whole.score.bases_found, whole.score.bases_asked, whole.score.bases_false) == (5, 5, ())
    assert whole.score.tags_missed == ()
    part = measured(small, frozenset(("tags",)))
    assert (part.score.bases_asked, part.score.tags_asked) == (0, 1)
    drawn = picture_of_errors(small, whole.score)
    assert drawn.shape == (2 * small.photo.shape[0], 2 * small.photo.shape[1], 3)


def test_a_picture_without_markers_is_a_failure_and_no_exception(small: Case) -> None:
    blank = Case(name="blank", photo=np.full_like(small.photo, 90), table=TABLE, intrinsics=LENS, truth=small.truth)
    assert len(measured(blank).score.failures) == 1


@pytest.mark.parametrize("name", sorted(DISTURBANCES))
def test_a_disturbed_picture_still_shows_the_markers_where_its_lens_puts_them(name: str, small: Case) -> None:
    case = DISTURBANCES[name](small)
    height, width = case.photo.shape[:2]
    assert (case.intrinsics.width_px, case.intrinsics.height_px) == (width, height)
    whole = measured(case, frozenset(("tags",)))
    assert whole.score.failures == ()
    assert [off < 1.0 for off in whole.score.tags_off_mm] == [True]


def test_a_picture_turned_twice_is_the_picture(small: Case) -> None:
    twice = turned(turned(small))
    assert np.array_equal(twice.photo, small.photo)
    assert twice.intrinsics == small.intrinsics


SEEDS = range(1, 6)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_seed_draws_the_same_table(seed: int) -> None:
    first, again = (draw(np.random.default_rng(seed)) for _ in range(2))
    assert (first.table, first.effects) == (again.table, again.effects)
    assert np.array_equal(first.camera.rvec, again.camera.rvec)
    assert first.table != draw(np.random.default_rng(seed + 100)).table


@pytest.mark.parametrize("seed", SEEDS)
def test_a_drawn_table_is_a_sound_one(seed: int) -> None:
    table = draw(np.random.default_rng(seed)).table
    size = table.table.table
    area = shapely.box(0, 0, size.width_mm, size.depth_mm)
    stands = [footprint(b, table.base_kind(b)) for b in table.bases]
    assert stands
    assert all(shapely.contains(area, one) for one in stands)
    tree = shapely.STRtree(stands)
    for first, second in tree.query(stands, "intersects").T:
        if first < second:
            assert shapely.area(shapely.intersection(stands[first], stands[second])) < 1.0
    assert len({b.id for b in table.bases}) == len(table.bases)
    assert len({t.id for t in table.tags}) == len(table.tags)
    assert all(shapely.Polygon(piece.polygon_mm).is_valid for piece in table.terrain)


def test_every_marker_that_nothing_covers_is_found_in_a_drawn_picture() -> None:
    case = case_of(2)
    small = cv2.cvtColor(case.photo, cv2.COLOR_BGR2GRAY)
    assert small.shape == (case.intrinsics.height_px, case.intrinsics.width_px)
    found = {m.id for m in find_markers(grey_of(case.photo), case.table.markers.dictionary)}
    assert len(found & {m.id for m in case.table.markers.at}) >= 4


def test_the_command_measures_drawn_and_disturbed_cases(
    small: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_case(tmp_path / "small", small)
    assert main(["--disturb", str(tmp_path / "small"), "--match", "as it is", "--only", "tags"]) == 0
    assert "1/1" in capsys.readouterr().out
    assert main(["--seed", "2", "--only", "tags", "--save", str(tmp_path)]) == 0
    assert "seed-2" in capsys.readouterr().out
    assert (tmp_path / "seed-2" / "errors.png").exists()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [(["--only", "trees"], "expected some of"), (["--disturb", "/nowhere/at/all"], "nowhere")],
)
def test_bad_options_are_refused_in_one_line(
    arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert text in capsys.readouterr().err

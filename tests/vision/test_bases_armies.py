"""Whose a rim is that two armies claim: each has looked at it as its own paint would be lit there."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.test_bases import table
from vision.bases import UNKNOWN, claiming
from vision.bases.armies import Claim, divided
from vision.bases.belief import believed
from vision.bases.picture.paint import Paint, expected_features, paint_of
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline
from vision.bases.usual import Look
from vision.bases.weighing.confidence import likely_of
from vision.bases.weighing.judged import Found

ROUND = Outline("foot", True, 12.5, 12.5, 3.0)
MAT = expected_features("#6f6a44") + np.zeros((50, 3))
WHITE, GREY = (paint_of(expected_features(colour), MAT) for colour in ("#f8e5e8", "#94919d"))
RED, MAROON = (paint_of(expected_features(colour), MAT) for colour in ("#9e2c23", "#5d1c2a"))
WHITES_STAND, GREYS_STAND = range(4), range(6, 10)


def claim(name: str, paint: Paint, seen: dict[int, NDArray[np.float64]], clear: float) -> Claim:
    """An army with rims of such colours at these places of a row; so clear are those."""
    count = len(seen)
    found = Found(
        placed=[Placed(ROUND, 30.0 * k, 100.0, 0.0, 0.0) for k in seen],
        spread=lambda: np.zeros((count, 3, 3)),
        gain=np.ones(count),
        residual=np.full(count, 0.05),
        support=np.full(count, 0.9),
        contrast=np.full(count, clear),
        relief=np.full(count, 0.4),
        proof=np.full(count, 0.6),
        counted=np.ones(count),
        colours=np.array(list(seen.values())),
        tops=np.zeros((count, 3)),
        look=Look(),
    )
    return Claim(msgspec.structs.replace(table().armies[0], name=name), paint, found)


def between(share: float) -> NDArray[np.float64]:
    """So far from grey to white."""
    return np.asarray(GREY.paint + share * (WHITE.paint - GREY.paint))


def test_white_rims_in_the_shade_stay_the_white_armys_though_they_look_a_little_grey() -> None:
    """Who looks for grey sees a dim rim; who looks for white sees it white once it is lit."""
    in_shade = {k: between(0.3) for k in WHITES_STAND}
    grey = claim("grey", GREY, in_shade | dict.fromkeys(GREYS_STAND, GREY.paint), 0.6)
    white = claim("white", WHITE, {k: between(0.95) for k in WHITES_STAND}, 0.4)
    told = {one.army.name: [round(p.x_mm / 30) for p in one.fit.placed] for one in divided([grey, white])}
    assert told == {"white": list(WHITES_STAND), "grey": list(GREYS_STAND)}


def test_a_blue_rim_stays_the_blue_armys_though_it_stands_out_more_as_a_pale_one() -> None:
    """A ring within a blue square has a little of the white of a figure, too."""
    pale, blue = (paint_of(expected_features(colour), MAT) for colour in ("#ebd7e4", "#264796"))

    def mixed(share: float) -> NDArray[np.float64]:
        return np.asarray(blue.paint + share * (pale.paint - blue.paint))

    as_pale = claim("pale", pale, {0: mixed(0.525)} | dict.fromkeys(range(12, 16), pale.paint), 0.57)
    as_blue = claim("blue", blue, {0: mixed(0.265)} | dict.fromkeys(range(6, 10), blue.paint), 0.31)
    told = {one.army.name: [round(p.x_mm / 30) for p in one.fit.placed] for one in divided([as_pale, as_blue])}
    assert told == {"blue": [0, 6, 7, 8, 9], "pale": [12, 13, 14, 15]}


def test_grey_rims_stay_the_grey_armys_where_white_hardly_claims_them() -> None:
    grey = claim("grey", GREY, dict.fromkeys((*WHITES_STAND, *GREYS_STAND), GREY.paint), 0.5)
    hardly = {k: between(0.45) for k in WHITES_STAND}
    white = claim("white", WHITE, hardly | {12: WHITE.paint, 14: WHITE.paint}, 0.5)
    told = {one.army.name: [round(p.x_mm / 30) for p in one.fit.placed] for one in divided([grey, white])}
    assert told == {"grey": [*WHITES_STAND, *GREYS_STAND], "white": [12, 14]}


def test_dim_red_rims_go_to_the_army_whose_paint_they_stand_out_as_more_clearly() -> None:
    """In the light of a lamp the colour between two reds leans to neither by anything to go by."""
    dim = RED.paint + 0.55 * (MAROON.paint - RED.paint)
    red = claim("red", RED, dict.fromkeys(range(4), dim) | dict.fromkeys(range(6, 10), RED.paint), 0.36)
    darker = dict.fromkeys(range(4), dim) | dict.fromkeys(range(12, 16), MAROON.paint)
    maroon = claim("maroon", MAROON, darker, 0.55)
    told = {one.army.name: [round(p.x_mm / 30) for p in one.fit.placed] for one in divided([red, maroon])}
    assert told == {"red": [6, 7, 8, 9], "maroon": [0, 1, 2, 3, 12, 13, 14, 15]}


@pytest.mark.parametrize(
    ("mixed", "many", "hardly", "told"),
    [(0.0, 12, 0, 12), (0.0, 12, 8, 12), (0.0, 5, 0, 0), (0.35, 12, 0, 0)],
    ids=["many", "hardly proven", "few", "of another shade"],
)
def test_many_small_rims_are_believed_by_their_very_paint_though_little_beside_them_proves_it(
    mixed: float, many: int, hardly: int, told: int
) -> None:
    """So a crowd of brown bases of 20 mm is seen on green: neighbours and figures leave little bare beside them."""
    colour = MAT[0] + 0.65 * ((1 - mixed) * MAROON.paint + mixed * WHITE.paint - MAT[0])
    seen = claim("maroon", MAROON, dict.fromkeys(range(many), colour), 0.17)
    seen = replace(seen, fit=replace(seen.fit, proof=np.full(many, 0.25), relief=np.full(many, 0.25)))
    seen.fit.proof[:hardly] = 0.05
    assert np.count_nonzero(believed(seen.fit, MAROON)) == told


@pytest.mark.parametrize(("clear", "left"), [(0.5, 0), (0.9, 1)])
def test_what_closes_like_a_ring_between_four_rounds_is_theirs_unless_it_is_clearer_than_they(
    clear: float, left: int
) -> None:
    """A round of 20 mm fits into the gap of four of 38 mm but for its rim, which would lie on theirs."""
    small, large = Outline("foot", True, 10.0, 10.0, 3.0), Outline("command", True, 19.0, 19.0, 3.0)
    four = [Placed(large, x, y, 0.0, 0.0) for x in (100.0, 138.0) for y in (100.0, 138.0)]
    alone = [Placed(small, 300.0 + 60 * k, 100.0, 0.0, 0.0) for k in range(3)]
    red = claim("red", RED, dict.fromkeys(range(4), RED.paint), 0.7)
    red = replace(red, fit=replace(red.fit, placed=four))
    maroon = claim("maroon", MAROON, dict.fromkeys(range(4), MAROON.paint), clear)
    maroon = replace(maroon, fit=replace(maroon.fit, placed=[Placed(small, 119.0, 119.0, 0.0, 0.0), *alone]))
    told = {one.army.name: len(one.fit.placed) for one in divided([red, maroon])}
    assert told == {"red": 4, "maroon": 3 + left}


@pytest.mark.parametrize(("clear", "proof"), [(0.25, 0.3), (0.45, -0.1)], ids=["believed", "in the way"])
def test_what_stands_across_four_squares_of_another_army_takes_none_of_them(clear: float, proof: float) -> None:
    """So a white rectangle of 25 by 50 mm was seen in what four black squares have between their rims."""
    square, long = Outline("foot", False, 16.0, 16.0, 2.0), Outline("horse", False, 12.5, 25.0, 2.0)
    four = [Placed(square, x, y, 0.0, 0.0) for x in (100.0, 132.4) for y in (100.0, 132.4)]
    alone = [Placed(long, 300.0 + 60 * k, 100.0, 0.0, 0.0) for k in range(3)]
    maroon = claim("maroon", MAROON, dict.fromkeys(range(4), MAROON.paint), 0.24)
    maroon = replace(maroon, fit=replace(maroon.fit, placed=four))
    white = claim("white", WHITE, dict.fromkeys(range(4), WHITE.paint), clear)
    across = replace(white.fit, placed=[Placed(long, 116.2, 116.2, 0.0, 0.0), *alone])
    white = replace(white, fit=replace(across, proof=np.array([proof, 0.6, 0.6, 0.6])))
    assert {one.army.name: len(one.fit.placed) for one in divided([maroon, white])} == {"maroon": 4, "white": 3}


@pytest.mark.parametrize(("proof", "guns"), [(0.5, 4), (0.8, 3)], ids=["as much", "far more"])
def test_a_gun_is_given_up_for_two_halves_of_it_only_if_they_explain_far_more(proof: float, guns: int) -> None:
    """Two horses of a red that is nearly its own have all of its rim but no sides within it."""
    gun, long = Outline("gun", False, 25.0, 30.0, 2.0), Outline("horse", False, 12.5, 25.0, 2.0)
    stands = [Placed(gun, 100.0 + 70 * k, 100.0, 0.0, 0.0) for k in range(4)]
    maroon = claim("maroon", MAROON, dict.fromkeys(range(4), MAROON.paint), 0.45)
    maroon = replace(maroon, fit=replace(maroon.fit, placed=stands))
    near = MAROON.paint + 0.3 * (RED.paint - MAROON.paint)
    red = claim("red", RED, dict.fromkeys((20, 21), near) | dict.fromkeys(range(12, 16), RED.paint), 0.3)
    halves = [Placed(long, 100.0, y, 0.0, 90.0) for y in (83.0, 117.0)]
    fit = replace(red.fit, placed=[*halves, *red.fit.placed[2:]], proof=np.array([proof] * 2 + [0.6] * 4))
    told = {one.army.name: len(one.fit.placed) for one in divided([maroon, replace(red, fit=fit)])}
    assert told == {"maroon": guns, "red": 4 + 2 * (4 - guns)}


@pytest.mark.parametrize(("faint", "kept"), [(0.25, 1), (0.5, 0)], ids=["far fainter", "as clear"])
def test_a_ring_that_stands_out_is_not_given_up_for_what_hardly_looks_like_another_paint_about_it(
    faint: float, kept: int
) -> None:
    """So a blue base was lost to two that a teal army made up of its rim and its neighbours'."""
    near = RED.paint + 0.3 * (MAROON.paint - RED.paint)
    red = claim("red", RED, dict.fromkeys((0, 6, 7, 8, 9), RED.paint), 0.66)
    maroon = claim("maroon", MAROON, {20: near, 21: near} | dict.fromkeys(range(12, 16), MAROON.paint), 0.4)
    about = [Placed(ROUND, x, 100.0, 0.0, 0.0) for x in (-15.0, 15.0)]
    fit = replace(maroon.fit, placed=[*about, *maroon.fit.placed[2:]], contrast=np.array([faint] * 2 + [0.4] * 4))
    told = divided([red, replace(maroon, fit=fit)])
    stand = {one.army.name: [round(p.x_mm / 30) for p in one.fit.placed] for one in told}
    assert stand["red"] == [0, 6, 7, 8, 9][1 - kept :]


@pytest.mark.parametrize(("clear", "told"), [(0.57, 6), (0.3, 0)], ids=["plainly seen", "hardly seen"])
def test_a_dark_army_is_believed_where_stray_light_lifts_its_rims_if_they_are_plainly_seen(
    clear: float, told: int
) -> None:
    """A black that a webcam shows is a grey: of the hue of its paint, but nearly as bright as the mat."""
    violet = paint_of(expected_features("#2a0836"), expected_features("#66763c") + np.zeros((50, 3)))
    seen = claim("violet", violet, dict.fromkeys(range(6), np.array([0.225, 0.235, 0.265])), clear)
    fit = replace(seen.fit, proof=np.full(6, 1.0), support=np.full(6, 1.0), relief=np.full(6, clear))
    assert np.count_nonzero(believed(fit, violet)) == told


def test_three_clear_bases_are_not_doubted_for_the_many_things_that_hardly_look_like_any() -> None:
    """An army of few grey bases is there, though stones and papers are as grey."""
    grey = claim("grey", GREY, dict.fromkeys(range(13), GREY.paint), 0.3)
    vague = np.arange(13) >= 3
    fit = replace(
        grey.fit,
        spread=lambda: np.tile(np.diag([0.1, 0.1, 0.1]), (13, 1, 1)),
        residual=np.where(vague, 0.25, 0.08),
        relief=np.where(vague, 0.1, 0.4),
    )
    told = divided([replace(grey, fit=likely_of(fit))])
    assert [[round(p.x_mm / 30) for p in one.fit.placed] for one in told] == [[0, 1, 2]]


@pytest.mark.parametrize(("amid", "told"), [(4, 16), (10, 6)], ids=["few", "most"])
def test_squares_amid_a_block_are_believed_with_it_though_neighbours_leave_nothing_to_prove_them(
    amid: int, told: int
) -> None:
    square = Outline("foot", False, 16.0, 16.0, 2.0)
    block = [Placed(square, 32.4 * file, 32.4 * rank, 0.0, 0.0) for rank in range(4) for file in range(4)]
    seen = claim("maroon", MAROON, dict.fromkeys(range(16), MAROON.paint), 0.2)
    unproven = np.isin(np.arange(16), [5, 6, 9, 10, 1, 2, 4, 7, 8, 11][:amid])
    fit = replace(seen.fit, placed=block, proof=np.where(unproven, -0.05, 0.6))
    assert np.count_nonzero(believed(fit, MAROON)) == told


@pytest.mark.parametrize(
    ("files", "ranks", "stray_mm", "told"),
    [(7, 3, 0.3, 21), (2, 2, 0.3, 0), (7, 3, 6.0, 0)],
    ids=["a block", "few", "a crowd"],
)
def test_rings_in_ranks_and_files_are_believed_though_their_paint_is_so_near_to_the_mat_s(
    files: int, ranks: int, stray_mm: float, told: int
) -> None:
    """Pale green on olive: each is all round, and seen by the eye; but mottle turns its hue, and proves little."""
    rng = np.random.default_rng(4)
    pale = paint_of(expected_features("#a8ba65"), MAT)
    turned = pale.ground + 0.8 * (pale.paint - pale.ground) + (0.03, -0.03, 0.0)
    spots = np.array([(25.8 * file, 25.8 * rank) for rank in range(ranks) for file in range(files)])
    at = (spots + rng.normal(0, stray_mm, spots.shape)).tolist()
    seen = claim("pale", pale, dict.fromkeys(range(files * ranks), np.asarray(turned)), 0.26)
    proof = np.full(files * ranks, 0.16)
    fit = replace(
        seen.fit,
        placed=[Placed(ROUND, x, y, 0.0, 0.0) for x, y in at],
        proof=proof,
        relief=np.full(len(proof), 0.3),
    )
    assert np.count_nonzero(believed(fit, pale)) == told


def test_a_clear_army_is_not_given_up_for_more_things_of_its_colour_that_are_hardly_seen() -> None:
    """Five dark bases stand plainly on the table, and a dark sill beside it has six faint places."""
    seen = claim("maroon", MAROON, dict.fromkeys(range(11), MAROON.paint), 0.35)
    faint = np.arange(11) >= 5
    fit = replace(
        seen.fit,
        contrast=np.where(faint, 0.22, 0.35),
        proof=np.where(faint, 0.3, 0.8),
        relief=np.where(faint, 0.1, 0.4),
    )
    assert believed(fit, MAROON).tolist() == (~faint).tolist()
    assert not believed(replace(fit, proof=np.where(faint, 1.0, 0.4)), MAROON).any()


@pytest.mark.parametrize(("astray", "told"), [(0.0, 24), (0.07, 16)], ids=["this very paint", "of another hue"])
def test_squares_of_a_block_are_believed_where_all_of_them_together_are_of_the_paint(
    astray: float, told: int
) -> None:
    """The figure on each turns its hue a little, one to red, the next to blue; their neighbours leave no proof."""
    square = Outline("foot", False, 10.0, 10.0, 2.0)
    block = [Placed(square, 20.4 * file, 20.4 * rank, 0.0, 0.0) for rank in range(4) for file in range(4)]
    alone = [Placed(square, 200.0 + 60 * k, 300.0, 0.0, 0.0) for k in range(8)]
    colour = MAT[0] + 0.65 * (MAROON.paint - MAT[0])
    off = np.array([0.0, 1.0, 0.0]) * (0.08 * (-1) ** np.arange(16)[:, None] + astray)
    seen = claim("maroon", MAROON, dict(enumerate([*(colour + off), *[colour] * 8])), 0.17)
    fit = replace(seen.fit, placed=[*block, *alone], proof=np.full(24, 0.12), relief=np.full(24, 0.25))
    assert np.count_nonzero(believed(fit, MAROON)) == told


@pytest.mark.parametrize(("turned", "told"), [(2, 24), (6, 18)], ids=["two of a block", "many of a block"])
def test_the_last_of_a_block_are_believed_though_a_figure_turns_their_hue(turned: int, told: int) -> None:
    square = Outline("foot", False, 10.0, 10.0, 2.0)
    block = [Placed(square, 20.4 * file, 20.4 * rank, 0.0, 0.0) for rank in range(4) for file in range(4)]
    alone = [Placed(square, 200.0 + 60 * k, 300.0, 0.0, 0.0) for k in range(8)]
    colours = np.tile(MAT[0] + 0.65 * (MAROON.paint - MAT[0]), (24, 1))
    colours[5 : 5 + turned] += [0.0, 0.14, 0.0]
    seen = claim("maroon", MAROON, dict(enumerate(colours)), 0.17)
    proof = np.where((np.arange(24) >= 5) & (np.arange(24) < 5 + turned), 0.0, 0.5)
    fit = replace(seen.fit, placed=[*block, *alone], proof=proof, relief=np.full(24, 0.25))
    assert np.count_nonzero(believed(fit, MAROON)) == told


@pytest.mark.parametrize(("proof", "told"), [(0.25, 24), (0.1, 8)], ids=["some proof", "hardly any"])
def test_a_block_on_felt_is_believed_that_looks_as_its_army_does_elsewhere(proof: float, told: int) -> None:
    """So six of eight small squares on tan felt were lost, each a little faint, in light in which all of the army
    is a little astray."""
    square = Outline("foot", False, 10.0, 10.0, 2.0)
    block = [Placed(square, 20.4 * file, 20.4 * rank, 0.0, 0.0) for rank in range(4) for file in range(4)]
    alone = [Placed(square, 200.0 + 60 * k, 300.0, 0.0, 0.0) for k in range(8)]
    colour = MAT[0] + 0.5 * (MAROON.paint - MAT[0]) + np.array([0.0, 0.1, 0.0])
    seen = claim("maroon", MAROON, dict.fromkeys(range(24), colour), 0.22)
    on_felt = np.arange(24) < 16
    fit = replace(seen.fit, placed=[*block, *alone], proof=np.where(on_felt, proof, 0.6))
    assert np.count_nonzero(believed(fit, MAROON, off_the_mat=on_felt)) == told


def test_a_ring_that_is_knocked_out_itself_knocks_out_no_other() -> None:
    """So pale rings were seen between the ranks of a dark block: none stood, yet its bases were lost to them."""
    white = claim("white", WHITE, dict.fromkeys((0, 20, 21), WHITE.paint), 0.8)
    ring = claim("maroon", MAROON, dict.fromkeys((1, 12, 13), MAROON.paint), 0.5)
    red = claim("red", RED, dict.fromkeys((2, 6, 7), RED.paint), 0.3)
    fit = replace(ring.fit, placed=[replace(base, x_mm=base.x_mm * 20 / 30) for base in ring.fit.placed])
    near = [replace(base, x_mm=base.x_mm * 20 / 30) for base in red.fit.placed]
    told = divided([white, replace(ring, fit=fit), replace(red, fit=replace(red.fit, placed=near))])
    stand = {one.army.name: [round(p.x_mm) for p in one.fit.placed] for one in told}
    assert stand == {"white": [0, 600, 630], "maroon": [240, 260], "red": [40, 120, 140]}


def test_what_hardly_stands_tells_nothing_of_the_terrain_that_an_army_is_like(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three grey bases stand on the mat, and ten vague likenesses beside a grey road."""
    grey = claim("grey", GREY, dict.fromkeys(range(13), GREY.paint), 0.3)
    vague = np.arange(13) >= 3
    fit = replace(
        grey.fit,
        spread=lambda: np.tile(np.diag([0.1, 0.1, 0.1]), (13, 1, 1)),
        residual=np.where(vague, 0.25, 0.08),
    )
    monkeypatch.setattr(claiming, "search", lambda *_: fit)
    monkeypatch.setattr(claiming, "proposed", lambda *_: [])
    monkeypatch.setattr(
        claiming, "beside_terrain", lambda *_: lambda placed: np.array([p.x_mm > 80 for p in placed])
    )
    mat = SimpleNamespace(all=())
    scene: Any = SimpleNamespace(within=None, off_the_mat=lambda placed: np.zeros(len(placed), bool), surfaces=mat)
    only = [(grey.army, GREY)]
    (told,) = claiming.claims_of(scene, only, only, UNKNOWN)
    assert len(told.fit.placed) == 3
    assert not told.common


def test_a_yellow_rim_is_not_given_to_a_dark_green_army_that_lies_on_the_other_side_of_the_mat() -> None:
    """Both paints lie on one line through the mat's colour, one on either side; the rim is a little astray."""
    mat = expected_features("#95846b") + np.zeros((50, 3))
    yellow, dark = (paint_of(expected_features(colour), mat) for colour in ("#dfc350", "#22402a"))
    half_shaded = mat[0] + 0.6 * (yellow.paint - mat[0]) + np.array([0.03, 0.01, -0.05])
    seen = claim("yellow", yellow, dict.fromkeys(range(4), half_shaded), 0.4)
    assert yellow.apart(dark) > 0.3
    assert (yellow.lead(dark, seen.fit.colours) > 0.3).all()


@pytest.mark.parametrize(
    ("share", "clear", "told"),
    [(0.75, 1.0, 10), (0.55, 1.0, 6), (0.78, 0.6, 6)],
    ids=["full rims", "rings about trees", "faint rings about trees"],
)
def test_on_a_wood_of_its_paint_an_army_has_no_rims_thinner_than_elsewhere(
    share: float, clear: float, told: int
) -> None:
    thin, in_the_wood = MAT[0] + share * (MAROON.paint - MAT[0]), np.arange(10) >= 6
    seen = claim("maroon", MAROON, dict.fromkeys(range(6), MAROON.paint) | dict.fromkeys(range(6, 10), thin), 0.3)
    fit = replace(seen.fit, contrast=seen.fit.contrast * np.where(in_the_wood, clear, 1.0))
    assert np.count_nonzero(believed(fit, MAROON, beside_its_own=in_the_wood)) == told


@pytest.mark.parametrize(("proof", "left"), [(0.1, 3), (0.6, 4)], ids=["a mark on it", "another base"])
def test_a_horse_is_not_given_up_for_a_small_ring_on_it_that_explains_little(proof: float, left: int) -> None:
    """So a blue saddle cloth on a grey base was a base of the blue army, which its colour told more clearly."""
    horse = Outline("horse", False, 12.5, 25.0, 2.0)
    dim = GREY.paint + 0.3 * (RED.paint - GREY.paint)
    grey = claim("grey", GREY, {0: dim} | dict.fromkeys(range(6, 10), GREY.paint), 0.3)
    grey = replace(grey, fit=replace(grey.fit, placed=[Placed(horse, 0.0, 110.0, 0.0, 0.0), *grey.fit.placed[1:]]))
    red = claim("red", RED, dict.fromkeys((0, 12, 13, 14), RED.paint), 0.25)
    red.fit.proof[0] = proof
    told = {one.army.name: len(one.fit.placed) for one in divided([grey, red])}
    assert told == {"grey": 5 + 3 - left, "red": left}

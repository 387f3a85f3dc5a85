"""Of which kind bases without paint are: those that stand together tell it together."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.test_plain_places import FOOT, stage_of
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline
from vision.plain.block import Block, block_of
from vision.plain.choosing import kinds
from vision.plain.choosing.kinds import agreed
from vision.plain.fitting.fit import Fit, fit
from vision.plain.picture.shade import Shade
from vision.plain.stage import Stage
from vision.plain.weighing.lamp import in_shade

SQUARE = Outline("square", False, 11.5, 11.5, 3.0)
LARGE = Outline("large", True, 15.0, 15.0, 3.0)
SHADE = Shade(0.35, -0.35, 3.0)
PLACES = [(200.0, 180.0), (238.0, 186.0), (214.0, 219.0)]


@pytest.fixture(scope="module")
def loose() -> Stage:
    return in_shade(stage_of(PLACES), SHADE)


@pytest.mark.parametrize("wrong", [SQUARE, LARGE])
def test_bases_that_were_taken_for_another_kind_nearly_as_large_are_told_by_their_outlines_together(
    loose: Stage, wrong: Outline
) -> None:
    held = [Placed(wrong, x + 1.0, y - 1.0, 0.0, 20.0) for x, y in PLACES]
    told, _, _ = agreed(loose, held, [], [SQUARE, FOOT, LARGE])
    assert {base.outline.name for base in told} == {FOOT.name}
    assert all(math.dist((p.x_mm, p.y_mm), at) < 1.5 for p, at in zip(told, PLACES, strict=True))


def test_bases_of_the_right_kind_stay_what_they_are(loose: Stage) -> None:
    held = [Placed(FOOT, x, y, 0.0, 0.0) for x, y in PLACES]
    assert agreed(loose, held, [], [SQUARE, FOOT, LARGE])[:2] == (held, [])


def test_what_may_be_a_shadow_makes_no_base_a_larger_one(loose: Stage) -> None:
    """The table's shadows are not known: about each base something is dark, and a larger one would cover it."""
    held = [Placed(FOOT, x, y, 0.0, 0.0) for x, y in PLACES]
    assert agreed(in_shade(loose, None), held, [], [FOOT, LARGE])[:2] == (held, [])


def test_no_base_is_taken_for_a_smaller_one_whose_outline_hardly_shows(
    loose: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However little it leaves unexplained: beside hard shadows a small base covers little that could be wrong."""
    small = Outline("small", True, 11.0, 11.0, 3.0)
    left = {FOOT.name: 2000.0, small.name: 0.0}
    monkeypatch.setattr(
        kinds, "unexplained", lambda _, some, *rest: np.array([left[base.outline.name] for base in some])
    )
    held = [Placed(FOOT, x, y, 0.0, 0.0) for x, y in PLACES]
    assert agreed(loose, held, [], [FOOT, small])[:2] == (held, [])


def test_a_block_of_round_bases_that_are_of_another_kind_is_none(loose: Stage) -> None:
    def block(kind: Outline) -> Block:
        about = Placed(kind, 219.0, 190.0, 0.0, 0.0)
        members = tuple(Placed(kind, x, y, 0.0, 0.0) for x, y in PLACES)
        formed = block_of(kind, (3, 1), 0.4, about, 3, (0.4, 0.5))
        return Block(kind, 3, 1, 0.4, formed.whole, 3, members=members)

    told, blocks, _ = agreed(loose, [], [block(LARGE)], [FOOT, LARGE])
    assert ([base.outline.name for base in told], blocks) == ([FOOT.name] * 3, [])
    right = block(FOOT)
    assert agreed(loose, [], [right], [FOOT, LARGE])[:2] == ([], [right])


def test_no_base_is_taken_for_one_for_which_there_is_no_room() -> None:
    touching = [(200.0 + 25.4 * k, 200.0) for k in range(3)]
    held = [Placed(FOOT, x, y, 0.0, 0.0) for x, y in touching]
    assert agreed(stage_of(touching), held, [], [LARGE])[:2] == (held, [])


def test_a_base_that_is_hardly_not_of_another_kind_may_stand_where_that_one_would(
    loose: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Squares explain as much, in places of their own; the large ones explain less, and count for nothing."""
    held = [Placed(FOOT, x, y, 0.0, 0.0) for x, y in PLACES]
    elsewhere = {SQUARE.name: 4.0, LARGE.name: 30.0}
    left = {FOOT.name: 500.0, SQUARE.name: 500.0, LARGE.name: 2000.0}

    def instead(stage: Stage, company: list[Placed], others: object, kind: Outline) -> Fit:
        aside = [replace(p, outline=kind, x_mm=p.x_mm + elsewhere[kind.name]) for p in company]
        return fit(stage.scene, aside, 0, free=len(aside))

    monkeypatch.setattr(kinds, "_instead", instead)
    monkeypatch.setattr(
        kinds, "unexplained", lambda _, some, *rest: np.array([left[base.outline.name] for base in some])
    )
    told, _, aside_mm = agreed(loose, held, [], [SQUARE, FOOT, LARGE])
    assert told == held
    assert aside_mm == pytest.approx([2.0] * 3)  # half of the squared way there, shared by both directions
    assert agreed(loose, held, [], [FOOT, LARGE])[2] == pytest.approx([0.0] * 3, abs=1e-6)

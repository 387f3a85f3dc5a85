"""How vivid a camera makes colours, told by the terrain."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.records import TerrainKind
from vision.terrain.mat import mat_of
from vision.terrain.paints import paint_for
from vision.terrain.vividness import vividness_of

KINDS = tuple(
    TerrainKind(kind=kind, colour=colour, height_mm=1.0)
    for kind, colour in (("river", "#3f6f8f"), ("field", "#b08d3c"), ("woods", "#2e5a2c"))
)


def told(vividness: float, area_mm2: list[float]) -> float:
    """The factor that is told where each kind covers so much, as vivid as that."""
    roots = np.array([paint_for(kind, vividness).roots for kind in KINDS])
    return vividness_of(KINDS[: len(area_mm2)], roots[: len(area_mm2)], np.array(area_mm2), None)


@pytest.mark.parametrize("vividness", [0.6, 0.8, 1.0, 1.3, 1.5])
def test_kinds_that_are_there_tell_how_vivid_they_are_shown(vividness: float) -> None:
    assert told(vividness, [4e4, 2e4, 1e4]) == pytest.approx(vividness, rel=0.07)


def test_one_kind_alone_tells_nothing_nor_do_specks() -> None:
    assert told(1.4, [4e4]) == 1.0
    assert told(1.4, [4e4, 900.0, 900.0]) == 1.0


def test_colours_that_are_hardly_more_vivid_are_taken_as_they_are() -> None:
    assert told(1.02, [4e4, 2e4, 1e4]) == 1.0


def test_blotches_of_a_mat_as_pale_as_a_field_do_not_tell_that_colours_are_pale() -> None:
    kinds = tuple(
        TerrainKind(kind=kind, colour=colour, height_mm=1.0)
        for kind, colour in (("field", "#c4a955"), ("road", "#807970"))
    )
    blotches = np.random.default_rng(0).normal((0.46, 0.635, 0.69), 0.035, (4000, 3)).astype(np.float32)
    mat = mat_of(blotches)
    pieces = np.array([paint_for(kind).roots for kind in kinds])
    roots, area_mm2 = np.concatenate([blotches, pieces]), np.array([*np.full(4000, 400.0), 2e4, 3e3])
    assert vividness_of(kinds, roots, area_mm2, mat) == 1.0

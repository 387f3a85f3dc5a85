"""Varnished rims in a lamp's glare: its light lies over their paint, and dark ones look pale there."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from calibration.records import Table
from tests.vision.test_bases import Level, Stands, camera, drawn, matched, table
from vision.bases import find_bases, look_for_bases

GREEN = msgspec.structs.replace(table().armies[0], name="green", base_colour="#234633")
ONE_ARMY = msgspec.structs.replace(table(), armies=(GREEN,))
THREE = msgspec.structs.replace(table(), armies=(*table().armies, GREEN))
OUT_OF_IT = [Stands("green", "foot", 110.0 + 45.0 * k, 300.0 - 9.0 * k) for k in range(5)]
IN_IT = [Stands("green", "foot", 180.0 + 31.0 * k, 130.0 + 6.0 * k) for k in range(4)]


def lit(glare: float) -> list[Stands]:
    return [replace(base, glare=glare) for base in IN_IT]


@pytest.mark.parametrize("known", [ONE_ARMY, THREE], ids=["one army", "others away"])
@pytest.mark.parametrize("glare", [0.1, 0.16, 0.25])
def test_bases_in_glare_are_found_beside_others_of_their_army(glare: float, known: Table) -> None:
    stands = [*OUT_OF_IT, *lit(glare)]
    matched(find_bases(drawn(stands), camera(), known, Level(), ()), stands, 0.6)


def test_what_is_alone_in_a_glare_is_no_base() -> None:
    """A coin, or the rim of a cup: any thing is grey in some glare, and units stand in company."""
    seen = find_bases(drawn([*OUT_OF_IT, lit(0.16)[0]]), camera(), ONE_ARMY, Level(), ())
    matched(seen, OUT_OF_IT, 0.6)


def test_rings_like_glare_are_no_bases_where_hardly_any_of_the_army_stand_out_of_it() -> None:
    assert find_bases(drawn(lit(0.16)), camera(), ONE_ARMY, Level(), ()) == []


def test_bases_of_an_army_that_is_as_pale_are_not_another_s_in_glare() -> None:
    pale = msgspec.structs.replace(GREEN, name="pale", base_colour="#748178")
    both = msgspec.structs.replace(table(), armies=(GREEN, pale))
    seen = find_bases(drawn([*OUT_OF_IT, *lit(0.16)]), camera(), both, Level(), ())
    assert {base.army for base in seen if base.y_mm < 200} == {"pale"}


def test_one_in_glare_that_is_looked_at_again_alone_is_found_again() -> None:
    """A hand was over it; its company in the glare is not looked at anew."""
    stands = [*OUT_OF_IT, *lit(0.16)]
    frame = drawn(stands)
    _, known = look_for_bases(frame, camera(), ONE_ARMY, Level(), ())
    one = stands[-1]
    x, y = np.rint(camera().project(np.array([[one.x_mm, one.y_mm, 3.0]]))[0]).astype(int)
    within = np.zeros(frame.shape[:2], dtype=np.bool_)
    within[y - 30 : y + 30, x - 30 : x + 30] = True
    seen = look_for_bases(frame, camera(), ONE_ARMY, Level(), (), within, known)[0]
    assert min(np.hypot(base.x_mm - one.x_mm, base.y_mm - one.y_mm) for base in seen) < 0.6

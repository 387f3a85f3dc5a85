"""Prints on a table of which a part has changed: the same as a search of all of it finds."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.pictures import grey_of
from calibration.prints.markers import FoundMarker, find_markers
from tests.vision.small_table import TABLE, camera, table
from vision.renewing.glance import glance_at
from vision.renewing.prints import markers_near, markers_renewed
from vision.simulated import Effects, Renderer, TagPlaced

DICTIONARY = TABLE.markers.dictionary
TAGS = (TagPlaced(id=17, x_mm=120.0, y_mm=120.0, bearing_deg=33.0), TagPlaced(id=42, x_mm=480.0, y_mm=330.0))


RENDERER = Renderer(camera(), Effects())


def picture(*tags: TagPlaced) -> NDArray[np.uint8]:
    return RENDERER.render(table(tags=tags)).copy()


def agree(seen: tuple[FoundMarker, ...], oracle: tuple[FoundMarker, ...]) -> None:
    assert [m.id for m in seen] == [m.id for m in oracle]
    for one, other in zip(seen, oracle, strict=True):
        assert np.abs(one.centre_px - other.centre_px).max() < 0.15


@pytest.mark.parametrize(
    "after",
    [
        pytest.param((replace(TAGS[0], x_mm=160.0), TAGS[1]), id="a tag is moved"),
        pytest.param((TAGS[0],), id="a tag is taken away"),
        pytest.param((*TAGS, TagPlaced(id=55, x_mm=300.0, y_mm=200.0)), id="a tag comes"),
        pytest.param((replace(TAGS[0], id=18), TAGS[1]), id="a tag is put in another's place"),
        pytest.param((replace(TAGS[0], bearing_deg=40.0), TAGS[1]), id="a tag is turned"),
        pytest.param(TAGS, id="nothing happens"),
    ],
)
def test_what_has_changed_is_looked_at_and_the_rest_kept(after: tuple[TagPlaced, ...]):
    then, now = picture(*TAGS), picture(*after)
    before = find_markers(grey_of(then), DICTIONARY)
    glance = glance_at(then)
    changed = glance.changed_to(glance_at(now))
    assert changed is not None
    seen = markers_renewed(now, DICTIONARY, before, changed, glance.cell_px)
    agree(seen, find_markers(grey_of(now), DICTIONARY))
    kept = [m for m in seen if any(m is b for b in before)]
    assert len(kept) >= 3


def test_where_all_has_changed_all_is_looked_at():
    now = picture(*TAGS)
    seen = markers_renewed(now, DICTIONARY, (), np.ones((270, 360), dtype=np.bool_), 2)
    agree(seen, find_markers(grey_of(now), DICTIONARY))


def test_markers_are_found_near_where_they_were_and_those_covered_are_not():
    before = find_markers(grey_of(picture(*TAGS)), DICTIONARY)
    now = picture(*TAGS)
    agree(markers_near(now, DICTIONARY, before), before)
    now[:, 360:] = 90
    assert {m.id for m in markers_near(now, DICTIONARY, before)} == {0, 3, 17}

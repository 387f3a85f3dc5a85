"""Sight between figures, worked out one pair at a time with shapely, as the rulebook says it: an oracle."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.records.game import Figure, Game, Measured
from engine.rulesets.muskets_mohawks.seeing.sight import bodies_pairs, pairs
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from tests.engine.muskets_mohawks.scene import INCH, box, game, unit

#: Closer to a limit than this, in mm or degrees, an example proves nothing.
_CLOSE = 0.05


class TooClose(Exception):
    """The example lies on a limit."""


def within(value: float, limit: float) -> bool:
    if abs(value - limit) < _CLOSE:
        raise TooClose
    return value <= limit


def sees(table: Game, side: str, looker: Figure, target: Figure) -> bool:
    """Whether one figure sees another and has it in arc (MM-83 to MM-91), one rule after the other."""
    line = shapely.LineString([(looker.x_mm, looker.y_mm), (target.x_mm, target.y_mm)])
    if line.length < 30:
        raise TooClose
    bearing = math.degrees(math.atan2(target.x_mm - looker.x_mm, target.y_mm - looker.y_mm))
    off = abs((bearing - (looker.bearing_deg or 0.0) + 180) % 360 - 180)
    dark, foul = table.conditions["light"] == "night", table.conditions["weather"] == "inclement"
    reach = 6 if dark and foul else 12 if dark or foul else 1000
    open_ground = [
        within(off, 45),
        within(line.length - 25, reach * INCH),
        not any(blocks(figure, line) for figure in others(table, side, looker, target)),
        all(through(piece, line, (6 if dark or foul else 12) * INCH) for piece in table.terrain),
    ]
    return all(open_ground)


def others(table: Game, side: str, looker: Figure, target: Figure) -> list[Figure]:
    friends = [
        figure for one in table.units if one.side == side and not one.state.get("prone") for figure in one.figures
    ]
    return [figure for figure in friends if figure.id not in (looker.id, target.id)]


def blocks(figure: Figure, line: shapely.LineString) -> bool:
    return within(line.distance(shapely.Point(figure.x_mm, figure.y_mm)), 15.0)


def through(piece: Any, line: shapely.LineString, visibility: float) -> bool:
    """Whether one piece of terrain lets the line through."""
    area = shapely.Polygon(piece.polygon_mm)
    inside = line.intersection(area).length
    if piece.kind == "building":
        return within(inside, 0.0) if inside > 0 else True
    if piece.kind == "hill":
        crest = shapely.LineString(piece.extra["crest_mm"])
        gaps = [crest.distance(shapely.Point(end)) - 12.5 for end in line.coords]
        for end in crest.coords:
            within(line.distance(shapely.Point(end)), 0.0)  # to touch a crest's end is not to cross it
        return not line.intersects(crest) or within(min(gaps), 3.0)
    ends = [area.contains(shapely.Point(end)) for end in line.coords]
    depths = [area.exterior.distance(shapely.Point(end)) for end in line.coords]
    if all(ends):
        return within(inside, visibility)
    if any(ends):
        return within(depths[ends.index(True)], INCH) and within(inside, visibility)
    return within(inside, INCH)


PLACE = st.tuples(st.integers(0, 60), st.integers(0, 40)).map(lambda spot: (spot[0] * 30.0, spot[1] * 30.0))


@st.composite
def tables(draw: st.DrawFn) -> Game:
    units = []
    for number, side in enumerate(("british", "british", "french")):
        spots = draw(st.lists(PLACE, min_size=1, max_size=4, unique=True))
        bearing = draw(st.sampled_from([0.0, 77.0, 180.0, 301.0]))
        units.append(unit(f"u{number}", side, spots, bearing=bearing, prone=draw(st.booleans())))
    terrain = []
    for number, kind in enumerate(draw(st.lists(st.sampled_from(["woods", "building", "hill"]), max_size=3))):
        (x, y), wide = draw(PLACE), draw(st.sampled_from([20.0, 70.0, 400.0, 900.0]))
        terrain.append(box(f"t{number}", kind, (x + 7.3, y + 3.1), (x + 7.3 + wide, y + 3.1 + wide)))
        if kind == "hill":
            terrain[-1]["crest_mm"] = [[x, y + 11.0], [x + wide, y + wide / 2]]
    light, weather = draw(st.sampled_from(["day", "day", "night"])), draw(st.sampled_from(["clear", "inclement"]))
    return game(*units, terrain=terrain, light=light, weather=weather)


@pytest.mark.rule("MM-83", "MM-84", "MM-85", "MM-86", "MM-87", "MM-88", "MM-89", "MM-90", "MM-91")
@given(tables())
def test_every_pair_sees_just_as_the_rules_say_one_by_one(table: Game) -> None:
    for looker in table.units:
        for target in (one for one in table.units if one.side != looker.side):
            found = pairs(sheet_of(table), looker, target)
            for (i, j), seen in np.ndenumerate(found.clear & found.in_arc):
                try:
                    wanted = sees(table, looker.side, looker.figures[i], target.figures[j])
                except TooClose:
                    continue
                assert seen == wanted, (looker.figures[i], target.figures[j])


@pytest.mark.rule("MM-84")
@given(tables())
def test_terrain_hides_either_side_from_the_other_alike(table: Game) -> None:
    one, other = table.unit("u0"), table.unit("u2")
    there, back = (pairs(sheet_of(table), *order, over_figures=True) for order in ((one, other), (other, one)))
    assert (there.clear == back.clear.T).all()


@given(tables(), st.sampled_from(["u0", "u1", "u2"]), PLACE, st.sampled_from([0.0, 0.7]))
def test_after_a_move_everybody_sees_as_if_looked_at_anew(
    table: Game, who: str, way: tuple[float, float], sigma: float
) -> None:
    table = replace(table, measured=Measured(sigma_mm=sigma))
    for looker, target in (("u0", "u2"), ("u2", "u1")):
        pairs(sheet_of(table), table.unit(looker), table.unit(target))
    shifted = tuple(
        replace(f, x_mm=f.x_mm + way[0] - 700, y_mm=f.y_mm + way[1] - 500) for f in table.unit(who).figures
    )
    units = tuple(replace(one, figures=shifted) if one.id == who else one for one in table.units)
    now = replace(table, units=units)
    for looker, target in (("u0", "u2"), ("u1", "u2"), ("u2", "u0"), ("u2", "u1")):
        sheet = sheet_of(now)
        found = pairs(sheet, now.unit(looker), now.unit(target))
        anew = bodies_pairs(sheet, sheet.body(now.unit(looker)), sheet.body(now.unit(target)))
        assert (found.clear == anew.clear).all()
        assert (found.doubtful == anew.doubtful).all()
        assert (found.off_deg == anew.off_deg).all()
        assert np.abs(found.gap_mm - anew.gap_mm).max(initial=0.0) < 1e-9
        assert found.blocked.keys() == anew.blocked.keys()

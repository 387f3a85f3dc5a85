"""What the page draws of a unit's fire: who stands in it is not refused for arc or range, others are."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.geometry.moving.moves import bearing_to, turn_between
from engine.records.answer import FireOption
from engine.rulesets.base.answers.fire_arcs import cells, sectors
from engine.rulesets.muskets_mohawks import RULESET as MUSKETS
from tests.engine.musket_pike import scene as hexes
from tests.engine.muskets_mohawks import scene as muskets
from tests.engine.palouse import scene as squares
from tests.engine.presidio import scene as presidio
from tests.engine.tyneside import scene as tyneside
from tests.long_runs import examples

Arc = Mapping[str, Any]
Point = tuple[float, float]

SPOTS = st.tuples(st.integers(20, 1780), st.integers(20, 1180)).map(lambda at: (float(at[0]), float(at[1])))
BEARINGS = st.integers(0, 359).map(float)


def in_sectors(arc: Arc, at: Point, *, more_mm: float = 0.0) -> bool:
    """Whether a point lies in the drawn sectors, their edges so much farther out; never called on an edge."""
    about = arc.get("range_from_mm")
    for one in arc["from"]:
        start = (one["x_mm"], one["y_mm"])
        off = turn_between(one["bearing_deg"], bearing_to(start, at)) if start != at else 0.0
        assume(arc["half_deg"] >= 180 or abs(off - arc["half_deg"]) > 0.01)
        most = min(arc["range_mm"], one.get("most_mm", arc["range_mm"])) + more_mm
        away = hypot(at[0] - about[0], at[1] - about[1]) if about else hypot(at[0] - start[0], at[1] - start[1])
        away -= 0.0 if about else one["edge_mm"]
        assume(abs(away - most) > 0.01)
        if off <= arc["half_deg"] and away < most:
            return True
    return False


def in_cells(arc: Arc | None, cell: tuple[int, int]) -> str | None:
    """The band in which a cell is drawn."""
    found = [one["band"] for one in (arc or {"bands": []})["bands"] if list(cell) in one["cells"]]
    assert len(found) <= 1
    return found[0] if found else None


def said_out(option: FireOption) -> bool:
    """Whether a target is refused for the arc or the range."""
    return any(
        reason.startswith(("out of arc", "out of range", "not within")) or reason.endswith("is not in its arc")
        for reason in option.why_not
    )


@given(st.lists(SPOTS, min_size=1, max_size=3), BEARINGS, SPOTS, st.booleans())
def test_muskets_fire_into_what_is_drawn_and_nowhere_else(
    spots: list[Point], bearing: float, at: Point, line: bool
) -> None:
    ours = [spots[0]] if line else spots
    assume(all(hypot(at[0] - x, at[1] - y) > 30 for x, y in ours))
    of = muskets.game(
        muskets.unit("us", at=ours, bearing=bearing), muskets.unit("them", "french", (at,), bearing=180.0)
    )
    (mine,) = MUSKETS.ask(of, ["us"]).units
    far = {**mine.extra["arc"], "range_mm": 1e6}
    assert {option.why_rules != () and "MM-83" in option.why_rules for option in mine.fire} == {
        not in_sectors(far, at)
    }
    if len(ours) == 1:
        assert {said_out(option) for option in mine.fire} == {not in_sectors(mine.extra["arc"], at, more_mm=12.5)}


@given(BEARINGS, SPOTS)
def test_a_ball_is_aimed_into_what_is_drawn(bearing: float, at: Point) -> None:
    assume(hypot(at[0] - 900, at[1] - 600) > 150)
    of = muskets.game(muskets.gun("us", at=(900.0, 600.0), bearing=bearing), muskets.unit("them", "french", (at,)))
    (mine,) = MUSKETS.ask(of, ["us"]).units
    ball = next(option for option in mine.fire if option.mode == "ball")
    assert said_out(ball) is not in_sectors(mine.extra["arc"], at)


@given(
    SPOTS, st.lists(BEARINGS, min_size=3, max_size=3), SPOTS, st.sampled_from(["line", "column", "skirmish"]),
    st.sampled_from([90, 180, 360]), st.sampled_from(["flintlock-musket", "bow", "flintlock-pistol"]),
)  # fmt: skip
def test_presidios_men_fire_within_their_arc(
    place: Point, bearings: list[float], at: Point, formation: str, whole: int, weapon: str
) -> None:
    men = [
        presidio.figure(f"a-{number}", place[0] + 30 * number, place[1], bearing)
        for number, bearing in enumerate(bearings)
    ]
    assume(all(hypot(at[0] - man["x_mm"], at[1] - man["y_mm"]) > 40 for man in men))
    a = presidio.unit("a", *men, type="light", formation=formation, weapon=weapon)
    of = presidio.game(a, presidio.unit("b", at), options={"small_arms_arc_deg": whole})
    found = presidio.asked(of)
    option = next(one for one in found.fire if one.mode == "independent")
    arc = found.extra["arc"]
    assert (option.shooters == ()) is not in_sectors({**arc, "range_mm": 1e6}, at)
    if "range_from_mm" in arc:  # measured to the middle of the side at the unit
        begin = arc["range_from_mm"]
        assert option.range_mm is not None
        assert abs(hypot(at[0] - begin[0], at[1] - begin[1]) - option.range_mm) <= presidio.HALF + 0.01
        assert (option.band == "out") is (option.range_mm >= arc["range_mm"] - 0.001)


@pytest.mark.rule("PR-904")
@given(SPOTS)
@settings(max_examples=examples(20))
def test_a_pieces_arc_is_where_it_need_not_be_turned(at: Point) -> None:
    crew = [presidio.figure(f"a-{number}", 880 + 40 * number, 80) for number in (0, 1)]
    gun = {**presidio.figure("a-gun", 900, 130), "role": "gun", "base": presidio.GUN}
    piece = presidio.unit("a", gun, *crew, type="artillery", formation="unlimbered", weapon="cannon-4", ammo="shot")
    assume(hypot(at[0] - 900, at[1] - 130) > 150)
    found = presidio.asked(presidio.game(piece, presidio.unit("b", at)))
    costs = {option.extra["actions"] for option in found.fire}
    ahead = turn_between(0.0, bearing_to((900.0, 130.0), at))
    assume(abs(ahead - 45) > 8)  # it is aimed at the middle of the target's near side
    assert costs == {1 if in_sectors({**found.extra["arc"], "range_mm": 1e6}, at) else 2}


@given(
    SPOTS, st.booleans(), SPOTS, st.sampled_from(["musket", "pistol", "bow", "spear"]),
    st.sampled_from(["edge", "centre"]), st.sampled_from(["none", "half"]), st.booleans(),
)  # fmt: skip
def test_tynesides_men_fire_all_round_as_far_as_their_weapon_reaches(
    spot: Point, hurt: bool, at: Point, weapon: str, measure: str, moved: str, commanded: bool
) -> None:
    assume(hypot(at[0] - spot[0], at[1] - spot[1]) > 40)
    man = tyneside.figure("a-1", *spot, **({"status": "wounded"} if hurt else {}))
    of = tyneside.game(
        tyneside.unit("a", man, weapon=weapon, moved=moved, commanded=commanded), tyneside.unit("b", at),
        options={"measure": measure},
    )  # fmt: skip
    found = tyneside.asked(of)
    (option,) = found.fire
    drawn = in_sectors(found.extra["arc"], at, more_mm=tyneside.HALF if measure == "edge" else 0.0)
    assert (option.band != "out" and option.shooters != ()) is drawn


@given(
    st.tuples(st.integers(0, 11), st.integers(0, 7)), st.tuples(st.integers(0, 11), st.integers(0, 7)),
    st.integers(0, 7).map(lambda eighth: eighth * 45.0) | BEARINGS, st.sampled_from(["infantry", "artillery"]),
    st.sampled_from([30, 45, 90, 180]), st.sampled_from(["one", "orthogonal"]), st.sampled_from(["town", "woods"]),
)  # fmt: skip
def test_palouses_units_fire_into_the_squares_that_are_drawn(
    here: tuple[int, int], there: tuple[int, int], bearing: float, kind: str, arc: int, diagonals: str, under: str
) -> None:
    assume(here != there)
    of = squares.game(
        squares.unit("b", here, kind, bearing_deg=bearing), squares.unit("f", there),
        terrain=[squares.ground(under, here)], options={"arc_deg": arc, "diagonals": diagonals},
    )  # fmt: skip
    found = squares.asked(of)
    (option,) = found.fire
    band = in_cells(found.extra.get("arc"), there)
    assert said_out(option) is (band is None)
    assert band in (None, option.band)


@given(
    st.tuples(st.integers(0, 23), st.integers(0, 17)), st.tuples(st.integers(-5, 5), st.integers(-5, 5)),
    st.sampled_from(["UR", "R", "DR", "DL", "L", "UL"]), st.sampled_from(["infantry", "artillery", "skirmisher"]),
    st.sampled_from(["cone60", "wedge120"]), st.none() | st.integers(1, 4),
)  # fmt: skip
def test_musket_and_pikes_units_fire_into_the_hexes_that_are_drawn(
    here: tuple[int, int], by: tuple[int, int], facing: str, kind: str, arc: str, shorter: int | None
) -> None:
    there = (here[0] + by[0], here[1] + by[1])
    assume(there != here and 0 <= there[0] < 24 and 0 <= there[1] < 18)
    stats = {} if shorter is None else {"range": shorter}
    of = hexes.game(
        hexes.unit("a", here, kind, facing=facing, stats=stats), hexes.unit("b", there), options={"arc": arc}
    )
    found = hexes.asked(of)
    (option,) = [one for one in found.fire if one.mode == "direct"]
    refused = {"MP-120", "MP-122"} & set(option.why_rules)
    assert bool(refused) is (in_cells(found.extra.get("arc"), there) is None)


def test_who_fires_nowhere_has_no_arc() -> None:
    assert sectors(45.0, [100.0], []) is None
    assert cells([("short", []), ("long", [])]) is None
    assert (
        "arc" not in hexes.asked(hexes.game(hexes.unit("a", (4, 4), weapon="pike"), hexes.unit("b", (5, 4)))).extra
    )
    assert "arc" not in presidio.asked(presidio.game(presidio.unit("a", (900, 300), weapon="lance"))).extra
    assert "arc" not in tyneside.asked(tyneside.game(tyneside.unit("a", (900, 300), weapon="war-club"))).extra

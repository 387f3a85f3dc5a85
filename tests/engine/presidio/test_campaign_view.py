"""The campaign's map as it is shown, what each side knows of it, and what stands under the markers."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, UnusableFile
from engine.records.game import Game
from engine.rulesets.base.campaigns import CampaignView
from engine.rulesets.presidio import RULESET
from engine.rulesets.presidio.campaign.standing import campaign_of
from tests.engine.presidio.scene import do, game, told, unit
from tests.engine.presidio.test_campaign import column, marker, on_map


def seen_by(of: Game, side: str | None) -> CampaignView:
    view = RULESET.campaign(RULESET.veiled(of, side))
    assert view is not None
    return view


def spread() -> Game:
    """A company and a blank on each side, none of which has met."""
    return on_map(
        marker("m", "2,0", units=["a"]), marker("n", "2,0", blank=True), marker("p", "2,4", "raiders", units=["b"]),
        marker("q", "2,4", "raiders", blank=True), hexes=column("fields", "road", "road", "fields", "fields"),
    )  # fmt: skip


@pytest.mark.rule("PR-1102")
@pytest.mark.parametrize("side", ["spanish", "raiders", None])
def test_a_side_cannot_tell_an_enemys_company_from_a_blank(side: str | None) -> None:
    of = spread()
    view = seen_by(of, side)
    for own, other in (("spanish", "raiders"), ("raiders", "spanish")):
        pieces = [one for one in view.pieces if one.side == own]
        if side == own:
            assert [one.known for one in pieces] == [True, True]
        else:
            assert pieces[0].lines == pieces[1].lines == ("Not known",)
            assert pieces[0].reach == pieces[1].reach
        assert (("b" if other == "spanish" else "a") in RULESET.concealed(of, side)) == (side != own)


def in_contact() -> Game:
    """The two companies after one has marched upon the other."""
    of = do(spread(), action="map-move", marker="m", to="2,2").game
    return do(do(of, action="map-day").game, action="map-move", marker="m", to="2,4").game


@pytest.mark.rule("PR-1102", "PR-1105")
def test_who_has_been_met_is_known_to_all() -> None:
    of = in_contact()
    for side in ("spanish", "raiders", None):
        lines = {one.id: one.lines for one in seen_by(of, side).pieces}
        assert lines["m"] == ("A (1 figure)",)
        assert lines["p"] == ("B (1 figure)",)
        assert "q" not in lines
        assert not RULESET.concealed(of, side)
    card = seen_by(of, None).cards[0]
    assert card.id == "contact-2,4"
    assert card.act == {"action": "contact-time"}
    assert not seen_by(do(of, "2", action="contact-time", moved="fields-2").game, None).cards[0].act


@pytest.mark.rule("PR-1102")
def test_who_lies_hidden_on_the_table_is_not_told_by_the_map() -> None:
    of = do(in_contact(), action="hide", unit="b", override=True).game
    assert {one.id: one.lines for one in seen_by(of, "raiders").pieces}["p"] == ("B (1 figure)",)
    for side in ("spanish", None):
        assert "B" not in str({one.id: one.lines for one in seen_by(of, side).pieces})


@pytest.mark.rule("PR-1104")
def test_the_lit_hexes_are_those_that_a_marker_may_march_to() -> None:
    of = spread()
    for piece in seen_by(of, "spanish").pieces:
        for hex_ in campaign_of(of).hexes:
            try:
                do(of, action="map-move", marker=piece.id, to=hex_)
                allowed = True
            except ActionRefused:
                allowed = False
            assert (hex_ in piece.reach) == (allowed and hex_ != piece.hex), (piece.id, hex_)


@pytest.mark.rule("PR-1103")
def test_the_stage_says_whose_day_it_is() -> None:
    of = spread()
    assert seen_by(of, None).stage == "Day 1 · strategic initiative is still to be rolled"
    of = do(of, "2 5", action="strategic-initiative").game
    assert (seen_by(of, None).stage, seen_by(of, None).side) == ("Day 1 · Raiders to move", "raiders")
    for name, goal in (("p", "2,3"), ("q", "2,3")):
        of = do(of, action="map-move", marker=name, to=goal).game
    assert seen_by(of, None).side == "spanish"
    of = do(do(of, "1", action="contact-time").game, action="map-day").game
    assert seen_by(of, None).stage == "Day 2 · strategic initiative is still to be rolled"


@pytest.mark.rule("PR-1101")
def test_the_map_is_drawn_before_anybody_is_on_it() -> None:
    of = do(game(unit("a", (300, 200)), unit("b", (300, 900))), action="map-begin", columns=3, rows=3).game
    of = do(of, action="map-draw", hexes=["0,0", "0,1"], road=True, terrain="settlement", name="Mission").game
    of = do(of, action="map-draw", hexes=["0,1"], terrain="woods", hill=True).game
    hexes = {one.id: one for one in seen_by(of, None).hexes}
    assert (hexes["0,0"].ground, hexes["0,0"].marks, hexes["0,0"].title) == ("settlement", ("road",), "Mission")
    assert (hexes["0,1"].ground, hexes["0,1"].marks) == ("woods", ("hill", "road"))
    assert [line.kind for line in seen_by(of, None).lines] == ["road"]
    of = do(of, "1", action="map-entry", marker="spanish-1", to="0,0").game
    with pytest.raises(ActionRefused, match="on the map already"):
        do(of, action="map-draw", hexes=["2,2"], road=True)


def allotted(of: Game, name: str, *units: str, side: str | None = None) -> Game:
    return do(of, action="map-allot", marker=name, units=list(units), **({"side": side} if side else {})).game


@pytest.mark.rule("PR-1102")
def test_a_side_says_in_secret_what_a_marker_stands_for() -> None:
    of = allotted(spread(), "n", "a")
    assert {one.id: (one.units, one.blank) for one in campaign_of(of).markers if one.side == "spanish"} == {
        "m": ((), True), "n": (("a",), False),
    }  # fmt: skip
    event = do(spread(), action="map-allot", marker="n", units=["a"]).events[-1]
    assert event.facts["known_to"] == "spanish"
    both = allotted(spread(), "m", "a", "a1")
    assert campaign_of(both).markers[0].units == ("a", "a1")


@pytest.mark.rule("PR-1102")
@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"marker": "m", "units": ["a"]}, "stands for that already"),
        ({"marker": "far", "units": ["a"]}, "is not with far"),
        ({"marker": "shown", "units": []}, "has been revealed"),
        ({"marker": "m", "units": ["a", "g0", "g1", "g2", "g3", "g4"]}, "a battery has 4"),
        ({"marker": "m", "units": ["a", "a2"]}, "a company has 25"),
    ],
)
def test_what_cannot_be_allotted(keys: dict[str, Any], says: str) -> None:
    guns = [unit(f"a-g{n}", (300 + 40 * n, 300), type="artillery", formation="unlimbered", weapon="cannon-4")
            for n in range(5)]  # fmt: skip
    for number, one in enumerate(guns):
        one["id"] = f"g{number}"
    big = unit("a2", *[(100.0 + 30 * n, 600.0) for n in range(25)])
    shown = marker("shown", "2,0", seen=True, units=["x"])
    markers = [marker("m", "2,0", units=["a"]), marker("far", "2,1"), shown]
    campaign = {"hexes": column("fields", "fields"), "markers": markers}
    of = game(unit("a", (300, 200)), big, *guns, unit("b", (300, 900)), campaign=campaign)
    with pytest.raises(ActionRefused, match=says):
        do(of, action="map-allot", **keys)


@pytest.mark.rule("PR-1102")
def test_a_side_allots_its_own_units_alone() -> None:
    for keys in ({"marker": "m", "units": ["b"]}, {"marker": "p", "units": [], "side": "spanish"}):
        with pytest.raises(UnusableFile, match="of side"):
            do(spread(), action="map-allot", **keys)


@pytest.mark.rule("PR-1108")
@pytest.mark.parametrize(
    ("start", "blank", "says"),
    [("2,2", False, None), ("2,4", False, "too far away"), (None, False, "not on the map"),
     ("2,2", True, "a blank")],
)  # fmt: skip
def test_who_is_near_enough_comes_to_a_battle_and_is_revealed(
    start: str | None, blank: bool, says: str | None
) -> None:
    of = on_map(
        marker("m", "2,0", units=["a"], seen=True), marker("n", "2,0", "raiders", units=["b"], seen=True),
        marker("late", start, blank=blank), hexes=column("fields", "fields", "fields", "fields", "woods"),
    )  # fmt: skip
    if says is not None:
        with pytest.raises(ActionRefused, match=says):
            do(of, action="map-reinforce", marker="late", to="2,0")
        return
    played = do(of, action="map-reinforce", marker="late", to="2,0")
    assert told(played, "reinforced") == [
        {"marker": "late", "side": "spanish", "hex": "2,0", "units": [], "turn": 3, "from": "north"}
    ]
    assert campaign_of(played.game).markers[2].seen
    with pytest.raises(ActionRefused, match="nobody has met"):
        do(of, action="map-reinforce", marker="late", to="2,3")


@pytest.mark.rule("PR-1104", "PR-1108")
def test_guns_reinforce_nobody_in_woods() -> None:
    of = on_map(
        marker("m", "2,1", units=["a"], seen=True), marker("n", "2,1", "raiders", units=["b"], seen=True),
        marker("late", "2,0", units=["a1"]), hexes=column("fields", "woods"),
    )  # fmt: skip
    with pytest.raises(ActionRefused, match="never enter woods"):
        do(of, action="map-reinforce", marker="late", to="2,1")

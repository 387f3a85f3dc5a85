"""The campaign on a map of hexes (section 11 of the rulebook)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine.errors import ActionRefused, UnusableFile
from engine.events import Event, SetState, apply
from engine.play import Played
from engine.records.game import Game
from engine.rulesets.presidio.campaign.mapping import side_entered
from engine.rulesets.presidio.campaign.standing import campaign_of
from tests.engine.presidio.scene import Json, do, game, ground, told, unit


def marker(name: str, hex_: str | None, side: str = "spanish", **keys: Any) -> Json:
    return {"id": name, "side": side, "hex": hex_, "units": [], "blank": False, "seen": False, **keys}


def column(*terrains: str, **keys: Any) -> dict[str, Json]:
    """A column of hexes northward from 2,0: ``road``, ``fields``, ``woods``, ``hill``, ``river``."""
    kinds = {
        "road": {"terrain": "fields", "road": True}, "fields": {"terrain": "fields"}, "woods": {"terrain": "woods"},
        "hill": {"terrain": "fields", "hill": True}, "river": {"terrain": "fields", "river": True},
        "settlement": {"terrain": "settlement", "road": True},
    }  # fmt: skip
    return {f"2,{row}": kinds[terrain] for row, terrain in enumerate(terrains)} | keys


def on_map(*markers: Json, hexes: dict[str, Json], **keys: Any) -> Game:
    campaign = {"day": 1, "scale": "small", "hexes": hexes, "markers": list(markers), **keys}
    gun = unit("a1", (300, 300), type="artillery", formation="unlimbered", weapon="cannon-4")
    return game(unit("a", (300, 200)), gun, unit("b", (300, 900)), campaign=campaign)


def game_with_losses(of: Game) -> Game:
    """The same after a battle that cost unit ``a`` three men."""
    change = SetState(unit="a", key="casualties", value=3)
    return apply(of, Event(event="battle", changes=(change,)))


def marched(of: Game, to: Any, who: str = "m") -> Played:
    return do(of, action="map-move", side="spanish", marker=who, to=to)


@pytest.mark.rule("PR-1104", "PR-1101")
@pytest.mark.parametrize(
    ("terrains", "goal", "reached"),
    [
        (["road"] * 5, "2,3", True), (["road"] * 5, "2,4", False), (["fields"] * 4, "2,2", True),
        (["fields"] * 4, "2,3", False), (["fields", "woods"], "2,1", True),
        (["fields", "fields", "woods"], "2,2", False),
        (["fields", "hill", "fields"], "2,1", True), (["fields", "hill", "fields"], "2,2", False),
        (["fields", "river"], "2,1", True), (["road", "road", "fields"], "2,2", True),
        (["settlement", "road", "settlement", "settlement"], "2,3", True),
    ],
)  # fmt: skip
def test_a_days_march(terrains: list[str], goal: str, reached: bool) -> None:
    of = on_map(marker("m", "2,0"), hexes=column(*terrains))
    if not reached:
        with pytest.raises(ActionRefused, match="cannot march"):
            marched(of, goal)
        return
    played = marched(of, goal)
    assert told(played, "moved")[0]["hex"] == goal
    assert campaign_of(played.game).markers[0].hex == goal


@pytest.mark.rule("PR-1104", "PR-1105")
def test_a_march_ends_where_it_comes_upon_an_enemy() -> None:
    of = on_map(marker("m", "2,0"), marker("n", "2,1", "raiders"), hexes=column(*["road"] * 4))
    with pytest.raises(ActionRefused, match="comes upon an enemy's marker on the way"):
        marched(of, "2,2")
    assert told(marched(of, "2,1"), "revealed")
    round_it = {"1,0": {"road": True}, "1,1": {"road": True}, "3,0": {"road": True}, "3,1": {"road": True}}
    beside = on_map(marker("m", "2,0"), marker("n", "2,1", "raiders"), hexes=column(*["road"] * 4, **round_it))
    assert told(marched(beside, "2,2"), "moved")
    held = on_map(marker("m", "2,0"), marker("n", "2,0", "raiders"), hexes=column(*["road"] * 4))
    assert told(marched(held, "2,3"), "moved")


@pytest.mark.rule("PR-1104")
def test_on_a_large_map_every_march_is_one_hex() -> None:
    of = on_map(marker("m", "2,0"), hexes=column("road", "woods", "road"), scale="large")
    assert told(marched(of, [2, 1]), "moved")
    with pytest.raises(ActionRefused, match="cannot march"):
        marched(of, "2,2")


@pytest.mark.rule("PR-1104")
def test_guns_never_enter_woods() -> None:
    of = on_map(marker("m", "2,0", units=["a1"]), hexes=column("fields", "woods"))
    with pytest.raises(ActionRefused, match="never enter woods"):
        marched(of, "2,1")


@pytest.mark.rule("PR-1103")
def test_two_markers_of_a_side_fill_a_hex_and_each_moves_once() -> None:
    of = on_map(
        marker("m", "2,0"), marker("n", "2,1"), marker("o", "2,1"), hexes=column("fields", "fields", "fields")
    )
    with pytest.raises(ActionRefused, match="the most"):
        marched(of, "2,1")
    once = marched(of, "2,2", "n")
    with pytest.raises(ActionRefused, match="has moved today"):
        marched(once.game, "2,1", "n")
    tomorrow = do(once.game, action="map-day")
    assert campaign_of(tomorrow.game).day == 2
    assert told(marched(tomorrow.game, "2,1", "n"), "moved")


@pytest.mark.rule("PR-1105", "PR-1102", "PR-1107", "PR-1108")
def test_opposed_markers_in_a_hex_are_revealed_with_who_can_come_in_time() -> None:
    of = on_map(
        marker("m", "2,0", units=["a"]), marker("n", "2,1", "raiders", units=["b"]),
        marker("far", "2,4", "raiders"), marker("near", "2,3", "raiders"),
        hexes=column("fields", "fields", "fields", "fields", "woods"),
    )  # fmt: skip
    found = told(marched(of, "2,1"), "revealed")[0]
    assert (found["markers"], found["units"], found["blanks"]) == (["m", "n"], ["a", "b"], [])
    assert (found["reinforcements"], found["reinforcements_turn"]) == (["near"], 3)
    assert found["enters_from"] == {"m": "south"}
    assert (found["layout"], found["may_pursue"]) == ("camp", None)


@pytest.mark.rule("PR-1101", "PR-1106")
def test_a_settlement_has_its_size_and_who_moves_first_may_pursue() -> None:
    of = on_map(
        marker("m", "2,0", units=["a"]), marker("n", "2,1", "raiders"), hexes=column("settlement", "settlement"),
    )  # fmt: skip
    first = do(of, "2 5", action="strategic-initiative")
    found = told(marched(first.game, "2,1"), "revealed")[0]
    assert (found["layout"], found["town_in"], found["village_in"]) == ("settlement", 18.0, 12.0)
    assert found["may_pursue"] == "raiders"


@pytest.mark.rule("PR-1106")
def test_a_unit_of_an_encounter_may_begin_it_unseen() -> None:
    house = ground("house", 200, 400, 400, 420, height_mm=90)
    of = game(unit("a", (300, 200)), unit("b", (300, 900)), terrain=[house])
    assert do(of, action="hide", unit="b").game.unit("b").formation == "hidden"


@pytest.mark.rule("PR-1109")
def test_who_survives_a_battle_keeps_his_losses_the_next_day() -> None:
    of = on_map(marker("m", "2,0", units=["a"]), hexes=column("fields"))
    lost = game_with_losses(of)
    assert do(lost, action="map-day").game.unit("a").state["casualties"] == 3


@pytest.mark.rule("PR-1102")
def test_a_blank_that_an_enemy_comes_upon_is_taken_off() -> None:
    of = on_map(
        marker("m", "2,0", units=["a"]), marker("n", "2,1", "raiders", blank=True), hexes=column("fields", "fields")
    )
    played = marched(of, "2,1")
    assert told(played, "revealed")[0]["blanks"] == ["n"]
    assert [one.id for one in campaign_of(played.game).markers] == ["m"]


@pytest.mark.rule("PR-1105")
@pytest.mark.parametrize(
    ("moved", "first"),
    [("road-1", 8), ("road-2", 12), ("fields-1", 12), ("road-3", 16), ("fields-2", 16), ("woods-1", 16)],
)
def test_the_hour_of_contact(moved: str, first: int) -> None:
    for die in (1, 2, 3, 4):
        found = told(do(on_map(hexes={}), str(die), action="contact-time", moved=moved), "contact")
        assert found == [{"hour": first + die - 1, "dark": False}]


@pytest.mark.rule("PR-1105", "presidio R-23")
@pytest.mark.parametrize(("die", "hour", "dark"), [(1, 8, False), (12, 19, False), (5, 12, False)])
def test_on_a_large_map_a_d12_tells_the_hour(die: int, hour: int, dark: bool) -> None:
    of = on_map(hexes={}, scale="large")
    played = do(of, str(die), action="contact-time", moved="road-1")
    assert told(played, "contact") == [{"hour": hour, "dark": dark}]


@pytest.mark.rule("PR-1103", "R-7")
def test_strategic_initiative_is_thrown_again_on_a_tie() -> None:
    found = told(do(on_map(hexes={}), "4 4 2 5", action="strategic-initiative"), "initiative")
    assert found == [{"order": ["raiders", "spanish"], "scores": {"spanish": 2, "raiders": 5}}]


@pytest.mark.rule("PR-1103")
@pytest.mark.parametrize(("die", "hex_"), [(1, "2,0"), (3, "2,0"), (4, [2, 1]), (6, [2, 1])])
def test_a_die_chooses_where_a_marker_enters(die: int, hex_: str | list[int]) -> None:
    of = on_map(marker("m", None), hexes=column("fields", "fields"))
    played = do(of, str(die), action="map-entry", side="spanish", marker="m", to=["2,0", [2, 1]])
    assert told(played, "entered") == [{"marker": "m", "side": "spanish", "score": die, "hex": hex_}]


@pytest.mark.rule("PR-1101", "PR-1103")
@pytest.mark.parametrize(("to", "why"), [
    ("9,9", "9,9 is not on the map"), (["2,0", "-1,0"], "-1,0 is not on the map"),
    ("2,1", "2 markers of spanish are in 2,1: 2 is the most"), (["2,0", "2,1"], "2 markers of spanish are in 2,1"),
])  # fmt: skip
def test_nobody_enters_beside_the_map_or_where_two_of_his_side_are(to: str | list[str], why: str) -> None:
    there = [marker("m1", "2,1"), marker("m2", "2,1")]
    with pytest.raises(ActionRefused, match=why):
        do(
            on_map(marker("m", None), *there, hexes=column("fields", "fields")),
            action="map-entry",
            marker="m",
            to=to,
        )


@pytest.mark.rule("PR-1104")
def test_who_marches_to_where_he_is_has_his_day_before_him() -> None:
    with pytest.raises(ActionRefused, match="m is there already"):
        marched(on_map(marker("m", "2,0"), hexes=column("fields")), "2,0")


@pytest.mark.rule("PR-1103", "PR-1102")
def test_what_the_map_does_not_allow() -> None:
    of = on_map(marker("m", "2,0"), hexes=column("fields"))
    with pytest.raises(ActionRefused, match="on the map already"):
        do(of, action="map-entry", marker="m", to="2,0")
    with pytest.raises(ActionRefused, match="not on the map"):
        marched(of, "9,9")
    with pytest.raises(UnusableFile, match="no such marker"):
        marched(of, "2,0", "ghost")
    with pytest.raises(UnusableFile, match="of side"):
        do(of, action="map-move", side="raiders", marker="m", to="2,0")


@pytest.mark.rule("PR-1107")
@pytest.mark.parametrize(
    ("start", "side"),
    [((2, 2), "north"), ((2, 0), "south"), ((3, 1), "north-east"), ((3, 0), "south-east"), ((1, 1), "north-west"),
     ((1, 0), "south-west"), ((2, 5), "north")],
)  # fmt: skip
def test_from_where_on_the_table_a_force_comes(start: tuple[int, int], side: str) -> None:
    assert side_entered(start, (2, 1)) == side


@pytest.mark.parametrize(
    ("campaign", "where"),
    [
        ({"hexes": {"two": {}}}, "conditions.campaign.hexes.two"),
        ({"hexes": {"2,0": {"terrain": "swamp"}}}, "conditions.campaign.hexes"),
        ({"markers": [marker("m", "2,0", "french")]}, "conditions.campaign.markers"),
        ({"weather": "fine"}, "conditions.campaign.weather: unknown key"),
        ({"parties": [{"id": "p", "role": "posse"}]}, "conditions.campaign.parties"),
    ],
)
def test_a_campaign_outside_the_vocabulary_is_refused_with_its_place(campaign: dict[str, Any], where: str) -> None:
    with pytest.raises(UnusableFile, match=re.escape(where)):
        game(unit("a", (300, 200)), campaign=campaign)


@pytest.mark.rule("PR-1101", "PR-1102")
def test_a_campaign_begins_with_a_map_and_a_marker_for_every_unit_and_blanks() -> None:
    of = game(unit("a", (300, 200)), unit("b", (300, 900)), unit("b1", (600, 900)),
              campaign={"hexes": {"1,1": {"terrain": "woods"}}})  # fmt: skip
    begun = do(of, action="map-begin", columns=3, rows=2, blanks=1)
    campaign = campaign_of(begun.game)
    assert told(begun, "campaign-begun") == [{"hexes": 6, "markers": 5}]
    assert campaign.hexes["1,1"].terrain == "woods"
    assert [(one.side, one.units, one.blank) for one in campaign.markers] == [
        ("spanish", ("a",), False), ("spanish", (), True), ("raiders", ("b",), False), ("raiders", ("b1",), False),
        ("raiders", (), True),
    ]  # fmt: skip
    entered = do(begun.game, "3", action="map-entry", marker="spanish-1", to=["0,0", "2,0"])
    assert campaign_of(entered.game).markers[0].hex == "0,0"
    with pytest.raises(ActionRefused, match="has begun"):
        do(begun.game, action="map-begin")

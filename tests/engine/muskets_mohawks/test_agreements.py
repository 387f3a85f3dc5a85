"""What players agree before a battle, and what follows from it; leaving the table; terrain as proposed."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, UnknownAction, UnusableFile
from engine.events import event_from, fold
from engine.records.game import game_from
from engine.rulesets.muskets_mohawks import RULESET
from tests.engine.muskets_mohawks.playing import INCH, Plain, after, event, game, gun, names, resolve, unit


def field(*units: Plain, play: str = "solo", **evening: Any) -> Plain:
    armies = {side: {"army": side, "investment_level": 4} for side in ("british", "french")}
    return game(*units, evening={"play": play, **evening}, campaign=armies)


def guide(scene: Plain) -> list[Plain]:
    found: list[Plain] = RULESET.ask(game_from(scene, "the scene")).extra.get("guide", [])
    return found


@pytest.mark.rule("MM-196", "MM-197")
def test_what_is_agreed_is_logged_and_set() -> None:
    played = resolve(
        game(), action="agree", play="solo", player_side="french", part="captain", rep=5,
        armies={"french": "french-indians", "british": "british"},
    )  # fmt: skip
    assert event(played, "agreed")["part"] == "captain"
    kept = played["game"]["conditions"]
    assert kept["evening"] == {"play": "solo"}
    assert kept["player_side"] == "french"
    assert kept["campaign"]["french"] == {"army": "french-indians", "role": "captain", "commander_rep": 5}


@pytest.mark.rule("MM-196")
@pytest.mark.parametrize(
    ("keys", "error", "said"),
    [({}, UnknownAction, "got none"), ({"attacker": "french"}, ActionRefused, "say first how you play"),
     ({"play": "solo", "edges": {"french": "south"}}, ActionRefused, "same end"),
     ({"play": "solo", "attacker": "spanish"}, UnknownAction, "spanish"),
     ({"play": "solo", "armies": {"french": "mexican"}}, UnknownAction, "mexican"),
     ({"play": "chess"}, UnusableFile, "play")],
)  # fmt: skip
def test_an_agreement_that_cannot_be_is_refused(keys: Plain, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        resolve(game(), action="agree", **keys)


@pytest.mark.rule("MM-197", "MM-34")
@pytest.mark.parametrize(
    ("part", "units", "leaders"),
    [("lieutenant", 2, ["lieutenant"]), ("captain", 4, ["captain", "lieutenant", "lieutenant"]),
     ("war-party-leader", 2, []), ("war-chief", 4, ["war-chief"])],
)  # fmt: skip
def test_the_force_that_a_part_commands_is_asked_for(part: str, units: int, leaders: list[str]) -> None:
    indian = part.startswith("war")
    scene = field()
    scene["conditions"]["encounter"] = "scout"
    scene["terrain"] = [{"id": "c", "kind": "clear", "polygon_mm": [[0, 0], [9, 0], [9, 9]]}]
    for campaign in scene["conditions"]["campaign"].values():
        campaign |= {"local_campaign_morale": 3, "territory": "contesting", "role": part}
    if indian:
        scene["conditions"]["campaign"]["british"]["army"] = "british-indians"
    raised = []
    while guide(scene)[0]["step"] in ("lead", "raise"):
        step = guide(scene)[0]
        raised.append(step["keys"].get("rank") or step["keys"]["entry"])
        scene = resolve(scene, action="raise", **step["keys"])["game"]
    assert sorted(raised) == sorted([*leaders, *["warriors" if indian else "line"] * units])


@pytest.mark.rule("MM-257", "MM-42")
def test_the_attacker_comes_on_first() -> None:
    scene = resolve(field(), action="agree", attacker="french")["game"]
    played = resolve(scene, [1, 2], action="new-turn")
    assert played["game"]["turn"]["active_side"] == "french"
    assert RULESET.turn_order(game_from(played["game"], "the scene")) == ("french", "british")
    assert guide(resolve(field(), action="agree", play="solo")["game"])[0]["step"] == "campaign-start"


@pytest.mark.rule("MM-258")
def test_one_side_lays_the_ground_out_and_the_other_takes_its_end() -> None:
    played = resolve(field(), action="agree", laid_out_by="french", edges={"british": "north", "french": "south"})
    assert {side["name"]: side["edge"] for side in played["game"]["sides"]} == {
        "british": "north",
        "french": "south",
    }
    with pytest.raises(ActionRefused, match="french lays the ground out"):
        resolve(played["game"], action="terrain")


@pytest.mark.rule("MM-196")
def test_head_to_head_markers_stand_for_units_or_for_nobody() -> None:
    marker = unit("m1", "french", type="pef", number=1, leader=None, at=(900, 900))
    decoy = unit("m2", "french", type="pef", number=1, leader=None, at=(400, 900))
    scene = field(marker, decoy, unit("foot", "french", number=6, at=(900, 1150)), play="head-to-head")
    hidden = resolve(scene, action="hide-under", unit="foot", marker="m1")["game"]
    assert after({"game": hidden}, "foot")["figures"] == []
    known = game_from(hidden, "the scene")
    assert RULESET.concealed(known, "british") == {"foot"}
    assert RULESET.concealed(known, "french") == frozenset()
    shown = resolve(hidden, action="pef-resolve", unit="m1")
    assert event(shown, "revealed")["units"] == ["foot"]
    assert len(after(shown, "foot")["figures"]) == 6
    assert RULESET.concealed(game_from(shown["game"], "the scene"), "british") == frozenset()
    empty = resolve(hidden, action="pef-resolve", unit="m2")
    assert event(empty, "revealed")["decoy"] is True
    assert "m2" not in [one["id"] for one in empty["game"]["units"]]


@pytest.mark.rule("MM-196")
@pytest.mark.parametrize("kind", ["irregular", "cavalry", "leader", "gunners"])
def test_who_comes_out_from_under_a_marker_is_as_he_went_under_it(kind: str) -> None:
    marker = unit("m1", "french", type="pef", number=1, leader=None, at=(900, 900))
    number = 1 if kind == "leader" else 6
    foot = unit(
        "foot", "french", type=kind, number=number, at=(900, 1150), leader=None, mounted=kind != "irregular"
    )
    if kind == "gunners":
        foot = gun("foot", "french", at=(900, 1150))
    for place, one in enumerate(foot["figures"]):
        one["base"] = {"shape": "round", "diameter_mm": 20.0}
        one["weapon"] = "rifle" if place % 2 else None
        one["role"] = "officer" if kind == "leader" else one["role"]
    scene = field(marker, foot, play="head-to-head")
    hidden = resolve(scene, action="hide-under", unit="foot", marker="m1")["game"]
    shown = resolve(hidden, action="pef-resolve", unit="m1")

    def told(of: Plain) -> list[Plain]:
        places = ("x_mm", "y_mm", "bearing_deg")
        figures = after({"game": of}, "foot")["figures"]
        return sorted(
            ({key: one[key] for key in one if key not in places} for one in figures), key=lambda one: one["id"]
        )

    before = resolve(scene, action="pass-turn")["game"]
    assert told(shown["game"]) == told(before)
    unseen = {**hidden, "conditions": {**hidden["conditions"], "encounter": "raid-attack"}}
    month = after(resolve(unseen, action="next-month"), "foot")
    assert {one["base"].get("diameter_mm") for one in month["figures"]} == {20.0}


@pytest.mark.rule("MM-196", "MM-223")
@pytest.mark.parametrize("whose", ["british", "french"])
def test_against_each_other_either_side_s_markers_are_turned_over_when_they_are_seen(whose: str) -> None:
    other = "french" if whose == "british" else "british"
    marker = unit("m1", whose, type="pef", number=1, leader=None, at=(900, 900))
    scene = field(marker, unit("foot", other, at=(900, 500)), play="head-to-head", stage="battle", markers=True)
    assert next((step["step"], step.get("unit")) for step in guide(scene)) == ("resolve", "m1")


@pytest.mark.rule("MM-196")
def test_only_head_to_head_do_units_hide_under_markers() -> None:
    marker = unit("m1", "french", type="pef", number=1, leader=None, at=(900, 900))
    with pytest.raises(ActionRefused, match="against each other"):
        resolve(field(marker, unit("foot", "french")), action="hide-under", unit="foot", marker="m1")
    with pytest.raises(UnusableFile, match="marker of french"):
        resolve(field(marker, unit("foot", "french")), action="hide-under", unit="foot", marker="foot")


@pytest.mark.rule("MM-166", "MM-232")
def test_a_unit_leaves_by_its_own_edge_and_keeps_its_men() -> None:
    scene = game(unit("foot", "british", number=6, at=(900, 7 * INCH), leader=None))
    played = resolve(scene, action="leave-field", unit="foot")
    assert event(played, "left-field")["edge"] == "south"
    left = after(played, "foot")
    assert left["figures"] == []
    assert (left["state"]["strength"], left["state"]["leaderless"]) == (6, True)
    with pytest.raises(ActionRefused, match=r"its own edge is 9 in "):
        resolve(game(unit("foot", "british", at=(900, 9 * INCH))), action="leave-field", unit="foot")


@pytest.mark.rule("MM-166")
def test_a_side_that_has_had_enough_opens_no_more_fire() -> None:
    scene = game(unit("foot", "british", at=(900, 500)), unit("foe", "french", at=(900, 700), facing=180))
    played = resolve(scene, action="had-enough", side="british")
    with pytest.raises(ActionRefused, match="had enough"):
        resolve(played["game"], action="fire", unit="foot", target="foe", mode="at-will")
    with pytest.raises(ActionRefused, match="leaving already"):
        resolve(played["game"], action="had-enough", side="british")


@pytest.mark.rule("MM-186", "MM-232")
def test_terrain_is_proposed_then_laid_out() -> None:
    rolled = resolve(field(), [2, 2] * 9, action="terrain", type="clear")
    proposed = rolled["game"]["conditions"]["proposals"]
    assert len(proposed) == 9
    laid = resolve(rolled["game"], action="lay-terrain")
    assert {piece["kind"] for piece in laid["game"]["terrain"]} == {"hill"}
    assert laid["game"]["conditions"]["proposals"] == []
    assert resolve(rolled["game"], action="lay-terrain", as_proposed=False)["game"]["terrain"] == []
    with pytest.raises(ActionRefused, match="no terrain has been rolled"):
        resolve(laid["game"], action="lay-terrain")


@pytest.mark.rule("MM-232")
def test_scouts_note_what_their_leaders_see() -> None:
    scene = field(unit("foot", "british", number=1, leader=1, at=(900, 150)), stage="battle")
    scene["conditions"]["encounter"] = "scout"
    played = resolve(scene, action="survey")
    assert event(played, "surveyed")["done"] is True
    assert played["game"]["conditions"]["evening"]["scouted"] is True
    steps = [step["step"] for step in guide(played["game"])]
    assert steps[0] == "leave"
    wall = {"id": "w", "kind": "woods", "polygon_mm": [[0, 500], [1828, 500], [1828, 700], [0, 700]]}
    hidden = resolve({**scene, "terrain": [wall]}, action="survey")
    assert event(hidden, "surveyed")["missing"] == [1, 2, 3, 4, 5, 6]


@pytest.mark.rule("MM-227", "MM-229", "MM-230", "MM-228")
@pytest.mark.parametrize(
    ("tactics", "dice", "order", "moves"),
    [("attack", [1, 1], "advance", True), ("attack", [1, 6], "hold", False), ("attack", [6, 6], "retire", True),
     ("defend", [1, 6], "stand-and-fire", False)],
)  # fmt: skip
def test_the_program_plays_a_unit(tactics: str, dice: list[int], order: str, moves: bool) -> None:
    scene = field(unit("br", "british", at=(900, 100)), unit("fr", "french", at=(900, 1000), facing=180))
    played = resolve(scene, dice, action="np-play", unit="fr", tactics=tactics)
    assert event(played, "np-order")["order"] == order
    gone = [one["y_mm"] for one in after(played, "fr")["figures"]]
    assert (gone != [1000] * 10) == moves
    assert after(played, "fr")["state"]["activated"] is True
    again = fold([event_from(one) for one in played["events"]], game_from(scene, "the scene"))
    assert again == game_from(played["game"], "the game after")


@pytest.mark.rule("MM-228", "MM-166")
def test_a_unit_that_withdraws_goes_off_by_its_edge() -> None:
    near = unit("fr", "french", at=(900, 1150), facing=180, state={"tactics": "withdraw"})
    played = resolve(field(unit("br", "british", at=(900, 100)), near), action="np-play", unit="fr")
    assert names(played) == ["left-field"]
    assert after(played, "fr")["figures"] == []


@pytest.mark.rule("MM-227")
def test_where_each_order_would_lead_is_told_beside_it() -> None:
    scene = field(unit("br", "british", at=(900, 100)), unit("fr", "french", at=(900, 1000), facing=180))
    scene["conditions"]["encounter"] = "raid-defend"
    told = RULESET.ask(game_from(scene, "the scene"), ["fr"]).units[0].extra["tactics"]
    assert told["tactics"] == "attack"
    assert [one["result"] for one in told["results"]] == ["advance", "hold", "retire"]
    assert told["results"][0]["to_mm"][1] < 1000 < told["results"][2]["to_mm"][1]
    assert "tactics" not in RULESET.ask(game_from(scene, "the scene"), ["br"]).units[0].extra


@pytest.mark.rule("MM-198", "MM-199", "MM-239")
def test_the_next_month_musters_the_roster() -> None:
    fought = unit("foot", "british", number=6, state={"casualties": 4, "runaway": False, "reload_markers": 1})
    missing = unit("late", "british", number=3, state={"misses_month": True, "strength": 3})
    scene = field(fought, missing, unit("fr", "french", number=4), stage="judged")
    played = resolve(scene, action="next-month")
    assert event(played, "next-month")["units"] == ["foot"]
    assert len(after(played, "foot")["figures"]) == 6
    assert after(played, "foot")["state"] == {"strength": 6, "start_strength": 6}
    assert after(played, "late")["figures"] == []
    assert "fr" not in [one["id"] for one in played["game"]["units"]]
    again = resolve(played["game"], action="next-month")
    assert len(after(again, "late")["figures"]) == 10
    winter = {**scene, "conditions": {**scene["conditions"], "month": 10, "year": 1757}}
    assert event(resolve(winter, action="next-month"), "next-month").get("units") == []


@pytest.mark.rule("MM-167", "MM-198")
def test_nobody_ends_a_battle_by_going_on_to_the_next_month_though_no_campaign_was_begun() -> None:
    scene = game(unit("foot", "british", state={"activated": True}), unit("fr", "french", at=(900, 900)))
    with pytest.raises(ActionRefused, match="the battle is not over: end it first"):
        resolve(scene, action="next-month")
    ended = resolve(scene, action="end-battle", unwilling=True)
    assert event(resolve(ended["game"], action="next-month"), "next-month")["units"] == ["foot", "fr"]


@pytest.mark.rule("MM-198", "MM-199")
def test_a_month_in_which_nobody_fights_goes_by() -> None:
    scene = game(unit("foot", "british"), unit("fr", "french", at=(900, 900)))
    scene["turn"] = {"number": 1, "active_side": None}
    assert "next-month" in names(resolve(scene, action="next-month"))


@pytest.mark.rule("MM-44", "MM-46")
@pytest.mark.parametrize(
    ("formation", "to", "refused"),
    [("unformed", (900, 500), None), ("unformed", (800, 350), None), ("formed-line", (1000, 420), None),
     ("formed-line", (900, 250), None), ("formed-line", (1050, 310), "45 degrees"),
     ("unformed", (900, 504), r"may move 8 in"), ("mob", (900, 250), "45 degrees")],
)  # fmt: skip
def test_a_unit_marches_as_a_body(formation: str, to: tuple[float, float], refused: str | None) -> None:
    scene = game(unit("foot", "british", at=(900, 300), formation=formation))
    if refused is not None:
        with pytest.raises(ActionRefused, match=refused):
            resolve(scene, action="march", unit="foot", to=list(to))
        return
    back = [1, 1] if formation == "formed-line" and to == (900, 250) else []  # straight back it tests its order
    played = resolve(scene, back, action="march", unit="foot", to=list(to))
    figures = after(played, "foot")["figures"]
    assert sum(one["x_mm"] for one in figures) / 10 == pytest.approx(to[0])
    assert [one["y_mm"] for one in figures] == [pytest.approx(to[1])] * 10
    assert after(played, "foot")["state"]["moved_mm"] > 0


def test_not_even_the_umpire_sends_a_unit_so_far_that_the_game_could_not_be_read_again() -> None:
    scene = game(unit("foot", "british", at=(900, 300)))
    with pytest.raises(UnknownAction, match="march: to"):
        resolve(scene, action="march", unit="foot", to=[1e9, 0], override=True)
    far = resolve(scene, action="march", unit="foot", to=[499_000, 300], override=True)
    assert game_from(far["game"], "the game after it").unit("foot").figures[0].x_mm > 498_000


@pytest.mark.rule("MM-52", "MM-192")
def test_a_march_ends_before_what_is_in_its_way() -> None:
    foe = unit("foe", "french", number=4, at=(900, 400), formation="formed-line")
    with pytest.raises(ActionRefused, match="in its way"):
        resolve(game(unit("foot", "british", at=(900, 300)), foe), action="march", unit="foot", to=[900, 480])
    lake = {"id": "l", "kind": "lake", "polygon_mm": [[0, 380], [1828, 380], [1828, 420], [0, 420]]}
    wet = game(unit("foot", "british", at=(900, 300)), terrain=[lake])
    with pytest.raises(ActionRefused, match="in its way"):
        resolve(wet, action="march", unit="foot", to=[900, 480])


@pytest.mark.rule("MM-51", "MM-52")
@pytest.mark.parametrize(
    ("mine", "theirs", "y", "refused"),
    [
        ("unformed", "formed-line", 480, None), ("unformed", "formed-line", 410, "wholly through"),
        ("formed-line", "unformed", 480, None), ("mob", "unformed", 410, "wholly through"),
        ("formed-line", "formed-line", 480, "friend is in its way"), ("mob", "mob", 480, "friend is in its way"),
        ("formed-line", "formed-line", 370, None),
    ],
)  # fmt: skip
def test_a_march_through_friends(mine: str, theirs: str, y: float, refused: str | None) -> None:
    friend = unit("friend", "british", number=4, at=(900, 400), formation=theirs)
    beside = unit("beside", "british", number=2, at=(900 + 6 * 25, 300), formation="formed-line")  # in contact
    scene = game(unit("foot", "british", at=(900, 300), number=10, formation=mine), friend)
    if mine == "formed-line":
        scene["units"].append(beside)
    if refused is not None:
        with pytest.raises(ActionRefused, match=refused):
            resolve(scene, action="march", unit="foot", to=[900, y])
        return
    assert after(resolve(scene, action="march", unit="foot", to=[900, y]), "foot")["figures"][0]["y_mm"] == y


@pytest.mark.rule("MM-256", "MM-189")
@pytest.mark.parametrize(
    ("formation", "kind", "refused"),
    [
        ("formed-line", "woods", "woods formed"), ("mob", "woods", "woods formed"), ("unformed", "woods", None),
        ("formed-line", "road", "along a road"), ("mob", "road", None),
    ],
)  # fmt: skip
def test_nobody_marches_through_woods_formed_or_along_a_road_in_line(
    formation: str, kind: str, refused: str | None
) -> None:
    ground = {"woods": [[500, 380], [1300, 380], [1300, 420], [500, 420]],
              "road": [[500, 200], [1300, 200], [1300, 700], [500, 700]]}  # fmt: skip
    piece = {"id": "t", "kind": kind, "polygon_mm": ground[kind]}
    scene = game(unit("foot", "british", at=(900, 300), formation=formation), terrain=[piece])
    if refused is not None:
        with pytest.raises(ActionRefused, match=refused):
            resolve(scene, action="march", unit="foot", to=[900, 460])
        return
    played = resolve(scene, action="march", unit="foot", to=[900, 460])
    assert after(played, "foot")["state"]["moved_mm"] == pytest.approx(160)


@pytest.mark.rule("MM-42")
def test_the_turn_is_passed() -> None:
    assert resolve(game(), action="pass-turn", side="french")["game"]["turn"]["active_side"] == "french"
    with pytest.raises(UnusableFile):
        resolve(game(), action="pass-turn", side="spanish")

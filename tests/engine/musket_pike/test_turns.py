"""The begin and the end of a turn: command, recovery, rally, rest, batteries, ammunition, bridges, releases."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, UnknownAction
from tests.engine.musket_pike.scene import after, asked, do, game, ground, told, unit


def leader(name: str, hex: Any = (2, 2), **stats: Any) -> Any:
    state = {key: stats.pop(key) for key in ("detached", "command_passed", "command_now") if key in stats}
    return unit(name, hex, "leader", stats=stats, **state)


def begin(*units: Any, dice: Any = (), steps: Any = None, side: str = "a", active: str = "b", **more: Any) -> Any:
    keys = {} if steps is None else {"steps": list(steps)}
    return do(game(*units, active=active, **more), "begin-turn", *dice, side=side, **keys)


CHAIN = (
    leader("l-1", command="A", level="army"),
    leader("l-2", command="C", level="wing", commander="l-1"),
    leader("l-3", command="D", level="division", commander="l-2"),
    leader("l-4", command="E", level="brigade", commander="l-3"),
)


@pytest.mark.rule("MP-210", "MP-211")
def test_the_manuals_chain_of_four_leaders() -> None:
    played = begin(*reversed(CHAIN), dice=(3, 4, 5, 6), steps=["command"])
    tests = told(played, "command-test")
    assert [one.roll.purpose for one in played.rolls][:2] == [
        "l-1 tests command, 6 or less passes", "l-2 tests command, 5 or less passes",
    ]  # fmt: skip
    assert [(one["unit"], one["number"], one["bonus"], one["passed"], one["rating"]) for one in tests] == [
        ("l-1", 6, 0, True, "A"), ("l-2", 5, 1, True, "B"), ("l-3", 5, 2, True, "B"), ("l-4", 5, 3, False, "E"),
    ]  # fmt: skip
    assert [after(played, f"l-{n}").state["command_now"] for n in (1, 2, 3, 4)] == [6, 5, 5, 2]
    assert [after(played, f"l-{n}").state["command_passed"] for n in (1, 2, 3, 4)] == [True, True, True, False]


@pytest.mark.rule("MP-211")
def test_who_fails_or_is_detached_neither_gets_nor_hands_on_anything() -> None:
    failed = told(begin(*CHAIN, dice=(6, 5, 4, 4), steps=["command"]), "command-test")
    assert [(one["number"], one["bonus"]) for one in failed] == [(6, 0), (5, 1), (5, 2), (5, 3)]
    lost = told(begin(*CHAIN, dice=(1, 6, 3, 6), steps=["command"]), "command-test")
    assert [one["bonus"] for one in lost] == [0, 1, 0, 1]
    alone = [*CHAIN[:2], {**CHAIN[2], "state": {"detached": True}}, CHAIN[3]]
    detached = told(begin(*alone, dice=(1, 1, 1, 1), steps=["command"]), "command-test")
    assert [one["bonus"] for one in detached] == [0, 1, 0, 1]


@pytest.mark.rule("MP-210", "MP-213")
def test_leaders_of_one_level_test_in_file_order_deputies_and_those_off_the_map_not_at_all() -> None:
    away = leader("x-3")
    away["state"] = {"off_map": True}
    units = (leader("x-2"), leader("x-1", level="army"), away, leader("x-4", secondary=True), leader("x-0"))
    played = begin(*units, dice=(1, 1, 1), steps=["command"])
    assert [one["unit"] for one in told(played, "command-test")] == ["x-1", "x-2", "x-0"]


@pytest.mark.rule("MP-212", "MP-210")
@pytest.mark.parametrize(
    ("command", "dice", "number", "passed", "now"),
    [("A", (6,), 5, False, 5), ("A", (5,), 5, True, 5), ("F", (), 0, False, 0), ("E", (1,), 1, True, 1)],
)
def test_at_night_every_number_is_one_less(command: str, dice: Any, number: int, passed: bool, now: int) -> None:
    played = begin(leader("l", command=command), dice=dice, steps=["command"], night=True)
    (test,) = told(played, "command-test")
    assert (test["number"], test["passed"], after(played, "l").state["command_now"]) == (number, passed, now)


@pytest.mark.rule("MP-211", "MP-254")
def test_a_leader_cut_off_receives_no_bonus_by_option() -> None:
    ring = [unit(f"b-{n}", hex) for n, hex in enumerate([(9, 10), (10, 10), (10, 9), (9, 8), (8, 9), (8, 10)])]
    units = (leader("l-1", level="army"), leader("l-2", (9, 9), commander="l-1"), *ring)
    for option, bonus in ((True, 0), (False, 1)):
        played = begin(*units, dice=(1, 1), steps=["command"], options={"isolation": option})
        assert told(played, "command-test")[1]["bonus"] == bonus


@pytest.mark.rule("MP-208", "MP-213", "MP-87")
def test_neither_deputies_nor_the_leader_who_lost_the_guns_bring_units_into_order() -> None:
    troop = unit("a", (4, 4), stats={"commander": "l"}, disordered=True)
    for passed in (True, None):
        deputy = leader("l", (9, 9), command="A", secondary=True, command_passed=passed)
        assert asked(game(troop, deputy)).extra["disorder_recovery"]["value"] == 1
    guns = unit("b-guns", (4, 4), "artillery", captured_by="a", disordered=True, stats={"commander": "b-l"})
    of = game(unit("a", (4, 4)), guns, leader("b-l", (9, 9), command_passed=True, command_now=5))
    assert asked(of, "b-guns").extra["disorder_recovery"]["value"] == 1


@pytest.mark.rule("MP-208", "MP-212")
@pytest.mark.parametrize(
    ("boss", "state", "night", "value"),
    [
        ({"command_passed": True, "command_now": 4}, {}, False, 5),
        ({"command_passed": False, "command_now": 4}, {}, False, 1),
        ({"command_passed": True, "command_now": 5}, {"detached": True}, False, 1),
        ({"command_passed": True, "command_now": 4}, {}, True, 4),
        ({"command_passed": False, "command_now": 4}, {}, True, 0), (None, {}, False, 1), (None, {}, True, 0),
        ({"command": "B"}, {}, False, 6),
    ],
)  # fmt: skip
def test_up_to_which_score_disorder_passes(boss: Any, state: Any, night: bool, value: int) -> None:
    units = [unit("a", (4, 4), stats={"commander": "l"}, disordered=True, **state)]
    units += [] if boss is None else [leader("l", (9, 9), **boss)]
    assert asked(game(*units, night=night)).extra["disorder_recovery"]["value"] == value
    for die in (value, value + 1):
        if value == 0:
            assert begin(*units, steps=["disorder"], night=night).rolls == ()
        elif die <= 6:
            played = begin(*units, dice=(die,), steps=["disorder"], night=night)
            assert after(played, "a").state["disordered"] is (die > value)
            assert bool(told(played, "recovered")) is (die <= value)


@pytest.mark.rule("MP-209")
@pytest.mark.parametrize(
    ("hex", "parent", "own", "tries"),
    [
        ((9, 4), {}, {}, True), ((10, 4), {}, {}, False), ((10, 4), {"attributes": ["light"]}, {}, True),
        ((10, 4), {"attributes": ["guard"]}, {}, True), ((10, 4), {}, {"attributes": ["independent"]}, True),
        ((10, 4), {}, {"parent": "gone"}, True),
    ],
)  # fmt: skip
def test_skirmishers_recover_only_near_their_parent(hex: Any, parent: Any, own: Any, tries: bool) -> None:
    for state, step in (({"disordered": True}, "disorder"), ({"routed": True}, "rally")):
        light = unit("a", hex, "skirmisher", stats={"parent": "a-1", **own}, **state)
        dice = (1,) if tries else ()
        played = begin(unit("a-1", (4, 4), stats=parent), light, dice=dice, steps=[step])
        assert len(played.rolls) == int(tries)
        told_why = asked(played.game)
        assert (told_why.extra["rally"]["why_rules"] == ["MP-209"]) is not tries


@pytest.mark.rule("MP-231", "MP-230")
@pytest.mark.parametrize(
    ("made", "leaders", "night", "value"),
    [
        ({}, [], False, 4),
        ({"quality": "A++"}, [], False, 8),
        ({"attributes": ["fanatical"]}, [], False, 6),
        ({"kind": "skirmisher"}, [], False, 3),
        ({}, [("l", (4, 4), {"leadership": "B"})], False, 5),
        ({}, [("l", (4, 4), {"leadership": "C"})], False, 5),
        ({}, [("l", (4, 4), {"leadership": "D"})], False, 4),
        ({}, [("other", (4, 4), {"leadership": "A"})], False, 4),
        ({}, [("l", (4, 5), {"leadership": "A"})], False, 4),
        ({}, [("l", (4, 5), {"leadership": "A", "level": "wing"})], False, 6),
        ({}, [("l", (4, 5), {"leadership": "C", "level": "army"})], False, 5),
        ({}, [("l", (9, 9), {"commander": "m"}), ("m", (4, 4), {"leadership": "A"})], False, 6),
        ({}, [("l", (4, 4), {"leadership": "C", "commander": "m"}),
              ("m", (4, 5), {"leadership": "B", "level": "wing"})], False, 6),
        ({}, [("l", (4, 4), {"leadership": "A", "secondary": True})], False, 4),
        ({"quality": "B"}, [], True, 3), ({"quality": "C"}, [], True, 2),
        ({}, [("l", (4, 5), {"leadership": "A", "level": "wing"})], True, 2),
    ],
)  # fmt: skip
def test_below_which_score_a_routed_unit_rallies(made: Any, leaders: Any, night: bool, value: int) -> None:
    made = dict(made)
    kind = made.pop("kind", "infantry")
    routed = unit("a", (4, 4), kind, stats={"commander": "l", **made}, routed=True)
    units = [routed, *(leader(name, hex, **stats) for name, hex, stats in leaders)]
    found = asked(game(*units, night=night)).extra["rally"]
    assert (found["value"], found["needs"]) == (value, "<")
    for die in (value - 1, value):
        if 1 <= die <= 6:
            played = begin(*units, dice=(die,), steps=["rally"], night=night)
            now = after(played, "a").state
            assert (now["routed"], now.get("disordered", False)) == (die >= value, die < value)


@pytest.mark.rule("MP-230", "MP-208")
def test_a_rallied_unit_tries_to_recover_only_from_the_next_turn_on() -> None:
    played = begin(unit("a", (4, 4), routed=True), dice=(1,))
    assert [event.event for event in played.events] == ["turn", "rallied"]


@pytest.mark.rule("MP-243")
@pytest.mark.parametrize(
    ("state", "die", "total"),
    [
        ({"fatigue": 100}, 0, 100), ({"fatigue": 100}, 99, 80), ({"fatigue": 100}, 50, 90), ({"fatigue": 5}, 99, 0),
        ({"fatigue": 100}, 12, 97), ({"fatigue": 100, "exerted": True}, None, 100), ({"fatigue": 0}, None, 0),
    ],
)  # fmt: skip
def test_units_that_rested_recover_from_fatigue(state: Any, die: int | None, total: int) -> None:
    played = begin(unit("a", (4, 4), **state), dice=() if die is None else (die,))
    assert after(played, "a").state["fatigue"] == total
    assert after(played, "a").state.get("exerted", False) is False
    assert bool(told(played, "fatigue-recovered")) is (die is not None)


@pytest.mark.rule("MP-86", "musket-pike R17")
@pytest.mark.parametrize(
    ("quality", "turns", "chance"),
    [("C", 0, 33), ("C", 1, 66), ("C", 2, 100), ("B", 0, 33), ("A", 0, 66), ("A+", 1, 100), ("A", 1, 100)],
)
def test_a_battery_is_ready_after_its_tests(quality: str, turns: int, chance: int) -> None:
    guns = unit("a", (4, 4), "artillery", stats={"quality": quality}, setup="setting-up", setup_turns=turns)
    if chance == 100:
        assert after(begin(guns), "a").state["setup"] == "ready"
        return
    for die, ready in ((chance - 1, True), (chance, False)):
        played = begin(guns, dice=(die,))
        assert told(played, "setup") == [{"unit": "a", "ready": ready}]
        now = after(played, "a").state
        assert (now["setup"], now["setup_turns"]) == ("ready" if ready else "setting-up", turns + 1)


@pytest.mark.rule("MP-251", "MP-26", "musket-pike R31")
@pytest.mark.parametrize(
    ("made", "wagon", "left"),
    [
        ({"ammo": "low"}, {"strength": 100}, 60), ({"ammo": "out"}, {"strength": 40}, None),
        ({"ammo": "low"}, {"strength": 39}, 39), ({"ammo": "low", "routed": True}, {"strength": 100}, 100),
        ({"ammo": "full"}, {"strength": 100}, 100),
    ],
)  # fmt: skip
def test_a_wagon_serves_ten_men_a_load_in_full_or_not_at_all(made: Any, wagon: Any, left: int | None) -> None:
    units = (unit("a", (4, 4), stats={"strength": 391}, **made), unit("a-w", (6, 4), "supply-wagon", stats=wagon))
    dice = (6,) if made.get("routed") else ()
    played = begin(*units, dice=dice, steps=["rally", "supply"])
    wagons = [one.stats["strength"] for one in played.game.units if one.id == "a-w"]
    assert wagons == ([] if left is None else [left])
    served = made["ammo"] != "full" and left != wagon["strength"]
    assert (after(played, "a").state["ammo"] == "full") is (served or made["ammo"] == "full")


@pytest.mark.rule("MP-26", "MP-251")
def test_a_wagon_that_is_emptied_asks_for_no_ammunition_of_its_own() -> None:
    wagon = unit("a-w", (6, 4), "supply-wagon", stats={"strength": 40}, ammo="low")
    played = begin(unit("a", (4, 4), ammo="low"), wagon, steps=["supply"])
    assert [one.id for one in played.game.units] == ["a"]


@pytest.mark.rule("MP-251")
@pytest.mark.parametrize(
    ("wagon", "others", "found"),
    [
        ((9, 4), [], ("a-w", 5)),
        ((10, 4), [], (None, None)),
        ((6, 4), [unit("b", (7, 4))], ("a-w", 2)),
        ((4, 6), [unit("b", (4, 5), facing="L")], ("a-w", 3)),
        ((6, 4), [unit("a-v", (3, 4), "supply-wagon")], ("a-v", 1)),
        ((5, 4), [unit("a-v", (3, 4), "supply-wagon")], ("a-w", 1)),
    ],
)
def test_the_nearest_wagon_by_a_free_path_of_five_hexes_serves(wagon: Any, others: Any, found: Any) -> None:
    units = (unit("a", (4, 4), ammo="low"), unit("a-w", wagon, "supply-wagon"), *others)
    supply = asked(game(*units)).extra["supply"]
    assert (supply["wagon"], supply["hexes"]) == found
    assert supply["cost"] == (None if found[0] is None else 40)


@pytest.mark.rule("MP-251")
def test_supply_goes_round_enemies_and_through_their_zones_only_where_friends_stand() -> None:
    zone = [unit("b-1", (7, 5)), unit("b-2", (7, 4)), unit("b-3", (7, 3)), unit("b-4", (6, 6)), unit("b-5", (6, 3))]
    wagon, made = unit("a-w", (8, 4), "supply-wagon"), unit("a", (4, 4), ammo="low")
    assert asked(game(made, wagon, *zone)).extra["supply"]["wagon"] is None


@pytest.mark.rule("MP-253", "MP-254")
@pytest.mark.parametrize(
    ("option", "terrain", "hole", "isolated"),
    [
        (True, [], False, True), (False, [], False, False), (True, [], True, False),
        (True, [ground("supply-source", (9, 9), side="a")], False, False),
        (True, [ground("supply-source", (9, 9), side="b")], False, True),
    ],
)  # fmt: skip
def test_who_has_no_free_path_is_isolated_by_option(option: bool, terrain: Any, hole: bool, isolated: bool) -> None:
    spots = [(9, 10), (10, 10), (10, 9), (9, 8), (8, 9), (8, 10)]
    facings = ["DL", "L", "UL", "UR", "R", "DR"]
    ring = [
        unit(f"b-{n}", hex, "skirmisher" if hole else "infantry", facing=facings[n])
        for n, hex in enumerate(spots[:5] if hole else spots)
    ]
    of = game(unit("a", (9, 9)), *ring, terrain=terrain, options={"isolation": option})
    assert asked(of).extra["isolated"] is isolated


@pytest.mark.rule("MP-254", "MP-253")
def test_a_source_under_an_enemy_does_not_count_and_the_edge_frees() -> None:
    assert asked(game(unit("a", (0, 9)), options={"isolation": True})).extra["isolated"] is False
    given = unit("a", (9, 9), isolated=True)
    assert asked(game(given)).extra["isolated"] is True
    assert asked(game(given, options={"isolation": True})).extra["isolated"] is False


@pytest.mark.rule("MP-254")
@pytest.mark.parametrize(("ammo", "then"), [({}, "full"), ({"a": 3}, "full"), ({"a": 0}, "low")])
def test_guns_no_longer_cut_off_are_served_unless_their_side_is_out(ammo: Any, then: str) -> None:
    guns = unit("a", (4, 4), "artillery", ammo="low")
    played = begin(guns, options={"isolation": True}, artillery_ammo=ammo)
    assert after(played, "a").state["ammo"] == then
    cut_off = unit("a", (4, 4), "artillery", ammo="low", isolated=True)
    assert after(begin(cut_off, artillery_ammo=ammo), "a").state["ammo"] == "low"


@pytest.mark.rule("MP-76", "MP-35")
@pytest.mark.parametrize(
    ("men", "state", "strength", "then"),
    [
        (24, {}, 100, 100), (25, {}, 100, 101), (400, {}, 100, 116), (400, {}, 195, 200),
        (400, {"facing": "L"}, 100, 100),
        (400, {"disordered": True}, 100, 100), (400, {"repairing": False}, 100, 100),
    ],
)  # fmt: skip
def test_pioneers_mend_the_bridge_before_them(men: int, state: Any, strength: int, then: int) -> None:
    crew = unit("a", (4, 4), "pioneer", stats={"strength": men}, **{"repairing": True, **state})
    terrain = [ground("water", (5, 4)), ground("bridge", (5, 4), strength=strength)]
    played = begin(crew, steps=["bridge"], terrain=terrain)
    assert next(one for one in played.game.terrain if one.kind == "bridge").extra["strength"] == then
    held = begin(crew, unit("b", (5, 4)), steps=["bridge"], terrain=terrain)
    assert told(held, "bridge") == []


@pytest.mark.rule("MP-76")
def test_pioneers_go_to_work_only_before_a_bridge_and_do_not_rest_meanwhile() -> None:
    terrain = [ground("water", (5, 4)), ground("bridge", (5, 4), strength=50)]
    crew = unit("a", (4, 4), "pioneer", fatigue=100)
    works = do(game(crew, terrain=terrain), "repair", unit="a", on=True)
    assert after(works, "a").state["repairing"] is True
    assert begin(*[{**crew, "state": {**crew["state"], "repairing": True}}], terrain=terrain).rolls == ()
    assert after(do(works.game, "repair", unit="a", on=False), "a").state["repairing"] is False
    for made, more in (
        (crew, {}),
        (unit("a", (4, 4)), {"terrain": terrain}),
        ({**crew, "state": {"routed": True}}, {"terrain": terrain}),
    ):
        with pytest.raises(ActionRefused):
            do(game(made, **more), "repair", unit="a", on=True)


@pytest.mark.rule("MP-76")
def test_who_is_not_at_work_on_a_bridge_cannot_stop() -> None:
    with pytest.raises(ActionRefused, match="not at work"):
        do(game(unit("a", (4, 4))), "repair", unit="a", on=False)


@pytest.mark.rule("MP-65")
@pytest.mark.parametrize(
    ("state", "enemy", "turn", "released"),
    [
        ({"release_turn": 4}, None, 3, True), ({"release_turn": 5}, None, 3, False),
        ({"spotted": True}, None, 3, True),
        ({}, (13, 4), 3, True), ({}, (14, 4), 3, False), ({}, None, 3, False),
    ],
)  # fmt: skip
def test_what_frees_fixed_units_at_the_begin_of_their_turn(
    state: Any, enemy: Any, turn: int, released: bool
) -> None:
    units = [unit("a", (4, 4), fixed=True, **state)] + ([] if enemy is None else [unit("b", enemy)])
    played = begin(*units, turn=turn)
    assert after(played, "a").state["fixed"] is not released
    assert bool(told(played, "released")) is released


@pytest.mark.rule("MP-16")
@pytest.mark.parametrize(
    ("turn", "there", "arrives"), [(3, [], True), (2, [], False), (3, [unit("b", (0, 5))], False)]
)
def test_reinforcements_come_on_at_their_turn_whatever_the_stack(turn: int, there: Any, arrives: bool) -> None:
    fresh = unit("a", (0, 0), off_map=True, arrival={"turn": 4, "hex": [0, 5]})
    del fresh["hex"]
    crowd = [] if there else [unit("a-2", (0, 5), stats={"strength": 1500})]
    played = begin(fresh, *crowd, *there, turn=turn)
    assert after(played, "a").hex == ((0, 5) if arrives else None)
    assert told(played, "arrived") == ([{"unit": "a", "to": [0, 5]}] if arrives else [])
    assert asked(played.game).extra["hex"] == ([0, 5] if arrives else None)


@pytest.mark.rule("MP-11", "MP-10")
def test_a_turns_begin_forgets_what_the_side_did_and_counts_the_turn() -> None:
    done = {"moved": True, "mp_used": 7, "meleed": True, "melees": 2, "charging": True, "can_continue": True,
            "continued": 1, "unlimbered_now": True, "turned_now": True, "fired": True}  # fmt: skip
    of = game(unit("a", (4, 4), **done), unit("b", (9, 9), **done), active="b", attacked=[[4, 4]])
    now = do(of, "begin-turn", side="a", steps=[]).game
    assert (now.turn.number, now.turn.active_side, now.conditions["attacked"]) == (4, "a", [])
    assert not any(now.unit("a").state[key] for key in done)
    assert [key for key in done if not now.unit("b").state[key]] == ["fired"]
    again = do(now, "begin-turn", side="b", steps=[]).game
    assert (again.turn.number, again.turn.active_side) == (4, "b")


@pytest.mark.rule("MP-276")
def test_the_weather_changes_at_its_turn() -> None:
    changes = [{"turn": 4, "weather": "mud"}]
    played = begin(unit("a", (4, 4)), parameters={"weather_changes": changes})
    assert played.game.conditions["weather"] == "mud"
    assert (
        "weather" not in begin(unit("a", (4, 4)), turn=4, parameters={"weather_changes": changes}).game.conditions
    )


@pytest.mark.rule("MP-14")
def test_phases_follow_each_other_and_a_new_turn_begins_with_movement() -> None:
    of = game(unit("a", (4, 4)), mode="phases", phase="movement")
    names = []
    for _ in range(4):
        of = do(of, "end-phase", side="a").game
        names.append(of.conditions["phase"])
    assert names == ["defensive-fire", "offensive-fire", "melee", "movement"]
    late = game(unit("a", (4, 4)), mode="phases", phase="melee")
    assert do(late, "begin-turn", side="b", steps=[]).game.conditions["phase"] == "movement"
    with pytest.raises(ActionRefused):
        do(late, "end-phase", side="b")
    theirs = game(unit("a", (4, 4)), mode="phases", phase="defensive-fire")
    assert do(theirs, "end-phase", side="b").game.conditions["phase"] == "offensive-fire"
    with pytest.raises(UnknownAction):
        do(late, "begin-turn", side="c")


@pytest.mark.rule("MP-15")
@pytest.mark.parametrize(("turn", "side", "over"), [(3, "b", True), (3, "a", False), (2, "b", False)])
def test_the_last_sides_last_turn_decides_the_battle(turn: int, side: str, over: bool) -> None:
    held = ground("objective", (9, 9), points=60, owner="a")
    of = game(unit("a", (4, 4)), turn=turn, active=side, turn_limit=3, terrain=[held])
    ended = told(do(of, "end-turn", side=side), "battle-over")
    assert ended == ([{"outcome": "minor-a", "points": [60.0, 0.0], "won": "a"}] if over else [])

"""How the log tells what happened."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import engine.rulesets
import engine.words.story
from engine.dice import Roll, Rolled, SeededDice
from engine.events import Event
from engine.keeping.entry import Entry
from engine.play import play
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets import BUILT_IN, find_ruleset
from engine.rulesets.base.data.rows import wording_of
from engine.words.agreeing import agreed
from engine.words.story import Names, lines_of, names_in, plain, rules_of, title_of
from tests.webui.toys import GAME
from vision.simulated import load_demo
from webui.commands.demo import demo_game

WORDING = wording_of("engine.rulesets.muskets_mohawks")
NAMES = Names(GAME, wording=WORDING)


def entry(kind: str = "action", **more: Any) -> Entry:
    return Entry(number=2, at="2026-11-21T10:00:00Z", kind=kind, **more)


@pytest.mark.parametrize(
    ("action", "title"),
    [
        (Action(action="fire", unit="red-1", target="blue-1"), "1st Reds fire at Blue 1"),
        (
            Action(action="fire", unit="red-1", target="blue-1", extra={"mode": "volley"}),
            "1st Reds volley at Blue 1",
        ),
        (Action(action="charge", unit="red-1", target="blue-1"), "1st Reds charge Blue 1"),
        (Action(action="melee", unit="red-1", extra={"enemy": "blue-1"}), "1st Reds fight Blue 1"),
        (Action(action="reload", unit="red-1"), "1st Reds reload"),
        (Action(action="dig-in", unit="red-1"), "1st Reds: dig in"),
        (Action(action="new-turn"), "New turn"),
    ],
)
def test_the_title_of_an_action(action: Action, title: str) -> None:
    assert title_of(entry(action=action), NAMES) == title


def test_what_happened_three_times_over_is_said_once_with_each_total() -> None:
    unharmed = [
        Event(event="leader-check", facts={"unit": "blue-1", "result": "unharmed", "total": total})
        for total in (5, 8, 6)
    ]
    hit = Event(event="leader-check", facts={"unit": "blue-1", "result": "hit", "total": 11})
    told = lines_of(entry(action=Action(action="fire", unit="red-1"), events=(*unharmed, hit)), NAMES)
    assert told == ["Blue 1: its Leader is unharmed (5, 8, 6)", "Blue 1: its Leader is hit (11)"]


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            Event(event="fired", facts={"unit": "red-1", "target": "blue-1", "hits": 2, "casualties": 1}),
            "1st Reds at Blue 1: 2 hits, 1 casualty",
        ),
        (Event(event="hit", facts={"unit": "blue-1", "casualties": 2, "figures": []}), "Blue 1 loses 2 figures"),
        (
            Event(
                event="reaction",
                facts={
                    "unit": "blue-1", "tests": ["received-fire", "received-casualty"], "dice": 3, "passed": 1,
                    "leader_passed": 0, "result": "seek-cover",
                },
            ),
            "Blue 1 tests its reaction (received fire, received casualty): 1 passed, its Leader fails → seek cover",
        ),
        (
            Event(
                event="reaction",
                facts={
                    "unit": "blue-1", "tests": ["received-fire"], "dice": 2, "passed": 2, "result": "carry-on",
                    "modifiers": ["a die more, in cover (woods)", "a die less, at half strength"],
                    "modifier_rules": ["MM-60", "MM-61"],
                },
            ),
            "Blue 1 tests its reaction (received fire; a die more, in cover (woods), a die less, at half strength):"
            " 2 passed → carry on",
        ),
        (Event(event="retire", facts={"unit": "blue-1", "distance_mm": 203.2}), "Blue 1 retires 8.0 in (203 mm)"),
        (Event(event="retire", facts={"unit": "blue-1"}), "Blue 1: retire"),
        (
            Event(event="mutiny", facts={"unit": "blue-1", "against": "red-1", "loud": True, "why": None}),
            "Blue 1: mutiny (against 1st Reds, loud yes)",
        ),
        (Event(event="rain", facts={"inches": 3}), "Rain (inches 3)"),
        (Event(event="np-plays", facts={"unit": "blue-1", "order": "hold", "moved_mm": 0.0, "turned": True}),
         "Blue 1: hold. Turn it to the enemy where it stands, as the map shows it"),
        (Event(event="np-plays", facts={"unit": "blue-1", "order": "advance", "moved_mm": 101.6, "figures": 5,
                                        "unformed": True}),
         "Blue 1: advance. Put its 5 figures 4.0 in (102 mm) on, unformed, as the map shows them"),
        (Event(event="fired", facts={"strange": 1}), "Fired (strange 1)"),
        (Event(event="round-fought", facts={"unit": "red-1", "enemies": ["blue-1"]}),
         "1st Reds and Blue 1 have fought a round"),  # who retires from it is told after
    ],
)  # fmt: skip
def test_a_line_for_each_event(event: Event, line: str) -> None:
    told = lines_of(entry(action=Action(action="x"), events=(event,)), NAMES)
    assert told == [line]


@pytest.mark.parametrize(
    ("ruleset", "event", "line"),
    [
        ("tyneside", Event(event="graze", facts={"unit": "militia", "figure": "militia-1"}),
         "Canadian Militia: no. 1 is grazed"),
        ("presidio", Event(event="casualty", facts={"unit": "comanches", "figure": "comanches-7"}),
         "Comanche Raiders: no. 7 falls"),
        ("presidio", Event(event="captured", facts={"unit": "cuera", "target_figure": "warriors-2"}),
         "Leather Jackets have Yuta Warriors no. 2"),
    ],
)  # fmt: skip
def test_figures_are_called_by_their_number_in_their_unit(ruleset: str, event: Event, line: str) -> None:
    names = names_in(demo_game(load_demo(ruleset)), find_ruleset(ruleset))
    assert lines_of(entry(action=Action(action="x"), events=(event,)), names) == [line]


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Event(event="morale", facts={"unit": "comanches", "total": 3, "required": 9, "result": "panic"}),
         "Comanche Raiders check their nerve: 3, 9 needed → panic"),
        (Event(event="moved", facts={"unit": "comanches", "why": "runs away", "distance_mm": 457.2}),
         "Comanche Raiders run away: 18.0 in (457 mm)"),
        (Event(event="charge", facts={"unit": "cuera", "result": "fled", "aspect": "front"}),
         "The charge of Leather Jackets: the enemy gets away (front)"),
        (Event(event="formation-check", facts={"unit": "cuera", "passed": False, "total": 3, "required": 5}),
         "Leather Jackets lose their order: 3, 5 needed"),
    ],
)  # fmt: skip
def test_what_a_charge_came_to_is_told_with_what_was_needed(event: Event, line: str) -> None:
    names = names_in(demo_game(load_demo("presidio")), find_ruleset("presidio"))
    assert lines_of(entry(action=Action(action="charge"), events=(event,)), names) == [line]


def test_what_a_melee_on_hexes_came_to_is_told_in_words() -> None:
    names = names_in(demo_game(load_demo("musket-pike")), find_ruleset("musket-pike"))
    melee = {"unit": "blue-horse", "winner": "defenders", "attacker_value": 52.1304, "defender_value": 26.97}
    events = (
        Event(event="melee-result", facts=melee),
        Event(event="fatigue", facts={"unit": "cuirassiers", "points": 79, "total": 79}),
        Event(event="morale-trigger", facts={"unit": "cuirassiers", "triggered": True}),
    )
    assert lines_of(entry(action=Action(action="melee"), events=events), names) == [
        "The melee goes to the defenders: the attackers' losses come to 52.1, the defenders' to 27",
        "Cuirassiers tire: 79 points of fatigue more, 79 together",
        "Cuirassiers have to check their morale",
    ]
    assert names.asked("casualties of the attackers in [16, 8]") == "Casualties of the attackers in hex 16, 8"


@pytest.mark.parametrize(
    ("roll", "scores", "line"),
    [
        (Roll(purpose="red-1 fires at blue-1", count=3, success="==1"), (1, 4, 6),
         "1st Reds fire at Blue 1: 3d6, 1s hit: 1 4 6 → 1 of 3"),
        (Roll(purpose="blue-1 tests received-fire, received-casualty", count=2, success="<=4"), (2, 5),
         "Blue 1 tests received fire, received casualty: 2d6, 4 or less pass: 2 5 → 1 of 2"),
        (Roll(purpose="turn die of red", count=1), (6,), "Turn die of Red: 1d6: 6"),
        (Roll(purpose="Leader check of blue-1", count=2), (6, 6), "Leader check of Blue 1: 2d6: 6 6 → 12"),
        (Roll(purpose="blue-1 runs or stays", count=1), (4,), "Blue 1 runs or stays: 1d6: 4"),
        (Roll(purpose="blue-10 tests", count=1, success="<=4"), (4,),
         "Blue 10 tests: 1d6, 4 or less pass: 4 → 1 of 1"),
    ],
)  # fmt: skip
def test_a_line_for_each_roll(roll: Roll, scores: tuple[int, ...], line: str) -> None:
    assert lines_of(entry(rolls=(Rolled(roll=roll, scores=scores),)), NAMES) == [line]


@pytest.mark.parametrize(
    ("facts", "title"),
    [
        (
            {"distance_mm": 152.4, "turned_deg": 3.0, "figures": ["a"] * 5, "of": 5},
            "1st Reds moved 6.0 in (152 mm)",
        ),
        ({"distance_mm": 0.4, "turned_deg": 90.0, "figures": ["a"] * 5, "of": 5}, "1st Reds turned 90°"),
        (
            {"distance_mm": 25.4, "turned_deg": 0.0, "figures": ["a"], "of": 5},
            "One figure of 1st Reds moved 1.0 in (25 mm)",
        ),
        (
            {"distance_mm": 0.4, "turned_deg": 90.0, "figures": ["a"] * 3, "of": 5},
            "3 figures of 1st Reds turned 90°",
        ),
    ],
)
def test_what_the_camera_saw(facts: dict[str, Any], title: str) -> None:
    event = Event(event="moved", facts={"unit": "red-1", **facts})
    assert title_of(entry("camera", events=(event,)), NAMES) == title
    assert title_of(entry("camera", events=(event, event)), NAMES) == "The camera saw 2 units move"


@pytest.mark.parametrize(
    ("seen", "title"),
    [
        (8, "The camera found 1st Reds in place"),
        (3, "The camera found 3 figures of 1st Reds in place"),
        (1, "The camera found one figure of 1st Reds in place"),
    ],
)
def test_a_figure_that_comes_back_into_sight_does_not_read_as_if_it_were_the_last(seen: int, title: str) -> None:
    event = Event(event="found", facts={"unit": "red-1", "figures": ["a"] * seen, "of": 8})
    assert title_of(entry("camera", events=(event,)), NAMES) == title


def test_the_players_length() -> None:
    event = Event(event="retire", facts={"unit": "red-1", "distance_mm": 203.2})
    told = lines_of(entry(action=Action(action="x"), events=(event,)), Names(GAME, 10.0, "cm", WORDING))
    assert told == ["1st Reds retire 20.3 cm (203 mm)"]


def test_undo_and_redo_are_told_as_such() -> None:
    done = entry(action=Action(action="reload", unit="red-1"))
    undo = entry("undo", undoes=2)
    assert title_of(undo, NAMES, done) == "Undone: 1st Reds reload"
    assert title_of(entry("undo", undoes=3), NAMES, undo) == "Done again"


def test_what_the_umpire_overruled_is_told() -> None:
    assert lines_of(entry(action=Action(action="x"), overruled=True), NAMES)[-1].startswith("The umpire")


def test_each_rule_once() -> None:
    rolls = (Rolled(roll=Roll(purpose="a", count=1, rule="T-2"), scores=(1,)),)
    events = (Event(event="a", rule="T-1"), Event(event="b", rule="T-2"), Event(event="c"))
    assert rules_of(entry(rolls=rolls, events=events)) == ["T-2", "T-1"]


@pytest.mark.parametrize(
    ("text", "agreed"),
    [
        ("1st Reds is wiped out", "1st Reds are wiped out"),
        ("1st Reds tries to form square", "1st Reds try to form square"),
        ("Blue 1 charges 1st Reds: melee", "Blue 1 charges 1st Reds: melee"),
        ("Blue 1 is in contact with 1st Reds", "Blue 1 is in contact with 1st Reds"),
    ],
)
def test_verbs_agree_with_names_of_several(text: str, agreed: str) -> None:
    assert NAMES.agreed(text) == agreed


def test_an_id_becomes_a_name() -> None:
    assert plain("de_la-sarre") == "De La Sarre"
    assert Names(Game(ruleset="x", table=GAME.table, sides=GAME.sides)).within("x-1 fires") == "x 1 fires"


@pytest.mark.parametrize("ruleset", list(BUILT_IN))
def test_every_choice_of_words_names_its_value(ruleset: str) -> None:
    """A comma within the words would cut them in two."""
    for name, told in find_ruleset(ruleset).wording().events.items():
        for sentence in (told,) if isinstance(told, str) else told:
            for words in re.findall(r"\{\w+:([^}]*)\}", sentence):
                assert all("=" in word for word in words.split(",")), f"{name}: {sentence}"


@pytest.mark.rule("TY-45")
@pytest.mark.parametrize(
    ("seen", "line"),
    [
        (True, "Rangers are seen up to 40 cm away: Scouts see Rangers now"),
        (False, "Rangers are seen up to 40 cm away: Scouts do not see Rangers now"),
    ],
)
def test_who_is_thrown_for_is_seen_and_not_who_looks(seen: bool, line: str) -> None:
    units = tuple(
        Unit(id=key, side=GAME.sides[0].name, type="irregular", name=name)
        for key, name in (("x", "Scouts"), ("y", "Rangers"))
    )
    names = Names(
        Game(ruleset="x", table=GAME.table, sides=GAME.sides, units=units),
        wording=wording_of("engine.rulesets.tyneside"),
    )
    event = Event(event="spotted", facts={"unit": "x", "target": "y", "cm": 40.0, "seen": seen})
    assert title_of(entry(events=(event,)), names) == line


def named(name: str, kind: str = "infantry") -> Names:
    unit = Unit(id="x", side=GAME.sides[0].name, type=kind, name=name)
    wording = wording_of("engine.rulesets.musket_pike")
    return Names(Game(ruleset="x", table=GAME.table, sides=GAME.sides, units=(unit,)), wording=wording)


def units_called(**names: str) -> Names:
    units = tuple(Unit(id=key, side="red", type="infantry", name=name) for key, name in names.items())
    return Names(Game(ruleset="x", table=GAME.table, sides=GAME.sides, units=units))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "out of the line of sight: a wood stands in the way",
            "out of the line of sight: a wood stands in the way",
        ),
        ("in line, 12 cm away", "in line, 12 cm away"),
        ("a gun is not carried by the foot", "a gun is not carried by the foot"),
        ("foot fires at foot-2", "1st Foot fires at 1st Foot no. 2"),
        ("morale of foot", "morale of 1st Foot"),
        ("line-3 is out of line", "Welch Fusiliers no. 3 is out of line"),
        ("line", "Welch Fusiliers"),
    ],
)
def test_a_unit_called_by_an_ordinary_word_leaves_sentences_as_they_are(text: str, told: str) -> None:
    assert units_called(line="Welch Fusiliers", a="Alpha", gun="Battery D", foot="1st Foot").within(text) == told


def test_an_ordinary_word_rings_no_unit_on_the_map() -> None:
    named = units_called(line="Welch Fusiliers", a="Alpha", foot="1st Foot")
    assert named.units_in("whether a shot at foot is out of the line of sight") == ["foot"]


def test_the_verb_agrees_with_what_it_is_about() -> None:
    several = ["Rangers"]
    assert agreed("the morale of Rangers forces a test", several) == "the morale of Rangers forces a test"
    assert agreed("Rangers forces a test", several) == "Rangers force a test"


@pytest.mark.parametrize(
    ("one", "several"),
    [
        ("Hurons passes the command test", "Hurons pass the command test"),
        ("Hurons reaches the wood", "Hurons reach the wood"),
        ("Hurons rushes on", "Hurons rush on"),
        ("Hurons fixes bayonets", "Hurons fix bayonets"),
        ("Hurons carries the day", "Hurons carry the day"),
        ("Hurons rallies", "Hurons rally"),
        ("Hurons lies down", "Hurons lie down"),
        ("Hurons goes to hex 4, 3", "Hurons go to hex 4, 3"),
        ("Hurons does not charge", "Hurons do not charge"),
        ("Hurons seizes it", "Hurons seize it"),
        ("Hurons as its friends", "Hurons as its friends"),
    ],
)
def test_a_verb_that_agrees_is_a_word(one: str, several: str) -> None:
    assert named("Hurons").agreed(one) == several


@pytest.mark.parametrize("name", ["Boufflers", "Villars", "De Lorges"])
def test_a_general_passes_the_command_test_and_a_regiment_that_bears_his_name_pass_it(name: str) -> None:
    event = Event(event="command-test", facts={"unit": "x", "passed": True, "die": 3, "number": 4, "rating": "A"})
    told = entry(events=(event,))
    assert title_of(told, named(name, "leader")) == f"{name} passes the command test (3 against 4): A this turn"
    assert title_of(told, named(name)) == f"{name} pass the command test (3 against 4): A this turn"


@pytest.mark.parametrize(
    ("event", "facts", "line"),
    [
        ("moved", {"to": [4, 3], "cost_mp": 4.0}, "Royal Foot goes to hex 4, 3 for 4 points"),
        ("moved", {"to": [4, 3], "cost_mp": 1.0}, "Royal Foot goes to hex 4, 3 for 1 point"),
        ("moved", {"to": [4, 3], "cost_mp": 1.5}, "Royal Foot goes to hex 4, 3 for 1.5 points"),
        ("moved", {"to": [4, 3], "cost_mp": 0.0}, "Royal Foot goes to hex 4, 3"),
        ("retreat", {"to": [4, 3]}, "Royal Foot retreats to hex 4, 3"),
        ("advance", {"to": [4, 3]}, "Royal Foot advances to hex 4, 3"),
        ("arrived", {"to": [4, 3]}, "Royal Foot arrives at hex 4, 3"),
        ("scatter", {"to": [4, 3]}, "The shot of Royal Foot scatters to hex 4, 3"),
        ("objective", {"owner": "french", "objective": "mill", "hex": [4, 3]}, "French holds mill, hex 4, 3"),
        ("stopped", {"reason": "it is in the zone of control of x"},
         "Royal Foot stops: it is in the zone of control of Royal Foot"),
    ],
)  # fmt: skip
def test_a_hex_is_said_to_be_one_and_points_are_said_apart_from_it(
    event: str, facts: dict[str, Any], line: str
) -> None:
    happened = Event(event=event, facts={"unit": "x", **facts})
    assert title_of(entry(events=(happened,)), named("Royal Foot")) == line


@pytest.mark.parametrize(
    ("name", "purpose", "asked"),
    [
        ("Comanche Raiders", "x fires at x: short-range", "Comanche Raiders fire at Comanche Raiders: short range"),
        ("Chevau-legers", "x tests its nerve", "Chevau-legers test their nerve"),
        ("1st Foot", "morale of x", "Morale of 1st Foot"),
        ("Rangers", "aim of x-3 past woods-3", "Aim of Rangers no. 3 past woods 3"),
    ],
)
def test_above_the_dice_stands_what_they_are_for(name: str, purpose: str, asked: str) -> None:
    assert named(name).asked(purpose) == asked


@pytest.mark.parametrize(
    ("ruleset", "action", "title"),
    [
        ("musket-pike", Action(action="end-turn", extra={"side": "allies"}), "Allies: end the turn"),
        ("muskets-mohawks", Action(action="new-turn"), "New turn"),
        ("muskets-mohawks", Action(action="enter", unit="hurons", extra={"building": "farm"}),
         "Hurons: go into a building, Farm"),
        ("muskets-mohawks", Action(action="leave", unit="hurons"), "Hurons: leave the building"),
    ],
)  # fmt: skip
def test_an_order_without_a_verb_is_called_as_on_its_form(ruleset: str, action: Action, title: str) -> None:
    game = demo_game(load_demo(ruleset))
    assert title_of(entry(action=action), names_in(game, find_ruleset(ruleset))) == title


def test_a_marker_on_the_campaigns_map_moves_to_a_hex() -> None:
    names = Names(GAME, wording=wording_of("engine.rulesets.presidio"))
    for place, told in (([4, 3], "hex 4, 3"), ("mission", "mission")):
        happened = Event(event="moved", facts={"marker": "m-1", "side": "red", "from": None, "hex": place})
        assert title_of(entry(events=(happened,)), names) == f"M 1 moves to {told}"


def test_the_turn_and_its_dice_are_told_in_words() -> None:
    dice = Event(event="turn-dice", facts={"dice": {"red": 6, "blue": 4}, "total": 10})
    turn = Event(event="new-turn", facts={"number": 2, "active_side": "red"})
    told = entry(action=Action(action="new-turn"), events=(dice, turn))
    assert lines_of(told, NAMES) == ["The turn's dice: Red 6, Blue 4, 10 together", "Turn 2 begins: Red first"]


@pytest.mark.parametrize(("ruleset", "action"), [("tyneside", "end-turn"), ("palouse", "end-turn")])
def test_the_end_of_a_turn_says_whose_turn_it_is_now(ruleset: str, action: str) -> None:
    rules, game = find_ruleset(ruleset), demo_game(load_demo(ruleset))
    played = play(game, rules.begin(game, Action(action=action)), SeededDice(1))
    names = Names(game, wording=rules.wording())
    lines = lines_of(entry(action=Action(action=action), events=played.events), names)
    assert lines[-1] in [f"Turn {turn}: {plain(side.name)} to act" for side in game.sides for turn in (1, 2)]


def events_in(package: Path) -> set[str]:
    """The names of all events that the modules of a ruleset let happen, where they are written out."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in package.rglob("*.py")]
    return {
        keyword.value.value
        for tree in trees for call in ast.walk(tree)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Event"
        for keyword in call.keywords
        if keyword.arg == "event" and isinstance(keyword.value, ast.Constant)
        if isinstance(keyword.value.value, str)
    }  # fmt: skip


@pytest.mark.parametrize("ruleset", list(BUILT_IN))
def test_whatever_happens_under_any_rules_has_a_sentence(ruleset: str) -> None:
    """An event without one would be told by the program's name and keys: ``Turn dice (dice …, total 10)``."""
    package = Path(engine.rulesets.__file__).parent / ruleset.replace("-", "_")
    common = tomllib.loads((Path(engine.words.story.__file__).with_name("story.toml")).read_text(encoding="utf-8"))
    told = {*find_ruleset(ruleset).wording().events, *common["events"]}
    found = events_in(package)
    assert len(found) > 8
    assert found <= told

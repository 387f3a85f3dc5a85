"""House rules: a folder with TOML that turns a built-in ruleset into another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.dice import Roll, Rolled
from engine.errors import UnknownRuleset, UnusableFile
from engine.events import Event
from engine.records.action import action_from
from engine.records.answer import Answer
from engine.records.game import Game, game_builtins, game_from, read_game
from engine.rulesets import BUILT_IN, extended_by, find_ruleset, known_rulesets, pack_files, titles
from engine.rulesets.base.cases import failures
from engine.rulesets.base.data.packs import Pack
from engine.rulesets.base.units.mustering import roll_of
from tests.engine.cases import CASES
from tests.engine.musket_pike import scene as musket_pike
from tests.engine.muskets_mohawks import scene as muskets_mohawks
from tests.engine.presidio import scene as presidio
from tests.engine.tyneside import scene as tyneside

EXAMPLES = Path(__file__).parents[2] / "examples"
HEAD = 'format = "vedette-ruleset/1"\nid = "ours"\ntitle = "Ours"\nextends = "palouse"\n'


def head(extends: str) -> str:
    """The beginning of a pack that extends a ruleset."""
    return HEAD.replace("palouse", extends)


def by(ruleset: str, game: Game) -> Game:
    """The same table, played by other rules."""
    return game_from({**game_builtins(game), "ruleset": ruleset}, "the test's game")


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of packs that is looked in."""
    monkeypatch.setenv("VEDETTE_RULESETS", str(tmp_path))
    return tmp_path


def put(folder: Path, text: str) -> None:
    (folder / "ours").mkdir()
    (folder / "ours" / "ruleset.toml").write_text(text, encoding="utf-8")


def test_the_example_turns_palouse_into_another_period(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VEDETTE_RULESETS", str(EXAMPLES))
    game = read_game(EXAMPLES / "civil-war-on-squares" / "game.json")
    ruleset = find_ruleset(game.ruleset)
    ruleset.check(game)
    assert (ruleset.id, ruleset.title) == ("civil-war-on-squares", "Civil War on Squares")
    maine, battery, _, horse = ruleset.ask(game).units
    assert [(shot.target, shot.band) for shot in maine.fire] == [
        ("15th-alabama", "long"),
        ("texas-horse", "out-of-range"),
    ]
    assert battery.fire[0].band == "short"
    assert maine.extra["resolve"]["value"] == 24  # breastworks, commander, veterans
    assert horse.move is not None
    assert horse.move.extra["allowance_bounds"] == 2
    assert ruleset.rows()["CW-1"].text.startswith("Rifles")
    assert "PA-10" in ruleset.rows()


def test_what_a_pack_takes_out_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VEDETTE_RULESETS", str(EXAMPLES))
    path = EXAMPLES / "civil-war-on-squares" / "game.json"
    from engine.records.game import game_builtins, game_from

    raw = game_builtins(read_game(path))
    raw["units"][0]["type"] = "indian"
    with pytest.raises(UnusableFile, match="expected one of infantry, grenadier, skirmisher, artillery, cavalry"):
        find_ruleset("civil-war-on-squares").check(game_from(raw, "the game"))


def test_the_built_in_ruleset_stays_as_it_is(at_home: Path) -> None:
    put(at_home, HEAD + "[tables.resolve]\nbase = 4\n")
    assert find_ruleset("ours").book.resolve.base == 4  # type: ignore[attr-defined]
    assert find_ruleset("palouse").book.resolve.base == 6  # type: ignore[attr-defined]
    assert known_rulesets()[-1] == "ours"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("format = 3", "cannot be read as TOML|expected"),
        (HEAD.replace("/1", "/9"), 'format: expected "vedette-ruleset/1"'),
        (HEAD.replace("palouse", "chess"), "extends: expected one of musket-pike, muskets-mohawks, palouse"),
        (head("muskets-mohawks") + "[tables.swords]\nlong = 1", "tables.swords: expected one of armies, campaign"),
        (
            head("muskets-mohawks") + "[tables.weapons.musket]\nrange = 16",
            "tables.weapons.musket.range: expected one of dice, lance, markers, range_in",
        ),
        (
            head("muskets-mohawks") + "[tables.weapons.musket]\nrange_in = 'far'",
            "tables.weapons.musket.range_in: expected a number, got 'far'",
        ),
        (
            head("muskets-mohawks") + "[tables.weapons.jezail]\nrange_in = 26",
            "tables.weapons.jezail: expected also markers, dice",
        ),
        (
            head("muskets-mohawks") + "[tables.weapons.musket]\nmarkers = 1.5",
            "tables.weapons.musket.markers: expected a whole number, got 1.5",
        ),
        (
            head("muskets-mohawks") + "[tables.reactions.regulars.received-fire]\npass-0 = 'faint'",
            "received-fire.pass-0: expected a word that these tables use, got 'faint'",
        ),
        (
            head("muskets-mohawks") + 'remove = ["reinforcements.french.10"]',
            "tables.reinforcements.french: expected also 10",
        ),
        (head("presidio") + "[tables.weapons.small.jezail]\nhit = 8", "weapons.small.jezail: expected also damage"),
        (
            head("tyneside") + "[tables.book.limits]\nbelongs = 6",
            "limits.belongs: expected one of belong",
        ),
        (
            head("musket-pike") + "[tables.parameters.allowance]\ninfantry = 'far'",
            "infantry: expected a num",
        ),
        (
            HEAD + 'remove = ["types.elephant"]',
            "remove: expected the path of a key in the tables, got 'types.elephant'",
        ),
        (HEAD + "[tables.resolve]\nbase = 'six'", "resolve.base"),
        (HEAD + "[tables.weapons]\nbow = { short = 1 }", "weapons.*long"),
        (HEAD + "colour = 'red'", "colour"),
        ("x = ", "cannot be read as TOML"),
    ],
)
def test_a_faulty_pack_is_refused_with_its_place(at_home: Path, text: str, fault: str) -> None:
    put(at_home, text)
    with pytest.raises(UnusableFile, match=fault) as refused:
        find_ruleset("ours")
    assert "ruleset.toml" in str(refused.value)


def _fires(answer: Answer) -> tuple[bool, str]:
    """Whether the first unit's first way to fire is legal, and what its dice must show."""
    option = answer.units[0].fire[0]
    return option.legal, "" if option.roll is None else option.roll.success or ""


def _goes(answer: Answer) -> tuple[bool, str]:
    """Whether the first unit can move, and how far."""
    move = answer.units[0].move
    assert move is not None
    return bool(move.extra["reach_hexes"]), f"{move.extra['allowance_mp']:.0f}"


def _shot(answer: Answer) -> float:
    """What the first unit's first shot is worth."""
    roll = answer.units[0].fire[0].roll
    assert roll is not None
    return float(roll.extra["fire_value"])


def _attack(answer: Answer) -> float:
    """What the first unit's first attack is worth, to a thousandth."""
    roll = answer.units[0].charge[0].roll
    assert roll is not None
    return round(float(roll.extra["attack_strength"]), 3)


def _held(answer: Answer) -> tuple[float, str, int]:
    """What threatens the first unit, how tired it is, its morale."""
    told = answer.units[0].extra
    return told["threat"], told["fatigue_level"], told["morale"]["value"]


def _rallies(answer: Answer) -> int:
    """How many dice the first unit rallies with."""
    rally = next(one for one in answer.units[0].extra["actions"] if one["action"] == "rally")
    return int(rally["roll"]["count"])


def _broad(answer: Answer) -> int:
    """How many millimetres to its right the first unit can come."""
    move = answer.units[0].move
    assert move is not None
    return round(max(x for x, _ in move.reach_mm) - 900)


MM = muskets_mohawks.game(
    muskets_mohawks.unit("us", at=muskets_mohawks.row(6, 900.0, 300.0)),
    muskets_mohawks.unit("them", "french", muskets_mohawks.row(6, 900.0, 650.0), bearing=180.0),
)
PR = presidio.game(
    presidio.line("a", 4, 900, 100), presidio.unit("b", *presidio.row(4, 900, 400)),
)  # fmt: skip
TY = tyneside.game(
    tyneside.unit("a", *tyneside.row(4, 600, 150)), tyneside.unit("b", *tyneside.row(4, 600, 320)),
)  # fmt: skip
MP = musket_pike.game(musket_pike.unit("a", (3, 3)), musket_pike.unit("b", (20, 15)))
MP_FIGHT = musket_pike.game(
    musket_pike.unit("a", (3, 3), disordered=True, fatigue=300), musket_pike.unit("b", (4, 3)),
)  # fmt: skip
MM_LINE = muskets_mohawks.game(
    muskets_mohawks.unit("us", at=muskets_mohawks.row(6, 900.0, 300.0, 25.0), formation="formed-line"),
)  # fmt: skip
MM_PAIR = muskets_mohawks.game(
    muskets_mohawks.unit("us", at=muskets_mohawks.row(2, 900.0, 300.0, 25.0), formation="formed-line"),
)  # fmt: skip
MM_LAST = muskets_mohawks.game(muskets_mohawks.unit("us", retiring=True))


@pytest.mark.parametrize(
    ("game", "tables", "read", "printed", "ours"),
    [
        (MM, "[tables.weapons.musket]\nrange_in = 12", _fires, (True, "==1"), (False, "==1")),
        (PR, "[tables.weapons.small.flintlock-musket]\nhit = 3", _fires, (True, ">=9"), (True, ">=2")),
        (
            TY,
            "[tables.book.to_hit]\nshort.none = 8",
            _fires,
            (True, ">=2"),
            (True, ">=8"),
        ),
        (MP, "[tables.parameters.allowance]\ninfantry = 6", _goes, (True, "12"), (True, "6")),
        (MP_FIGHT, "[tables.parameters.fire]\ndisordered = 0.25", _shot, 1080, 540),
        (MP_FIGHT, "[tables.parameters.fatigue.medium]\npercent = -50", _shot, 1080, 600),
        (MP_FIGHT, "[tables.parameters.fatigue.medium]\npercent = -50", _attack, 120, 66.667),
        (MP_FIGHT, "[tables.parameters.fatigue.high]\nleast = 250", _held, (8, "medium", 2), (8, "high", 1)),
        (MP_FIGHT, "[tables.parameters.melee]\ndisordered_attacker = 0.5", _attack, 120, 180),
        (
            MP_FIGHT,
            "[tables.parameters.threat]\nfoot = [{ hexes = 3, worth = 1.5 }]",
            _held,
            (8, "medium", 2),
            (6, "medium", 2),
        ),
        (MP_FIGHT, "[tables.parameters.morale]\ndisordered = 0", _held, (8, "medium", 2), (8, "medium", 3)),
        (MM_LAST, "[tables.test_dice]\nhalf = 0", _rallies, 1, 2),
        (MM_LINE, "[tables.manoeuvres]\nahead_deg = 30.0", _broad, 219, 177),
        (MM_PAIR, "[tables.manoeuvres]\nwheel_deg = 45.0", _broad, 191, 169),
    ],
    ids=[
        "muskets-mohawks",
        "presidio",
        "tyneside",
        "musket-pike",
        "fire",
        "tired fire",
        "tired attack",
        "tired sooner",
        "melee",
        "threat",
        "morale",
        "dice of a test",
        "ahead",
        "wheel",
    ],
)
def test_a_pack_changes_the_numbers_of_any_ruleset_and_leaves_the_printed_one_alone(
    at_home: Path, game: Game, tables: str, read: Callable[[Answer], Any], printed: Any, ours: Any
) -> None:
    put(at_home, head(game.ruleset) + tables)
    assert read(find_ruleset(game.ruleset).ask(game)) == printed
    assert read(find_ruleset("ours").ask(by("ours", game))) == ours
    assert read(find_ruleset(game.ruleset).ask(game)) == printed


def test_by_house_rules_units_may_tire_further_than_by_the_printed_ones(at_home: Path) -> None:
    put(at_home, head("musket-pike") + "[tables.parameters.fatigue.maximum]\nleast = 1200\n")
    raw = game_builtins(by("ours", MP_FIGHT))
    raw["units"][0]["state"]["fatigue"] = 1000
    game = game_from(raw, "the game")
    find_ruleset("ours").check(game)
    assert find_ruleset("ours").ask(game).units[0].extra["fatigue_level"] == "high"
    with pytest.raises(UnusableFile, match="fatigue: expected a whole number of at most 900, got 1000"):
        find_ruleset("musket-pike").check(by("musket-pike", game))


def test_a_pack_of_muskets_and_mohawks_may_have_weapons_and_troops_of_its_own(at_home: Path) -> None:
    put(
        at_home,
        head("muskets-mohawks")
        + "[tables.weapons.jezail]\nrange_in = 26.5\nmarkers = 2\ndice = -1\n"
        + "[tables.troops.tribesmen]\nreaction = 'irregulars'\ninfantry = true\nirregular = true\n",
    )
    raw = game_builtins(by("ours", MM))
    raw["units"][0] |= {"type": "tribesmen", "weapon": "jezail"}
    game = game_from(raw, "the game")
    find_ruleset("ours").check(game)
    assert find_ruleset("ours").ask(game).units[0].fire[0].legal
    mustered = {kind.name: kind.weapons for kind in roll_of(find_ruleset("ours")).types}
    assert "jezail" in mustered["tribesmen"]
    assert "tribesmen" not in {kind.name for kind in roll_of(find_ruleset("muskets-mohawks")).types}
    with pytest.raises(UnusableFile, match="type: expected one of regular"):
        find_ruleset("muskets-mohawks").check(by("muskets-mohawks", game))


def test_an_action_goes_by_the_tables_of_its_own_rules_though_others_are_asked_between_its_dice(
    at_home: Path,
) -> None:
    put(
        at_home,
        head("muskets-mohawks") + "[tables.reactions.irregulars.received-fire]\npass-0 = 'carry-on'\n",
    )
    raw = action_from({"action": "reaction", "unit": "them", "tests": ["received-fire"], "cause": "us"})
    printed, ours = (find_ruleset(name).begin(by(name, MM), raw) for name in ("muskets-mohawks", "ours"))
    asked = [next(procedure) for procedure in (printed, ours)]
    told = []
    for roll, procedure in zip(asked, (printed, ours), strict=True):
        assert isinstance(roll, Roll)
        event = procedure.send(Rolled(roll=roll, scores=(6, 6)))
        assert isinstance(event, Event)
        told.append(event.facts["result"])
    assert told == ["runaway", "carry-on"]


def test_chances_go_by_the_tables_of_their_own_rules_though_those_of_others_were_told_before(at_home: Path) -> None:
    firm = "".join(
        f"[tables.reactions.irregulars.{test}]\npass-0 = 'carry-on'\npass-1 = 'carry-on'\n"
        for test in ("received-fire", "received-casualty", "leader-lost")
    )
    put(at_home, head("muskets-mohawks") + firm)
    fire = action_from({"action": "fire", "unit": "us", "target": "them", "mode": "at-will"})
    told = []
    for name in ("muskets-mohawks", "ours", "muskets-mohawks"):
        chances = find_ruleset(name).foretold(by(name, MM), fire)
        assert chances is not None
        told.append(chances.then[0].sentence)
    assert told == ["31 % they retire", "100 % they carry on", "31 % they retire"]


@pytest.mark.parametrize("ruleset", sorted(BUILT_IN))
def test_house_rules_that_change_nothing_play_as_the_printed_ones(at_home: Path, ruleset: str) -> None:
    put(at_home, head(ruleset))
    ours = find_ruleset("ours")
    cases = sorted((CASES / ruleset).glob("*.json"))
    assert len(cases) > 10
    assert {path.name: failures(path, {ruleset: ours}) for path in cases} == {path.name: [] for path in cases}


def test_a_pack_that_cannot_be_read_keeps_no_other_from_being_played(at_home: Path) -> None:
    put(at_home, HEAD)
    (at_home / "broken").mkdir()
    (at_home / "broken" / "ruleset.toml").write_text("format = ", encoding="utf-8")
    assert find_ruleset("ours").title == "Ours"
    assert list(titles())[-1] == "ours"
    with pytest.raises(
        UnusableFile, match=r"'theirs' is not known, and .*broken.ruleset.toml: cannot be read as TOML"
    ):
        find_ruleset("theirs")


def test_a_pack_does_not_take_the_place_of_a_printed_ruleset(at_home: Path) -> None:
    put(at_home, HEAD.replace('"ours"', '"palouse"'))
    ((file, pack),) = pack_files()
    assert isinstance(pack, Pack)
    with pytest.raises(UnusableFile, match="id: 'palouse' is a built-in ruleset's"):
        extended_by(file, pack)


def test_an_unknown_ruleset_is_refused_with_those_there_are(at_home: Path) -> None:
    put(at_home, HEAD)
    with pytest.raises(UnknownRuleset, match=r"expected one of .*palouse.*ours, got 'chess'"):
        find_ruleset("chess")

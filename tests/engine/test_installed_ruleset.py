"""A ruleset that comes with another package, a folder of its own: it is played without a change anywhere else."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.cli import actions, ask, odds, resolve
from engine.commands.options_cli import options
from engine.rulesets import BUILT_IN, find_ruleset, known_rulesets

FILES = {
    "pebbles/__init__.py": """
from engine.rulesets.base.folder import RulesetFolder
RULESET = RulesetFolder(__name__, id="pebbles", title="Pebbles", unit_of_length="cm", mm_per_unit=10.0)
""",
    "pebbles/vocabulary.py": """
from msgspec import Struct

class Options(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    two_pebbles: bool = False
""",
    "pebbles/checking.py": """
from engine.errors import UnusableFile

def check(game):
    for number, unit in enumerate(game.units):
        if unit.type != "thrower":
            raise UnusableFile(f"units[{number}].type: expected thrower, got {unit.type!r}")
""",
    "pebbles/answering.py": """
from engine.records.answer import Answer, FireOption, FireRoll, UnitAnswer

def answer(game, units=None):
    asked = game.units if units is None else [game.unit(name) for name in units]
    return Answer(ruleset=game.ruleset, units=tuple(
        UnitAnswer(unit=one.id, fire=tuple(_throw(game, foe) for foe in game.enemies(one))) for one in asked))

def _throw(game, foe):
    count = 2 if game.conditions.get("options", {}).get("two_pebbles") else 1
    return FireOption(
        target=foe.id, legal=True, why_not=(), why_rules=(), mode="throw", range_mm=None, range_sigma_mm=0.0,
        band="in-range", shooters=(), targets_seen=(), aspect=None, cover=None, modifiers=(), borderline=(),
        roll=FireRoll(count=count, die="d6", success=">=5"))
""",
    "pebbles/procedures.py": """
from engine.dice import Roll
from engine.events import Event
from engine.play import happen, roll
from engine.rulesets.base.forms.keys import plain

def fire(game, action):
    return _fire(game, action)

def _fire(game, action):
    count = 2 if game.conditions.get("options", {}).get("two_pebbles") else 1
    thrown = yield from roll(Roll(purpose=f"{action.unit} throws", count=count, success=">=5", rule="PB-1"))
    facts = {"unit": action.unit, "target": action.target, "bruises": thrown.passed}
    yield from happen(Event(event="bruised", facts=facts, rule="PB-1"))

ENTRIES = {"fire": plain(fire, target=True)}
""",
    "pebbles/rows.toml": '[rows]\nPB-1 = { text = "A five or a six bruises." }\n',
    "pebbles/wording.toml": '[outcomes]\nbruised = { fact = "bruises", one = "bruise", many = "bruises" }\n',
    "pebbles/forms.toml": '[fire]\ntitle = "Throw"\nhint = "A pebble at an enemy."\n',
    "pebbles/options.toml": 'two_pebbles = { label = "Two pebbles at once", rule = "PB-1" }\n',
    "pebbles-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: pebbles\nVersion: 1\n",
    "pebbles-1.dist-info/entry_points.txt": "[vedette.rulesets]\npebbles = pebbles:RULESET\n",
}


def thrower(name: str, side: str) -> dict[str, object]:
    base = {"shape": "round", "diameter_mm": 25}
    figure = {"id": f"{name}-1", "x_mm": 500, "y_mm": 300, "bearing_deg": 0, "base": base}
    return {"id": name, "side": side, "type": "thrower", "figures": [figure]}


@pytest.fixture
def field(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A game by the rules of a package that has been installed beside Vedette."""
    for name, text in FILES.items():
        (tmp_path / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    importlib.invalidate_caches()
    game = {
        "format": "vedette-game/1", "ruleset": "pebbles", "table": {"width_mm": 1000, "depth_mm": 600},
        "sides": [{"name": "red", "edge": "south"}, {"name": "blue", "edge": "north"}],
        "turn": {"number": 1, "active_side": "red"}, "units": [thrower("r", "red"), thrower("b", "blue")],
    }  # fmt: skip
    (tmp_path / "game.json").write_text(json.dumps(game))
    (tmp_path / "throw.json").write_text('{"action": "fire", "unit": "r", "target": "b"}')
    yield tmp_path
    for name in [name for name in sys.modules if name.split(".")[0] == "pebbles"]:
        del sys.modules[name]


def run(command: object, *words: object) -> Result:
    done = CliRunner().invoke(command, [str(word) for word in words], catch_exceptions=False)  # type: ignore[arg-type]
    assert done.exit_code == 0, done.output
    return done


def test_it_is_listed_after_our_own(field: Path) -> None:
    assert "pebbles" in known_rulesets()
    assert "pebbles" not in BUILT_IN
    assert find_ruleset("pebbles").rows()["PB-1"].text == "A five or a six bruises."


def test_it_is_asked_played_and_foretold_like_our_own(field: Path) -> None:
    of, do = field / "game.json", field / "throw.json"
    assert "fire throw at b  1d6, 5 or more hit" in run(ask, of, "--unit", "r").output
    assert "33 %: 1 bruise or more" in run(ask, of, "--chances").output
    assert "Throw" in run(actions, of, "--unit", "r").output
    assert run(odds, of, "--do", do).output.startswith("33 %: 1 bruise or more; 0.3 on average")
    played = json.loads(run(resolve, of, "--do", do, "--dice", "6", "--json").output)
    assert [(one["event"], one["bruises"]) for one in played["events"]] == [("bruised", 1)]


def test_its_rulings_are_set_like_our_own(field: Path) -> None:
    of = field / "game.json"
    run(options, of, "two_pebbles=true")
    assert "2d6, 5 or more hit" in run(ask, of).output
    assert "56 %: 1 bruise or more" in run(odds, of, "--do", field / "throw.json").output


def test_its_own_check_says_what_a_game_may_hold(field: Path) -> None:
    game = json.loads((field / "game.json").read_text())
    game["units"][0]["type"] = "slinger"
    (field / "game.json").write_text(json.dumps(game))
    with pytest.raises(Exception, match=r"units\[0\].type: expected thrower, got 'slinger'"):
        CliRunner().invoke(ask, [str(field / "game.json")], catch_exceptions=False)

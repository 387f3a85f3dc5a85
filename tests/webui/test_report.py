"""The battle report: a journal as one page that needs nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.events import Event, RemoveFigures, SetTurn, begin
from engine.journal import Journal
from engine.records.action import Action
from engine.records.game import Game, game_from
from engine.records.reading import load_json
from webui.cli import main

EXAMPLE = Path(__file__).parents[2] / "examples" / "first-volley" / "game.json"


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    path = tmp_path / "evening.vedette"
    game: Game = game_from(load_json(EXAMPLE), "example")
    with Journal(path) as journal:
        journal.append(at="2026-11-21T19:00:00Z", kind="begin", events=[begin(game)])
        hit = Event(
            event="hit",
            facts={"unit": "hurons", "casualties": 2, "figures": ["hurons-1", "hurons-2"]},
            changes=(RemoveFigures(unit="hurons", figures=("hurons-1", "hurons-2")),),
            rule="MM-98",
        )
        fire = Action(action="fire", unit="1st-foot", target="hurons")
        journal.append(at="2026-11-21T19:05:00Z", kind="action", action=fire, events=[hit])
        journal.append(at="2026-11-21T19:06:00Z", kind="action", action=fire, events=[hit.__class__(event="dud")])
        journal.undo(at="2026-11-21T19:07:00Z")
        turn = Event(
            event="turn",
            facts={"number": 2, "side": "british"},
            changes=(SetTurn(number=2, active_side="british"),),
        )
        journal.append(at="2026-11-21T19:08:00Z", kind="turn", events=[turn])
    return path


def test_the_report_tells_the_turns_the_losses_and_nothing_that_was_undone(evening: Path, tmp_path: Path) -> None:
    output = tmp_path / "report.html"
    done = CliRunner().invoke(main, ["report", str(evening), "-o", str(output)])
    assert done.exit_code == 0, done.output
    text = output.read_text()
    assert "1st Foot fires at Hurons" in text
    assert "Hurons lose 2 figures" in text
    assert "MM-98" in text
    assert "dud" not in text.lower()
    assert text.count("<circle") >= 28
    assert "http" not in text


def test_a_name_in_the_report_is_never_html(tmp_path: Path) -> None:
    raw = load_json(EXAMPLE)
    raw["units"][0]["name"] = "<script>alert(1)</script>"
    path = tmp_path / "evil.vedette"
    with Journal(path) as journal:
        journal.append(at="now", kind="begin", events=[begin(game_from(raw, "example"))])
    output = tmp_path / "report.html"
    assert CliRunner().invoke(main, ["report", str(path), "-o", str(output)]).exit_code == 0
    assert "<script" not in output.read_text()


def test_no_journal_is_said_in_one_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["report", str(tmp_path / "none.vedette")])
    assert done.exit_code == 2
    assert "expected a journal file" in done.output

"""The battle report: a journal as one page that needs nothing else."""

from __future__ import annotations

import html
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from engine.dice import Roll, Rolled
from engine.events import AddUnit, Event, RemoveFigures, SetTurn, begin
from engine.keeping.entry import Entry
from engine.keeping.journal import Journal
from engine.records.action import Action
from engine.records.game import Game, game_from
from engine.records.reading import load_json
from engine.rulesets import find_ruleset
from vision.simulated import load_demo
from webui.camera.album import Album, pictures_in
from webui.cli import main
from webui.commands.demo import demo_game
from webui.reporting.charts import chart_of
from webui.reporting.holding import moments_of
from webui.reporting.luck import lucks_of
from webui.reporting.maps import map_of
from webui.reporting.pictures import film_of
from webui.reporting.sketch import Outlines, Text, svg_of
from webui.reporting.telling import report_of

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


def test_what_begins_a_turn_is_told_under_the_turn_that_it_begins(evening: Path, tmp_path: Path) -> None:
    with Journal(evening) as journal:
        passing = Event(
            event="turn", facts={"turn": 3, "side": "french"}, changes=(SetTurn(number=3, active_side="french"),)
        )
        tested = Event(event="command", facts={"leader": "Villars"})
        begun = Action(action="begin-turn")
        journal.append(at="2026-11-21T19:09:00Z", kind="action", action=begun, events=[passing, tested])
        fire = Action(action="fire", unit="hurons", target="1st-foot")
        ended = Event(event="turn", changes=(SetTurn(number=4, active_side="british"),))
        journal.append(at="2026-11-21T19:10:00Z", kind="action", action=fire, events=[tested, ended])
    output = tmp_path / "report.html"
    assert CliRunner().invoke(main, ["report", str(evening), "-o", str(output)]).exit_code == 0
    third = output.read_text().split("<h2>Turn 3</h2>")[1]
    assert "Begin turn" in third
    assert "Hurons fires at 1st Foot" in third or "Hurons fire at 1st Foot" in third
    assert "<h2>Turn 4</h2>" not in third


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


@pytest.mark.parametrize("ending", ["html", "pdf"])
def test_the_report_tells_dice_and_turns_in_the_words_of_the_page(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "dice.vedette"
    volley = Roll(purpose="1st-foot fires at hurons", count=3, success="==1")
    nerve = Roll(purpose="hurons tests received-fire, received-casualty", count=2, success="<=4")
    happened = [
        Event(event="turn-dice", facts={"dice": {"british": 6, "french": 4}, "total": 10}),
        Event(event="new-turn", facts={"number": 2, "active_side": "british"}),
    ]
    with Journal(path) as journal:
        journal.append(at="now", kind="begin", events=[begin(game_from(load_json(EXAMPLE), "example"))])
        journal.append(
            at="2026-11-21T19:05:00Z",
            kind="action",
            action=Action(action="new-turn"),
            rolls=[Rolled(roll=volley, scores=(1, 4, 6)), Rolled(roll=nerve, scores=(2, 5))],
            events=happened,
        )
    made = write(path, tmp_path / f"report.{ending}")
    if ending == "pdf":
        pages = pypdfium2.PdfDocument(made)
        text = "\n".join(page.get_textpage().get_text_range() for page in pages)
    else:
        text = html.unescape(made.decode())
    for words in (
        "1st Foot fires at Hurons: 3d6, 1s hit: 1 4 6",
        "Hurons test received fire, received casualty: 2d6, 4 or less pass: 2 5",
        "The turn's dice: British 6, French 4, 10 together",
        "Turn 2 begins: British first",
    ):
        assert words in text


@pytest.fixture
def pictured(evening: Path) -> Path:
    """The evening with the camera's pictures after its first and last entry."""
    for number, shade in ((1, 60), (5, 180)):
        keep_picture(evening, number, shade)
    return evening


def keep_picture(journal: Path, number: int, shade: int) -> None:
    """Keeps a picture, all of one grey, taken after an entry."""
    done, jpeg = cv2.imencode(".jpg", np.full((90, 120, 3), shade, np.uint8))
    assert done
    Album(lambda: journal).keep(bytes(jpeg), number)


def write(journal: Path, output: Path) -> bytes:
    done = CliRunner().invoke(main, ["report", str(journal), "-o", str(output)])
    assert done.exit_code == 0, done.output
    return output.read_bytes()


def test_the_report_holds_pictures_charts_luck_and_ways(pictured: Path, tmp_path: Path) -> None:
    keep_picture(pictured, 2, 120)
    text = write(pictured, tmp_path / "report.html").decode()
    assert text.count("data:image/jpeg;base64,") == 2  # the last of each turn
    for part in ("Strength", "Morale", "The luck of the dice", "The ways of the units", "Losses"):
        assert f"<h2>{part}</h2>" in text
    assert "<script" not in text
    assert " style=" not in text


def test_the_pdf_tells_the_same(pictured: Path, tmp_path: Path) -> None:
    pages = pypdfium2.PdfDocument(write(pictured, tmp_path / "report.pdf"))
    text = "\n".join(page.get_textpage().get_text_range() for page in pages)
    for words in ("Turn 1", "Turn 2", "1st Foot fires at Hurons", "Hurons lose 2 figures", "MM-98", "Losses"):
        assert words in text
    assert "dud" not in text.lower()


def test_the_film_shows_every_picture_in_order(pictured: Path, tmp_path: Path) -> None:
    write(pictured, tmp_path / "film.webm")
    video = cv2.VideoCapture(str(tmp_path / "film.webm"))
    shades = []
    while True:
        more, frame = video.read()
        if not more:
            break
        shades.append(int(frame[:60].mean()))
    video.release()
    assert shades == sorted(shades)
    assert (abs(shades[0] - 60), abs(shades[-1] - 180)) < (10, 10)


def test_where_there_is_no_webm_the_film_is_an_animated_picture(
    pictured: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.reporting.pictures._webm", lambda frames: None)
    made = film_of(pictures_in(pictured), lambda number: f"entry {number}")
    assert made is not None
    done, animation = cv2.imdecodeanimation(np.frombuffer(made[0], np.uint8))
    assert (done, made[1], len(animation.frames) >= 2) == (True, "image/webp", True)


def test_a_film_of_no_pictures_is_refused_in_one_line(evening: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["report", str(evening), "-o", str(tmp_path / "film.webm")])
    assert (done.exit_code, "0 were kept" in done.output, list(tmp_path.glob("film*"))) == (1, True, [])


@pytest.mark.parametrize("name", ["report.doc", "report"])
def test_an_ending_that_is_none_of_a_report_is_refused(evening: Path, tmp_path: Path, name: str) -> None:
    done = CliRunner().invoke(main, ["report", str(evening), "-o", str(tmp_path / name)])
    assert (done.exit_code, ".html, .pdf, .webm" in done.output) == (2, True)


def test_luck_is_what_was_rolled_against_what_was_to_be_expected_with_the_spread() -> None:
    game = game_from(load_json(EXAMPLE), "example")
    volley = Rolled(
        roll=Roll(purpose="1st-foot fires at hurons", count=6, success="==1"), scores=(1, 1, 1, 4, 5, 6)
    )
    nerve = Rolled(roll=Roll(purpose="hurons: nerve", count=2), scores=(6, 6))
    fire = Action(action="fire", unit="1st-foot", target="hurons")
    entry = Entry(number=7, at="now", kind="action", action=fire, rolls=(volley, nerve))
    lucks = {luck.side: luck for luck in lucks_of([entry], game)}
    british, french = (lucks[game.unit(unit).side] for unit in ("1st-foot", "hurons"))
    assert (british.tests, british.passed, british.expected) == (6, 3, pytest.approx(1.0))
    assert british.spread == pytest.approx((6 * 1 / 6 * 5 / 6) ** 0.5)
    assert british.words == "very lucky"
    assert british.course == ((7, pytest.approx(2.0)),)
    assert (french.sums, french.total, french.total_expected) == (2, 12, pytest.approx(7.0))
    assert french.total_spread == pytest.approx((2 * 35 / 12) ** 0.5)
    assert french.words == "too few dice to say"


@pytest.mark.parametrize("name", ["muskets-mohawks", "presidio", "tyneside", "palouse", "musket-pike"])
def test_every_built_ruleset_says_what_its_report_counts(name: str) -> None:
    rules, game = find_ruleset(name), demo_game(load_demo(name))
    (moment,) = moments_of(
        [Entry(number=1, at="now", kind="begin", events=(begin(game),))], rules.wording().counted
    )
    assert all(moment.strength.values())
    assert moment.steady == moment.units
    assert {side.name for side in game.sides} == set(moment.strength)


def test_names_on_a_crowded_map_stand_clear_of_each_other() -> None:
    sketch = map_of(demo_game(load_demo("musket-pike")), "a crowd")
    names = [mark for mark in sketch.marks if isinstance(mark, Text)]
    assert len(names) >= 25
    boxes = [(one.at[0], one.at[1], 0.3 * one.size * len(one.text), one.size) for one in names]
    for place, (x, y, half, size) in enumerate(boxes):
        for other_x, other_y, other_half, _ in boxes[:place]:
            assert abs(x - other_x) > half + other_half or abs(y - other_y) > size


@pytest.mark.parametrize(("name", "cells"), [("musket-pike", 6), ("palouse", 4), ("presidio", None)])
def test_a_map_of_a_game_on_cells_shows_them(name: str, cells: int | None) -> None:
    game = demo_game(load_demo(name))
    sketch = map_of(game, "the table")
    drawn = [mark for mark in sketch.marks if isinstance(mark, Outlines)]
    if cells is None:
        assert not drawn
        return
    assert game.table.grid is not None
    (lines,) = drawn
    assert len(lines.outlines) == game.table.grid.columns * game.table.grid.rows
    assert {len(outline) for outline in lines.outlines} == {cells}
    assert svg_of(sketch).count("<path") == 1


def test_turns_named_under_a_chart_stand_clear_of_each_other() -> None:
    turns = [1, 2, *[3] * 30, *[4] * 30, 5]
    sketch = chart_of("Strength", turns, {"British": [10.0] * len(turns)})
    named = [mark for mark in sketch.marks if isinstance(mark, Text) and mark.text[0] == "T"]
    assert len(named) < 5, "turns 1 to 3 begin too near each other"
    places = [mark.at[0] for mark in named]
    assert all(after - before > 30.0 for before, after in pairwise(places))


def test_units_that_were_sent_out_bear_their_names_in_the_report() -> None:
    """A detachment is not there yet when the game begins."""
    game = demo_game(load_demo("musket-pike"))
    sent = replace(game.units[0], id="bearn-sk", name="Bearn skirmishers", figures=())
    told = Event(event="moved", facts={"unit": "bearn-sk", "to": [4, 3]}, changes=(AddUnit(unit=sent),))
    entries = [
        Entry(number=1, at="2026-11-21T19:00:00Z", kind="begin", events=(begin(game),)),
        Entry(number=2, at="2026-11-21T19:01:00Z", kind="action", turn=1, events=(told,)),
    ]
    report = report_of(entries, find_ruleset("musket-pike"))
    assert report.turns[-1].entries[-1].title.startswith("Bearn skirmishers go")

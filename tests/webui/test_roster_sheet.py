"""The rosters to print: a page a side, with what the rules keep of each unit."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from engine.events import begin
from engine.keeping.journal import Journal
from engine.records.game import game_from, read_game
from engine.rulesets import find_ruleset
from tests.command_line import vedette
from tests.engine.muskets_mohawks.playing import game as battle
from tests.engine.muskets_mohawks.playing import unit
from vision.simulated import load_demo
from webui.cli import main
from webui.commands.demo import demo_game
from webui.reporting.roster import roster_pdf

GAME = Path(__file__).parents[2] / "examples" / "first-volley" / "game.json"


@pytest.fixture
def pages(tmp_path: Path) -> list[str]:
    """The words of each page."""
    file = tmp_path / "roster.pdf"
    done = CliRunner().invoke(main, ["roster", str(GAME), "-o", str(file)])
    assert done.exit_code == 0
    document = pypdfium2.PdfDocument(file)
    return [page.get_textpage().get_text_bounded() for page in document]


def test_each_side_has_a_page_of_its_own(pages: list[str]) -> None:
    game = read_game(GAME)
    assert len(pages) == len(game.sides)
    for side, page in zip(game.sides, pages, strict=True):
        assert side.name.capitalize() in page
        for one in game.units:
            assert ((one.name or one.id) in page) is (one.side == side.name)


def test_the_rosters_of_an_evening_s_log_are_those_of_its_game(tmp_path: Path) -> None:
    with Journal(tmp_path / "evening.db") as journal:
        journal.append(at="2026-11-21T12:00:00Z", kind="begin", events=[begin(read_game(GAME))])
    for source, file in ((GAME, tmp_path / "a.pdf"), (tmp_path / "evening.db", tmp_path / "b.pdf")):
        assert vedette("roster", source, "-o", file).exit_code == 0
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()


def test_a_unit_is_told_with_its_numbers_and_men(pages: list[str]) -> None:
    for words in ("Muskets & Mohawks", "Regular", "Musket", "Rep 4"):
        assert words in pages[0]


def test_a_battalion_is_told_with_its_men_and_its_commander_by_name() -> None:
    game = demo_game(load_demo("musket-pike"))
    page = pypdfium2.PdfDocument(roster_pdf(game, find_ruleset("musket-pike")))[0]
    words = page.get_textpage().get_text_bounded()
    assert "Commander Sir John" in words
    royal_foot = words[words.index("Royal Foot") : words.index("Holland Foot")]
    assert "620" in royal_foot.split()
    assert "1" not in royal_foot.split()


def test_whoever_is_whole_is_told_with_one_number_and_whoever_is_not_with_two() -> None:
    whole = {"start_strength": 8, "strength": 8}
    units = (
        unit("ours", "british", number=8, state=whole), unit("mine", "british", number=10),
        unit("few", "british", number=6, state={"start_strength": 8}),
    )  # fmt: skip
    game = game_from(battle(*units), "the game")
    page = pypdfium2.PdfDocument(roster_pdf(game, find_ruleset("muskets-mohawks")))[0]
    words = page.get_textpage().get_text_bounded()
    assert "8 of 8" not in words
    assert "6 of 8" in words


def test_a_unit_can_be_played_from_its_sheet_what_nobody_said_of_it_stands_there_too() -> None:
    foot, leader = _facts("musket-pike", "holland-foot"), _facts("musket-pike", "villars")
    assert "Quality C" in foot
    assert "Command" not in foot.replace("Commander", ""), "foot commands nobody"
    assert "Command C" in leader
    assert "Quality" not in leader, "a leader has none"
    militia = _facts("presidio", "militia")
    for told in ("Ranged 2", "Melee 2", "Morale Average", "People Pueblo"):
        assert told in militia


def _facts(ruleset: str, unit: str) -> str:
    """What the sheet says of a unit of a demo: the line of its name, up to the next unit's."""
    game = demo_game(load_demo(ruleset))
    side = next(one for one in game.sides if one.name == game.unit(unit).side)
    alone = replace(game, sides=(side,), units=(game.unit(unit),))
    document = pypdfium2.PdfDocument(roster_pdf(alone, find_ruleset(ruleset)))
    return " ".join(document[0].get_textpage().get_text_bounded().split())


def test_what_is_not_so_is_not_told() -> None:
    game = demo_game(load_demo("tyneside"))
    page = pypdfium2.PdfDocument(roster_pdf(game, find_ruleset("tyneside")))[0]
    assert "False" not in page.get_textpage().get_text_bounded()


def test_the_same_game_is_the_same_sheet() -> None:
    game = read_game(GAME)
    ruleset = find_ruleset(game.ruleset)
    assert roster_pdf(game, ruleset) == roster_pdf(game, ruleset)


def test_a_game_that_cannot_be_read_writes_no_sheet(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["roster", str(tmp_path / "none.json"), "-o", str(tmp_path / "r.pdf")])
    assert done.exit_code == 2
    assert not (tmp_path / "r.pdf").exists()


def test_a_roster_is_read_in_poor_light_and_a_side_of_fifteen_still_has_one_page() -> None:
    document = pypdfium2.PdfDocument(roster_pdf(demo_game(load_demo("musket-pike")), find_ruleset("musket-pike")))
    assert len(document) == 2
    words = document[0].get_textpage()
    place = words.get_text_bounded().index("Royal Foot")
    _, bottom, _, top = words.get_charbox(place, loose=True)
    assert top - bottom >= 10.0, "in points: the size of the letters"
    assert "Musket & Pike: before turn 1" in words.get_text_bounded(), "as the page says it, not turn 0"

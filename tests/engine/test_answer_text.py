"""The text in which pages are told an answer: that of its file, whatever was told before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from engine.records.answer import Answer, FireOption, UnitAnswer, answer_builtins
from engine.records.answer_text import AnswerText
from engine.records.game import Game, game_from, read_game
from engine.rulesets import find_ruleset
from tests.engine.cases import CASES

RULESETS = ("muskets-mohawks", "presidio", "palouse", "tyneside", "musket-pike")
EXAMPLE = Path(__file__).parents[2] / "examples" / "first-volley" / "game.json"


def of_cases(ruleset: str) -> Iterator[Game]:
    """A few games of a ruleset."""
    for path in islice(sorted((CASES / ruleset).glob("*.json")), 0, None, 5):
        yield game_from(json.loads(path.read_text())["game"], path.name)


def of_file(answer: Answer) -> bytes:
    """The text as the answer's file would have it, without its line breaks."""
    return msgspec.json.encode(answer_builtins(answer))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_it_is_the_text_of_the_answers_file(ruleset: str) -> None:
    rules, text = find_ruleset(ruleset), AnswerText()
    for game in of_cases(ruleset):
        answer = rules.ask(game)
        assert text.of(answer) == of_file(answer)


def test_it_tells_what_has_changed_since_the_answer_before() -> None:
    game, text = read_game(EXAMPLE), AnswerText()
    rules = find_ruleset(game.ruleset)
    for number in range(3):
        moved = tuple(replace(figure, y_mm=figure.y_mm + 40.0 * number) for figure in game.units[0].figures)
        answer = rules.ask(replace(game, units=(replace(game.units[0], figures=moved), *game.units[1:])))
        assert text.of(answer) == of_file(answer)


def test_an_option_that_came_in_the_place_of_another_is_not_taken_for_it() -> None:
    option = FireOption(
        target="them", legal=True, why_not=(), why_rules=(), mode="at-will", range_mm=1.0, range_sigma_mm=0.0,
        band="in-range", shooters=(), targets_seen=(), aspect=None, cover=None, modifiers=(), roll=None,
        borderline=(),
    )  # fmt: skip
    text = AnswerText()
    for number in range(50):  # each dies as the next is born, often in its place
        fire = (replace(option, range_mm=float(number)),)
        answer = Answer(ruleset="mine", units=(UnitAnswer(unit="us", fire=fire, extra={"move": "its own"}),))
        assert text.of(answer) == of_file(answer)

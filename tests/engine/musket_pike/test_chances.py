"""The chances beside a shot and a melee: those of the dice that are really thrown, whatever is fired at."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import Any

import pytest

from engine.dice import SeededDice
from engine.odds import odds
from engine.play import play
from engine.records.action import Action, action_from
from engine.records.game import Game
from engine.rulesets.base.answers.chances import chances
from engine.rulesets.musket_pike import RULESET
from tests.engine.musket_pike.fighting import BLOODLESS, LOST, WON, A, B
from tests.engine.musket_pike.scene import Json, game, unit

SHOT = action_from({"action": "fire", "unit": "a", "target": "b"})
ATTACK = action_from({"action": "melee", "unit": "a", "target": "b"})
MANY = {"strength": 340}


def told(of: Game, action: Action) -> dict[str, float]:
    assert RULESET.foretold(of, action) is not None
    return {one.what: one.chance for one in chances(RULESET, of, action).outcomes}


@pytest.mark.rule("MP-163", "MP-165", "MP-168", "MP-270", "MP-271")
@pytest.mark.parametrize(
    ("target", "noun"),
    [
        (unit("b", (5, 4), stats=MANY), "men"), (unit("b", (5, 4), stats={"strength": 2}), "men"),
        (unit("b", (5, 4), stats={**MANY, "armor": 2}), "men"),
        (unit("b", (5, 4), "artillery", stats={"strength": 3}), "guns"),
    ],
)  # fmt: skip
def test_a_shot_has_the_chances_of_every_way_of_its_dice(target: Json, noun: str) -> None:
    of = game(unit("a", (4, 4), stats=MANY), target)

    def lost(event: Any) -> int | None:
        return event.facts.get(noun) if event.event == "casualties" else None

    exact = odds(of, lambda: RULESET.begin(of, SHOT), lost)
    found = {int(what.split()[0]): chance for what, chance in told(of, SHOT).items()}
    assert found == pytest.approx(
        {count: float(chance) for count, chance in exact.items() if count is not None}, abs=1e-6
    )
    assert all(what.split()[1].startswith(noun[:1]) and what.endswith("lost") for what in told(of, SHOT))


@pytest.mark.rule("MP-272")
def test_the_mean_of_two_draws_is_nearer_to_the_middle_and_known_at_once() -> None:
    troops = unit("a", (4, 4), stats=MANY), unit("b", (5, 4), stats=MANY)
    of, twice = game(*troops), game(*troops, options={"alternative_fire": True})
    plain, mean = told(of, SHOT), told(twice, SHOT)
    assert sum(mean.values()) == pytest.approx(1.0, abs=1e-4)
    assert max(mean.values()) > max(plain.values())


@pytest.mark.rule("MP-198", "MP-199", "MP-200")
@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        (WON, "100 % the attackers win"), (LOST, "100 % the defenders hold"),
        (BLOODLESS, "100 % the defenders hold"),
    ],
)  # fmt: skip
def test_a_melee_that_leaves_nothing_to_the_dice_is_certain(parameters: Json, sentence: str) -> None:
    assert chances(RULESET, game(A, B, parameters=parameters), ATTACK).sentence == sentence


@pytest.mark.rule("MP-198", "MP-199", "MP-272")
@pytest.mark.parametrize("options", [{}, {"alternative_melee": True}])
def test_a_melee_is_won_as_often_as_its_chances_say(options: Json) -> None:
    of = game(A, unit("b", (5, 4), stats={"strength": 420}, fired=True), options=options)
    found, played, times = told(of, ATTACK), Counter[str](), 200
    for seed in range(times):
        events = play(of, RULESET.begin(of, ATTACK), SeededDice(seed)).events
        played[next(one.facts["winner"] for one in events if one.event == "melee-result")] += 1
    for what, chance in found.items():
        wins = played["attackers" if "attackers" in what else "defenders"]
        assert abs(wins / times - chance) < 5 * sqrt(chance * (1 - chance) / times)


def test_what_hangs_on_more_dice_is_left_to_walking() -> None:
    doomed = game(unit("a", (4, 4), stats={"strength": 1}, fired=True), B)
    assert RULESET.foretold(doomed, ATTACK) is None
    assert RULESET.foretold(game(A, unit("b", (9, 9))), ATTACK) is None
    assert (
        RULESET.foretold(
            game(A, B), action_from({"action": "fire", "unit": "a", "target": "b", "mode": "indirect"})
        )
        is None
    )

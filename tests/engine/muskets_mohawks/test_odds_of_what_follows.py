"""The exact chances of a volley and of the test that it leads to, against every way of the dice one by one."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from engine import odds as walking
from engine.dice import Roll, Rolled
from engine.odds import odds
from engine.play import Procedure
from engine.records.action import action_from
from engine.records.game import game_from
from engine.rulesets.muskets_mohawks import RULESET
from tests.engine.muskets_mohawks.playing import Plain, game, unit
from webui.table.chances import chances

VOLLEY = action_from({"action": "fire", "unit": "a", "target": "b", "mode": "volley"})


def field(shooters: int, **foe: object) -> Plain:
    ours = unit("a", "british", number=shooters, leader=None, formation="formed-line", at=(900, 300))
    return game(ours, unit("b", "french", at=(900, 600), facing=180, **foe))  # type: ignore[arg-type]


def told_apart(procedure: Procedure[None]) -> Procedure[None]:
    """The same procedure, of whose ways none are called alike."""
    try:
        step = next(procedure)
        while True:
            if isinstance(step, Roll):
                asked = replace(step, so_far=None, cuts=())
                answer = yield asked
                assert isinstance(answer, Rolled)
                step = procedure.send(replace(answer, roll=step))
            else:
                step = procedure.send((yield step))
    except StopIteration:
        return


@pytest.mark.parametrize(
    "foe", [{"number": 4, "leader": 2}, {"number": 3, "leader": None}, {"number": 4, "leader": 1, "type": "indian"}]
)
def test_ways_that_are_called_alike_come_to_the_same(foe: Plain) -> None:
    ready = game_from(field(2, **foe), "the scene")

    def result(event: walking.Event) -> str | None:
        return event.facts.get("result") if event.event == "reaction" else None

    merged = odds(ready, lambda: RULESET.begin(ready, VOLLEY), result)
    apart = odds(ready, lambda: told_apart(RULESET.begin(ready, VOLLEY)), result)
    assert merged == apart
    assert sum(merged.values()) == 1


def test_what_follows_is_said_beside_the_chances() -> None:
    ready = game_from(field(10), "the scene")
    found = chances(RULESET, ready, VOLLEY, lambda: 0.0)
    assert found["sentence"].startswith("84 %: 1 casualty or more")
    assert found["then"][0]["sentence"] == "70 % they carry on"
    assert [one["what"] for one in found["then"][0]["outcomes"]] == [
        "they carry on",
        "they retire",
        "they run away",
        "they are wiped out",
    ]


def test_a_total_is_told_apart_by_its_cuts_alone() -> None:
    found = dict(walking.outcomes(Roll(purpose="check", count=2, cuts=(11,))))
    assert sorted(found.values()) == [Fraction(3, 36), Fraction(33, 36)]

"""Chances of what succeeds or does not: rallying, looking for the hidden, seizing, mending a fuse."""

from __future__ import annotations

import pytest

from engine.records.action import action_from
from engine.rulesets.base.answers.chances import chances
from engine.rulesets.presidio import RULESET
from tests.engine.presidio.battery import gun
from tests.engine.presidio.scene import Json, game, unit

FOE = unit("b", (900, 900))


@pytest.mark.parametrize(
    ("units", "action", "sentence"),
    [
        pytest.param([unit("a", (900, 600), morale="panicked"), FOE], {"action": "rally", "unit": "a"},
                     "83 % they run on", id="PR-202: only a six rallies those whom nobody leads"),
        pytest.param([unit("a", (900, 600)), unit("b", (900, 900), hidden=True, formation="hidden")],
                     {"action": "spot", "unit": "a", "target": "b"}, "58 % found", id="PR-430: a tie finds them"),
        pytest.param([unit("a", (500, 300), engaged_with=["b"]), unit("b", (500, 325), engaged_with=["a"])],
                     {"action": "capture", "unit": "a", "target": "b"}, "58 % gets away", id="PR-811: on an eight"),
        pytest.param([gun(fuse_fault=True), FOE], {"action": "mend-fuse", "unit": "a"},
                     "67 % not mended", id="PR-935: on a five"),
        pytest.param([unit("a", (500, 300)), FOE], {"action": "build", "unit": "a", "class": "partial"},
                     "50 % there is material", id="PR-327: by a three"),
    ],
)  # fmt: skip
def test_the_chance_of_success_is_told_before_the_dice(units: list[Json], action: Json, sentence: str) -> None:
    found = chances(RULESET, game(*units), action_from(action))
    assert found.line == sentence
    assert sum(one.chance for one in found.outcomes) == pytest.approx(1)

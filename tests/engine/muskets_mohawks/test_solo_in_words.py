"""How the log tells an evening alone: in players' words, without the keys of programs."""

from __future__ import annotations

import pytest

from engine.events import Event
from engine.records.game import game_from
from engine.rulesets.muskets_mohawks import RULESET
from engine.words.story import Names, happened
from tests.engine.muskets_mohawks.playing import game, unit


def told(name: str, **facts: object) -> str:
    """The sentence for an event."""
    scene = game_from(game(unit("pef-1", "french"), unit("foot", "british"), unit("us", "british")), "the scene")
    return happened(Event(event=name, facts=facts), Names(scene, wording=RULESET.wording()))


@pytest.mark.rule("MM-221", "MM-226", "MM-228", "MM-229", "MM-217", "MM-209", "MM-218")
@pytest.mark.parametrize(
    ("event", "facts", "text"),
    [
        ("pef-move", {"result": "toward-pef", "moved_mm": 203.2, "passed": 1},
         "Pef 1 goes 8.0 in (203 mm): towards another marker (1 passed)"),
        ("pef-move", {"result": "stay", "moved_mm": 0.0, "passed": 0}, "Pef 1: it stays (0 passed)"),
        ("np-order", {"order": "fire", "target": "us", "passed": 2}, "Pef 1 is to fire at Us (2 passed)"),
        ("np-order", {"order": "prone-and-fire", "passed": 0}, "Pef 1 is to lie down and fire (0 passed)"),
        ("np-order", {"order": "encircle", "side": "left", "passed": 2},
         "Pef 1 is to go round the flank on the left (2 passed)"),
        ("np-order", {"order": "charge", "target": "us", "passed": None}, "Pef 1 is to charge Us"),
        ("np-beaten", {"tactics": "withdraw"}, "Pef 1 was beaten away: it goes back the way it came"),
        ("entry", {"side": "french", "result": 2}, "French comes on by its own edge near the left corner"),
        ("weather", {"weather": "inclement", "level": 1}, "The weather: inclement, 1 (nothing can be fired)"),
        ("next-encounter", {"encounter": "raid-attack", "stand_up_possible": False}, "Next: Raid: Attack"),
        ("rallied", {"result": "retire-half"}, "Pef 1 tries to rally: it retires half as far again"),
        ("reinforcements", {"side": "french", "passed": 2, "total": 7, "arrive": [{"what": "unit"}]},
         "French rolls for reinforcements: 2 passed, 7 on its table"),
    ],
)  # fmt: skip
def test_what_the_program_does_is_told_in_players_words(event: str, facts: dict[str, object], text: str) -> None:
    assert told(event, unit="pef-1", **facts) == text

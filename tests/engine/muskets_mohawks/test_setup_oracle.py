"""The generator of the ground and the entry of reinforcements, read a second time from the rulebook.

Each reading throws its own dice, in the order that the rulebook has them asked for, and says what must come of
them; the same dice are then given to the program, which must ask for every one of them and no more.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.muskets_mohawks.playing import INCH, Plain, event, game, resolve, unit

_CLEAR = "hill clear hill clear* road* hill clear woods clear river-over-clear hill"
_HILLY = "hill wooded-hill clear* road-over-hill hill hill wooded-hill hill clear wooded-hill clear"
_WOODED = "woods woods wooded-hill road-through-woods clear woods woods wooded-hill clear river-through-woods woods"
_GROUND = {"clear": _CLEAR.split(), "hilly": _HILLY.split(), "wooded": _WOODED.split()}
seeds = st.integers(0, 10**6)


class Dice:
    """Dice that remember what they showed."""

    def __init__(self, seed: int) -> None:
        self.random, self.shown = random.Random(seed), list[int]()

    def throw(self, count: int = 1) -> list[int]:
        """So many dice."""
        scores = [self.random.randint(1, 6) for _ in range(count)]
        self.shown += scores
        return scores

    def half(self) -> int:
        """1/2d6 (MM-05)."""
        return (self.throw()[0] + 1) // 2


def _way(dice: Dice) -> str:
    return "lengthwise" if dice.throw()[0] <= 3 else "widthwise"


def _river(dice: Dice, section: int) -> Plain:
    """A lake in the middle, else a creek or a river with its crossings (MM-190 to MM-192)."""
    kind = "lake" if section == 5 else "creek" if dice.throw()[0] <= 4 else "river"
    width, way = dice.half() + (4 if kind == "river" else 0), _way(dice)
    if kind == "lake":
        return {"kind": kind}
    found: Plain = {"kind": kind, "width_in": width, "direction": way}
    if kind == "river":
        found["crossing"] = ("bridge", "one-ford", "two-fords")[(dice.throw()[0] - 1) // 2]
        fords = {"bridge": 0, "one-ford": 1, "two-fords": 2}[found["crossing"]]
        dice.throw(fords)
        while fords == 2 and len({(die + 1) // 2 for die in dice.throw(2)}) == 1:
            pass
    return found


def _features(dice: Dice, sections: Sequence[str]) -> list[Plain]:
    """What each section's ground asks for, in order (MM-185 to MM-193)."""
    found: list[Plain] = []
    for section, ground in enumerate(sections, 1):
        if ground.endswith("*"):
            worth = [1, 1, 1, 2, 2, 3]
            dv = [worth[dice.throw()[0] - 1] for _ in range(dice.half())]
            found.append({"section": section, "kind": "buildings", "number": len(dv), "dv": dv})
        if ground.startswith("road"):
            found.append({"section": section, "kind": "road", "direction": _way(dice)})
        if ground.startswith("river"):
            found.append({"section": section, **_river(dice, section)})
    return found


@pytest.mark.rule(
    "MM-180", "MM-181", "MM-182", "MM-183", "MM-184", "MM-185", "MM-188", "MM-190", "MM-191", "MM-192"
)
@given(seeds)
def test_the_ground_is_what_the_tables_say_of_the_same_dice(seed: int) -> None:
    dice = Dice(seed)
    kind = ("clear", "clear", "hilly", "wooded", "wooded", "wooded")[dice.throw()[0] - 1]
    sections = [_GROUND[kind][sum(dice.throw(2)) - 2] for _ in range(9)]
    features = _features(dice, sections)
    events = resolve(game(unit("a", "british")), dice.shown, action="terrain")["events"]
    assert [one["terrain"] for one in events if one["event"] == "section"] == [one.strip("*") for one in sections]
    told = [one for one in events if one["event"] == "feature"]
    assert [{key: one[key] for key in want} for one, want in zip(told, features, strict=True)] == features


@pytest.mark.rule("MM-210", "MM-217")
@given(seeds, st.sampled_from(["south", "north", "west", "east"]))
def test_reinforcements_come_on_where_the_table_says_as_their_side_looks_in(seed: int, edge: str) -> None:
    dice, other = Dice(seed), {"south": "north", "north": "south", "west": "east", "east": "west"}[edge]
    campaign = {side: {"army": side, "investment_level": 6} for side in ("british", "french")}
    start = game(unit("a", "british"), unit("b", "french", at=(900.0, 900.0)), campaign=campaign)
    start["sides"] = [{"name": "british", "edge": edge}, {"name": "french", "edge": other}]
    dice.shown += [6, 1, 5, 5]  # for the British, who pass both
    dice.throw()
    entry = dice.throw()[0]
    far = INCH * (dice.throw()[0] if entry in (3, 4) else 6 + sum(dice.throw(2)))
    width, depth = start["table"]["width_mm"], start["table"]["depth_mm"]
    long = width if edge in ("south", "north") else depth
    along, up = {
        1: (0, far), 2: (far, 0), 3: (long / 2 - far, 0), 4: (long / 2 + far, 0), 5: (long - far, 0), 6: (long, far)
    }[entry]  # fmt: skip
    spot = {
        "south": (along, up), "north": (width - along, depth - up), "west": (up, depth - along),
        "east": (width - up, along),
    }[edge]  # fmt: skip
    told = event(resolve(start, dice.shown, action="new-turn"), "entry")
    assert (told["side"], told["result"]) == ("british", entry)
    assert (told["x_mm"], told["y_mm"]) == pytest.approx(spot)

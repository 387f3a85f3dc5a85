"""What stands exactly at a limit, and a hair beyond it, is judged alike however the table lies under it."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from engine.records.answer import answer_builtins
from engine.records.game import game_from
from engine.rulesets.base.cases import select
from engine.rulesets.muskets_mohawks import RULESET
from tests.engine.muskets_mohawks.playing import INCH, Plain, game, gun, unit, wood

#: How far the table is turned, in degrees, and whether it is seen in a mirror.
LIES = [(0.0, False), (30.0, False), (137.3, True), (211.7, False)]

FIRE, CHARGE, CANISTER, BALL = (
    f"[target=t{mode}].legal" for mode in (",mode=at-will", "", ",mode=canister", ",mode=ball")
)


def one(name: str, x: float, y: float, facing: float | None = None, **keys: Any) -> Plain:
    """A unit of one figure; of the enemy where it is called t."""
    side = "french" if name == "t" else "british"
    ahead = (180.0 if name == "t" else 0.0) if facing is None else facing
    return unit(name, side, number=1, leader=1, at=(x, y), facing=ahead, **keys)


def us(**keys: Any) -> Plain:
    return one("s", 900, 300, **keys)


def them(inches: float, **keys: Any) -> Plain:
    """An enemy straight ahead of us, so many inches from base to base."""
    return one("t", 900, 325 + inches * INCH, **keys)


def aside(degrees: float, far: float = 300.0) -> Plain:
    """An enemy so many degrees off our front."""
    way = math.radians(degrees)
    return one("t", 900 + far * math.sin(way), 300 + far * math.cos(way))


def ridge(y: float) -> Plain:
    return wood("h", 500, 320, 1300, 590, "hill", crest_mm=[[600, y], [1200, y]])


def captain(inches: float, **keys: Any) -> list[Plain]:
    chief = unit("s", "british", type="leader", number=1, leader=None, weapon="none", **keys)
    return [chief, one("t", 900, 325 + inches * INCH) | {"side": "british"}]


NIGHT, STORM = {"light": "night"}, {"weather": "inclement", "weather_level": 3}

#: The row, what stands on the table, the conditions, the path in the answer to ``s``, and what is there.
LIMITS: list[tuple[str, list[Plain], Plain, str, Any]] = [
    ("MM-92", [us(), them(18)], {}, f"fire{FIRE}", True),
    ("MM-92", [us(), them(18.001)], {}, f"fire{FIRE}", False),
    ("MM-92", [us(weapon="pistol"), them(6)], {}, f"fire{FIRE}", True),
    ("MM-83", [us(), aside(45)], {}, f"fire{FIRE}", True),
    ("MM-83", [us(), aside(-45.01)], {}, f"fire{FIRE}", False),
    ("MM-85", [us(), them(10), one("b", 915, 450)], {}, f"fire{FIRE}", True),
    ("MM-85", [us(), them(10), one("b", 914.99, 450)], {}, f"fire{FIRE}", False),
    ("MM-86", [us(), them(12)], NIGHT, f"fire{FIRE}", True),
    ("MM-86", [us(), them(12.01)], NIGHT, f"fire{FIRE}", False),
    ("MM-87", [us(), them(6)], NIGHT | STORM, f"fire{FIRE}", True),
    ("MM-87", [us(), them(6.01)], NIGHT | STORM, f"fire{FIRE}", False),
    ("MM-89", [us(), them(10), wood("w", 500, 325 + 9 * INCH, 1300, 900)], {}, f"fire{FIRE}", True),
    ("MM-89", [us(), them(10), wood("w", 500, 324.9 + 9 * INCH, 1300, 900)], {}, f"fire{FIRE}", False),
    ("R-15", [us(), them(10), wood("w", 500, 400, 1300, 425.4)], {}, f"fire{FIRE}", True),
    ("R-15", [us(), them(10), wood("w", 500, 400, 1300, 425.5)], {}, f"fire{FIRE}", False),
    ("R-16", [us(), one("t", 900, 600), ridge(584.5)], {}, "fire[target=t,mode=at-will].cover", "crest"),
    ("R-16", [us(), one("t", 900, 600), ridge(584.4)], {}, f"fire{FIRE}", False),
    ("R-08", [us(), one("t", 900, 600), wood("w", 500, 557.1, 1300, 562.1, "wall")], {},
     "fire[target=t,mode=at-will].cover", "wall"),
    ("R-08", [us(), one("t", 900, 600), wood("w", 500, 557, 1300, 562, "wall")], {},
     "fire[target=t,mode=at-will].cover", None),
    ("R-19", [us(), one("t", 900, 600), wood("c", 0, 337.9, 1800, 620, "creek")], {}, f"fire{FIRE}", True),
    ("R-19", [us(), one("t", 900, 600), wood("c", 0, 338, 1800, 620, "creek")], {}, f"fire{FIRE}", False),
    ("MM-10", [one("s", 1300, 612.5, 270), one("t", 900, 600)], {}, "fire[target=t,mode=at-will].aspect", "flank"),
    ("MM-10", [one("s", 1300, 612.6, 270), one("t", 900, 600)], {}, "fire[target=t,mode=at-will].aspect", "rear"),
    ("MM-10", [one("s", 1300, 587.5, 270), one("t", 900, 600)], {}, "fire[target=t,mode=at-will].aspect", "front"),
    ("MM-125", [us(), them(14)], {}, f"charge{CHARGE}", True),
    ("MM-125", [us(), them(14.001)], {}, f"charge{CHARGE}", False),
    ("MM-125", [us(state={"moved_mm": 203.2}), them(6)], {}, f"charge{CHARGE}", True),
    ("R-38", [us(), them(10)], {"snow": "ground"}, f"charge{CHARGE}", True),
    ("R-38", [us(), them(10.01)], {"snow": "ground"}, f"charge{CHARGE}", False),
    ("MM-119", [gun("s", "british", at=(900, 300)), one("t", 950.8, 600)], {}, f"fire{CANISTER}", True),
    ("MM-119", [gun("s", "british", at=(900, 300)), one("t", 950.9, 600)], {}, f"fire{CANISTER}", False),
    ("MM-119", [gun("s", "british", at=(900, 300)), one("t", 900, 325 + 457.2)], {}, f"fire{CANISTER}", True),
    ("MM-121", [gun("s", "british", at=(900, 300)), one("t", 900 + 400 * math.tan(math.radians(15)), 725)], {},
     f"fire{BALL}", True),
    ("MM-121", [gun("s", "british", at=(900, 300)), one("t", 900 + 400 * math.tan(math.radians(15.02)), 725)], {},
     f"fire{BALL}", False),
    ("MM-31", captain(6), {}, "command[unit=t].legal", True),
    ("MM-31", captain(6.01), {}, "command[unit=t].legal", False),
    ("MM-32", captain(12, state={"mounted": True}), {}, "command[unit=t].legal", True),
    ("MM-48", [us(), them(24)], {}, "actions[action=fast-move].legal", True),
    ("MM-48", [us(), them(23.99)], {}, "actions[action=fast-move].legal", False),
    ("MM-165", [us(state={"casualties": 4, "start_strength": 5}), them(12)], {}, "actions[action=recover].legal",
     True),
    ("MM-165", [us(state={"casualties": 4, "start_strength": 5}), them(11.99)], {}, "actions[action=recover].legal",
     False),
]  # fmt: skip


def lying(scene: Plain, degrees: float, mirrored: bool) -> Plain:
    """The same things on a larger table, turned so far clockwise about their middle."""
    way, hand = math.radians(degrees), -1.0 if mirrored else 1.0

    def spot(x: float, y: float) -> tuple[float, float]:
        across, along = hand * (x - 900), y - 600
        return (
            2500 + across * math.cos(way) + along * math.sin(way),
            2500 - across * math.sin(way) + along * math.cos(way),
        )

    for figure in (one for each in scene["units"] for one in each["figures"]):
        figure["x_mm"], figure["y_mm"] = spot(figure["x_mm"], figure["y_mm"])
        figure["bearing_deg"] = (hand * figure["bearing_deg"] + degrees) % 360
    for piece in scene["terrain"]:
        for key in ("polygon_mm", "crest_mm"):
            if key in piece:
                piece[key] = [list(spot(*point)) for point in piece[key]]
    return scene | {"table": {"width_mm": 5000.0, "depth_mm": 5000.0}}


@pytest.mark.parametrize(("degrees", "mirrored"), LIES)
@pytest.mark.parametrize(
    ("things", "conditions", "path", "told"),
    [
        pytest.param(*told, id=f"{number}-{rule}", marks=pytest.mark.rule(f"muskets-mohawks {rule}"))
        for number, (rule, *told) in enumerate(LIMITS)
    ],
)
def test_a_limit_is_where_the_book_says_however_the_table_lies(
    things: list[Plain], conditions: Plain, path: str, told: object, degrees: float, mirrored: bool
) -> None:
    units = [one for one in things if "figures" in one]
    scene = game(*units, terrain=[one for one in things if "figures" not in one], **conditions)
    table = game_from(lying(json.loads(json.dumps(scene)), degrees, mirrored), "the scene")
    RULESET.check(table)
    entry = answer_builtins(RULESET.ask(table, ["s"]))["units"][0]
    found, _ = select(entry, path)
    assert (found[0] if found else None) == told

"""What the measurement cannot settle of a shot: where a unit stands that may be in its line of sight."""

from __future__ import annotations

import math

import pytest

from engine.records.game import Game, game_builtins, game_from
from tests.engine.musket_pike.scene import game, shot, unit
from tests.engine.musket_pike.test_grid import centre


def with_one_between(mm: float, bearing: float, sigma_mm: float = 0.5) -> Game:
    """Guns six hexes south of their target, a measured battalion so far from the middle of a hex between them."""
    guns = unit("a", (4, 2), "artillery", facing="UR")
    raw = game_builtins(game(guns, unit("b", (4, 8), facing="DL"), unit("a2", (4, 5))))
    x, y = centre(4, 5)
    way = math.radians(bearing)
    between = raw["units"][2]
    del between["hex"]
    between["figures"] = [{
        "id": "a2-1", "x_mm": x + mm * math.sin(way), "y_mm": y + mm * math.cos(way), "bearing_deg": 90.0,
        "base": {"shape": "rect", "width_mm": 60.0, "depth_mm": 30.0}, "sigma_mm": sigma_mm,
    }]  # fmt: skip
    return game_from(raw, "the scene")


@pytest.mark.rule("MP-03", "MP-133")
@pytest.mark.parametrize(
    ("mm", "bearing", "open_", "said"),
    [
        (0.0, 60, False, ()),
        (49.4, 60, False, ("hex [4, 5] or [5, 5]",)),
        (50.6, 60, True, ("hex [5, 5] or [4, 5]",)),
        (49.4, 0, False, ()),  # the hex beyond is in the line as well
        (60.0, 60, True, ()),
    ],
)  # fmt: skip
def test_a_unit_that_may_stand_in_the_line_of_sight_or_beside_it_makes_a_shot_borderline(
    mm: float, bearing: float, open_: bool, said: tuple[str, ...]
) -> None:
    found = shot(with_one_between(mm, bearing))
    assert ("MP-123" not in found.why_rules) is open_
    text = "whether a2 stands in the line of sight: {}: 0.6 ± 0.5 mm from the side"
    assert found.borderline == tuple(map(text.format, said))
    assert shot(with_one_between(mm, bearing, sigma_mm=0.0)).borderline == ()

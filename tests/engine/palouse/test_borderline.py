"""What the measurement cannot settle on squares: near edges and corners, lines of fire past a square's corner."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import UnusableFile
from engine.records.game import game_builtins, game_from
from engine.rulesets.palouse import RULESET
from tests.engine.palouse.scene import asked, game, ground, unit

SIZE = 152.4


def measured(*units: tuple[str, float, float], sigma_mm: float = 0.5, terrain: Any = (), **state: Any) -> Any:
    """Units by their places in squares, as (2.5, 2.5) for the middle of [2, 2]; the first faces north-east."""
    raw = game_builtins(game(*(unit(name, (x, 0)) for x, (name, _, _) in enumerate(units)), terrain=terrain))
    for entry, (name, x, y) in zip(raw["units"], units, strict=True):
        del entry["square"]
        entry["state"] |= state.get(name, {})
        entry["figures"] = [{"id": f"{name}-1", "x_mm": x * SIZE, "y_mm": y * SIZE, "bearing_deg": 45,
                             "base": {"shape": "round", "diameter_mm": 40}}]  # fmt: skip
    raw["measured"] = {"sigma_mm": sigma_mm}
    return game_from(raw, "the test's game")


@pytest.mark.rule("PA-01")
def test_near_a_corner_all_four_squares_are_named() -> None:
    of = measured(("b", 4 + 0.6 / SIZE, 2 + 0.8 / SIZE), ("f", 6.5, 6.5))
    assert asked(of).extra["square"] == [4, 2]
    (said,) = asked(of).extra["borderline"]
    assert said == "square [4, 2], [3, 2], [4, 1] or [3, 1]: 0.6 ± 0.5 mm from the edge"


@pytest.mark.rule("PA-01")
@pytest.mark.parametrize(
    ("x", "y", "square"), [(12.0, 2.5, [11, 2]), (3.5, 8.0, [3, 7]), (12.0, 8.0, [11, 7]), (0.0, 0.0, [0, 0])]
)
@pytest.mark.parametrize("sigma_mm", [0.0, 0.5])
def test_who_stands_on_the_outer_edge_of_the_board_is_in_the_square_within(
    x: float, y: float, square: list[int], sigma_mm: float
) -> None:
    of = measured(("b", x, y), ("f", 6.5, 6.5), sigma_mm=sigma_mm)
    RULESET.check(of)
    assert asked(of).extra["square"] == square
    assert "borderline" not in asked(of).extra


@pytest.mark.rule("PA-01")
def test_near_the_outer_edge_no_square_off_the_board_is_named() -> None:
    of = measured(("b", 4 + 0.6 / SIZE, 0.8 / SIZE), ("f", 6.5, 6.5))
    assert asked(of).extra["borderline"] == ["square [4, 0] or [3, 0]: 0.6 ± 0.5 mm from the edge"]


@pytest.mark.rule("PA-01")
@pytest.mark.parametrize("x", [-1.1 / SIZE, 12 + 1.1 / SIZE])
def test_who_is_measured_beside_the_board_is_not_on_it(x: float) -> None:
    with pytest.raises(UnusableFile, match="expected a square of 12 columns"):
        RULESET.check(measured(("b", x, 2.5), ("f", 6.5, 6.5)))


@pytest.mark.rule("PA-40", "palouse R10")
@pytest.mark.parametrize(
    ("beyond_mm", "legal", "said"),
    [
        (0.0, True, "line of fire past f2: 0.0 ± 0.4 mm from the corner of square [3, 2]"),
        (0.7, True, "line of fire past f2: 0.5 ± 0.4 mm from the corner of square [3, 2]"),
        (-0.7, False, "line of fire past f2: 0.5 ± 0.4 mm from the corner of square [3, 2]"),
        (2.0, True, None),
        (-2.0, False, None),
    ],
)
def test_a_line_of_fire_past_the_corner_of_a_square_is_borderline(
    beyond_mm: float, legal: bool, said: str | None
) -> None:
    shift = beyond_mm / SIZE
    of = measured(("b", 2.5, 2.5 + shift), ("f", 3.5, 3.5 + shift), ("f2", 3.5, 2.5))
    option = next(one for one in asked(of).fire if one.target == "f")
    assert option.legal is legal
    assert option.borderline == (() if said is None else (said,))
    sure = measured(("b", 2.5, 2.5 + shift), ("f", 3.5, 3.5 + shift), ("f2", 3.5, 2.5), sigma_mm=0.0)
    assert next(one for one in asked(sure).fire if one.target == "f").borderline == ()


@pytest.mark.rule("PA-40", "palouse R10")
def test_a_line_of_fire_past_a_town_is_borderline_too_unless_the_line_is_open() -> None:
    places = (("b", 2.5, 2.5), ("f", 4.5, 4.5))
    past = asked(measured(*places, terrain=[ground("town", (3, 2))])).fire[0].borderline
    assert "line of fire past town in [3, 2]: 0.0 ± 0.4 mm from the corner of square [3, 2]" in past
    assert not any("line of fire" in one for one in asked(measured(*places)).fire[0].borderline)


@pytest.mark.rule("PA-40", "PA-01")
@pytest.mark.parametrize(
    ("x", "legal"), [(3 + 0.6 / SIZE, True), (3 - 0.6 / SIZE, False), (3.5, True), (2.5, False)]
)
def test_a_unit_that_may_stand_in_the_line_of_fire_or_beside_it_makes_it_borderline(x: float, legal: bool) -> None:
    of = measured(("b", 2.5, 2.5), ("f", 2.5, 4.5), ("f2", x, 3.5), b={"bearing_deg": 0})
    option = next(one for one in asked(of).fire if one.target == "f")
    assert ("PA-40" in option.why_rules) is not legal
    assert any("whether f2 stops the line of fire" in one for one in option.borderline) is (x not in (2.5, 3.5))


@pytest.mark.rule("PA-54", "PA-61")
@pytest.mark.parametrize(("x", "doubt"), [(6 + 0.6 / SIZE, True), (6.5, False), (7.5, False)])
def test_whether_the_commander_is_within_a_bound_is_borderline(x: float, doubt: bool) -> None:
    of = measured(("b", 4.5, 2.5), ("b2", x, 2.5), ("f", 8.5, 6.5), b2={"commander": True})
    said = asked(of).extra.get("borderline", [])
    assert any("within a bound of b2" in one for one in said) is doubt


@pytest.mark.rule("PA-18")
@pytest.mark.parametrize(("x", "doubt"), [(6 + 0.6 / SIZE, True), (5.5, False), (8 + 0.6 / SIZE, False)])
def test_whether_another_unit_is_in_the_way_of_a_move_is_borderline(x: float, doubt: bool) -> None:
    said = asked(measured(("b", 4.5, 2.5), ("f", x, 2.5))).move
    assert said is not None
    assert any("whether f is in the way" in one for one in said.extra.get("borderline", [])) is doubt

"""What the page draws by: its plane geometry against Shapely, and its words for dice."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
import shapely
from playwright.sync_api import Page
from shapely import affinity

pytestmark = pytest.mark.browser


def _figure(dice: random.Random) -> dict[str, Any]:
    base: dict[str, Any] = {"shape": "round", "diameter_mm": dice.uniform(15, 60)}
    if dice.random() < 0.6:
        base = {"shape": "rect", "width_mm": dice.uniform(15, 90), "depth_mm": dice.uniform(15, 60)}
    place = {"x_mm": dice.uniform(0, 300), "y_mm": dice.uniform(0, 300), "bearing_deg": dice.uniform(0, 360)}
    return {**place, "base": base}


def _shape(figure: dict[str, Any]) -> tuple[shapely.Geometry, float]:
    """The outline of a base, and how far round it the base reaches."""
    base, x, y = figure["base"], figure["x_mm"], figure["y_mm"]
    if base["shape"] == "round":
        return shapely.Point(x, y), base["diameter_mm"] / 2
    width, depth = base["width_mm"] / 2, base["depth_mm"] / 2
    straight = shapely.box(x - width, y - depth, x + width, y + depth)
    return affinity.rotate(straight, -figure["bearing_deg"], origin=(x, y)), 0.0


def test_the_gap_between_two_bases_is_what_shapely_finds(scripts: Page) -> None:
    dice = random.Random(7)
    pairs = [[_figure(dice), _figure(dice)] for _ in range(200)]
    found = scripts.evaluate(
        "pairs => part('geometry.js').then(g => pairs.map(([a, b]) => g.gap(a, b).distance))", pairs
    )
    for (one, two), distance in zip(pairs, found, strict=True):
        (a, reach_a), (b, reach_b) = _shape(one), _shape(two)
        expected = a.distance(b) - reach_a - reach_b
        if expected > 0:  # bases that overlap cannot stand on a table
            assert math.isclose(distance, expected, abs_tol=1e-6)


@pytest.mark.parametrize(
    ("success", "words", "passing"),
    [
        ("==1", "1s", [1]),
        ("<=2", "1s and 2s", [1, 2]),
        ("<=4", "4 or less", [1, 2, 3, 4]),
        (">=5", "5 or more", [5, 6]),
    ],
)
def test_what_a_die_must_show_is_said_in_words(scripts: Page, success: str, words: str, passing: list[int]) -> None:
    said, counted = scripts.evaluate(
        "s => part('words.js').then(w => [w.success(s), [1,2,3,4,5,6].filter(d => w.succeeds(s, d))])",
        success,
    )
    assert said == words
    assert counted == passing


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["Leather Jackets", "Pueblo Militia", "Ensign Morales"], ["LJ", "PM", "EM"]),
        (["Hurons", "Guards", "Gardes", "27th Foot", "The Royals"], ["Hur", "Gua", "Gar", "27F", "Roy"]),
        (["Sieur de La Corne", "Gorham's Rangers", "Chevau-legers"], ["SLC", "GR", "Che"]),
        (["Canadian Militia", "Colonial Militia", "Grenadiers"], ["CaM", "CoM", "Gre"]),
        (["Grenadiers", "Grenzer", "Gren"], ["Grena", "Grenz", "Gren"]),
        (["Militia", "Militia", "Mil 1"], ["Mil1", "Mil2", "M1"]),
        (["Foot 1", "Foot 2", "foot 2"], ["F1", "F21", "F22"]),
        (["", "«»"], ["A", "«»"]),
    ],
)
def test_units_are_told_apart_by_short_names(scripts: Page, names: list[str], short: list[str]) -> None:
    units = [{"id": chr(ord("a") + place), "name": name} for place, name in enumerate(names)]
    told = scripts.evaluate("units => part('shortnames.js').then((s) => [...s.shortNames(units).values()])", units)
    assert told == short
    assert len({one.upper() for one in told}) == len(names)

"""What is worked out for whole sides at once is what two units alone give; what is kept is never stale."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from msgspec.structs import replace

from engine.records.answer import answer_json
from engine.records.game import Figure, Game, Unit, read_game
from engine.rulesets.muskets_mohawks import RULESET
from engine.rulesets.muskets_mohawks.options.charge_facts import CHARGE
from engine.rulesets.muskets_mohawks.options.fire_facts import FIRE
from engine.rulesets.muskets_mohawks.seeing.sight import bodies_pairs, pairs
from engine.rulesets.muskets_mohawks.seeing.viewing import view_of
from engine.rulesets.muskets_mohawks.table.sheet import forget, sheet_of
from tests.engine.muskets_mohawks.scene import box, game, gun, row, unit
from tests.engine.muskets_mohawks.test_ask_whole_games import games
from tests.long_runs import games as games_to_play

EXAMPLES = Path(__file__).parents[3] / "examples"


@given(games())
def test_fire_and_charges_of_a_whole_side_are_those_of_two_units_by_themselves(table: Game) -> None:
    forget()
    sheet = sheet_of(table)
    for one in table.units:
        for enemy in table.enemies(one):
            assert FIRE.of(sheet, one, enemy) == FIRE.alone(sheet, one, enemy)
            assert CHARGE.of(sheet, one, enemy) == CHARGE.alone(sheet, one, enemy)


@given(games())
def test_what_units_see_of_each_other_together_they_see_by_themselves(table: Game) -> None:
    """To the last bit: friends, whom Leaders look at together, and who is in a building, at whom all do."""
    _together_as_alone(table)


@pytest.mark.parametrize("seed", range(2))
def test_so_do_they_in_a_crowd(seed: int) -> None:
    _together_as_alone(crowd(seed))


def _together_as_alone(table: Game) -> None:
    forget()
    sheet = sheet_of(table)
    for one, other in product(table.units, table.units):
        if one is other or not one.figures or not other.figures or view_of(sheet, one, other) is not None:
            continue
        found, alone = pairs(sheet, one, other), bodies_pairs(sheet, sheet.body(one), sheet.body(other))
        for name in ("start", "end", "gap_mm", "off_deg", "sigma_mm", "arc_sigma_deg", "clear", "maybe_clear"):
            assert np.array_equal(getattr(found, name), getattr(alone, name)), (one.id, other.id, name)
        assert found.blocked.keys() == alone.blocked.keys()
        assert [found.behind(rule) for rule in found.blocked] == [alone.behind(rule) for rule in found.blocked]


def crowd(seed: int) -> Game:
    """Six units a side close together, in and about woods, a wall, a creek, a hill and a house."""
    rng = random.Random(seed)
    kinds = [
        ("regular", "formed-line"), ("indian", "unformed"), ("militia", "mob"), ("irregular", "unformed"),
        ("cavalry", "formed-line"), ("regular", "unformed"),
    ]  # fmt: skip
    units = [
        gun("cannon", "british", (900.0, 150.0)), gun("canon", "french", (700.0, 780.0), bearing=180.0),
        unit("chief", at=[(950.0, 250.0)], kind="leader"), unit("captain", at=[(400.0, 240.0)], kind="leader"),
        unit("chef", "french", [(1000.0, 700.0)], kind="leader", mounted=True),
        unit("marquis", "french", [(1340.0, 470.0)], kind="leader", in_building="house"),
    ]  # fmt: skip
    for side, y, bearing in (("british", 300.0, 0.0), ("french", 620.0, 180.0)):
        for number, (kind, formation) in enumerate(kinds):
            spots = row(rng.randint(3, 7), 180.0 + 290 * number, y + rng.uniform(-90, 90), 26.0)
            units.append(unit(f"{side[0]}{number}", side, spots, kind=kind, bearing=bearing, formation=formation))
    terrain = [
        box("wood", "woods", (100, 420), (420, 520)), box("wall", "wall", (500, 470), (800, 480)),
        box("creek", "creek", (850, 440), (1150, 520)), box("house", "building", (1300, 430), (1400, 520)),
        box("hill", "hill", (1450, 380), (1800, 560), crest_mm=[[1450, 470], [1800, 470]]),
    ]  # fmt: skip
    return game(*units, terrain=terrain, sigma=0.8)


def happened(table: Game, rng: random.Random) -> Game:
    """The game after one thing that happens at a table: somebody moves, falls, lies down, loads, goes indoors."""
    one = rng.choice([unit for unit in table.units if unit.figures])
    what = rng.choice(["march", "march", "march", "step", "turn", "fall", "lie down", "load", "enter", "next turn"])
    if what == "next turn":
        return replace(table, turn=replace(table.turn, number=table.turn.number + 1))
    if what == "lie down":
        return changed_to(table, one, replace(one, state={**one.state, "prone": not one.state.get("prone", False)}))
    if what == "load":
        return changed_to(table, one, replace(one, state={**one.state, "reload_markers": rng.randint(0, 2)}))
    if what == "enter":
        inside = None if one.state.get("in_building") else "house"
        return changed_to(table, one, replace(one, state={**one.state, "in_building": inside}))
    if what == "fall":
        return changed_to(table, one, replace(one, figures=one.figures[1:]))
    x, y, turn = rng.uniform(-80, 80), rng.uniform(-80, 80), rng.uniform(-40, 40)

    def moved(number: int, figure: Figure) -> Figure:
        if what == "turn":
            return replace(figure, bearing_deg=(figure.bearing_deg or 0.0) + turn)
        if what == "step" and number:
            return figure
        return replace(figure, x_mm=figure.x_mm + x, y_mm=figure.y_mm + y)

    return changed_to(
        table, one, replace(one, figures=tuple(moved(number, figure) for number, figure in enumerate(one.figures)))
    )


def changed_to(table: Game, old: Unit, new: Unit) -> Game:
    """The game with a unit in place of another."""
    return replace(table, units=tuple(new if one is old else one for one in table.units))


@pytest.mark.parametrize("seed", [*range(games_to_play(2)), "first-volley"])
def test_whatever_happened_and_was_taken_back_ask_says_what_a_program_says_that_has_just_begun(
    seed: int | str,
) -> None:
    """Byte for byte, along a course of moves, losses, postures and turns, with steps back to games asked before."""
    rng = random.Random(str(seed))
    course = [crowd(seed) if isinstance(seed, int) else read_game(EXAMPLES / str(seed) / "game.json")]
    forget()
    said = [(course[0], answer_json(RULESET.ask(course[0])))]
    for _ in range(6):
        if len(course) > 1 and rng.random() < 0.25:
            course.pop()  # taken back
        else:
            course.append(happened(course[-1], rng))
        said.append((course[-1], answer_json(RULESET.ask(course[-1]))))
        if rng.random() < 0.4:  # and as somebody knows it from whom a unit is hidden
            known = replace(course[-1], units=course[-1].units[:-1])
            said.append((known, answer_json(RULESET.ask(known))))
    for table, told in said:
        forget()
        assert answer_json(RULESET.ask(table)) == told

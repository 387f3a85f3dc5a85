"""What is worked out for whole sides at once is what two units alone give; what is kept is never stale."""

from __future__ import annotations

from hypothesis import given

from engine.records.game import Game
from engine.rulesets.muskets_mohawks.charge_facts import charge_facts, charge_of_two
from engine.rulesets.muskets_mohawks.fire_facts import fire_facts, fire_of_two
from engine.rulesets.muskets_mohawks.sheet import forget, sheet_of
from tests.engine.muskets_mohawks.test_ask_whole_games import games


@given(games())
def test_fire_and_charges_of_a_whole_side_are_those_of_two_units_by_themselves(table: Game) -> None:
    forget()
    sheet = sheet_of(table)
    for unit in table.units:
        for enemy in table.enemies(unit):
            assert fire_facts(sheet, unit, enemy) == fire_of_two(sheet, unit, enemy)
            assert charge_facts(sheet, unit, enemy) == charge_of_two(sheet, unit, enemy)

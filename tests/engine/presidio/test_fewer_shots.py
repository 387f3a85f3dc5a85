"""Why fewer shoot than could: the rows that cut the shots of an action are told, too."""

from __future__ import annotations

import pytest

from tests.engine.presidio.scene import Json, dice_of, effects, line, needs, row, shot, unit

FOE = line("b", 9, 900, 400)
FEWER = {"PR-321", "PR-422", "PR-424", "PR-429"}


@pytest.mark.rule("PR-422", "PR-424", "PR-321", "PR-429")
@pytest.mark.parametrize(
    ("keys", "mode", "dice", "rows"),
    [
        ({}, "independent", 9, []),
        ({"weapon": "flintlock-musket"}, "independent", 2, ["PR-422"]),
        ({"weapon": "flintlock-musket"}, "opportunity", 2, ["PR-422"]),
        ({}, "moving", 4, ["PR-424"]),
        ({"covered_reload": True}, "independent", 5, ["PR-422", "PR-429"]),
        ({"formation": "disorder"}, "independent", 4, ["PR-422", "PR-321"]),
        ({"stats": {"ranged": 0}, "roles": ["sharpshooter"]}, "aimed", 1, []),
    ],
)
def test_each_row_that_cuts_the_shots_of_an_action_is_told(
    keys: Json, mode: str, dice: int, rows: list[str]
) -> None:
    found = shot(unit("a", *row(9, 700, 100, 40), **{"weapon": "bow", **keys}), FOE, mode=mode)
    told = [one for one in found.modifiers if one.rule in FEWER]
    assert [one.rule for one in told] == rows
    assert {one.effect for one in told} == ({f"{dice}d12"} if rows else set())
    assert dice_of(found) == dice


@pytest.mark.rule("PR-401", "PR-422")
def test_the_rows_that_cut_the_shots_leave_the_number_as_it_is() -> None:
    few = shot(unit("a", *row(9, 700, 100, 40)), FOE)
    one = shot(unit("a", (860.0, 100.0)), FOE)
    assert (needs(few), effects(few)) == (needs(one), effects(one))

"""What a charge is worth against whom, and where (MP-177, MP-179)."""

from __future__ import annotations

import pytest

from tests.engine.musket_pike.scene import Json, attack, case, game, ground, hexside, unit

CHARGES = [
    case(3, "MP-177", "a line"),
    case(3, "MP-177", "a column", {"formation": "column"}),
    case(3, "MP-177", "guns", {"kind": "artillery"}),
    case(3, "MP-177", "skirmishers in the open", {"kind": "skirmisher"}),
    case(1, "MP-177", "a block", {"formation": "block"}),
    case(1, "MP-177", "riders", {"kind": "cavalry"}),
    case(1, "MP-177", "a line in woods", {"ground": "forest"}),
    case(3, "MP-177", "a line in houses", {"ground": "building"}),
    case(1, "MP-177", "skirmishers in houses", {"kind": "skirmisher", "ground": "building"}),
    case(1, "MP-177", "a line behind a hedge", {"side": "hedge"}),
    case(1, "MP-177", "a block with skirmishers", {"formation": "block", "more": {"kind": "skirmisher"}}),
    case(1, "MP-177", "a block with guns", {"formation": "block", "more": {"kind": "artillery"}}),
    case(3, "MP-177", "a block with a line", {"formation": "block", "more": {}}),
    case(1, "MP-177", "a block and its leader", {"formation": "block", "more": {"kind": "leader"}}),
    case(1, "MP-177", "riders and their leader", {"kind": "cavalry", "more": {"kind": "leader"}}),
    case(3, "MP-177", "riders with a line", {"kind": "cavalry", "more": {}}),
    case(1, ("MP-179", "MP-33"), "irregulars at a line", {"irregular": True}),
    case(3, "MP-179", "irregulars at routed men", {"irregular": True, "routed": True}),
    case(3, "MP-179", "irregulars at skirmishers", {"irregular": True, "kind": "skirmisher"}),
    case(3, "MP-179", "irregulars at guns", {"irregular": True, "kind": "artillery"}),
]


@pytest.mark.parametrize(("factor", "made", "conditions"), CHARGES)
def test_what_a_charge_is_worth(factor: float, made: Json, conditions: Json) -> None:
    keys = {key: value for key, value in made.items() if key not in ("ground", "side", "more", "irregular")}
    attributes = ["irregular"] if made.get("irregular") else []
    units = [
        unit("a", (4, 4), "cavalry", charging=True, stats={"attributes": attributes}),
        unit("b", (5, 4), **keys),
    ]
    if "more" in made:
        units.append(unit("b2", (5, 4), **made["more"]))
    pieces = [ground(made["ground"], (5, 4))] if "ground" in made else []
    pieces += [hexside(made["side"], 4, 4, "NE")] if "side" in made else []
    roll = attack(game(*units, terrain=pieces)).roll
    assert roll is not None
    assert roll.extra["charge_factor"] == factor
    walking = game(unit("a", (4, 4), "cavalry"), *units[1:], terrain=pieces)
    other = attack(walking).roll
    assert other is not None
    assert other.extra["charge_factor"] == 1

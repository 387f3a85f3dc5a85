"""Games with words that the ruleset does not know are refused with one clear line."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import UnusableFile
from engine.records.game import game_builtins, game_from
from engine.rulesets.musket_pike import RULESET
from engine.rulesets.musket_pike.parameters import parameters_of
from tests.engine.musket_pike.scene import asked, game, ground, hexside, road, unit


def changed(path: str, value: Any) -> Any:
    """A sound game with one value changed: a path such as ``units.0.stats.armor``; ``DEL`` takes the key out."""
    raw = game_builtins(
        game(
            unit("a", (4, 4)),
            unit("b", (9, 9), "leader"),
            terrain=[ground("forest", (5, 5)), hexside("gate", 4, 4, "N")],
        )
    )
    *way, last = path.split(".")
    at: Any = raw
    for key in way:
        at = at[int(key)] if key.isdigit() else at.setdefault(key, {})
    if value == "DEL":
        del at[last]
    else:
        at[last] = value
    return raw


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("table.grid", "DEL", "table.grid"),
        ("table.grid.kind", "square", "table.grid"),
        ("table.grid.slope", 3, "table.grid"),
        ("table.grid.turn_deg", 400, "table.grid.turn_deg"),
        ("turn.step", 1, "turn.step"),
        ("sides.0.morale", 1, "sides[0]"),
        ("sides.0.lost", -1, "sides[0].lost"),
        ("conditions.wether", "mud", "conditions"),
        ("conditions.weather", "hail", "conditions.weather"),
        ("conditions.phase", "lunch", "conditions.phase"),
        ("conditions.artillery_ammo", {"c": 3}, "conditions.artillery_ammo.c"),
        ("conditions.options", {"arc": "cone"}, "conditions.options.arc"),
        ("conditions.options", {"fast": True}, "conditions.options"),
        ("conditions.parameters", {"up_kost": 1}, "conditions.parameters"),
        ("conditions.parameters", {"max_units": -1}, "conditions.parameters.max_units"),
        ("conditions.parameters", {"weapons": {"musket": {"soft": {"1": "x"}}}}, "conditions.parameters.weapons"),
        ("conditions.parameters", {"weapons": {"musket": {"soft": {"x": 1}}}}, "conditions.parameters.weapons"),
        ("conditions.parameters", {"weapons": {"sling": {"hard": {"0": 1}}}}, "conditions.parameters.weapons"),
        ("conditions.parameters", {"weather_changes": [{"turn": 1, "weather": "x"}]}, "conditions.parameters"),
        ("terrain.0.kind", "swamp", "terrain[0].kind"),
        ("terrain.0.hexes", [[24, 0]], "terrain[0].hexes[0]"),
        ("terrain.0.hexes", "DEL", "terrain[0]"),
        ("terrain.0.levle", 1, "terrain[0]"),
        ("terrain.1.hexes", [[1, 1]], "terrain[1].hexes"),
        ("terrain.1.hexsides", [[4, 4, "E"]], "terrain[1].hexsides"),
        ("units.0.type", "dragon", "units[0].type"),
        ("units.0.formation", "mounted", "units[0].formation"),
        ("units.0.weapon", "laser", "units[0].weapon"),
        ("units.0.stats.strength", "DEL", "units[0].stats.strength"),
        ("units.0.stats.strength", -5, "units[0].stats.strength"),
        ("units.0.stats.quality", "G", "units[0].stats.quality"),
        ("units.0.stats.attributes", ["brave"], "units[0].stats.attributes"),
        ("units.0.stats.commander", "a", "units[0].stats.commander"),
        ("units.1.stats.commander", "b", "units[1].stats.commander"),
        ("units.0.state.facing", "N", "units[0].state.facing"),
        ("units.0.state.fatigue", 901, "units[0].state.fatigue"),
        ("units.0.state.captured_by", "c", "units[0].state.captured_by"),
        ("units.0.state.happy", True, "units[0].state"),
        ("units.0.hex", [0, 18], "units[0].hex"),
        ("units.0.hex", "DEL", "units[0]"),
        ("units.0.square", [1, 1], "units[0].square"),
    ],
)  # fmt: skip
def test_what_does_not_belong_is_named_by_its_path(path: str, value: Any, where: str) -> None:
    with pytest.raises(UnusableFile) as caught:
        RULESET.check(game_from(changed(path, value), "the game"))
    assert str(caught.value).startswith(where)


def test_roads_lead_from_neighbour_to_neighbour() -> None:
    with pytest.raises(UnusableFile, match=r"terrain\[0\].path\[1\]: expected a neighbour"):
        game(unit("a", (4, 4)), terrain=[road("path", (1, 1), (3, 3))])


@pytest.mark.rule("MP-22")
def test_only_dragoons_are_given_dismounted() -> None:
    with pytest.raises(UnusableFile, match="only dragoons"):
        game(unit("a", (4, 4), "cavalry", "dismounted"))


@pytest.mark.rule("musket-pike R41")
def test_two_options_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(UnusableFile, match="partial_retreats"):
        game(unit("a", (4, 4)), options={"partial_retreats": True, "no_melee_eliminations": True})


@pytest.mark.rule("MP-10")
def test_a_battle_has_two_sides() -> None:
    raw = game_builtins(game(unit("a", (4, 4))))
    raw["sides"].append({"name": "c", "edge": "north"})
    with pytest.raises(UnusableFile, match="two sides"):
        RULESET.check(game_from(raw, "the game"))


@pytest.mark.rule("MP-30")
def test_parameters_are_laid_over_ours_key_by_key() -> None:
    own = {
        "allowance": {"infantry": 14},
        "terrain_cost": {"forest": {"line": None}},
        "weapons": {"musket": {"soft": {"1": 7}}, "sling": {"soft": {"1": 1}}},
    }
    of = game(unit("a", (4, 4), weapon="sling"), parameters=own, terrain=[ground("forest", (5, 4))])
    found = parameters_of(of)
    assert (found.allowance["infantry"], found.allowance["cavalry"]) == (14, 20)
    assert (found.weapons["musket"].soft["1"], found.weapons["musket"].soft["2"]) == (7, 3)
    assert found.weapons["sling"].bayonet is True
    move = asked(of).move.extra
    assert (move["allowance_mp"], move["steps"][1]["legal"]) == (14, False)


def test_a_game_with_the_least_that_may_be_said_is_answered_for_every_type() -> None:
    kinds = (
        "leader",
        "infantry",
        "pioneer",
        "skirmisher",
        "cavalry",
        "squadron",
        "artillery",
        "supply-wagon",
        "ship",
    )
    raw = game_builtins(game(unit("b", (9, 9))))
    raw["conditions"] = {}
    raw["units"] = [
        {
            "id": kind,
            "side": "a",
            "type": kind,
            "hex": [3, n],
            "stats": {} if kind == "leader" else {"strength": 20},
        }
        for n, kind in enumerate(kinds)
    ]
    of = game_from(raw, "the game")
    RULESET.check(of)
    assert [one.unit for one in RULESET.ask(of).units] == list(kinds)


@pytest.mark.rule("MP-36")
def test_a_unit_that_has_nobody_left_is_answered_like_any_other() -> None:
    found = asked(
        game(unit("a", (4, 4), stats={"strength": 0}), unit("b", (9, 9), "artillery", stats={"strength": 0}))
    )
    change = next(one for one in found.extra["formation_change"] if one["to"] == "extended-line")
    assert (change["legal"], change["why_rules"]) == (False, ["MP-36"])

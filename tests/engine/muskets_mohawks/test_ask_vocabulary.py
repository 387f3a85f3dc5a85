"""The words of the ruleset: defaults, what troops count as, and what a game file may not say."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import UnusableFile
from engine.records.game import game_from
from engine.rulesets.muskets_mohawks import RULESET
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, state_of, stats_of, weapons
from tests.engine.muskets_mohawks.scene import box, game, gun, row, unit


def counts_as(entry: dict[str, Any], **conditions: Any) -> Any:
    table = game(entry, **conditions)
    return troop(table.unit("us"), table)


@pytest.mark.rule("MM-13", "MM-14", "MM-15", "MM-16", "MM-17", "MM-18", "MM-21", "muskets-mohawks R-14", "MM-244")
@pytest.mark.parametrize(
    ("kind", "keys", "table"),
    [
        ("regular", {}, "regulars"),
        ("light", {}, "regulars"),
        ("grenadier", {}, "regulars"),
        ("guard", {}, "regulars"),
        ("militia", {"formation": "formed-line"}, "regulars"),
        ("militia", {"formation": "mob"}, "irregulars"),
        ("militia", {}, "irregulars"),
        ("irregular", {}, "irregulars"),
        ("indian", {}, "irregulars"),
        ("civilian", {}, "irregulars"),
        ("gunners", {}, "gunners"),
        ("cavalry", {}, "cavalry"),
        ("cavalry", {"stats": {"special": ["irregular"]}}, "cavalry"),
        ("mounted-infantry", {}, "irregulars"),
        ("mounted-infantry", {"mounted": True}, "cavalry"),
        ("leader", {}, None),
        ("pef", {}, None),
        ("wagon", {}, None),
    ],
)
def test_which_reaction_table_troops_use(kind: str, keys: dict[str, Any], table: str | None) -> None:
    assert counts_as(unit("us", kind=kind, **keys)).reaction == table


@pytest.mark.rule("MM-244")
def test_unformed_light_infantry_test_as_irregulars_in_later_periods() -> None:
    unformed, formed = unit("us", kind="light"), unit("us", kind="light", formation="formed-line")
    assert counts_as(unformed, period="texas").reaction == "irregulars"
    assert not counts_as(unformed, period="napoleonic").regular
    assert counts_as(formed, period="napoleonic").reaction == "regulars"


@pytest.mark.rule("MM-22", "MM-151")
@pytest.mark.parametrize(
    ("kind", "keys", "ferocious"),
    [
        ("regular", {}, False),
        ("grenadier", {}, True),
        ("guard", {}, True),
        ("irregular", {}, True),
        ("indian", {}, True),
        ("militia", {}, False),
        ("civilian", {}, False),
        ("cavalry", {}, False),
        ("light", {}, False),
        ("cavalry", {"stats": {"special": ["irregular"]}}, True),
        ("regular", {"stats": {"special": ["ferocious"]}}, True),
    ],
)
def test_who_is_ferocious(kind: str, keys: dict[str, Any], ferocious: bool) -> None:
    assert counts_as(unit("us", kind=kind, **keys)).ferocious is ferocious


@pytest.mark.rule("MM-92")
def test_the_weapon_list() -> None:
    inches = {name: weapon.range_mm / 25.4 for name, weapon in weapons().items() if weapon.small_arm}
    assert inches == pytest.approx(
        {"musket": 18, "carbine": 12, "pistol": 6, "rifle": 24, "bow": 18, "lance+carbine": 12}
    )
    assert {name: weapon.markers for name, weapon in weapons().items()} == {
        "musket": 1, "carbine": 1, "pistol": 1, "rifle": 2, "bow": 0, "lance+carbine": 1, "lance": 0, "sword": 0,
        "none": 0, "cannon": 2,
    }  # fmt: skip


@pytest.mark.rule("MM-20", "MM-23", "R-51")
def test_defaults() -> None:
    table = game(unit("us", at=row(7, 900, 300), kind="cavalry"), gun("gun", "french"), weather="inclement")
    us, guns = table.unit("us"), table.unit("gun")
    assert (stats_of(us).leader_rep, stats_of(us).paper_strength, stats_of(guns).paper_strength) == (4, 10, 5)
    assert (state_of(us).start_strength, state_of(us).strength, state_of(us).mounted) == (10, 7, True)
    assert (state_of(guns).strength, state_of(guns).mounted) == (5, False)
    conditions = conditions_of(table)
    assert (conditions.level, conditions.period, conditions.player_side) == (3, "fiw", "british")
    assert conditions.options.rear_fire_doubles
    assert conditions.options.cap_to_seen


@pytest.mark.rule("MM-172", "muskets-mohawks R-18")
def test_inside_a_building_every_unit_is_unformed() -> None:
    entry = unit("us", kind="regular", formation="formed-line", in_building="house")
    table = game(entry, terrain=[box("house", "building", (800, 200), (1000, 400))])
    assert not troop(table.unit("us"), table).formed


FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"type": "orc"}, "units[0].type", "regular, light"),
    ({"formation": "wedge"}, "units[0].formation", "formed-line, mob"),
    ({"weapon": "laser"}, "units[0].weapon", "musket"),
    ({"stats": {"rep": 7}}, "units[0].stats.rep", "6"),
    ({"stats": {"rep": 1}}, "units[0].stats.rep", "2 to 6"),
    ({"stats": {"rank": "duke"}}, "units[0].stats.rank", "captain"),
    ({"stats": {"special": ["elite"]}}, "units[0].stats.special", "ferocious"),
    ({"stats": {"luck": 1}}, "units[0].stats", "luck"),
    ({"state": {"prone": 1}}, "units[0].state.prone", "true or false"),
    ({"state": {"reload_markers": -1}}, "units[0].state.reload_markers", "0"),
    ({"state": {"tactics": "run"}}, "units[0].state.tactics", "attack"),
    ({"state": {"in_building": "inn"}}, "units[0].state.in_building", "inn"),
    ({"square": [1, 1]}, "units[0].square", "grid"),
]


@pytest.mark.parametrize(("change", "where", "what"), FAULTS, ids=[where for _, where, _ in FAULTS])
def test_a_word_outside_the_vocabulary_is_refused_with_its_place(
    change: dict[str, Any], where: str, what: str
) -> None:
    with pytest.raises(UnusableFile) as refused:
        RULESET.check(game({**unit("us"), **change}))
    assert str(refused.value).startswith(where)
    assert what in str(refused.value)


@pytest.mark.parametrize(
    ("conditions", "where"),
    [
        ({"light": "dusk"}, "conditions.light"),
        ({"options": {"measure": "eye"}}, "conditions.options.measure"),
        ({"weather_level": 7}, "conditions.weather_level"),
        ({"moon": "full"}, "conditions"),
        ({"player_side": "dutch"}, "conditions.player_side"),
        ({"campaign": {"dutch": {}}}, "conditions.campaign.dutch"),
        ({"campaign": {"french": {"territory": "held"}}}, "conditions.campaign"),
    ],
)
def test_conditions_outside_the_vocabulary_are_refused(conditions: dict[str, Any], where: str) -> None:
    with pytest.raises(UnusableFile) as refused:
        RULESET.check(game(unit("us"), **conditions))
    assert str(refused.value).startswith(where)


@pytest.mark.parametrize(
    ("terrain", "where"),
    [
        (box("a", "swamp", (0, 0), (9, 9)), "terrain[0].kind"),
        (box("a", "woods", (0, 0), (9, 9), dv=1), "terrain[0]"),
        (box("a", "building", (0, 0), (9, 9), dv=4), "terrain[0].dv"),
        (box("a", "hill", (0, 0), (9, 9), crest_mm=[[1, 1]]), "terrain[0].crest_mm"),
        (
            {"id": "a", "kind": "building", "polyline_mm": [[0, 0], [99, 0]], "width_mm": 50.0},
            "terrain[0].polyline_mm: expected polygon_mm",
        ),
    ],
)
def test_terrain_outside_the_vocabulary_is_refused(terrain: dict[str, Any], where: str) -> None:
    with pytest.raises(UnusableFile) as refused:
        RULESET.check(game(unit("us"), terrain=[terrain]))
    assert str(refused.value).startswith(where)


@pytest.mark.parametrize(
    ("figure", "where"),
    [({"role": "king"}, "role"), ({"status": "dead"}, "status"), ({"weapon": "sling"}, "weapon")],
)
def test_figures_outside_the_vocabulary_are_refused(figure: dict[str, Any], where: str) -> None:
    entry = unit("us")
    entry["figures"][0] |= figure
    with pytest.raises(UnusableFile) as refused:
        RULESET.check(game(entry))
    assert str(refused.value).startswith(f"units[0].figures[0].{where}")


def test_keys_of_sides_and_turns_that_the_ruleset_does_not_have_are_refused() -> None:
    raw: dict[str, Any] = {
        "format": "vedette-game/1", "ruleset": "muskets-mohawks", "table": {"width_mm": 900, "depth_mm": 900},
        "sides": [{"name": "a", "edge": "south", "morale": 3}],
    }  # fmt: skip
    with pytest.raises(UnusableFile, match=r"sides\[0\]\.morale"):
        RULESET.check(game_from(raw, "x"))
    del raw["sides"][0]["morale"]
    with pytest.raises(UnusableFile, match=r"turn\.phase"):
        RULESET.check(game_from({**raw, "turn": {"number": 1, "phase": "fire"}}, "x"))


def test_a_game_with_every_word_passes() -> None:
    terrain = [
        box("house", "building", (0, 0), (9, 9), dv=2, door_mm=[4, 0], levels=2, hole_in=1, fire_in=0.5,
            smouldering=False, length_in=8, loot_turns=2),
        box("hill", "hill", (0, 0), (9, 9), crest_mm=[[1, 1], [2, 2]], wooded=True),
        {"id": "road", "kind": "road", "polyline_mm": [[0, 0], [50, 50]], "width_mm": 30},
    ]  # fmt: skip
    campaign = {"french": {"army": "french", "investment_level": 3, "local_campaign_morale": 4, "territory": None}}
    RULESET.check(game(unit("us", in_building="house", behind="x", firing_at=None), terrain=terrain,
                       campaign=campaign, year=1758, month=7, snow="both", weather="inclement"))  # fmt: skip

"""Set-up and campaign: every table, the book's examples, and what is written to the game."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, EngineError, UnknownAction
from tests.engine.muskets_mohawks.playing import Plain, after, event, game, names, resolve, unit


def campaign(**sides: Plain) -> Plain:
    """A campaign of British against French, with some keys changed."""
    usual = {
        "british": {
            "army": "british",
            "investment_level": 4,
            "local_campaign_morale": 4,
            "territory": "contesting",
        },
        "french": {"army": "french", "investment_level": 3, "local_campaign_morale": 3, "territory": "controlling"},
    }
    return {side: {**values, **sides.get(side, {})} for side, values in usual.items()}


def scene(*units: Plain, british: Plain | None = None, french: Plain | None = None, **conditions: Any) -> Plain:
    both = units or (unit("br", "british"), unit("fr", "french", at=(900, 900), facing=180))
    return game(*both, campaign=campaign(british=british or {}, french=french or {}), **conditions)


def written(played: Plain, side: str) -> Plain:
    found: Plain = played["game"]["conditions"]["campaign"][side]
    return found


@pytest.mark.rule("MM-209", "MM-03")
@pytest.mark.parametrize(
    ("dice", "weather", "level"),
    [([2], "clear", None), ([6], "clear", None), ([1, 1], "inclement", 1), ([1, 5], "inclement", 5)],
)
def test_weather(dice: list[int], weather: str, level: int | None) -> None:
    played = resolve(scene(), dice, action="weather")
    assert (event(played, "weather")["weather"], event(played, "weather")["level"]) == (weather, level)
    assert played["game"]["conditions"]["weather"] == weather


@pytest.mark.rule("MM-201")
def test_page_25_the_higher_total_contests_and_ties_are_rolled_again() -> None:
    start = scene(french={"territory": None}, british={"territory": None})
    # British 5 + 4 against French 3 + 3; before it a tie of 2 + 4 and 3 + 3.
    played = resolve(start, [2, 3, 5, 3], action="territory")
    seen = event(played, "territory")
    assert (seen["contesting"], seen["controlling"]) == ("british", "french")
    assert seen["totals"] == {"british": 9, "french": 6}
    assert written(played, "british")["territory"] == "contesting"
    assert written(played, "french")["territory"] == "controlling"


@pytest.mark.rule("MM-207")
@pytest.mark.parametrize(
    ("side", "die", "army"),
    [
        ("british", 2, "french"),
        ("british", 3, "french-indians"),
        ("french", 3, "british"),
        ("french", 4, "british-indians"),
    ],
)
def test_main_opponent(side: str, die: int, army: str) -> None:
    assert event(resolve(scene(), [die], action="opponent", side=side), "opponent")["army"] == army


@pytest.mark.rule("MM-207")
@pytest.mark.parametrize(("die", "army"), [(3, "french"), (4, "french-indians")])
def test_only_the_british_themselves_add_one_for_their_main_opponent(die: int, army: str) -> None:
    """The Indians allied to them are an army of their own."""
    start = scene(british={"army": "british-indians"})
    assert event(resolve(start, [die], action="opponent", side="british"), "opponent")["army"] == army


@pytest.mark.rule("R-58")
def test_in_other_periods_the_opponent_is_the_other_side_and_no_die_is_rolled() -> None:
    start = scene(british={"army": "great-britain"}, french={"army": "france"}, period="napoleonic")
    assert event(resolve(start, [], action="opponent", side="british"), "opponent")["army"] == "france"


@pytest.mark.rule("MM-208")
def test_page_26_the_higher_die_counts_up_to_the_army_s_most() -> None:
    start = scene(french={"army": "french-indians"})
    played = resolve(start, [4, 5, 1, 2], action="investment")
    assert [one["level"] for one in played["events"]] == [4, 2]
    assert (written(played, "british")["investment_level"], written(played, "french")["investment_level"]) == (4, 2)


@pytest.mark.rule("MM-208")
@pytest.mark.parametrize(
    ("army", "held", "most"),
    [
        ("french", "controlling", 4),
        ("french", "contesting", 2),
        ("french-indians", "controlling", 3),
        ("french-indians", "contesting", 3),
        ("british", "controlling", 4),
        ("british", "contesting", 4),
        ("british-indians", "controlling", 3),
        ("british-indians", "contesting", 2),
    ],
)
def test_the_most_that_each_army_commits(army: str, held: str, most: int) -> None:
    start = scene(british={"army": army, "territory": held})
    assert resolve(start, [6, 6, 1, 1], action="investment")["events"][0]["level"] == most


@pytest.mark.rule("R-60")
@pytest.mark.parametrize(
    "action",
    [
        {"action": "investment"},
        {"action": "encounter", "encounter": "scout"},
        {"action": "replacements", "unit": "br"},
    ],
)
def test_while_nobody_contests_nothing_is_committed(action: Plain) -> None:
    with pytest.raises(ActionRefused, match="not settled"):
        resolve(scene(british={"territory": None}), [], **action)


@pytest.mark.rule("MM-206", "MM-232", "MM-226", "R-61")
def test_a_scout_asks_for_opponent_levels_weather_and_what_the_enemy_is_on() -> None:
    played = resolve(scene(), [2, 1, 3, 2, 2, 4, 4], action="encounter", encounter="scout")
    seen = event(played, "encounter")
    assert (seen["opponent"], seen["overall_terrain"], seen["light"]) == ("french", "wooded", "day")
    assert (seen["investment"], seen["enemy_investment"], seen["weather"]) == (3, 2, "clear")
    assert (seen["structures"], seen["enemy_encounter"]) == (None, "raid-defend")
    assert played["game"]["conditions"]["encounter"] == "scout"


@pytest.mark.rule("MM-05", "R-61")
def test_a_raid_asks_for_ground_light_and_structures_and_may_keep_the_levels() -> None:
    played = resolve(scene(), [2, 3, 6, 1, 2, 5], action="encounter", encounter="raid-attack", keep_investment=True)
    seen = event(played, "encounter")
    assert (seen["overall_terrain"], seen["light"], seen["weather"], seen["structures"]) == (
        "hilly",
        "night",
        "inclement",
        3,
    )
    assert (seen["investment"], seen["enemy_investment"], seen["enemy_encounter"]) == (4, 3, "raid-defend")
    assert written(played, "british")["investment_level"] == 4


@pytest.mark.rule("MM-234", "MM-235")
@pytest.mark.parametrize(
    ("kind", "structures", "theirs"), [("raid-defend", 1, "raid-attack"), ("stand-up-fight", None, None)]
)
def test_the_other_encounters(kind: str, structures: int | None, theirs: str | None) -> None:
    played = resolve(scene(), [2, 6, 5, 1, 1, 1, 1, 6], action="encounter", encounter=kind)
    seen = event(played, "encounter")
    assert (seen["structures"], seen["enemy_encounter"], seen["light"]) == (structures, theirs, "day")


@pytest.mark.rule("MM-199")
def test_no_stand_up_fights_in_winter() -> None:
    with pytest.raises(ActionRefused, match="winter"):
        resolve(scene(month=12), [], action="encounter", encounter="stand-up-fight")


REPS = [
    ({"type": "regular"}, "unit", 1, 3),
    ({"type": "regular"}, "unit", 2, 4),
    ({"type": "regular"}, "unit", 4, 4),
    ({"type": "regular"}, "unit", 5, 5),
    ({"type": "guard"}, "unit", 1, 4),
    ({"type": "grenadier"}, "unit", 4, 5),
    ({"type": "light"}, "unit", 4, 5),
    ({"type": "militia"}, "unit", 2, 3),
    ({"type": "civilian"}, "unit", 5, 4),
    ({"type": "indian"}, "unit", 4, 4),
    ({"type": "regular"}, "leader", 4, 5),
    ({"type": "militia"}, "leader", 4, 5),
    ({"type": "indian"}, "leader", 1, 4),
    ({"type": "civilian"}, "leader", 4, 4),
    ({"type": "leader"}, "leader", 4, 4),
    ({"type": "leader", "stats": {"rank": "war-chief"}}, "leader", 4, 5),
    ({"type": "leader", "stats": {"nco": True}}, "leader", 4, 5),
]


@pytest.mark.rule("MM-38", "MM-39")
@pytest.mark.parametrize(("keys", "kind", "die", "rep"), REPS)
def test_reps_of_units_and_leaders(keys: Plain, kind: str, die: int, rep: int) -> None:
    played = resolve(game(unit("u", "british", **keys)), [die], action="generate-rep", unit="u", kind=kind)
    assert event(played, "rep")["rep"] == rep
    assert after(played, "u")["stats"]["rep" if kind == "unit" else "leader_rep"] == rep


@pytest.mark.rule("MM-241")
@pytest.mark.parametrize(
    ("army", "die", "total"),
    [
        ("france", 3, 5),
        ("naples", 3, 3),
        ("austria", 3, 3),
        ("great-britain", 3, 5),
        ("russia", 3, 5),
        ("spain", 3, 3),
        ("baden", 3, 4),
    ],
)
def test_the_army_s_list_changes_leaders_rolls(army: str, die: int, total: int) -> None:
    start = scene(unit("u", "british"), british={"army": army}, period="napoleonic")
    assert event(resolve(start, [die], action="generate-rep", unit="u", kind="leader"), "rep")["total"] == total
    with pytest.raises(ActionRefused, match="army lists"):
        resolve(start, [], action="generate-rep", unit="u", kind="unit")


@pytest.mark.rule("MM-236", "R-64")
def test_a_new_leader_is_rolled() -> None:
    played = resolve(game(unit("u", "british")), [1], action="replace-leader", unit="u")
    assert (event(played, "rep")["kind"], event(played, "rep")["rep"]) == ("leader", 4)


@pytest.mark.rule("MM-24")
@pytest.mark.parametrize(("die", "strength"), [(1, 7), (3, 9), (4, 10), (6, 10)])
def test_field_strength(die: int, strength: int) -> None:
    played = resolve(game(unit("u", "british")), [die], action="field-strength", unit="u")
    assert after(played, "u")["state"]["strength"] == strength


RECOVERY = [
    # state, won, dice, returned, strength, row
    ({"casualties": 3}, True, [2, 5], 2, 9, "book p.19"),
    ({"casualties": 3}, False, [2, 5], 0, 7, ""),
    ({"casualties": 3}, False, [2, 4], 3, 10, ""),
    ({"casualties": 3}, True, [5, 5], 0, 7, ""),
    ({"runaway": True, "casualties": 2}, True, [3], 5, 5, "book p.19"),
    ({"runaway": True}, False, [3], 0, 0, ""),
    ({"casualties": 0}, True, [], 0, 7, ""),
]


@pytest.mark.rule("MM-168", "MM-169")
@pytest.mark.parametrize(("state", "won", "dice", "returned", "strength"), [row[:5] for row in RECOVERY])
def test_recovery_after_the_battle(state: Plain, won: bool, dice: list[int], returned: int, strength: int) -> None:
    start = game(unit("u", "british", number=7, state={"start_strength": 10, **state}))
    seen = event(resolve(start, dice, action="after-battle", unit="u", won=won), "after-battle")
    assert (seen["returned"], seen["strength"]) == (returned, strength)


CHANGES = [
    ({"scored_casualty": True}, True, [5], 1),
    ({"scored_casualty": True}, True, [4], 0),
    ({"meleed": True}, True, [6], 1),
    ({"meleed": True}, False, [], 0),
    ({}, True, [], 0),
    ({"meleed": True, "retired": True}, True, [], 0),
    ({"meleed": True, "below_half": True}, True, [2], 0),
    ({"below_half": True}, True, [1], -1),
    ({"runaway": True}, False, [1], -1),
    ({"runaway": True}, False, [2], 0),
]


@pytest.mark.rule("MM-237", "MM-238")
@pytest.mark.parametrize(("state", "success", "dice", "change"), CHANGES)
def test_changes_of_rep(state: Plain, success: bool, dice: list[int], change: int) -> None:
    played = resolve(game(unit("u", "british", state=state)), dice, action="rep-change", unit="u", success=success)
    assert (event(played, "rep-change")["change"], event(played, "rep-change")["rep"]) == (change, 4 + change)


@pytest.mark.rule("MM-237", "MM-238", "R-62")
@pytest.mark.parametrize(("rep", "state", "die"), [(6, {"meleed": True}, 6), (2, {"runaway": True}, 1)])
def test_reps_stay_between_two_and_six(rep: int, state: Plain, die: int) -> None:
    start = game(unit("u", "british", rep=rep, state=state))
    assert event(resolve(start, [die], action="rep-change", unit="u", success=True), "rep-change")["rep"] == rep


REPLACED = [
    (6, "contesting", [5, 5], 0, True, "book p.36"),
    (6, "contesting", [4, 3], 1, True, ""),
    (6, "controlling", [4, 3], 2, True, ""),
    (10, "controlling", [4, 3], 2, True, "over paper strength"),
    (5, "contesting", [4, 3], 5, True, "exactly half"),
    (5, "contesting", [4, 6], 1, True, ""),
    (6, "contesting", [4, 6], 0, True, ""),
    (6, "contesting", [6, 6], 0, True, ""),
    (4, "contesting", [6, 6], 6, False, ""),
]


@pytest.mark.rule("MM-239", "R-50")
@pytest.mark.parametrize(("strength", "held", "dice", "added", "available"), [row[:5] for row in REPLACED])
def test_replacements(strength: int, held: str, dice: list[int], added: int, available: bool) -> None:
    one = unit("br", "british", number=6, state={"strength": strength})
    played = resolve(scene(one, british={"territory": held}), dice, action="replacements", unit="br")
    seen = event(played, "replacements")
    assert (seen["added"], seen["available"], seen["strength"]) == (added, available, strength + added)
    assert len(after(played, "br")["figures"]) == 6


@pytest.mark.rule("MM-240", "R-42")
@pytest.mark.parametrize(("dice", "lost"), [([5, 5], 0), ([5, 6], 1), ([6, 6], 2)])
def test_desertion_goes_by_the_player_s_own_rep(dice: list[int], lost: int) -> None:
    played = resolve(scene(british={"commander_rep": 5}), dice, action="desertion", unit="br")
    assert event(played, "desertion")["lost"] == lost
    assert after(played, "br")["state"]["strength"] == 10 - lost


@pytest.mark.rule("MM-218")
@pytest.mark.parametrize(
    ("last", "success", "then", "stand_up"),
    [
        ("scout", True, "raid-attack", False),
        ("scout", False, "raid-defend", False),
        ("raid-attack", True, "raid-attack", True),
        ("raid-attack", False, "scout", False),
        ("raid-defend", True, "scout", False),
        ("raid-defend", False, "raid-defend", True),
        ("stand-up-fight", True, "scout", False),
        ("stand-up-fight", False, "scout", False),
    ],
)
def test_the_next_encounter(last: str, success: bool, then: str, stand_up: bool) -> None:
    seen = event(resolve(scene(), [], action="next-encounter", last=last, success=success), "next-encounter")
    assert (seen["encounter"], seen["stand_up_possible"]) == (then, stand_up)
    indians = scene(french={"army": "french-indians"})
    other = event(resolve(indians, [], action="next-encounter", last=last, success=success), "next-encounter")
    assert other["stand_up_possible"] is False


@pytest.mark.rule("MM-200")
@pytest.mark.parametrize(
    ("army", "by_year"),
    [
        ("french", [4, 4, 4, 4, 4, 3, 3]),
        ("french-indians", [4, 4, 4, 4, 4, 3, 2]),
        ("british", [3, 4, 3, 3, 4, 4, 4]),
        ("british-indians", [2, 2, 2, 2, 2, 3, 3]),
    ],
)
def test_starting_morale_by_year(army: str, by_year: list[int]) -> None:
    for year, morale in zip(range(1754, 1761), by_year, strict=True):
        played = resolve(scene(british={"army": army}), [], action="campaign-start", year=year)
        assert written(played, "british")["local_campaign_morale"] == morale
        assert played["game"]["conditions"]["year"] == year


@pytest.mark.rule("MM-205", "MM-198")
def test_the_last_campaign_counts_and_the_year_must_be_of_the_war() -> None:
    played = resolve(scene(), [], action="campaign-start", year=1759, previous={"british": "won", "french": "lost"})
    assert written(played, "british")["local_campaign_morale"] == 5
    assert written(played, "french")["local_campaign_morale"] == 2
    with pytest.raises(UnknownAction, match="1754 to 1760"):
        resolve(scene(), [], action="campaign-start", year=1763)


@pytest.mark.rule("R-58")
@pytest.mark.parametrize(
    ("period", "army", "morale"),
    [
        ("revolution", "american", 4),
        ("revolution", "french", 3),
        ("1812", "british", 4),
        ("napoleonic", "great-britain", 5),
        ("napoleonic", "hesse-darmstadt", 3),
        ("texas", "mexican", 2),
        ("texas", "texian", 3),
    ],
)
def test_other_periods_start_with_the_morale_of_their_list(period: str, army: str, morale: int) -> None:
    start = scene(british={"army": army}, french={"army": army}, period=period)
    played = resolve(start, [], action="campaign-start", year=1815)
    assert written(played, "british")["local_campaign_morale"] == morale


AFTER = [
    # British dice (morale 4, successful: 3), French (morale 3: 2), morale and level changes
    ([1, 1, 6], [1, 6], (0, 0), (-1, 0), "one above"),
    ([1, 1, 1], [1, 6], (1, 0), (-1, -1), "two above"),
    ([1, 6, 6], [1, 6], (0, 0), (0, 0), "equal"),
    ([6, 6, 6], [1, 6], (-1, 0), (0, 0), "one below"),
    ([6, 6, 6], [1, 1], (-1, -1), (1, 0), "two below"),
]


@pytest.mark.rule("MM-202", "MM-203", "R-46")
@pytest.mark.parametrize(
    ("ours", "theirs", "british", "french"), [row[:4] for row in AFTER], ids=[row[4] for row in AFTER]
)
def test_what_an_encounter_does_to_the_campaign(
    ours: list[int], theirs: list[int], british: tuple[int, int], french: tuple[int, int]
) -> None:
    played = resolve(scene(), [*ours, *theirs], action="after-encounter", success="british")
    changes = event(played, "campaign")["changes"]
    for side, (morale, level) in (("british", british), ("french", french)):
        assert changes[side] == {"morale": morale, "investment": level}
    assert written(played, "british")["local_campaign_morale"] == 4 + british[0]
    assert written(played, "french")["investment_level"] == 3 + french[1]


@pytest.mark.rule("MM-202", "MM-204", "R-46")
def test_a_six_never_passes_and_nothing_falls_below_its_least() -> None:
    start = scene(british={"local_campaign_morale": 6}, french={"local_campaign_morale": 0, "investment_level": 1})
    played = resolve(start, [5, 5, 6, 6], action="after-encounter", success=None)
    assert event(played, "campaign")["passed"] == {"british": 2, "french": 0}
    assert written(played, "french") == {**written(start_result(start), "french"), "local_campaign_morale": 0}


def start_result(start: Plain) -> Plain:
    return {"game": {"conditions": start["conditions"]}}


@pytest.mark.rule("R-46", "MM-202")
def test_allies_present_compare_with_the_enemy_s_main_army() -> None:
    allies = {"allies": {"british-indians": 2}, "allies_present": ["british-indians"]}
    played = resolve(scene(british=allies), [1, 1, 1, 2, 2, 2, 6, 6], action="after-encounter", success="british")
    assert written(played, "british")["allies"] == {"british-indians": 3}
    lost = resolve(scene(british=allies), [1, 6, 6, 6, 1, 6], action="after-encounter", success=None)
    assert written(lost, "british")["allies"] == {"british-indians": 1}


@pytest.mark.parametrize(
    "action",
    [
        {"action": "opponent"},
        {"action": "opponent", "side": "spanish"},
        {"action": "weather", "unit": "br"},
        {"action": "encounter", "encounter": "siege"},
        {"action": "generate-rep", "unit": "br", "kind": "horse"},
        {"action": "campaign-start", "year": "1754"},
        {"action": "after-encounter"},
        {"action": "after-battle", "unit": "br"},
    ],
)
def test_wrong_keys_are_refused(action: Plain) -> None:
    with pytest.raises(EngineError) as caught:
        resolve(scene(), [], **action)
    assert caught.value.exit_status == 2


def test_nothing_of_the_set_up_moves_a_figure() -> None:
    played = resolve(scene(), [2], action="weather")
    assert names(played) == ["weather"]
    assert after(played, "br")["figures"] == [
        {**figure, "status": "ok"} for figure in unit("br", "british")["figures"]
    ]


def against(die: int, *units: Plain, **conditions: Any) -> Plain:
    """A solo evening of the British whose main opponent a die has named."""
    start = scene(
        *units,
        evening={"play": "solo"},
        player_side="british",
        french={"allies": {"french-indians": 2}},
        **conditions,
    )
    played = resolve(start, [die], action="opponent", side="british")
    found: Plain = played["game"]
    return found


@pytest.mark.rule("MM-207", "MM-224", "MM-213")
@pytest.mark.parametrize(("die", "arrive", "row"), [(1, "regular", "MM-212"), (4, "indian", "MM-213")])
def test_who_a_marker_turns_out_to_be_is_read_from_the_main_opponents_table(
    die: int, arrive: str, row: str
) -> None:
    marker = {
        **unit("mark", "french", type="pef", number=1, at=(900, 900)), "formation": "unformed", "weapon": "none",
    }  # fmt: skip
    start = against(die, unit("br", "british"), marker)
    played = resolve(start, [1, 1, 1, 3], action="pef-resolve", unit="mark")
    seen = event(played, "pef-resolve")
    assert (seen["total"], {one["type"] for one in seen["arrive"]}, seen["rule"]) == (6, {arrive}, row)


@pytest.mark.rule("MM-207", "MM-218")
@pytest.mark.parametrize(("die", "stand_up"), [(1, True), (4, False)])
def test_a_stand_up_fight_is_offered_only_after_one_against_the_army_itself(die: int, stand_up: bool) -> None:
    played = resolve(against(die), [], action="next-encounter", last="raid-attack", success=True)
    assert event(played, "next-encounter")["stand_up_possible"] is stand_up


@pytest.mark.rule("MM-207", "MM-204")
def test_indians_who_have_lost_heart_are_no_opponents_whatever_the_armys_own_morale() -> None:
    marker = {
        **unit("mark", "french", type="pef", number=1, at=(900, 900)), "formation": "unformed", "weapon": "none",
    }  # fmt: skip
    start = against(4, unit("br", "british"), marker)
    start["conditions"]["campaign"]["french"]["allies"] = {"french-indians": 0}
    assert event(resolve(start, [1, 1, 1, 3], action="pef-resolve", unit="mark"), "pef-resolve")["arrive"] == []


@pytest.mark.rule("MM-207", "MM-204")
@pytest.mark.parametrize(
    ("die", "own", "theirs", "army"),
    [(5, 3, 0, "french"), (1, 0, 2, "french-indians"), (5, 3, 1, "french-indians"), (1, 3, 0, "french")],
)
def test_who_is_out_of_the_war_is_nobodys_main_opponent(die: int, own: int, theirs: int, army: str) -> None:
    start = scene(french={"local_campaign_morale": own, "allies": {"french-indians": theirs}})
    assert event(resolve(start, [die], action="opponent", side="british"), "opponent")["army"] == army


@pytest.mark.rule("MM-199", "MM-218")
@pytest.mark.parametrize(
    ("month", "period", "offered"),
    [(9, "fiw", True), (10, "fiw", False), (12, "fiw", False), (2, "fiw", True), (10, "revolution", True)],
)
def test_no_stand_up_fight_is_offered_for_a_month_of_winter(month: int, period: str, offered: bool) -> None:
    start = scene(month=month, period=period)
    played = resolve(start, [], action="next-encounter", last="raid-attack", success=True)
    assert event(played, "next-encounter")["stand_up_possible"] is offered


@pytest.mark.rule("MM-207")
def test_the_players_own_side_stays_what_it_is_and_another_encounter_has_another_opponent() -> None:
    start = against(4)
    assert start["conditions"]["evening"]["opponent"] == "french-indians"
    again = resolve(start, [1], action="opponent", side="british")["game"]
    assert again["conditions"]["evening"]["opponent"] == "french"
    theirs = resolve(start, [4], action="opponent", side="french")["game"]  # it is the British whose evening it is
    assert theirs["conditions"]["evening"]["opponent"] == "french-indians"


@pytest.mark.rule("MM-24", "MM-61", "R-28")
def test_half_strength_is_counted_from_the_field_strength() -> None:
    played = resolve(game(unit("u", "british")), [1], action="field-strength", unit="u")
    assert after(played, "u")["state"]["start_strength"] == 7

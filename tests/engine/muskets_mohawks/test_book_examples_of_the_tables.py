"""The book's worked examples of dice and tables, with its own scores; and where each example of the book is a test.

| page | what the example works out | its test |
| --- | --- | --- |
| 2 | a charge test of Rep 4: a 5 and a 2 pass one die | here |
| 2 | melee dice 1 2 2 3 5 6: four successes | here |
| 3 | a road's die 5 has it run widthwise | here |
| 3 | the terrain dice 3 and 6 are added to 9 | here |
| 3, 30 | a marker in sight is tested with two dice | `test_turn_procedure`, both of page 30 |
| 5 | the Leader's die 4 among Indians: Rep 5 | here |
| 6 | the optional field strength: a 2 against Rep 4 | here |
| 6, 7 | a company in a body; who commands, who activates whom | `test_ask_moves_and_orders` (no dice) |
| 12 | two Indians fall, their Leader among them | `test_book_examples` |
| 14 | one, six, seven hits halved | here |
| 15 | canister at a mob; the second round of a line | `test_book_examples` |
| 15 | a ball through two units in line | the case `book-p15-ball-through-a-platoon` |
| 16, 17 | round the bend; on to a second enemy | `test_book_examples` |
| 18 | eight Indians against ten French | `test_book_examples` |
| 19 | both recoveries after the battle | `test_campaign_procedures`, "book p.19" |
| 25 | who contests in 1759 | `test_campaign_procedures`, page 25 |
| 25 | a lost battle drives the allies out of the war | here; that they do not come: `test_turn_procedure` |
| 26 | investment levels of both sides | `test_campaign_procedures`, page 26 |
| 27 | irregulars and Indians as reinforcements | `test_turn_procedure`, page 27 |
| 30 | a platoon on the entry table; one in defences | `test_turn_procedure`, page 30 |
| 36 | replacements for six figures left | here |
| 43 | a marker halts at the edge of the woods | the case `book-p43-pef-halts-at-the-edge-of-the-woods` |
"""

from __future__ import annotations

import pytest

from engine.dice import Roll, Rolled
from engine.records.game import game_from
from engine.rulesets.muskets_mohawks.options.fire_options import fire_option
from engine.rulesets.muskets_mohawks.procedures.firing.shooting import casualties_of
from tests.engine.muskets_mohawks.playing import INCH, after, event, game, resolve, unit, wood
from tests.engine.muskets_mohawks.test_campaign_procedures import scene, written


@pytest.mark.rule("MM-01")
def test_page_2_a_five_and_a_two_pass_one_die_of_a_charge() -> None:
    indians = unit("indians", "british", type="indian", at=(900, 300), formation="mob", number=4)
    french = unit("french", "french", at=(900, 325 + 8 * INCH), facing=180, number=4, rep=3, weapon="none")
    # The Indians' third die, and the French dice, are not the example's: here they all fail.
    played = resolve(game(indians, french), [5, 2, 6, 6, 6], action="charge", unit="indians", target="french")
    assert event(played, "charge")["charger_passed"] == 1


@pytest.mark.rule("MM-02", "MM-150")
def test_page_2_six_dice_of_a_melee_succeed_four_times() -> None:
    asked = Roll(purpose="indians fight", count=6, success="<=3", rule="MM-150")
    assert Rolled(roll=asked, scores=(1, 2, 2, 3, 5, 6)).passed == 4
    indians = unit("indians", "british", type="indian", number=4, leader=None, state={"in_melee": ["french"]})
    french = unit(
        "french", "french", number=4, leader=None, at=(900, 325), facing=180, state={"in_melee": ["indians"]}
    )
    # Ferocious: Rep 4 and two dice more. All four French fall, whatever their dice (here none succeeds).
    played = resolve(
        game(indians, french), [1, 2, 2, 3, 5, 6, 6, 6, 6, 6, 1, 1], action="melee", unit="indians", enemy="french"
    )
    assert (event(played, "melee")["unit_dice"], event(played, "melee")["unit_successes"]) == (6, 4)
    assert event(played, "melee")["enemy_casualties"] == 4


@pytest.mark.rule("MM-03", "MM-04", "MM-182", "MM-188")
def test_page_3_a_total_of_nine_is_read_off_the_table_and_a_five_has_the_road_run_widthwise() -> None:
    hills = [3, 4] * 7
    played = resolve(game(), [2, 3, 3, 6, *hills, 5], action="terrain", type="hilly")
    sections = [one for one in played["events"] if one["event"] == "section"]
    assert [one["total"] for one in sections[:2]] == [5, 9]
    assert sections[0]["terrain"] == "road-over-hill"
    assert event(played, "feature", section=1)["direction"] == "widthwise"


@pytest.mark.rule("MM-38", "MM-39")
def test_page_5_a_four_makes_a_rep_of_five_of_the_leader_of_indians() -> None:
    played = resolve(game(unit("u", "british", type="indian")), [4], action="generate-rep", unit="u", kind="leader")
    assert (event(played, "rep")["total"], event(played, "rep")["rep"]) == (5, 5)


@pytest.mark.rule("MM-24")
def test_page_6_a_two_against_rep_four_leaves_a_unit_two_short() -> None:
    played = resolve(game(unit("u", "british", type="indian")), [2], action="field-strength", unit="u")
    assert after(played, "u")["state"]["strength"] == 8


@pytest.mark.rule("MM-106", "MM-109")
@pytest.mark.parametrize(("hits", "halved"), [(1, 1), (6, 3), (7, 4)])
def test_page_14_hits_on_a_target_in_cover_are_halved_and_rounded_up(hits: int, halved: int) -> None:
    ours = unit("a", "british", formation="formed-line")
    hidden = unit("b", "french", at=(900, 480), facing=180)
    ready = game_from(game(ours, hidden, terrain=[wood("w", 300, 470, 1500, 600)]), "the scene")
    option = fire_option(ready, ready.unit("a"), ready.unit("b"), "volley")
    assert option.roll is not None
    assert option.roll.multiplier == 0.5
    assert casualties_of(ready, option, hits) == halved


@pytest.mark.rule("MM-202", "MM-203", "MM-204")
def test_page_25_a_lost_battle_drives_the_allies_out_of_the_war() -> None:
    french = {"local_campaign_morale": 3, "allies": {"french-indians": 1}, "allies_present": ["french-indians"]}
    # The example gives no dice: the British pass one more than each of the others.
    played = resolve(scene(french=french), [1, 5, 6, 6, 6, 6, 6], action="after-encounter", success="british")
    assert written(played, "french")["local_campaign_morale"] == 2
    assert written(played, "french")["allies"] == {"french-indians": 0}


@pytest.mark.rule("MM-239")
def test_page_36_a_unit_over_half_strength_gets_nobody_for_one_pass() -> None:
    irregulars = unit("fr", "french", type="irregular", number=6, leader_rep=3, state={"strength": 6})
    start = scene(unit("br", "british"), irregulars, french={"investment_level": 4, "territory": "contesting"})
    seen = event(resolve(start, [5, 3], action="replacements", unit="fr"), "replacements")
    assert (seen["passed"], seen["added"], seen["strength"]) == (1, 0, 6)

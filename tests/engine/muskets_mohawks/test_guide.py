"""An evening alone by nothing but what the program says comes next: from an empty table to the next month."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from engine.dice import DiceSource, SeededDice, TypedDice
from engine.events import Event, PlaceFigures, SetState, SetTurn, apply
from engine.geometry.moving.moves import moved, places, room_to_edge
from engine.play import play
from engine.records.action import action_from
from engine.records.game import Game, game_from
from engine.rulesets.muskets_mohawks import RULESET
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, figures_of, state_of
from tests.engine.muskets_mohawks.playing import Plain, game, unit
from tests.long_runs import games

ENOUGH = 260


class Evening:
    """A player who does what comes next; his men march up the table until the country is seen, then back."""

    def __init__(self, seed: int, of: Game | None = None, **agreed: Any) -> None:
        self.rng = random.Random(seed)
        self.dice: DiceSource = SeededDice(seed)
        self.of = of or game_from(game(), "an empty table")
        self.agreed, self.done = agreed, list[str]()

    def steps(self) -> list[Plain]:
        found: list[Plain] = RULESET.ask(self.of).extra.get("guide", [])
        return found

    def do(self, **raw: Any) -> None:
        played = play(self.of, RULESET.begin(self.of, action_from(raw)), self.dice)
        self.of = played.game
        RULESET.check(self.of)

    def happen(self, *changes: Any) -> None:
        self.of = apply(self.of, Event(event="by hand", changes=changes))

    def follow(self) -> str:
        """Does the first thing that comes next; its name."""
        step = self.steps()[0]
        self.done.append(step["step"])
        keys = {**step.get("keys", {}), **(self.agreed if step["step"] == "agree" else {})}
        if "pass" in step:
            self.happen(SetTurn(number=self.of.turn.number, active_side=keys["side"]))
        elif step["step"] == "act":
            self.act(step["unit"])
        else:
            unit = {"unit": step["unit"]} if "unit" in step else {}
            self.do(action=step["action"], **unit, **keys)
        return str(step["step"])

    def act(self, name: str) -> None:
        """A move by hand, then nothing more of the unit this turn; the others may still be told to go on."""
        unit, on = self.of.unit(name), conditions_of(self.of).evening.scouted
        ahead = (0.0, -1.0) if on else (self.rng.uniform(-0.3, 0.3), 0.95)
        far = min(self.rng.uniform(60, 200), max(0.0, room_to_edge(unit.figures, ahead, self.of.table)))
        self.happen(PlaceFigures(places=places(moved(unit.figures, ahead, far))))
        later = [step for step in self.steps() if step["step"] in ("markers", "pass", "new-turn", "leave")]
        waiting = [one for one in self.of.units if one.side == unit.side and figures_of(one)]
        if unit.id == waiting[-1].id or self.rng.random() < 0.3:
            self.take(self.rng.choice(later) if later else None)

    def take(self, step: Plain | None) -> None:
        if step is None or step["step"] == "leave":
            return
        self.done.append(step["step"])
        if "pass" in step:
            self.happen(SetTurn(number=self.of.turn.number, active_side=step["keys"]["side"]))
        else:
            self.do(action=step["action"], **step.get("keys", {}))

    def until(self, last: str) -> None:
        for _ in range(ENOUGH):
            if self.follow() == last:
                return
            if (
                self.steps()
                and self.done.count("new-turn") > 3
                and conditions_of(self.of).evening.stage == "battle"
            ):
                for one in self.of.units:  # the light fails: everybody goes home
                    if one.side == "british" and figures_of(one):
                        self.do(action="leave-field", unit=one.id, override=True)
        raise AssertionError(f"no {last} after {ENOUGH} steps: {self.done[-30:]}")


@pytest.mark.rule(
    "MM-196", "MM-197", "MM-206", "MM-219", "MM-223", "MM-226", "MM-227", "MM-232", "MM-260", "MM-198"
)
@settings(max_examples=games(1), phases=[Phase.generate])
@given(st.integers(0, 2**32 - 1))
def test_a_month_alone_by_what_comes_next(seed: int) -> None:
    evening = Evening(seed, part="lieutenant")
    evening.until("next-month")
    first = list(dict.fromkeys(evening.done))
    wanted = [
        "agree", "armies", "campaign-start", "territory", "encounter", "terrain", "lay-terrain", "lead", "raise",
        "leader-rep", "rep", "first-turn",
    ]  # fmt: skip
    assert [step for step in first if step in wanted] == [step for step in wanted if step in first]
    assert {"agree", "territory", "encounter", "raise", "first-turn", "end", "afterwards"} <= set(first)
    kept = conditions_of(evening.of)
    assert (kept.month, kept.evening.stage, kept.encounter) == (4, "before", None)
    assert not evening.of.terrain
    assert all(one.side == "british" for one in evening.of.units)
    assert all(len(figures_of(one)) == (state_of(one).strength or 1) for one in evening.of.units if one.figures)


LEVELS = {
    "british": {"army": "british", "investment_level": 3, "local_campaign_morale": 3, "territory": "contesting"},
    "french": {"army": "french", "investment_level": 2, "local_campaign_morale": 2, "territory": "controlling"},
}


def month(
    *, stage: str = "judged", month: int = 6, levels: Any = LEVELS, kind: str = "regular", **state: Any
) -> Game:
    """The player's platoon of two units between two encounters of 1757."""
    men = [unit(name, "british", type=kind, at=(500, y), state=state) for name, y in (("1st", 100), ("2nd", 300))]
    chief = unit("lt", "british", type="leader", number=1, leader=1, at=(500, 500), weapon="none")
    kept = {"play": "solo", "stage": stage, **({"due": "scout"} if stage == "judged" else {})}
    conditions = {"player_side": "british", "year": 1757, "month": month, "campaign": levels, "evening": kept}
    return game_from(game(*men, chief, **conditions), "a month")


def first(evening: Evening) -> Plain:
    return evening.steps()[0]


@pytest.mark.rule("MM-205", "MM-201", "MM-206")
@pytest.mark.parametrize(("lost", "result"), [("french", "won"), ("british", "lost")])
def test_a_campaign_that_is_won_or_lost_ends_and_the_next_begins_with_what_it_left(lost: str, result: str) -> None:
    levels = {**LEVELS, lost: {**LEVELS[lost], "local_campaign_morale": 0}}
    evening = Evening(1, month(levels=levels))
    assert first(evening)["step"] == "campaign-over"
    assert f"is {result}" in first(evening)["text"]
    assert first(evening)["keys"] == {"year": 1757, "previous": {"british": result}}
    evening.follow()
    morale = {name: one.local_campaign_morale for name, one in conditions_of(evening.of).campaign.items()}
    assert morale == {"british": 4 if result == "won" else 2, "french": 4}
    evening.follow()
    assert [evening.follow(), first(evening)["step"], first(evening)["keys"]] == [
        "territory", "encounter", {"encounter": "scout"},
    ]  # fmt: skip


@pytest.mark.rule("MM-199")
def test_regulars_skip_the_winter_and_take_the_field_in_march_unless_irregulars_are_raised() -> None:
    evening = Evening(1, month(month=10))
    for _ in range(5):
        assert first(evening)["action"] == "next-month"
        evening.follow()
    assert (conditions_of(evening.of).month, first(evening)["step"]) == (3, "encounter")
    assert {one.id for one in evening.of.units if figures_of(one)} == {"1st", "2nd", "lt"}
    winter = Evening(1, month(month=10))
    winter.follow()
    winter.do(action="encounter", encounter="scout", keep_investment=True)
    winter.do(action="agree", laid_out_by="british")
    assert first(winter)["keys"]["entry"] == "irregulars"


@pytest.mark.rule("MM-239")
def test_a_unit_that_misses_the_month_is_not_raised_anew() -> None:
    evening = Evening(1, month())
    missing = SetState(unit="2nd", key="misses_month", value=True)
    evening.happen(missing)
    evening.follow()
    evening.do(action="encounter", encounter="scout", keep_investment=True)
    evening.do(action="agree", laid_out_by="british")
    assert first(evening)["step"] != "raise"


@pytest.mark.rule("R-61", "MM-203")
def test_in_a_campaign_under_way_the_next_encounter_keeps_the_investment_levels() -> None:
    evening = Evening(1, month())
    evening.follow()
    assert first(evening)["keys"] == {"encounter": "scout", "keep_investment": True}
    evening.follow()
    levels = {name: one.investment_level for name, one in conditions_of(evening.of).campaign.items()}
    assert levels == {"british": 3, "french": 2}


def raid(*, looted: int, stage: str = "battle", gone: bool = False, **house: Any) -> Evening:
    """A raid on two buildings in section 2; ``looted`` of them are."""
    houses = [
        {"id": f"store-{n}", "kind": "building", "dv": 1,
         "polygon_mm": [[x, 1000], [x + 100, 1000], [x + 100, 1076], [x, 1076]],
         **(house or {"loot_turns": 0} if n <= looted else {})}
        for n, x in ((1, 750), (2, 950))
    ]  # fmt: skip
    men = unit("1st", "british", type="irregular", at=(500, 100), state={"strength": 10})
    if gone:
        men = {**men, "figures": [], "state": {"strength": 10, "left_field": True}}
    enemy = unit("foe", "french", at=(300, 1100), facing=180)
    evening = {"play": "solo", "stage": stage, "markers": True, "structures": 2, "won": False}
    conditions: Plain = {"player_side": "british", "encounter": "raid-attack", "campaign": LEVELS}
    conditions["evening"] = evening
    return Evening(1, game_from(game(men, enemy, terrain=houses, **conditions), "a raid"))


@pytest.mark.rule("MM-233", "MM-234")
@pytest.mark.parametrize("kind", ["raid-attack", "raid-defend"])
def test_the_buildings_that_a_raid_is_after_are_laid_out_in_section_two(kind: str) -> None:
    evening = Evening(1, month(kind="irregular"))
    evening.follow()
    evening.do(action="encounter", encounter=kind, keep_investment=True)
    wanted = conditions_of(evening.of).evening.structures
    assert wanted == 2 if kind == "raid-defend" else wanted in (1, 2, 3)
    evening.dice = TypedDice((5, 5) * 9)  # hills and open ground, no houses of their own
    evening.do(action="terrain", type="hilly")
    evening.follow()
    stores = [piece for piece in evening.of.terrain if piece.kind == "building"]
    assert len(stores) == wanted
    for piece in stores:  # beyond the player who raids, behind the player who keeps raiders off
        own = [y if kind == "raid-attack" else 1219 - y for _, y in piece.polygon_mm or ()]
        assert all(y > 813 for y in own)
        assert all(610 < x < 1219 for x, _ in piece.polygon_mm or ())


@pytest.mark.rule("MM-233")
@pytest.mark.parametrize(
    ("looted", "house", "done"), [(1, {}, False), (2, {}, True), (2, {"fire_in": 3.0}, True)],
    ids=["one of two looted", "both looted", "both burn"],
)  # fmt: skip
def test_raiders_go_home_when_the_stores_are_looted_or_burn_and_that_is_their_success(
    looted: int, house: Plain, done: bool
) -> None:
    assert ("leave-raid" in [step["step"] for step in raid(looted=looted, **house).steps()]) is done
    home = raid(looted=looted, stage="ended", gone=True, **house)
    assert first(home)["keys"] == {"side": "british", "won": False, "success": done}


@pytest.mark.rule("MM-232")
@pytest.mark.parametrize("wiped_out", [False, True])
def test_scouts_of_whom_nobody_comes_home_have_not_succeeded(wiped_out: bool) -> None:
    men = unit("1st", "british", at=(500, 100))
    men = {**men, "figures": [], "state": {"casualties": 10} if wiped_out else {"strength": 10, "left_field": True}}
    evening = {"play": "solo", "stage": "ended", "markers": True, "scouted": True, "won": False}
    conditions: Plain = {"player_side": "british", "encounter": "scout", "campaign": LEVELS, "evening": evening}
    scene = Evening(1, game_from(game(men, **conditions), "scouts"))
    assert first(scene)["keys"]["success"] is not wiped_out


@pytest.mark.rule("MM-233", "MM-166")
def test_who_is_too_far_from_his_edge_to_leave_is_told_to_act_first() -> None:
    near = [step["step"] for step in raid(looted=2).steps()]
    assert near.index("leave-raid") < near.index("act")
    away = raid(looted=2)
    away.happen(PlaceFigures(places=places(moved(away.of.unit("1st").figures, (0.0, 1.0), 300.0))))
    far = [step["step"] for step in away.steps()]
    assert far.index("act") < far.index("leave-raid")


def in_battle(*units: Plain, active: str = "british", number: int = 1, **evening: Any) -> Game:
    """A battle alone against the program; the markers are down unless told."""
    agreed = {"play": "solo", "stage": "battle", "markers": True, **evening}
    armies = {side: {"army": side, "investment_level": 4} for side in ("british", "french")}
    scene = game(*units, active=active, evening=agreed, campaign=armies, encounter="raid-attack")
    scene["turn"]["number"] = number
    return game_from(scene, "a battle alone")


@pytest.mark.rule("MM-257")
def test_the_first_turn_is_turn_one_and_the_one_after_it_turn_two() -> None:
    scene = game(unit("us", "british"), evening={"play": "solo"}, encounter="scout")
    scene["turn"] = {"number": 1, "active_side": None}
    evening = Evening(1, game_from(scene, "the first turn"))
    evening.do(action="new-turn")
    assert (evening.of.turn.number, evening.of.turn.active_side) == (1, "british")
    evening.do(action="new-turn")
    assert evening.of.turn.number == 2


@pytest.mark.rule("MM-43")
@pytest.mark.parametrize("acted", [False, True])
def test_while_units_may_act_nobody_is_told_that_all_have(acted: bool) -> None:
    us = unit("us", "british", state={"activated": acted})
    steps = {
        step["step"]: step["text"]
        for step in Evening(1, in_battle(us, unit("foe", "french", at=(900, 1100), facing=180))).steps()
    }
    assert ("act" in steps) is not acted
    assert ("have acted" in steps["pass"]) is acted
    assert ("Or let the others stand" in steps["pass"]) is not acted


@pytest.mark.rule("MM-67")
@pytest.mark.parametrize("side", ["british", "french"])
def test_who_has_won_its_first_melee_is_tested_for_trophies_whoever_plays_it(side: str) -> None:
    won = {"won_melee": True, "trophies_due": True}
    us = unit("us", "british", type="irregular", state=won if side == "british" else None)
    foe = unit("foe", "french", type="indian", at=(900, 1100), facing=180, state=won if side == "french" else None)
    evening = Evening(1, in_battle(us, foe, active=side))
    assert evening.follow() == "trophies"
    assert "trophies" not in [step["step"] for step in evening.steps()]

"""Whole battles by random play of what the rules allow, in both modes, with what must always hold held."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dice import SeededDice
from engine.errors import ActionRefused
from engine.events import Event, begin, fold
from engine.play import Played, play
from engine.records.action import action_from
from engine.records.game import Game, Unit
from engine.rulesets.musket_pike import RULESET
from engine.rulesets.musket_pike.movement.stacking import crowd_bars
from engine.rulesets.musket_pike.parameters import parameters_of
from engine.rulesets.musket_pike.table.board import board_of
from engine.rulesets.musket_pike.turns.victory import OUTCOMES, score
from engine.rulesets.musket_pike.vocabulary import side_keys, state_of, stats_of
from tests.engine.musket_pike.scene import Json, game, ground, hexside, road, unit
from tests.engine.played_out import assert_kept
from tests.long_runs import games

Order = dict[str, Any]

ARMS = [
    ("infantry", "line", {"attributes": ["can-deploy", "can-block"]}, "musket"),
    ("infantry", "column", {"attributes": ["light"], "quality": "A"}, "rifle"),
    ("infantry", "block", {"attributes": ["can-block", "no-line"], "armor": 2, "melee": 2}, "pike"),
    ("infantry", "line", {"attributes": ["two-rank"], "quality": "E"}, "bow"),
    ("cavalry", "mounted", {"attributes": ["heavy"], "quality": "B"}, "sword"),
    ("cavalry", "mounted", {"attributes": ["dragoon", "irregular"]}, "carbine"),
    ("artillery", "unlimbered", {"strength": 6}, "6-pounder"),
    ("artillery", "limbered", {"strength": 4, "attributes": ["horse-artillery", "needs-setup"]}, "howitzer"),
    ("skirmisher", "skirmish", {"strength": 60, "attributes": ["independent"]}, "musket"),
    ("pioneer", "column", {"strength": 120}, "musket"),
    ("supply-wagon", "column", {"strength": 40}, "none"),
]


def drawn_game(rng: random.Random, **conditions: Any) -> Game:
    """Six to nine units a side close to each other, under a leader each, on ground strewn about between them."""
    units: list[Json] = []
    for side, columns in (("a", range(6, 10)), ("b", range(10, 14))):
        cells = rng.sample([(column, row) for column in columns for row in range(4, 11)], 10)
        units.append(unit(f"{side}-chief", cells[0], "leader", stats={"strength": 0, "level": "army"}))
        for number, cell in enumerate(cells[1 : rng.randint(7, 10)]):
            kind, formation, stats, weapon = rng.choice(ARMS)
            more = {"strength": rng.choice((80, 250, 400)), **stats, "commander": f"{side}-chief"}
            units.append(unit(f"{side}{number}", cell, kind, formation, weapon=weapon, stats=more))
    middle = rng.sample([(column, row) for column in range(5, 14) for row in range(4, 11)], 9)
    pieces = [ground(rng.choice(("forest", "field", "building", "rough", "marsh")), cell) for cell in middle[:5]]
    pieces += [ground("elevation", middle[5], middle[6], level=2), ground("trench", middle[7])]
    pieces += [
        ground("objective", middle[8], points=100.0),
        road("road", *((column, 7) for column in range(4, 15))),
    ]
    pieces += [
        hexside(rng.choice(("hedge", "stream", "stone-wall")), *middle[k], rng.choice("NS")) for k in (0, 5, 8)
    ]
    options = {name: rng.random() < 0.2 for name in OPTIONS}
    deadly = {"fire_hcv": 80, "melee_defender_hcv": 600} if rng.random() < 0.5 else {}
    return game(
        *units, terrain=pieces, active=None, turn=0, options=options, parameters=deadly, turn_limit=4, **conditions
    )


OPTIONS = (
    "line_movement_restriction", "target_density", "column_pass_through", "isolation", "rout_limiting",
    "flank_morale", "melee_terrain", "partial_retreats", "no_retreat_overruns", "alternative_fire",
    "alternative_melee", "multiple_cavalry_melees", "attackers_check_morale",
)  # fmt: skip


def orders_for(of: Game, rng: random.Random) -> list[Order]:
    """What some unit of the game may do now, as its answer says, and what only a player would think of."""
    name = rng.choice([one.id for one in of.units if one.side == of.turn.active_side or rng.random() < 0.3])
    entry = RULESET.ask(of, [name]).units[0]
    found: list[Order] = [
        {"action": "fire", "unit": name, "target": one.target, "mode": one.mode} for one in entry.fire if one.legal
    ] * 3
    attacks = [{"action": "melee", "unit": name, "target": one.target} for one in entry.charge if one.legal]
    if attacks and rng.random() < 0.7:
        return attacks
    if entry.move is not None:
        steps = [one for one in entry.move.extra["steps"] if one["legal"]]
        found += [{"action": "move", "unit": name, "path": [one["direction"]]} for one in steps]
        found += [
            {"action": "charge", "unit": name, "path": [one["direction"]]}
            for one in steps
            if entry.move.extra["charge_hexes"]
        ]
    changes = [one for one in entry.extra.get("formation_change", ()) if one["legal"]]
    found += [{"action": "formation", "unit": name, "to": one["to"]} for one in changes]
    found += [
        {"action": verb, "unit": name}
        for verb in ("deploy-skirmishers", "recall-skirmishers", "deploy-squadron", "stack-top")
    ]
    return found


class Battle:
    """A battle under way, with everything that happened in it."""

    def __init__(self, of: Game, seed: int) -> None:
        self.start = self.game = of
        self.dice, self.rng = SeededDice(seed), random.Random(seed)
        self.events = [begin(of)]
        self.log: list[tuple[Order, tuple[int, ...]]] = []

    def do(self, order: Order) -> bool:
        """Plays an order; whether the rules allowed it."""
        try:
            played = play(self.game, RULESET.begin(self.game, action_from(order)), self.dice)
        except ActionRefused:
            return False
        check(self.game, played)
        self.log.append((order, tuple(score for roll in played.rolls for score in roll.scores)))
        self.events += played.events
        self.game = played.game
        return True

    def play_turn(self, side: str, orders: int) -> None:
        """A side's turn: its begin, some orders of either side, its end."""
        self.do({"action": "begin-turn", "side": side})
        phases = 4 if self.game.conditions.get("mode") == "phases" else 1
        for phase in range(phases):
            for _ in range(orders):
                choices = orders_for(self.game, self.rng)
                if choices:
                    self.do(self.rng.choice(choices))
            if phase < phases - 1:
                assert self.do({"action": "end-phase", "side": side})
        assert self.do({"action": "end-turn", "side": side})


def check(before: Game, played: Played) -> None:
    """What holds after every action."""
    after = played.game
    assert_kept(RULESET, before, played)
    board = board_of(after)
    for one in after.units:
        strength, state = stats_of(one).strength, state_of(one)
        assert strength > 0 or one.type == "leader"
        assert 0 <= state.fatigue <= 900
        assert not (state.disordered and state.routed)
        assert not (state.disordered or state.routed) or one.type not in ("leader", "supply-wagon")
    full = parameters_of(after)
    for cell, stack in board.stacks.items():
        assert board.grid.holds(cell)
        fighting = [troop for troop in stack if troop.fights]
        assert sum(troop.men for troop in fighting) <= full.max_stacking
        assert len(fighting) <= full.max_units
        for side in (one.name for one in after.sides):
            own = [troop for troop in stack if troop.side == side]
            assert not own or not list(crowd_bars(board, own, cell))
    check_losses(before, played)


def check_losses(before: Game, played: Played) -> None:
    """What a side has given away since is what its units have lost: men, guns as fifty, by a hundredth each."""
    for side in (one.name for one in before.sides):
        rise = sum(side_keys(one).lost for one in played.game.sides if one.name == side) - sum(
            side_keys(one).lost for one in before.sides if one.name == side
        )
        told, now = 0.0, before
        for event in played.events:
            unit = now.by_id.get(str(event.facts.get("unit")))
            if unit is not None and unit.side == side:
                told += lost_in(event, unit) * stats_of(unit).victory_value
            now = fold([event], now)
        assert rise == pytest.approx(told / 100, abs=1e-9)


def lost_in(event: Event, unit: Unit) -> float:
    """The men that an event takes for good, guns as fifty."""
    if event.event in ("casualties", "stragglers"):
        return float(event.facts.get("men", 0) + 50 * event.facts.get("guns", 0))
    if event.event == "eliminated":
        return stats_of(unit).strength * (50.0 if unit.type in ("artillery", "ship") else 1.0)
    return 0.0


def play_out(seed: int, mode: str, turns: int, orders: int) -> Battle:
    """A battle to its last turn."""
    rng = random.Random(seed)
    phases = {"mode": "phases", "phase": "movement"} if mode == "phases" else {}
    battle = Battle(drawn_game(rng, night=rng.random() < 0.1, **phases), seed)
    for _ in range(turns):
        for side in ("a", "b"):
            battle.play_turn(side, orders)
    assert fold(battle.events) == battle.game
    assert score(battle.game).outcome in OUTCOMES
    return battle


@settings(max_examples=games(max(2, settings().max_examples // 10)))
@given(st.integers(0, 2**32 - 1), st.sampled_from(["turns", "phases"]))
def test_random_battles_keep_to_what_must_hold(seed: int, mode: str) -> None:
    play_out(seed, mode, turns=4, orders=16 if mode == "turns" else 5)


@pytest.mark.parametrize("mode", ["turns", "phases"])
def test_a_battle_played_again_with_its_own_dice_is_the_same(mode: str) -> None:
    from engine.dice import TypedDice

    battle = play_out(7, mode, turns=2, orders=20)
    again = battle.start
    for order, scores in battle.log:
        again = play(again, RULESET.begin(again, action_from(order)), TypedDice(scores)).game
    assert again == battle.game
    assert {"fire", "move"} <= {order["action"] for order, _ in battle.log}


def test_the_log_has_a_sentence_for_whatever_happens() -> None:
    told = RULESET.wording().events
    happened = {event.event for seed in (1, 2) for event in play_out(seed, "turns", turns=2, orders=15).events}
    assert happened - set(told) <= {"begin"}


def test_undo_leads_back_to_the_very_same_game() -> None:
    battle = play_out(3, "turns", turns=2, orders=15)
    before = fold(battle.events[:-5])
    assert fold(battle.events[len(battle.events) - 5 :], before) == battle.game
    assert fold(battle.events[:1]) == battle.start

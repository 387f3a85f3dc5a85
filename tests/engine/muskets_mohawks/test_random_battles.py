"""Whole battles by random legal play, to the end and the roster after it, with what must always hold held.

Half of the time a unit does what ``ask`` shows as allowed; else anything at all that the forms offer, filled in at
random. A few battles run with the other tests; with ``VEDETTE_GAMES=1000`` it is a thousand.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dice import SeededDice, TypedDice
from engine.events import Event, PlaceFigures, SetState, SetTurn, apply, begin, event_from, fold
from engine.geometry.moving.moves import moved, places, room_to_edge, towards
from engine.keeping.entries import game_of
from engine.keeping.entry import Entry
from engine.play import Played, play
from engine.records.action import action_from
from engine.records.answer import answer_builtins, answer_from
from engine.records.game import Game, Unit, game_builtins, game_from
from engine.rulesets.muskets_mohawks import RULESET
from engine.rulesets.muskets_mohawks.procedures.charges.rounds import fought_already
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, state_of
from tests.engine.muskets_mohawks.drawing import drawn_action
from tests.engine.muskets_mohawks.playing import Plain, game, wood
from tests.engine.muskets_mohawks.test_random_fights import assert_accounts
from tests.long_runs import games

TURNS = 8
#: Lists and entries of the French and Indian War from which armies are raised.
FOOT = ("line", "grenadiers", "light", "militia", "irregulars", "cavalry", "artillery")

_ORDERS = ("reload", "fast-move", "recover", "rally", "form-line")


class Battle:
    """A battle while it is played; every action's outcome is held to what must always be so."""

    def __init__(self, seed: int) -> None:
        self.rng, self.dice = random.Random(seed), SeededDice(seed)
        pieces = [
            wood("w", 600, 450, 1100, 750), wood("h", 700, 480, 860, 600, "building", door_mm=[780, 480], levels=2),
            wood("c", 0, 590, 1828, 640, "creek"), wood("f", 1000, 500, 1400, 520, "fieldworks"),
        ]  # fmt: skip
        trees = [piece for piece in pieces if self.rng.random() < 0.4]
        campaign = {
            side: {"army": side, "investment_level": 4, "territory": "contesting"} for side in ("british", "french")
        }
        weather = self.rng.choice([{}, {}, {"weather": "inclement"}, {"snow": "both"}, {"light": "night"}])
        raw = game(terrain=trees, campaign=campaign, **weather)
        self.start = self.of = game_from(raw, "the battlefield")
        self.events: list[Event] = []
        self.steps: list[tuple[Game, tuple[Event, ...]]] = []
        for side in ("british", "french"):
            for number in range(self.rng.randint(1, 3)):
                figures = self.rng.randint(3, 8)
                self.do("raise", side=side, id=f"{side}-{number}", entry=self.rng.choice(FOOT), figures=figures)
                self.do("generate-rep", unit=f"{side}-{number}", kind="unit")
            self.approach(side)
        if self.rng.random() < 0.3:
            self.do("pef-generate", side="french")

    def approach(self, side: str) -> None:
        """The side's troops stand a hand's breadth off the middle, so that a battle comes of it."""
        for one in self.of.units:
            if one.side == side:
                self.shift(one, 300.0)

    def do(self, action: str, **keys: Any) -> Played:
        """Plays an action that is allowed."""
        before, raw = self.of, {"action": action, **keys}
        played = play(before, RULESET.begin(before, action_from(raw)), self.dice)
        if RULESET.forms()[action].section != "campaign":  # which counts men of the roster, not figures
            assert_accounts(before, played)
        typed = TypedDice([score for rolled in played.rolls for score in rolled.scores])
        assert play(before, RULESET.begin(before, action_from(raw)), typed) == played
        self.take(*played.events)
        assert self.of == played.game
        return played

    def take(self, *events: Event) -> None:
        """What happens is written down, and the game after it is one that could be saved."""
        self.events += [event_from(event.to_builtins()) for event in events]
        self.steps.append((self.of, events))
        for event in events:
            self.of = apply(self.of, event)
        RULESET.check(self.of)

    def shift(self, one: Unit, most_mm: float) -> None:
        """A unit's figures are moved straight ahead by hand, as the camera would see it."""
        bearing = one.figures[0].bearing_deg if one.figures else None
        if bearing is None:
            return
        way = towards(bearing)
        far = max(0.0, min(most_mm, room_to_edge(one.figures, way, self.of.table)))
        gone = places(moved(one.figures, way, far))
        changes = (PlaceFigures(places=gone), SetState(unit=one.id, key="moved_mm", value=far))
        self.take(Event(event="moved", facts={"unit": one.id}, changes=changes))

    def turn(self) -> None:
        """A turn: its dice, then each side's units one by one."""
        self.do("new-turn")
        for side in self.of.sides:
            self.take(Event(event="turn", changes=(SetTurn(number=self.of.turn.number, active_side=side.name),)))
            for name in [one.id for one in self.of.units if one.side == side.name]:
                if figures_of(self.of.unit(name)):
                    self.act(name)

    def act(self, name: str) -> None:
        """One of the things that a unit may do; what it can do survives being saved."""
        if not state_of(self.of.unit(name)).in_melee and self.rng.random() < 0.5:
            self.shift(self.of.unit(name), self.rng.choice([0.0, 100.0, 200.0]))
        answer = RULESET.ask(self.of, [name])
        assert answer_from(answer_builtins(answer)) == answer
        options = list(self.options(name))
        if self.rng.random() < 0.4:
            drawn = drawn_action(self.of, name, ("orders", "turn"), self.rng)
            options = [drawn] if drawn else []
        if options:
            self.do(**self.rng.choice(options))

    def options(self, name: str) -> Iterator[Plain]:
        """The actions that are shown as allowed."""
        found = RULESET.ask(self.of, [name]).units[0]
        one = self.of.unit(name)
        guns = {"canister": "fire-canister", "ball": "fire-ball"}
        for shot in found.fire:
            if shot.legal and shot.mode in guns:
                yield {"action": guns[shot.mode], "unit": name, "target": shot.target}
            elif shot.legal:
                yield {"action": "fire", "unit": name, "target": shot.target, "mode": shot.mode}
        for charge in found.charge:
            if charge.legal:
                yield {"action": "charge", "unit": name, "target": charge.target}
        for entry in found.extra["actions"]:
            if entry["legal"] and entry["action"] in _ORDERS:
                yield {"action": entry["action"], "unit": name}
        for enemy in state_of(one).in_melee:
            if not fought_already(self.of, one, self.of.unit(enemy)):
                yield {"action": "melee", "unit": name, "enemy": enemy}
            if any(entry["legal"] and entry["action"] == "break-off" for entry in found.extra["actions"]):
                yield {"action": "break-off", "unit": name, "enemy": enemy}

    def over(self) -> bool:
        """Whether but one side is left on the table."""
        return len({one.side for one in self.of.units if figures_of(one)}) < 2

    def afterwards(self) -> None:
        """The battle is called and both sides see to their rosters."""
        won = self.do("end-battle", unwilling=True).events[-1].facts["won"]
        for side in ("british", "french"):
            self.do("afterwards", side=side, won=side in won, success=side in won)
        for name in (*self.rng.sample([one.id for one in self.of.units], 2), None, None):
            drawn = drawn_action(self.of, name, ("setup", "campaign"), self.rng)
            if drawn:
                self.do(**drawn)

    def assert_undone_exactly(self) -> None:
        """Taking any step back leads to the very game that there was before it, and letting it stand again back."""
        entries = [Entry(number=1, at="", kind="begin", events=(begin(self.start),))]
        entries += [
            Entry(number=number, at="", kind="action", events=events)
            for number, (_, events) in enumerate(self.steps, start=2)
        ]
        for place in self.rng.sample(range(len(self.steps)), min(4, len(self.steps))):
            before, events = self.steps[place]
            undo = Entry(number=place + 3, at="", kind="undo", undoes=place + 2)
            redo = Entry(number=place + 4, at="", kind="undo", undoes=place + 3)
            assert game_of([*entries[: place + 2], undo]) == before
            assert game_of([*entries[: place + 2], undo, redo]) == fold(events, before)


def strengths(of: Game) -> dict[str, int]:
    return {one.id: state_of(one).strength or 0 for one in of.units}


@settings(max_examples=games(2))
@given(st.integers(0, 2**32 - 1))
def test_a_battle_is_played_to_its_end_and_replayed(seed: int) -> None:
    battle = Battle(seed)
    for _ in range(TURNS):
        if not battle.over():
            battle.turn()
    battle.afterwards()
    assert fold(battle.events, battle.start) == battle.of
    assert game_from(game_builtins(battle.of), "the saved game") == battle.of
    assert all(strength >= 0 for strength in strengths(battle.of).values())
    again = Battle(seed)
    assert again.of == fold(again.events, again.start)
    battle.assert_undone_exactly()


def test_the_same_seed_is_the_same_battle() -> None:
    one, other = Battle(5), Battle(5)
    one.turn()
    other.turn()
    assert one.events == other.events

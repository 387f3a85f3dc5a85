"""Whole games by random legal play, to the end, with what must always hold held."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.events import begin, fold
from engine.play import Played
from engine.records.answer import answer_builtins, answer_from
from engine.records.game import Game, Unit
from engine.rulesets.tyneside import RULESET
from engine.rulesets.tyneside.command.chain import command_extra
from engine.rulesets.tyneside.fire.firing import fire_option, fire_options
from engine.rulesets.tyneside.melee.charging import charge_options
from engine.rulesets.tyneside.melee.duels import pairs_in_contact
from engine.rulesets.tyneside.vocabulary import figures_of, is_character, only_commands, state_of
from tests.engine.played_out import PlayedOut
from tests.engine.tyneside.table import Json, game, group, leader, piece
from tests.long_runs import games

CLASSES = ("hero", "veteran", "veteran", "raw")
ARMS = ("musket", "rifle", "bow", "spear", "hatchet", "musket-bayonet", "war-club")
GROUND = ("woods", "brush", "fence", "wall", "rocks", "marsh", "house", "hill", "log", "river")
WIDTH, DEPTH = 1828.8, 1219.2


def drawn_game(rng: random.Random) -> Game:
    """A leader and two or three groups a side, thirty to sixty centimetres apart, ground strewn about them."""
    units = []
    for side, y in (("b", rng.uniform(250, 400)), ("f", rng.uniform(700, 850))):
        klass = rng.choice(CLASSES)
        units.append(leader(side, (900, y), klass, weapon=rng.choice(["pistol", "rifle", "sword"])))
        for number in range(rng.randint(2, 3)):
            units.append(drawn_group(rng, f"{side}{number}", 500 + 350 * number + rng.uniform(-40, 40), y))
    pieces = [drawn_piece(rng, number) for number in range(rng.randint(0, 5))]
    player_sides = rng.choice([["british", "french"], ["british"]])
    options = {"class_modifies_action_die": rng.random() < 0.2, "worst": rng.choice(["fights", "casualties"])}
    return game(*units, terrain=pieces, options=options, number=1, player_sides=player_sides)


def drawn_group(rng: random.Random, name: str, x: float, y: float) -> Json:
    """Four to seven figures in two rows."""
    kind = rng.choice(["formed", "skirmisher", "irregular", "irregular"])
    spots = [(x + 35 * (n % 4), y - 45 + 30 * (n // 4)) for n in range(rng.randint(4, 7))]
    roles = rng.choice([[], ["nco"], ["nco", "drummer"]])
    stats = {
        "class": rng.choice(CLASSES),
        "volley": rng.random() < 0.7,
        "second_weapon": rng.choice([None, "knife"]),
    }
    return group(name, *spots, kind=kind, weapon=rng.choice(ARMS), roles=roles, stats=stats)


def drawn_piece(rng: random.Random, number: int) -> Json:
    kind = rng.choice(GROUND)
    x, y = rng.uniform(100, 1500), rng.uniform(420, 680)
    wide, deep = (
        (rng.uniform(100, 300), 6) if kind in ("fence", "wall", "log", "river") else (180, rng.uniform(60, 160))
    )
    return {**piece(kind, x, y, x + wide, y + deep), "id": f"{kind}-{number}"}


def _may_load(unit: Unit) -> bool:
    """Whether it has something to load, and a die left for it."""
    now = state_of(unit)
    return not now.loaded and now.commanded and not only_commands(unit)


class Playing(PlayedOut):
    """A game while it is played; every action's outcome is held to what must always be so."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        super().__init__(RULESET, drawn_game(rng), rng, seed, check_invariants)

    def turn(self) -> list[str]:
        """One side's turn as the play sequence has it; the sides that then have lost."""
        self.reveal()
        self.ask()
        self.command()
        orders = {unit.id: self.do("risk", unit=unit.id).events[-1].facts for unit in self.side()}
        for unit in self.side():
            self.move(unit, orders[unit.id])
        for unit in self.side():
            self.shoot(unit)
        for unit, target in self.in_contact():
            self.do("melee", unit=unit.id, target=target.id, follow_up=self.rng.random() < 0.5)
        return [str(event.facts["side"]) for event in self.do("end-turn").events if event.event == "lost"]

    def side(self) -> list[Unit]:
        """The active side's units that stand on the table, without hidden markers."""
        own = (unit for unit in self.of.units if unit.side == self.of.turn.active_side)
        return [unit for unit in own if figures_of(unit) and not state_of(unit).hidden]

    def ask(self) -> None:
        """All that one unit can do, as the page shows it, survives being saved."""
        found = RULESET.ask(self.of, [self.rng.choice(self.of.units).id])
        assert answer_from(answer_builtins(found)) == found

    def hide(self) -> None:
        """Hides the groups of a side that the rules run, now and then."""
        if self.of.conditions["player_sides"] == ["british"] and self.rng.random() < 0.5:
            groups = [unit.id for unit in self.of.units if unit.side == "french" and not is_character(unit)]
            edges = [[x, 750.0] for x in (300.0, 700.0, 1100.0, 1500.0)]
            self.do("hide", side="french", groups=groups, edges=edges)

    def reveal(self) -> None:
        """Reveals the markers, each with even chances, where there is room for the men."""
        for unit in [unit for unit in self.of.units if state_of(unit).hidden]:
            if self.rng.random() < 0.5:
                figures = () if state_of(unit).dummy else unit.figures
                spots = {f.id: [f.x_mm - 60 + 40 * (n % 4), f.y_mm + 40 * (n // 4)] for n, f in enumerate(figures)}
                seen = [f for one in self.of.units if not state_of(one).hidden for f in figures_of(one)]
                if all(math.dist(spot, (f.x_mm, f.y_mm)) > 40.0 for spot in spots.values() for f in seen):
                    self.do("reveal", unit=unit.id, places=spots)

    def command(self) -> None:
        """Every leader commands his groups in some order, by the cheapest way to the first where there is one."""
        for officer in [unit for unit in self.side() if is_character(unit)]:
            groups = list(command_extra(self.of, officer)["groups"])
            self.rng.shuffle(groups)
            via = next((entry["via"] for entry in groups if entry["reached"]), [])
            self.do("command", unit=officer.id, via=via, groups=[entry["group"] for entry in groups])

    def move(self, unit: Unit, orders: Any) -> None:
        """Charges where that is allowed, else goes where it is sent, or as the players wish; or loads."""
        unit = self.of.unit(unit.id)
        charges = [option.target for option in charge_options(self.of, unit) if option.legal]
        if charges and self.rng.random() < 0.7:
            self.do("charge", unit=unit.id, target=charges[0])
        elif "to_mm" in orders and (orders["binding"] or not state_of(unit).commanded):
            self.do("move", unit=unit.id, to=orders["to_mm"])
        elif _may_load(unit) and self.rng.random() < 0.6:
            self.do("load", unit=unit.id)
        elif state_of(unit).commanded and self.rng.random() < 0.6:
            self.do("move", unit=unit.id, to=self.ahead(unit), facing_deg=unit.figures[0].bearing_deg)
        elif 0 < len(unit.figures) <= 3:
            self.join(unit)

    def ahead(self, unit: Unit) -> list[float]:
        """A place before a unit, more or less."""
        step = self.rng.choice([100.0, 220.0]) * (1 if unit.side == "british" else -1)
        x, y = unit.figures[0].x_mm + self.rng.uniform(-60, 60), unit.figures[0].y_mm + step
        return [min(max(x, 0.0), WIDTH), min(max(y, 0.0), DEPTH)]

    def join(self, unit: Unit) -> None:
        """A few join the first group that takes them."""
        for other in self.side():
            alike = other.id != unit.id and other.type == unit.type and not is_character(unit)
            if alike and len(other.figures) + len(unit.figures) <= 10:
                self.do("join", unit=unit.id, **{"with": other.id})
                return

    def shoot(self, unit: Unit) -> None:
        """Looks out for whom it must, and fires where that is allowed."""
        if not figures_of(self.of.unit(unit.id)):
            return
        options = fire_options(self.of, self.of.unit(unit.id))
        hidden = [option.target for option in options if any("spot it first" in why for why in option.why_not)]
        if hidden and state_of(self.of.unit(hidden[0])).spotted_cm is None:
            self.do("spot", unit=unit.id, target=hidden[0])
            options = fire_options(self.of, self.of.unit(unit.id))
        legal = [option for option in options if option.legal]
        if legal:
            option = self.rng.choice(legal)
            weapon, target = option.extra["weapon"], self.of.unit(option.target)
            aims = option.targets_seen if is_character(unit) else ()
            shooter = self.of.unit(unit.id)
            aims = [n for n in aims if fire_option(self.of, shooter, target, weapon=weapon, figure=n).legal]
            more = {"figure": aims[0]} if aims and self.rng.random() < 0.5 else {}
            self.do("fire", unit=unit.id, target=target.id, weapon=weapon, **more)

    def in_contact(self) -> Iterator[tuple[Unit, Unit]]:
        """The units of the active side and those that they fight, each pair once."""
        fought: Counter[str] = Counter()
        for unit in self.side():
            for enemy in self.of.enemies(unit):
                one, other = self.of.unit(unit.id), self.of.unit(enemy.id)
                busy = fought[one.id] or fought[other.id] or state_of(other).hidden
                if not busy and figures_of(one) and figures_of(other) and pairs_in_contact(self.of, one, other):
                    fought.update([one.id, other.id])
                    yield one, other


def strength(of: Game) -> Counter[str]:
    """The figures that each side has or has lost, dummies left out."""
    found: Counter[str] = Counter()
    for unit in of.units:
        if not state_of(unit).dummy:
            found[unit.side] += len(unit.figures) + state_of(unit).casualties
    return found


def check_invariants(before: Game, played: Played) -> None:
    after = played.game
    old = {figure.id for unit in before.units for figure in unit.figures}
    new = {f.id for unit in after.units for f in unit.figures if not state_of(unit).dummy}
    assert new <= old
    assert strength(after) == strength(before)
    assert all(figure.status != "killed" for unit in after.units for figure in unit.figures)
    killed = sum(event.event == "kill" for event in played.events)
    assert sum(state_of(unit).casualties for unit in after.units) == killed + sum(
        state_of(unit).casualties for unit in before.units
    )
    for unit in after.units:
        for figure in unit.figures:
            assert -1e-6 <= figure.x_mm <= WIDTH + 1e-6
            assert -1e-6 <= figure.y_mm <= DEPTH + 1e-6


def play_out(seed: int, turns: int) -> tuple[str, Playing]:
    """Plays a game to its end; the side that lost, or ``turns``, and the game."""
    playing = Playing(seed)
    playing.hide()
    for _ in range(2 * turns):
        lost = playing.turn()
        if lost:
            assert fold([begin(playing.start), *playing.events]) == playing.of
            return lost[0], playing
    return "turns", playing


@settings(max_examples=games(2))
@given(st.integers(0, 2**32 - 1))
def test_random_games_end_with_everything_in_order(seed: int) -> None:
    assert play_out(seed, turns=12)[0] in ("british", "french", "turns")


@pytest.mark.rule("TY-80")
def test_a_game_fought_long_enough_is_decided() -> None:
    ends = [play_out(seed, turns=15)[0] for seed in (1, 17)]
    assert set(ends) <= {"british", "french"}


def test_the_same_seed_gives_the_same_game() -> None:
    (_, one), (_, other) = play_out(3, turns=2), play_out(3, turns=2)
    assert one.log == other.log
    assert one.events == other.events
    assert one.of == other.of

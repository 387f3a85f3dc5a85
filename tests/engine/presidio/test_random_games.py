"""Whole games and raids by random legal play, to the end, with what must always hold held."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.events import apply
from engine.records.game import Game
from engine.rulesets.presidio.table.field import on_table
from engine.rulesets.presidio.vocabulary import figures_of, state_of
from tests.engine.presidio.playing import Playing, drawn_game, drawn_ground
from tests.engine.presidio.scene import DEPTH, figure, game, row, told, unit
from tests.long_runs import games


@settings(max_examples=games(2))
@given(st.integers(0, 2**32 - 1))
@example(279)  # a gun near the edge, whose crew went off the table
def test_random_games_end_with_everything_in_order(seed: int) -> None:
    playing = Playing(drawn_game(seed), seed)
    assert playing.played_out(turns=8) in ("spanish", "raiders", "turns")


def test_the_same_seed_gives_the_same_game() -> None:
    one, other = (Playing(drawn_game(7), 7) for _ in range(2))
    one.played_out(turns=1)
    other.played_out(turns=1)
    assert one.log == other.log
    assert one.events == other.events
    assert one.of == other.of


def test_undoing_every_event_leads_back_through_the_same_games() -> None:
    playing = Playing(drawn_game(11), 11)
    playing.played_out(turns=1)
    of: Game | None = playing.start
    seen = [of]
    for event in playing.events:
        of = apply(of, event)
        seen.append(of)
    for number in range(0, len(playing.events), 5):
        of = playing.start
        for event in playing.events[:number]:
            of = apply(of, event)
        assert of == seen[number]


def drawn_raid(seed: int) -> Game:
    """A camp or village in the middle, beasts and villagers in it, a guard, raiders about."""
    rng = random.Random(seed)
    beasts = unit("b8", *row(rng.randint(2, 8), 850, 600, 55), type="livestock", weapon="none",
                  stats={"animal": rng.choice(["horse", "cattle", "sheep"])})  # fmt: skip
    folk = unit("b7", *row(rng.randint(1, 4), 500, 620, 60), type="civilian", weapon="fists",
                stats={"morale": "inexperienced", "melee": 0})  # fmt: skip
    guard = unit("b", *row(rng.randint(2, 4), 900, 700, 50), type="militia", stats={"recon": rng.randint(1, 3)})
    band = unit("a", *row(rng.randint(3, 6), 400, rng.uniform(120, 200), 50), type="native", weapon="bow",
                stats={"camou": rng.randint(1, 3)})  # fmt: skip
    riders = unit("a1", *[figure(f"a1-{n}", 900 + 60 * n, 150, mounted=True) for n in range(3)], type="cavalry",
                  weapon="spear", stats={"people": "comanche"})  # fmt: skip
    light = rng.choice(["day", "night"])
    terrain = [one for one in drawn_ground(rng, 3) if one["kind"] != "house"]
    return game(beasts, folk, guard, band, riders, terrain=terrain, light=light, time=light)


class Raid(Playing):
    """A raid while it is played: raiders take what they can and are gone."""

    def turn(self) -> None:
        """The watch, what the raiders take, then the turn."""
        watch = self.of.unit("b")
        for name in ("a", "a1"):
            raiders = self.of.unit(name)
            if on_table(watch) and on_table(raiders):
                self.tried("sentry", unit="b", target=name)
            self.loot(name)
        super().turn()

    def loot(self, name: str) -> None:
        """Plunder, captives, a stampede, whichever comes off."""
        one = self.of.unit(name)
        if not on_table(one) or state_of(one).morale in ("panicked", "surrendered"):
            return
        action = self.rng.choice(["plunder", "drop", "capture", "stampede"])
        if action == "plunder":
            self.tried("plunder", unit=name, what=self.rng.choice(["scalp", "home", ["weapon", "goods"]]))
        elif action == "drop" and state_of(one).plunder:
            self.tried("drop", unit=name, what=state_of(one).plunder[0])
        elif action == "capture":
            self.seize(name)
        elif on_table(self.of.unit("b8")):
            self.tried("stampede", unit="b8", by=name, controlled=self.rng.random() < 0.5)

    def seize(self, name: str) -> None:
        """A captor tries whoever is at hand."""
        for prey in ("b7", "b8"):
            for captor in figures_of(self.of.unit(name))[:2]:
                for victim in figures_of(self.of.unit(prey))[:2]:
                    self.tried("capture", unit=name, figure=captor.id, target=prey, target_figure=victim.id,
                               victim=self.rng.choice(["flee", "stay"]))  # fmt: skip


@settings(max_examples=games(2))
@given(st.integers(0, 2**32 - 1))
def test_random_raids_end_with_everything_in_order(seed: int) -> None:
    raid = Raid(drawn_raid(seed), seed)
    raid.do("camp", horses=True)
    raid.do("villagers", count=12)
    assert raid.played_out(turns=8) in ("spanish", "raiders", "turns")
    raid.do("livestock-return", count=3, search=True)
    taken = {item: 1 for item in ("scalp", "home") if item in state_of(raid.of.unit("a")).plunder}
    assert told(raid.do("victory", side="spanish", taken=taken), "victory")[0]["points"] == 5 * len(taken)


@pytest.mark.rule("PR-801")
def test_a_raid_begins_with_the_sides_two_feet_apart() -> None:
    of = drawn_raid(5)
    assert all(figure.y_mm <= DEPTH for one in of.units for figure in one.figures)

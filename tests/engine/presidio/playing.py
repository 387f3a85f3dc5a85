"""Whole games and raids by random legal play: every action's outcome is held to what must always be so."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from engine.errors import ActionRefused
from engine.events import begin, fold
from engine.play import Played
from engine.records.answer import answer_builtins, answer_from
from engine.records.game import Game, Unit
from engine.rulesets.presidio import RULESET
from engine.rulesets.presidio.charges.charging import charge_options
from engine.rulesets.presidio.fire.firing import fire_options
from engine.rulesets.presidio.table.field import on_table
from engine.rulesets.presidio.table.sorts import class_of
from engine.rulesets.presidio.vocabulary import figures_of, is_artillery, state_of
from tests.engine.played_out import PlayedOut
from tests.engine.presidio.scene import DEPTH, GUN, WIDTH, Json, figure, game, ground, line, row, unit

REACTIONS = ("strike", "fire", "fire-and-flee", "flee", "stand")
GROUND = ("medium-woods", "light-woods", "wall", "fence", "rocks", "hill-small", "stream-small", "house", "brush")


class Playing(PlayedOut):
    """A game while it is played; every action's outcome is held to what must always be so."""

    def __init__(self, start: Game, seed: int) -> None:
        super().__init__(RULESET, start, random.Random(seed), seed, check_invariants)

    def tried(self, action: str, **keys: Any) -> bool:
        """Plays an action if it is allowed, with the checks of nerve that it leads to."""
        try:
            played = self.do(action, **keys)
        except ActionRefused:
            return False
        for event in played.events:
            if event.event == "morale-due":
                self.nerve(str(event.facts["unit"]), keys.get("unit"), "casualties")
        return True

    def nerve(self, name: str, source: str | None, cause: str) -> None:
        """A unit's check, and those of friends near whom its failure may unsettle."""
        if not on_table(self.of.unit(name)) or state_of(self.of.unit(name)).morale == "surrendered":
            return
        if source is not None and not figures_of(self.of.unit(source)):
            source = None
        self.do("morale", unit=name, cause=cause, **({} if source is None or source == name else {"from": source}))

    def turn(self) -> None:
        """One turn: initiative, then each side with all its units."""
        self.asked()
        order = self.do("initiative").events[-1].facts["order"]
        for side in order:
            for one in self.units(side):
                if state_of(self.of.unit(one.id)).morale == "panicked":
                    self.tried("rally", unit=one.id)
            for one in self.units(side):
                self.act(one.id)
        self.do("end-turn")

    def units(self, side: str) -> list[Unit]:
        """The units of a side on the table."""
        return [one for one in self.of.units if one.side == side and on_table(one)]

    def act(self, name: str) -> None:
        """A unit spends its actions as it can, in some order."""
        for _ in range(3):
            one = self.of.unit(name)
            now = state_of(one)
            if not on_table(one) or now.actions_left == 0 or now.morale in ("panicked", "surrendered"):
                return
            tries = [self.fight, self.shoot, self.charge, self.load, self.go, self.odd]
            self.rng.shuffle(tries)
            if now.engaged_with:
                tries = [self.fight]
            if not any(attempt(one) for attempt in tries):
                return

    def asked(self) -> None:
        """All that one unit can do, as the page shows it, survives being saved."""
        found = RULESET.ask(self.of, [self.rng.choice(self.of.units).id])
        assert answer_from(answer_builtins(found)) == found

    def fight(self, one: Unit) -> bool:
        """A round of melee, or out of it."""
        foes = [name for name in state_of(one).engaged_with if on_table(self.of.unit(name))]
        if not foes:
            return False
        if self.rng.random() < 0.15:
            return self.tried("disengage", unit=one.id, by=self.rng.choice(["fall-back", "retreat"]))
        return self.tried("melee", unit=one.id, target=foes[0])

    def shoot(self, one: Unit) -> bool:
        """One of the ways of firing that it is said to have."""
        legal = [option for option in fire_options(self.of, one) if option.legal]
        if not legal:
            return False
        option = self.rng.choice(legal)
        keys = {"unit": one.id, "target": option.target, "mode": option.mode, "weapon": option.extra["weapon"]}
        assert self.tried("fire", **keys), "what is shown as allowed is allowed"
        return True

    def charge(self, one: Unit) -> bool:
        """A charge that it is said to have, with an answer that the target can give."""
        legal = [option.target for option in charge_options(self.of, one) if option.legal]
        if not legal or self.rng.random() < 0.3:
            return False
        target = self.rng.choice(legal)
        answers = self.rng.sample(REACTIONS, len(REACTIONS))
        return any(
            self.tried("charge", unit=one.id, target=target, reaction=answer, actions=self.rng.choice([1, 2]))
            for answer in (*answers, "stand")
        )

    def load(self, one: Unit) -> bool:
        """Loading, or mending a fuse."""
        if state_of(one).fuse_fault:
            return self.tried("mend-fuse", unit=one.id)
        if not state_of(one).reload_left:
            return False
        ammo = self.rng.choice(["shot", "canister"]) if is_artillery(one) else None
        return self.tried("reload", unit=one.id, **({"ammo": ammo} if ammo else {}))

    def go(self, one: Unit) -> bool:
        """A move towards the enemy, more or less."""
        ahead = 1 if one.side == "spanish" else -1
        first = figures_of(one)[0]
        x = min(max(first.x_mm + self.rng.uniform(-150, 150), 20.0), WIDTH - 20)
        y = min(max(first.y_mm + ahead * self.rng.choice([80.0, 200.0, 380.0]), 20.0), DEPTH - 20)
        pace = self.rng.choice(["walk", "run"])
        if is_artillery(one):
            return self.rng.random() < 0.3 and self.tried("gun-move", unit=one.id, to=[x, y], pace=pace)
        return self.tried("move", unit=one.id, to=[x, y], pace=pace)

    def odd(self, one: Unit) -> bool:
        """Something else: lying low, changing formation, searching, pursuing, a hidden unit's ambush."""
        foes = [other for other in self.of.enemies(one) if on_table(other)]
        hidden = [other.id for other in foes if state_of(other).hidden]
        if hidden and self.tried("spot", unit=one.id, target=hidden[0]):
            return True
        if state_of(one).hidden:
            return bool(foes) and self.tried("ambush", unit=one.id, target=foes[0].id)
        failed = [other.id for other in foes if state_of(other).failed is not None]
        if (
            failed
            and class_of(one) in ("line", "light", "skirmish")
            and self.tried("pursue", unit=one.id, target=failed[0])
        ):
            return True
        action, keys = self.rng.choice(
            [
                ("evade", {}), ("take-cover", {}), ("hunker-down", {}), ("covered-reload", {}),
                ("posture", {"posture": self.rng.choice(["kneeling", "prone", "standing"])}),
                ("reform", {"formation": self.rng.choice(["line", "skirmish", "column", "extended-line"])}),
                ("hold", {"actions": 1}), ("turn", {"deg": self.rng.choice([90.0, 180.0])}),
                ("general", {"task": "fix-bayonets"}), ("formation-check", {}),
            ]
        )  # fmt: skip
        return self.tried(action, unit=one.id, **keys)

    def standing(self) -> Counter[str]:
        """How many units of each side can still do something."""
        found: Counter[str] = Counter()
        for one in self.of.units:
            if on_table(one) and state_of(one).morale != "surrendered" and one.type != "livestock":
                found[one.side] += any(other.role != "gun" for other in figures_of(one))
        return found

    def ended(self) -> str | None:
        """The side that has nobody left, if one has."""
        standing = self.standing()
        return next((side.name for side in self.of.sides if not standing[side.name]), None)

    def played_out(self, turns: int) -> str:
        """Plays to the end, or so many turns: the side that lost, or ``turns``."""
        for _ in range(turns):
            self.turn()
            lost = self.ended()
            if lost is not None:
                break
        assert fold([begin(self.start), *self.events]) == self.of
        return lost or "turns"


def check_invariants(before: Game, played: Played) -> None:
    """Nobody from nowhere; the lost are counted; all stand on the table."""
    after = played.game
    assert {f.id for one in after.units for f in one.figures} <= {f.id for one in before.units for f in one.figures}
    for old, new in zip(before.units, after.units, strict=True):
        models = sum(f.role == "gun" for f in old.figures) - sum(f.role == "gun" for f in new.figures)
        lost = state_of(new).casualties - state_of(old).casualties
        assert len(old.figures) - len(new.figures) == lost + models, new.id
        now = state_of(new)
        assert now.held <= now.actions_left
        if now.morale != "off-board" and new.type != "livestock":
            for one in new.figures:
                assert -1e-6 <= one.x_mm <= WIDTH + 1e-6
                assert -1e-6 <= one.y_mm <= DEPTH + 1e-6


def drawn_ground(rng: random.Random, count: int) -> list[Json]:
    """Pieces strewn between the sides."""
    found = []
    for number in range(count):
        kind = rng.choice(GROUND)
        thin = kind in ("wall", "fence", "stream-small")
        x, y = rng.uniform(100, 1400), rng.uniform(380, 760)
        wide, deep = (rng.uniform(150, 350), 6.0) if thin else (rng.uniform(120, 260), rng.uniform(80, 180))
        keys = {"height_mm": 20} if kind.startswith("hill") else {"height_mm": 60} if kind == "house" else {}
        found.append(ground(kind, x, y, x + wide, y + deep, id=f"{kind}-{number}", **keys))
    return found


def drawn_unit(rng: random.Random, name: str, x: float, y: float) -> Json:
    """A line, light troops, riders, a gun, or a band."""
    stats = {"morale": rng.choice(["veteran", "average", "inexperienced"]), "melee": rng.randint(1, 3)}
    kind = rng.choice(["line", "light", "riders", "gun", "band"])
    if kind == "line":
        count, ranks = rng.choice([(6, 1), (8, 2)])
        return line(name, count, x, y, ranks=ranks, roles=rng.choice([[], ["sergeant"]]), stats=stats)
    if kind == "gun":
        facing = 0.0 if name.startswith("a") else 180.0
        crew = [
            figure(f"{name}-{n}", x + dx, y - 20, facing, role="crew") for n, dx in enumerate((-60, -35, 35, 60))
        ]
        piece = {**figure(f"{name}-gun", x, y, facing, role="gun"), "base": GUN}
        weapon = rng.choice(["cannon-3-smoothbore", "cannon-12-rifled"])
        return unit(name, piece, *crew, type="artillery", formation="unlimbered", weapon=weapon, stats=stats)
    spots = row(rng.randint(3, 6), x - 100, y, 50)
    if kind == "riders":
        people = rng.choice(["spanish", "comanche", "other"])
        return unit(name, *spots, type="cavalry", mounted=True, weapon=rng.choice(["lance", "flintlock-carbine"]),
                    stats={**stats, "people": people})  # fmt: skip
    if kind == "light":
        arms = [{"weapon": "grenade", "figures": [f"{name}-1"]}]
        return unit(name, *spots, type="light", weapon="flintlock-musket", roles=["corporal"],
                    stats={**stats, "arms": arms})  # fmt: skip
    hidden = {"hidden": True, "formation": "hidden"} if rng.random() < 0.3 else {}
    return unit(name, *spots, type="native", weapon=rng.choice(["bow", "spear"]), stats=stats, **hidden)


def drawn_game(seed: int) -> Game:
    """Two or three units a side and perhaps a captain, 12 to 24 inches apart, ground strewn about them."""
    rng = random.Random(seed)
    entries: list[Json] = []
    for side, y in (("a", rng.uniform(250, 380)), ("b", rng.uniform(760, 900))):
        for number in range(rng.randint(2, 3)):
            entries.append(drawn_unit(rng, f"{side}{number}", 350 + 500 * number + rng.uniform(-40, 40), y))
        if rng.random() < 0.5:
            behind = y - 120 if side == "a" else y + 120
            role = "captain" if side == "a" else "war-chief"
            entries.append(unit(f"{side}9", (350, behind), type="leader", roles=[role]))
    light = rng.choice(["day", "day", "dusk"])
    return game(*entries, terrain=drawn_ground(rng, rng.randint(0, 5)), light=light)

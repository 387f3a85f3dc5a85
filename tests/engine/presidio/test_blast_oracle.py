"""Whom shot and shell fell on random tables, dice and all, against the rulebook taken at its word."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import pytest
import shapely

from tests.engine.presidio.scene import GUN, HALF, Spot, do, figure, game, inches, told, unit
from tests.long_runs import games

#: Unit, figure, place.
Man = tuple[str, str, Spot]

#: Damage of shot and shell, radius of the shell in inches (PR-1017).
PIECES: dict[str, tuple[int, int, float]] = {
    "cannon-6-smoothbore": (10, 8, 1), "cannon-12-smoothbore": (12, 10, 2), "cannon-24-smoothbore": (18, 12, 3),
    "cannon-12-rifled": (14, 0, 0),
}  # fmt: skip
D6 = range(1, 7)
#: What a d6 must show, by posture (PR-927).
HIT = {"standing": 4, "kneeling": 5, "prone": 6}
COVER = {"standing": 0, "kneeling": 1, "prone": 2}


class Shot:
    """A drawn table, one shot of its gun at the unit ``b`` with drawn dice, and what the rulebook makes of it."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.dice = rng, list[int]()
        self.weapon = rng.choice(list(PIECES))
        self.ammo = "shot" if "rifled" in self.weapon else rng.choice(["shot", "shot", "shell"])
        self.mode = "indirect" if self.ammo == "shell" else "direct"
        self.skill = rng.randint(0, 2)
        self.gun: Spot = (900.0, 130.0)
        far = 160 + inches(rng.uniform(6, 26))
        bands = (("b", far), ("c", far + rng.uniform(110, 140)), ("a2", far + rng.uniform(230, 320)))
        self.men = {name: self._drawn(900 + rng.uniform(-60, 60), at) for name, at in bands}
        self.posture = {name: rng.choice(list(HIT)) for name in self.men}
        self.armor = {name: rng.choice([0, 2]) for name in self.men}
        piece = {**figure("a-gun", *self.gun, role="gun"), "base": GUN}
        crew = [figure(f"a-{n}", 900.0 + x, 110.0, role="crew") for n, x in enumerate((-60, -30, 30, 60))]
        own = unit("a", piece, *crew, type="artillery", formation="unlimbered", weapon=self.weapon,
                   stats={"ranged": self.skill}, ammo=self.ammo)  # fmt: skip
        others = [
            unit(name, *spots, posture=self.posture[name], stats={"armor": self.armor[name]})
            for name, spots in self.men.items()
        ]
        self.game = game(own, *others)
        self.all: list[Man] = [
            (name, f"{name}-{n}", spot) for name, of in self.men.items() for n, spot in enumerate(of, 1)
        ]

    def _drawn(self, x: float, y: float) -> list[Spot]:
        count = self.rng.randint(5, 9)
        places = [(x + inches(1.1) * (n - count / 2), y + self.rng.uniform(-40, 40)) for n in range(count)]
        self.rng.shuffle(places)
        return places

    def die(self, *faces: int) -> int:
        """One of these scores: those that tell most stand more than once."""
        self.dice.append(self.rng.choice(faces))
        return self.dice[-1]

    def fallen(self) -> list[str]:
        """PR-904 to PR-912, PR-920 to PR-927, PR-935: the dice are thrown as they are asked for."""
        aim = self.aimed()
        off = math.atan2(aim[0] - self.gun[0], aim[1] - self.gun[1])
        self.muzzle = self.gun[0] + 30 * math.sin(off), self.gun[1] + 30 * math.cos(off)
        number, score = self.number(aim), self.die(*range(1, 13))
        if score == 1 and self.die(*D6) <= 4:
            raise Unclear
        lands, missed = aim, max(number - score, 0)
        if missed and "rifled" in self.weapon:
            return []
        if missed:
            way = off + math.radians(60 * (self.die(1, 1, 1, 1, *D6) - 1))
            k = inches(missed * (2 if self.mode == "indirect" else 1))
            lands = aim[0] + k * math.sin(way), aim[1] + k * math.cos(way)
        if math.dist(lands, self.gun) < inches(7):
            raise Unclear
        return (self.shelled if self.ammo == "shell" else self.shot)(lands, hit=not missed)

    def aimed(self) -> Spot:
        """PR-003: the middle of that side of the target's footprint that faces the muzzle."""
        xs, ys = zip(*self.men["b"], strict=True)
        left, right, near, far = min(xs) - HALF, max(xs) + HALF, min(ys) - HALF, max(ys) + HALF
        x, y = self.gun[0], self.gun[1] + 30
        below = near - y
        if left - below <= x <= right + below:
            return (left + right) / 2, near
        return (left if x < left else right), (near + far) / 2

    def number(self, aim: Spot) -> int:
        """PR-905: band of the artillery class, skirmish formation, posture."""
        away = math.dist((self.gun[0], self.gun[1] + 30), aim) / 25.4
        base = 11 if self.mode == "indirect" else 9 if "rifled" in self.weapon else 10
        dm = -4 if away < 12 else -2 if away < 24 else 0
        found = base + dm - self.skill + 2 + COVER[self.posture["b"]]
        if found > 12:
            raise Unclear
        return max(found, 2)

    def shot(self, lands: Spot, *, hit: bool) -> list[str]:
        away = math.dist(self.muzzle, lands)
        way = [(lands[n] - self.muzzle[n]) / away for n in (0, 1)]

        def stretch(before: float, beyond: float) -> Any:
            return shapely.LineString(
                [(lands[0] + way[0] * inches(at), lands[1] + way[1] * inches(at)) for at in (before, beyond)]
            )

        stretches = [stretch(-6, 0 if "rifled" in self.weapon else 6)]
        if not hit and any(self.near(stretch(0, 24), spot) for *_, spot in self.all):
            first = 6 + self.die(*D6)
            second = first + self.die(*D6)
            stretches += [stretch(at - 6, at + 6) for at in (first, second)]
        struck = [one for one in self.all if any(self.near(line, one[2]) for line in stretches)]
        struck += self.direct(lands, struck) if hit else []
        return self.wounded(sorted(struck, key=lambda one: math.dist(one[2], self.muzzle)), PIECES[self.weapon][0])

    def shelled(self, lands: Spot, *, hit: bool) -> list[str]:
        _, damage, radius = PIECES[self.weapon]
        reached = [one for one in self.all if math.dist(one[2], lands) - HALF <= inches(radius)]
        reached += self.direct(lands, reached) if hit else []
        reached.sort(key=lambda one: math.dist(one[2], lands))
        inner = [one for one in reached if math.dist(one[2], lands) - HALF <= inches(radius / 2)]
        return [one[1] for one in inner] + self.wounded([one for one in reached if one not in inner], damage)

    def direct(self, lands: Spot, reached: Sequence[Man]) -> list[Man]:
        """Who is nearest to the point hit always counts as touched."""
        nearest = min(self.all, key=lambda one: math.dist(one[2], lands))
        return [] if nearest in reached else [nearest]

    def wounded(self, struck: Sequence[Man], damage: int) -> list[str]:
        """PR-927, then PR-607."""
        hit = [one for one in struck if self.die(6, *D6) >= HIT[self.posture[one[0]]]]
        return [one[1] for one in hit if self.die(12, *range(1, 13)) >= max(2, 9 - damage + self.armor[one[0]])]

    def near(self, line: Any, spot: Spot) -> bool:
        gap = line.distance(shapely.Point(spot)) - HALF
        if abs(gap) < 0.01:
            raise Unclear
        return bool(gap < 0)


class Unclear(Exception):
    """Nothing to compare: the piece did not go off, cannot hit, reaches itself, or all hangs on a hair."""


@pytest.mark.rule("PR-905", "PR-910", "PR-912", "PR-920", "PR-922", "PR-925", "PR-927", "PR-607")
@pytest.mark.parametrize("seed", range(games(100)))
def test_a_random_shot_fells_whom_the_rulebook_says(seed: int) -> None:
    drawn = Shot(random.Random(seed))
    try:
        fallen = drawn.fallen()
    except Unclear:
        return
    dice = " ".join(map(str, drawn.dice))
    played = do(drawn.game, dice, action="fire", unit="a", target="b", mode=drawn.mode)
    assert {one["figure"] for one in told(played, "casualty")} == set(fallen)

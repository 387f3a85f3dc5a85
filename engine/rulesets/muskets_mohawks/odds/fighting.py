"""The chances of a round of melee: who falls on both sides, and what each side does then (MM-149 to MM-160)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product

from msgspec import Struct

from engine.geometry.moving.moves import centroid, nearest_first
from engine.geometry.plane.directions import Vector
from engine.records.game import Figure, Game, Unit
from engine.rulesets.muskets_mohawks.odds.firing import DESTROYED, Struck, left
from engine.rulesets.muskets_mohawks.odds.nerves import Nerve, Stand, around, lies_near, nerves, results
from engine.rulesets.muskets_mohawks.odds.tolls import ranks_of, tolls
from engine.rulesets.muskets_mohawks.procedures.charges.melee import Pools, pools
from engine.rulesets.muskets_mohawks.procedures.firing.shooting import tests_of
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, stats_of
from engine.spreads import chance_of, merged, passes

__all__ = ["HOLDS", "RUNS", "Fight", "Fought", "fought", "losses_of_both", "rounds"]

#: What a unit does that lost nobody, or that its test lets fight on; and what one that flees does.
HOLDS, RUNS = "carry-on", "runaway"
#: The kinds of terrain that cover against one line of approach and not against another.
LINES = ("hill", "wall", "fieldworks")
#: A low obstacle covers those within an inch of it, a crest those who touch it: more than that, and half a base.
_NEAR_MM = 200.0


class Fought(Struct, frozen=True, kw_only=True):
    """What a round came to for both: how many fell, and what is left does then."""

    casualties: int
    result: str
    enemy_casualties: int
    enemy_result: str


class Fight(Struct, frozen=True, kw_only=True):
    """A round to come: both units as they are then, and their dice."""

    unit: Unit
    enemy: Unit
    pools: Pools


#: The cause of a test: where the foe is, or stood of whom nothing is left (None: nowhere that matters).
_Cause = Vector | None
#: What losses may leave of a unit, with the chance of each.
_Left = Sequence[tuple[Struck, float]]


def fought(game: Game, unit: Unit, enemy: Unit) -> dict[Fought, float]:
    """The chances of a round between two units, to the end of the tests that it causes."""
    return rounds(game, [Fight(unit=unit, enemy=enemy, pools=pools(game, unit, enemy))])[0]


def losses_of_both(fights: Sequence[Pools]) -> dict[tuple[int, int], float]:
    """The chances of a unit's casualties in all its fights of a round, and of its enemies' together."""
    found = {(0, 0): 1.0}
    for given in fights:
        found = merged(
            ((mine + ours, theirs + his), chance * share)
            for ((mine, theirs), chance), ((ours, his), share) in product(
                found.items(), lost_on_both(given).items()
            )
        )
    most = fights[0].unit_figures
    return merged(((min(mine, most), theirs), chance) for (mine, theirs), chance in found.items())


def rounds(game: Game, fights: Sequence[Fight]) -> list[dict[Fought, float]]:
    """The chances of each of several rounds of which only one can come: the same two units, differently placed."""
    everyone = [figure for fight in fights for unit in (fight.unit, fight.enemy) for figure in figures_of(unit)]
    lines = bool(everyone) and lies_near(game, LINES, around(everyone, _NEAR_MM))
    sides = [_Sides(fight, lines=lines) for fight in fights]
    for place, unit in enumerate((fights[0].unit, fights[0].enemy)):
        wanted = list({key: None for both in sides for key in both.wanted(place)})
        stands = [Stand(figures=state.figures, cause_xy=xy) for state, xy in wanted]
        known = dict(zip(wanted, nerves(game, unit, stands, fired_at=False), strict=True))
        for both in sides:
            both.nerves[place] = known
    return [both.outcomes() for both in sides]


@lru_cache(maxsize=1024)
def lost_on_both(given: Pools) -> Mapping[tuple[int, int], float]:
    """The chance of each pair of casualties, the unit's first."""
    hit = chance_of("<=3")
    ours, theirs = (list(enumerate(passes(count, hit))) for count in (given.unit_dice, given.enemy_dice))
    return merged(
        (given.casualties(mine, his), chance * share) for (mine, chance), (his, share) in product(ours, theirs)
    )


class _Sides:
    """Both sides of one fight: each tests by itself, unless it hangs on where the other now is (``lines``)."""

    def __init__(self, fight: Fight, *, lines: bool) -> None:
        self._lines, self._counts = lines, lost_on_both(fight.pools)
        self._stays = chance_to_stay(stats_of(fight.unit).rep, stats_of(fight.enemy).rep)
        self.nerves: list[Mapping[tuple[Struck, _Cause], Nerve | None]] = [{}, {}]
        ours, theirs = figures_of(fight.unit), figures_of(fight.enemy)
        self._stood = [centroid(figures) if figures else None for figures in (ours, theirs)]
        self._tolled = (
            self._toll(fight.unit, nearest_first(ours, theirs), 0),
            self._toll(fight.enemy, nearest_first(theirs, ours), 1),
        )
        self._mixes: dict[tuple[int, int], Mapping[str, float]] = {}

    def _toll(self, unit: Unit, order: Sequence[Figure], place: int) -> Mapping[int, _Left]:
        ranks = ranks_of(unit, order)
        return {
            count: [(left(order, toll), chance) for toll, chance in tolls(ranks, count, ranged=False)]
            for count in {pair[place] for pair in self._counts}
        }

    def _cause(self, foe: Struck, place: int) -> _Cause:
        """The foe of that place as a test's cause: where does not matter where no terrain covers against a line."""
        if not self._lines:
            return None
        return centroid(foe.figures) if foe.figures else self._stood[place]

    def wanted(self, place: int) -> dict[tuple[Struck, _Cause], None]:
        """All that may be left of a side to be tested, each with what may be left of the other."""
        found: dict[tuple[Struck, _Cause], None] = {}
        for pair in self._counts:
            causes = {self._cause(state, 1 - place) for state, _ in self._tolled[1 - place][pair[1 - place]]}
            found |= {(state, cause): None for state, _ in self._tolled[place][pair[place]] for cause in causes}
        return found

    def outcomes(self) -> dict[Fought, float]:
        """The chance of each outcome, the nerves being known."""
        found: list[tuple[Fought, float]] = []
        for (mine, theirs), chance in self._counts.items():
            for (ours, his), share in self._after(mine, theirs):
                for (result, other), part in self._both_run(ours, his):
                    fight = Fought(casualties=mine, result=result, enemy_casualties=theirs, enemy_result=other)
                    found.append((fight, chance * share * part))
        return merged(found)

    def _after(self, mine: int, theirs: int) -> list[tuple[tuple[str, str], float]]:
        """The chance of each pair of results after so many casualties on both sides."""
        if not self._lines:
            ours, his = self._mixed(0, mine), self._mixed(1, theirs)
            return [((a, b), x * y) for (a, x), (b, y) in product(ours.items(), his.items())]
        return [
            ((a, b), chance * share * x * y)
            for (one, chance), (other, share) in product(self._tolled[0][mine], self._tolled[1][theirs])
            for (a, x), (b, y) in product(
                self._results(0, one, self._cause(other, 1)), self._results(1, other, self._cause(one, 0))
            )
        ]

    def _mixed(self, place: int, count: int) -> Mapping[str, float]:
        """The chance of each result of one side, the other's losses being of no matter."""
        key = place, count
        if key not in self._mixes:
            self._mixes[key] = merged(
                (result, chance * share)
                for state, chance in self._tolled[place][count]
                for result, share in self._results(place, state, None)
            )
        return self._mixes[key]

    def _results(self, place: int, state: Struck, cause: _Cause) -> Sequence[tuple[str, float]]:
        if not state.figures:
            return ((DESTROYED, 1.0),)
        if not state.fallen:
            return ((HOLDS, 1.0),)
        nerve = self.nerves[place][state, cause]
        return results(nerve, tuple(tests_of(state.fallen, state.leader_lost, fired_at=False)))

    def _both_run(self, ours: str, his: str) -> Sequence[tuple[tuple[str, str], float]]:
        """Two that would both run: the one who throws higher carries on instead (MM-57)."""
        if ours != RUNS or his != RUNS:
            return (((ours, his), 1.0),)
        return (((HOLDS, RUNS), self._stays), ((RUNS, HOLDS), 1.0 - self._stays))


@lru_cache(maxsize=64)
def chance_to_stay(rep: int, other: int) -> float:
    """The chance that the first of two has the higher die and Reputation; ties are thrown again."""
    throws = [(mine + rep, his + other) for mine, his in product(range(1, 7), repeat=2)]
    differ = sum(mine != his for mine, his in throws)
    return sum(mine > his for mine, his in throws) / differ


#: What is kept of values: for a benchmark to forget.
KEPT = (lost_on_both, chance_to_stay)

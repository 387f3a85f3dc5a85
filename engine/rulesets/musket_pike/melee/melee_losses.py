"""The casualties of a melee: both sides' values, who has won, what each unit loses (MP-198 to MP-201, MP-205)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from engine.events import Change, Event
from engine.play import Procedure, happen
from engine.records.game import Game
from engine.rulesets.musket_pike.changes import state
from engine.rulesets.musket_pike.draws import between
from engine.rulesets.musket_pike.losses.casualties import after_armour
from engine.rulesets.musket_pike.losses.harm import lose, tire
from engine.rulesets.musket_pike.melee.assault import Assault
from engine.rulesets.musket_pike.melee.strengths import Strengths, strengths_of, weight
from engine.rulesets.musket_pike.table.board import board_of
from engine.rulesets.musket_pike.table.troops import Troop, gun_fire

__all__ = ["Fought", "draws_of", "fight", "outlasts", "winner_by"]

_EQUAL = 1e-9
_FATIGUE = 1.5


class Fought(Struct, frozen=True, kw_only=True):
    """How a melee went: who won, and each unit's losses and points of fatigue."""

    attackers_win: bool
    losses: Mapping[str, tuple[int, int]]

    def harm(self, name: str) -> tuple[int, int]:
        """What a unit lost, and its points of fatigue."""
        return self.losses.get(name, (0, 0))


def fight(game: Game, assault: Assault) -> Procedure[tuple[Game, Fought]]:
    """Draws both casualty values and takes the losses, the attackers' first."""
    strengths = strengths_of(assault)
    values = yield from _values(assault, strengths)
    attackers, defenders = values
    wins = winner_by(assault, strengths)(attackers, defenders)
    harm: dict[str, tuple[int, int]] = {}
    share = attackers * strengths.light_share[0]
    told = not wins or outlasts(assault, share)
    if told:
        game = yield from _result(game, assault, values, wins=wins)
    game = yield from _suffer(game, assault, assault.attackers, share, _tiring(assault, lost=not wins), harm)
    wins = wins and any(troop.id in board_of(game).troops for troop in assault.attackers)
    if not told:
        game = yield from _result(game, assault, values, wins=wins)
    share = (defenders if wins else min(defenders, attackers)) * strengths.light_share[1]
    game = yield from _suffer(game, assault, assault.fighters, share, _tiring(assault, lost=wins), harm)
    return game, Fought(attackers_win=wins, losses=harm)


def outlasts(assault: Assault, value: float) -> bool:
    """Whether some attacker is there afterwards whatever the dice say, so that the winner is known at once."""
    whole = sum(weight(assault.board, troop) for troop in assault.attackers)
    shares = ((troop, value * weight(assault.board, troop) / whole) for troop in assault.attackers if whole)
    return any(share + 1 <= troop.strength for troop, share in shares)


def _result(game: Game, assault: Assault, values: tuple[float, float], *, wins: bool) -> Procedure[Game]:
    """Says who won; charging cavalry that did may go on, and may not after a melee that it did not win (MP-178)."""
    most, changes = assault.board.parameters.charge_max_melees, list[Change]()
    for troop in assault.attackers:
        if troop.horse and troop.state.charging and troop.id in game.by_id:
            changes += state(troop.id, can_continue=wins and troop.state.melees + 1 < most)
            changes += state(troop.id, halted=False) if wins and troop.state.halted else ()
    facts = {
        "unit": assault.attackers[0].id, "winner": "attackers" if wins else "defenders",
        "attacker_value": values[0], "defender_value": values[1],
    }  # fmt: skip
    result = Event(event="melee-result", facts=facts, changes=tuple(changes), rule="MP-199")
    return (yield from happen(result))


def _values(assault: Assault, strengths: Strengths) -> Procedure[tuple[float, float]]:
    """The casualty values of attackers and defenders (MP-198)."""
    times, found = draws_of(assault), []
    for who, drawn in (("attackers", strengths.attackers_draw), ("defenders", strengths.defenders_draw)):
        purpose = f"casualties of the {who} in {list(assault.cell)}"
        found.append((yield from between(drawn.low, drawn.high, purpose, "MP-198", times)))
    return found[0], found[1]


def draws_of(assault: Assault) -> int:
    """Of how many draws each casualty value is the mean (MP-272)."""
    return 2 if assault.board.options.alternative_melee else 1


def winner_by(assault: Assault, strengths: Strengths) -> Callable[[float, float], bool]:
    """Whether the attackers win, by the attackers' and the defenders' casualty values; the defenders win ties
    (MP-199, MP-200, MP-207)."""
    if strengths.light_defence:
        return lambda attackers, defenders: True
    riding = any(troop.horse and troop.state.charging for troop in assault.attackers)
    if riding and assault.fighters and all(troop.block or troop.leader for troop in assault.defenders):
        return lambda attackers, defenders: attackers <= _EQUAL < defenders
    return lambda attackers, defenders: defenders > attackers + _EQUAL


def _tiring(assault: Assault, *, lost: bool) -> float:
    """How much more melee tires than fire does (MP-205)."""
    return assault.board.options.loser_fatigue if lost else _FATIGUE


def _suffer(
    game: Game, assault: Assault, troops: Sequence[Troop], value: float, factor: float,
    harm: dict[str, tuple[int, int]],
) -> Procedure[Game]:  # fmt: skip
    """Shares a casualty value out among units by what they count in melee (MP-201)."""
    counts = {troop.id: weight(assault.board, troop) for troop in troops}
    whole = sum(counts.values())
    for troop in troops:
        if not whole or not counts[troop.id]:
            continue
        share = value * counts[troop.id] / whole * after_armour(troop.stats.armor)
        game, lost = yield from lose(game, troop.id, share, f"losses of {troop.id}")
        points = 0
        if not gun_fire(troop):
            share = min(share, troop.strength)
        if share > 0 and troop.id in board_of(game).troops:
            game, points = yield from tire(game, troop.id, share, factor, f"fatigue of {troop.id}")
        harm[troop.id] = (lost, points)
    return game

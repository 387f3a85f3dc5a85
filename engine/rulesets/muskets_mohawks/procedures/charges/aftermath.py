"""After a round of melee: the tests of those who lost figures, and who has won (MM-160, MM-164, R-43)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.dice import Roll
from engine.events import Change, Event
from engine.play import Procedure, happen, roll
from engine.records.game import Game
from engine.rulesets.muskets_mohawks.procedures.changes import state
from engine.rulesets.muskets_mohawks.procedures.firing.shooting import tests_of
from engine.rulesets.muskets_mohawks.procedures.nerve.losses import Loss
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction import Cause, cause_of, take_test
from engine.rulesets.muskets_mohawks.procedures.nerve.retreat import carry_out
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, state_of, stats_of

__all__ = ["settle"]


def settle(
    game: Game, unit: str, enemies: Sequence[str], losses: Mapping[str, Loss], fought: Game
) -> Procedure[Game]:
    """Takes the tests in order, lets results be carried out together, and says who won.

    Each tests as it fought (``fought``: the game before the losses): who has destroyed its foe loses its order only
    after the melee, of which the tests are part (MM-160, MM-164).
    """
    results: dict[str, str] = {}
    for name in (unit, *enemies):
        loss, foe = losses[name], enemies[0] if name == unit else unit
        if loss.destroyed or not loss.fallen:
            continue
        tests = tests_of(loss.fallen, loss.leader_lost, fired_at=False)
        cause, as_it_was = _cause(game, foe, fought), fought.unit(name)
        tested = yield from take_test(game, name, tests, cause, fired_at=False, as_it_was=as_it_was)
        game, results[name] = tested.game, tested.result
    for enemy in enemies:
        if results.get(unit) == results.get(enemy) == "runaway":
            staying = yield from _both_run(game, unit, enemy)
            results[staying] = "carry-on"
    causes = {name: _cause(game, enemies[0] if name == unit else unit, fought) for name in (unit, *enemies)}
    for name, result in results.items():
        game = yield from carry_out(game, name, result, causes[name], fired_at=False)
    beaten = {
        name for name in (unit, *enemies) if losses[name].destroyed or results.get(name) in ("retire", "runaway")
    }
    return (yield from _won(game, unit, enemies, beaten))


def _cause(game: Game, foe: str, fought: Game) -> Cause:
    """The foe as the cause; of whom nobody is left it is where he stood and fought."""
    return cause_of(game if figures_of(game.unit(foe)) else fought, foe)


def _both_run(game: Game, unit: str, enemy: str) -> Procedure[str]:
    """Both would run: each adds a die to its Rep, and the higher carries on instead (MM-57)."""
    while True:
        totals: dict[str, int] = {}
        for name in (unit, enemy):
            rolled = yield from roll(Roll(purpose=f"{name} runs or stays", count=1, rule="MM-57"))
            totals[name] = rolled.total + stats_of(game.unit(name)).rep
        staying = unit if totals[unit] > totals[enemy] else enemy
        tied = totals[unit] == totals[enemy]
        facts = {"unit": unit, "enemy": enemy, "totals": totals, "carries_on": None if tied else staying}
        yield from happen(Event(event="both-run", facts=facts, rule="MM-57"))
        if not tied:
            return staying


def _won(game: Game, unit: str, enemies: Sequence[str], beaten: set[str]) -> Procedure[Game]:
    """Whoever still stands when an opponent is beaten has won; active Irregulars then test for trophies (R-43)."""
    for name in (unit, *enemies):
        opponents = enemies if name == unit else [unit]
        record = game.unit(name)
        if name in beaten or not figures_of(record) or not beaten & set(opponents):
            continue
        now, irregular = state_of(record), troop(record, game).irregular
        due = not now.won_melee and irregular and game.turn.active_side == record.side
        changes: tuple[Change, ...] = state(name, won_melee=True)
        if irregular:
            changes = (*changes, *state(name, trophies_due=due or bool(now.trophies_due)))
        facts = {"unit": name, "beaten": sorted(beaten & set(opponents)), "trophies_due": due}
        game = yield from happen(Event(event="won-melee", facts=facts, changes=changes, rule="R-43"))
    return game

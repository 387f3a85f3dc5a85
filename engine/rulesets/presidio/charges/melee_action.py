"""``melee``: two units in contact strike at each other, one after the other (PR-509 to PR-512, PR-515)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.dice import Roll
from engine.events import Event, SetState
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.book import small_arms, to_wound
from engine.rulesets.presidio.changes import spent, state, state_where
from engine.rulesets.presidio.charges.striking import Blow, Stand, blows_of, facing_ids, needs, stand_of
from engine.rulesets.presidio.table.field import on_table
from engine.rulesets.presidio.units.casualties import fall, morale_due
from engine.rulesets.presidio.vocabulary import figures_of, state_of, stats_of

__all__ = ["engaged", "melee", "strike"]


def melee(game: Game, action: Action) -> Procedure[None]:
    """Two units in contact fight a round; the one that acts strikes first. Raises ActionRefused."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    return _melee(game, unit, target, action, allow(action, _against(game, unit, target)))


def _against(game: Game, unit: Unit, target: Unit) -> Reasons:
    reasons = Reasons()
    reasons.add(unit.side == target.side, f"{target.id} is on the same side as {unit.id}", "PR-510")
    for one in (unit, target):
        reasons.add(not on_table(one), f"{one.id} has no figure on the table", "PR-510")
        reasons.add(state_of(one).hidden, f"{one.id} is hidden: only a marker shows", "PR-430")
    reasons.extend(cannot_strike(unit))
    reasons.add(state_of(target).morale == "surrendered", f"{target.id} has surrendered", "PR-716")
    reach = blows_of(game, unit, target) or blows_of(game, target, unit)
    reasons.add(not reach, f"no figure of {unit.id} is in contact with {target.id}", "PR-510")
    return reasons


def cannot_strike(unit: Unit) -> Sequence[tuple[str, str]]:
    """What keeps a unit from striking."""
    now, found = state_of(unit), []
    if now.actions_left < 1:
        found.append((f"{unit.id} has no action left to strike with", "PR-210"))
    if now.morale in ("panicked", "surrendered"):
        found.append((f"{unit.id} is {now.morale}", "PR-510"))
    if now.carrying is not None:
        found.append((f"{unit.id} carries {now.carrying}: no fighting until it is dropped", "PR-810"))
    return found


def _melee(game: Game, unit: Unit, target: Unit, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    before = {one.id: len(figures_of(one)) for one in (unit, target)}
    game = yield from happen(
        Event(
            event="melee", facts={"unit": unit.id, "target": target.id}, rule="PR-510",
            changes=(*spent(unit, 1), *engaged(unit, target), *state_where(unit, charging=False)),
        )
    )  # fmt: skip
    impact = state_of(unit).charging and not state_of(unit).fired_moving
    game = yield from strike(game, unit.id, target.id, blows_of(game, unit, target), stand_of(game, unit, target),
                             impact=impact)  # fmt: skip
    other = game.unit(target.id)
    if on_table(other) and not cannot_strike(other) and on_table(game.unit(unit.id)):
        game = yield from happen(
            Event(
                event="melee", facts={"unit": target.id, "target": unit.id}, changes=spent(other, 1), rule="PR-510"
            )
        )
        unit = game.unit(unit.id)
        blows = blows_of(game, other, unit)
        game = yield from strike(game, other.id, unit.id, blows, stand_of(game, other, unit))
    for name, number in before.items():
        if 0 < len(figures_of(game.unit(name))) < number:
            game = yield from morale_due(game, name, "PR-512")


def engaged(unit: Unit, target: Unit) -> tuple[SetState, ...]:
    """Each is in melee with the other."""
    return tuple(
        change
        for one, other in ((unit, target), (target, unit))
        if other.id not in state_of(one).engaged_with
        for change in state(one.id, engaged_with=[*state_of(one).engaged_with, other.id])
    )


def strike(
    game: Game, unit: str, target: str, blows: Sequence[Blow], stand: Stand, *, impact: bool = False,
    victims: tuple[str, ...] | None = None,
) -> Procedure[Game]:  # fmt: skip
    """A unit's blows at another: a d12 for each striker, a d12 for each hit, then who falls (PR-510, PR-607).

    ``victims``: whom the strikers faced, where that is not as the figures stand now.
    """
    striker, struck = game.unit(unit), game.unit(target)
    faced = facing_ids(game, striker, struck) if victims is None else victims
    hits: list[tuple[str, int]] = []
    for blow in blows:
        number, _ = needs(striker, struck, blow.weapon, stand, impact=impact)
        request = Roll(
            purpose=f"{unit} strikes at {target}", count=len(blow.figures), die="d12", success=f">={number}",
            rule="PR-508" if impact else "PR-510",
        )  # fmt: skip
        hits.append((blow.weapon, (yield from roll(request)).passed))
    wounds = 0
    for weapon, number in hits:
        least = to_wound(small_arms()[weapon].damage, stats_of(struck).armor)
        if least is not None:
            request = Roll(
                purpose=f"{target} is wounded", count=number, die="d12", success=f">={least}", rule="PR-607"
            )
            wounds += (yield from roll(request)).passed
    return (yield from fall(game, target, sum(number for _, number in hits), wounds, known=_known(faced)))


def _known(faced: tuple[str, ...]) -> tuple[str, ...] | None:
    """Who falls where only one opponent was faced: then no die is asked (PR-601)."""
    return faced if len(faced) == 1 else None

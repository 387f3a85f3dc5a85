"""Melee: a round between units in contact, with one enemy or several (MM-149 to MM-162)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct, structs

from engine.dice import Roll
from engine.errors import UnknownAction
from engine.events import Change, Event
from engine.geometry.moving.moves import nearest_first
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.procedures.changes import state, state_where
from engine.rulesets.muskets_mohawks.procedures.charges.aftermath import settle
from engine.rulesets.muskets_mohawks.procedures.charges.melee_dice import more_figures
from engine.rulesets.muskets_mohawks.procedures.charges.melee_shares import (
    Share,
    fighting,
    flat_dice,
    lost_on_contact,
    share_against,
    share_reasons,
)
from engine.rulesets.muskets_mohawks.procedures.charges.rounds import fought_already, locked, opponents
from engine.rulesets.muskets_mohawks.procedures.nerve.losses import Loss, lose
from engine.rulesets.muskets_mohawks.procedures.refusal import refuse_friends
from engine.rulesets.muskets_mohawks.table.facts import in_contact
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, state_of, stats_of

__all__ = [
    "SUCCESS",
    "MeleeKeys",
    "Pools",
    "due",
    "fights_of",
    "melee",
    "pools",
    "reasons_against",
    "sharing_reasons",
]

SUCCESS = "<=3"  # of a die of a melee (MM-150)


class MeleeKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``melee``; who fights several shares itself out evenly among them, unless it is said otherwise.

    ``enemy_shares``: how the enemy is shared out who fights others than this unit as well.
    """

    enemy: str | None = None
    enemies: tuple[Share, ...] = ()
    enemy_shares: tuple[Share, ...] = ()


class _Fight(Struct, frozen=True, kw_only=True):
    """A round against one enemy, its dice read."""

    enemy: str
    unit_casualties: int
    enemy_casualties: int


def melee(game: Game, action: Action, keys: MeleeKeys) -> Procedure[None]:
    """Begins the action. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    names = _named(keys)
    foes = [game.unit(name) for name in names]
    for foe in foes:
        refuse_friends(unit, foe)
    reasons = Reasons()
    for foe in foes:
        reasons.extend(reasons_against(game, unit, foe))
    reasons.extend(sharing_reasons(game, unit, foes, keys))
    fought = not reasons and all(fought_already(game, unit, foe) for foe in foes)
    reasons.add(fought, f"{unit.id} and {' and '.join(names)} have fought their round of this activation", "MM-162")
    return _melee(game, action, keys, [foe.id for foe in due(game, unit, foes)], allow(action, reasons))


def _named(keys: MeleeKeys) -> list[str]:
    """Whom the action names as enemies. Raises UnknownAction."""
    if (keys.enemy is None) == (not keys.enemies):
        raise UnknownAction("melee: expected either enemy or enemies")
    if keys.enemies and keys.enemy_shares:
        raise UnknownAction("melee: enemy_shares: expected with enemy, not with enemies")
    for key, shares in (("enemies", keys.enemies), ("enemy_shares", keys.enemy_shares)):
        if len({share.id for share in shares}) < len(shares):
            raise UnknownAction(f"melee: {key}: expected each enemy once")
    return [keys.enemy] if keys.enemy is not None else [share.id for share in keys.enemies]


def due(game: Game, unit: Unit, foes: Sequence[Unit]) -> list[Unit]:
    """Those of its enemies whom a unit fights now: who has had his round is named for his share alone (MM-162)."""
    return [foe for foe in foes if not fought_already(game, unit, foe)] or list(foes)


def reasons_against(game: Game, unit: Unit, foe: Unit) -> Reasons:
    """Why two units may not fight a round."""
    reasons = Reasons()
    for one in (unit, foe):
        reasons.add(not figures_of(one), f"{one.id} has no figures on the table", "MM-124")
    apart = not reasons and not locked(unit, foe) and not in_contact(game, unit, foe)
    reasons.add(apart, f"{unit.id} and {foe.id} are not in contact", "MM-124")
    return reasons


def sharing_reasons(game: Game, unit: Unit, foes: Sequence[Unit], keys: MeleeKeys) -> Reasons:
    """Why the unit, or its enemy, cannot be shared out as the keys say (MM-159)."""
    if keys.enemy_shares:
        enemy = foes[0]
        return share_reasons(game, enemy, opponents(game, enemy, and_also=unit), keys.enemy_shares)
    names = [foe.id for foe in foes]
    fought = (*foes, *(foe for foe in opponents(game, unit) if foe.id not in names))
    return share_reasons(game, unit, fought, keys.enemies)


def _values(modifiers: Sequence[object]) -> int:
    return sum(modifier.extra["value"] for modifier in modifiers)  # type: ignore[attr-defined]


def _melee(
    game: Game, action: Action, keys: MeleeKeys, enemies: Sequence[str], against: tuple[str, ...]
) -> Procedure[None]:
    assert action.unit is not None
    game = yield from overruled(game, action, against)
    foes = [game.unit(name) for name in enemies]
    fights: list[_Fight] = []
    for enemy, given in zip(enemies, fights_of(game, game.unit(action.unit), foes, keys), strict=True):
        fights.append((yield from _round(action.unit, enemy, given)))
    game = fought = yield from happen(_fought(game, action.unit, enemies))
    losses: dict[str, Loss] = {}
    total = sum(fight.unit_casualties for fight in fights)
    sides = [(action.unit, total, enemies), *((f.enemy, f.enemy_casualties, [action.unit]) for f in fights)]
    orders = {name: _order(game, name, opponents) for name, _, opponents in sides}  # all fall at once
    for name, casualties, _ in sides:
        losses[name] = yield from lose(game, name, casualties, orders[name], ranged=False)
        game = losses[name].game
    yield from settle(game, action.unit, enemies, losses, fought)


def _order(game: Game, unit: str, opponents: Iterable[str]) -> tuple[Figure, ...]:
    """A unit's figures in the order in which they fall: from those nearest to its opponents."""
    near = [figure for foe in opponents for figure in figures_of(game.unit(foe))]
    return nearest_first(figures_of(game.unit(unit)), near)


class Pools(Struct, frozen=True, kw_only=True):
    """The dice of both sides of a fight, the loss that each begins with, and the figures that each can lose.

    ``fighting``: the figures that are counted against each other (MM-156).
    """

    unit_dice: int
    enemy_dice: int
    lost: int
    unit_figures: int
    enemy_figures: int
    fighting: tuple[int, int] = (0, 0)

    def casualties(self, ours: int, his: int) -> tuple[int, int]:
        """Both sides' casualties for their successes: the side with fewer loses the difference (MM-149, MM-150)."""
        unit = min(self.unit_figures, self.lost + max(0, his - ours))
        return unit, min(self.enemy_figures, self.lost + max(0, ours - his))


def fights_of(game: Game, unit: Unit, foes: Sequence[Unit], keys: MeleeKeys) -> list[Pools]:
    """What each fight of a round begins with, the units shared out as the keys say, else evenly (MM-159)."""
    ours = _before_losses(game, unit, keys.enemies)
    return [
        pools(game, unit, foe, ours.get(foe.id), _before_losses(game, foe, keys.enemy_shares).get(unit.id))
        for foe in foes
    ]


def _before_losses(game: Game, unit: Unit, shares: Sequence[Share]) -> dict[str, Share]:
    """A unit's shares by enemy, the figures as before the losses on contact: players may count them after."""
    if sum(share.figures for share in shares) >= fighting(unit):
        return {share.id: share for share in shares}
    return {
        share.id: structs.replace(share, figures=share.figures + lost_on_contact(unit, game.unit(share.id)))
        for share in shares
    }


def pools(game: Game, unit: Unit, foe: Unit, share: Share | None = None, foe_share: Share | None = None) -> Pools:
    """What a fight begins with (MM-149 to MM-159); shares: what of either is in it, else an even share."""
    lost = lost_on_contact(unit, foe)
    start, mine = _brings(game, unit, foe, share)
    his, theirs = _brings(game, foe, unit, foe_share)
    mine, theirs = max(0, mine - lost), max(0, theirs - lost)
    return Pools(
        unit_dice=max(0, start + _values(more_figures(mine, theirs))),
        enemy_dice=max(0, his + _values(more_figures(theirs, mine))),
        lost=lost, fighting=(mine, theirs), unit_figures=len(figures_of(unit)), enemy_figures=len(figures_of(foe)),
    )  # fmt: skip


def _brings(game: Game, unit: Unit, foe: Unit, share: Share | None) -> tuple[int, int]:
    """The dice and the figures that a unit has in a fight, whatever the enemy has in it."""
    share = share or share_against(game, unit, foe)
    if share is not None:
        return share.dice, share.figures
    return stats_of(unit).rep + _values(flat_dice(game, unit, [foe])), fighting(unit)


def _round(unit: str, enemy: str, given: Pools) -> Procedure[_Fight]:
    """Both sides' dice in one fight; nobody falls yet (MM-149 to MM-158)."""
    ours = yield from roll(
        Roll(purpose=f"{unit} fights {enemy}", count=given.unit_dice, success=SUCCESS, rule="MM-150")
    )
    his = yield from roll(
        Roll(purpose=f"{enemy} fights {unit}", count=given.enemy_dice, success=SUCCESS, rule="MM-150")
    )
    unit_casualties, enemy_casualties = given.casualties(ours.passed, his.passed)
    facts = {
        "unit": unit, "enemy": enemy, "unit_dice": given.unit_dice, "enemy_dice": given.enemy_dice,
        "unit_successes": ours.passed, "enemy_successes": his.passed,
        "unit_casualties": unit_casualties, "enemy_casualties": enemy_casualties,
    }  # fmt: skip
    yield from happen(Event(event="melee", facts=facts, rule="MM-150"))
    return _Fight(enemy=enemy, unit_casualties=unit_casualties, enemy_casualties=enemy_casualties)


def _fought(game: Game, unit: str, enemies: Sequence[str]) -> Event:
    """Everyone in the fight has fought a round; a follow-up's die is used up."""
    changes: list[Change] = []
    for name in (unit, *enemies):
        record = game.unit(name)
        changes += state(name, meleed=True, melee_round=state_of(record).melee_round + 1)
        changes += state_where(record, following_up=False)
        named = list(enemies) if name == unit else [unit]
        fought = list(state_of(record).in_melee)
        more = [one for one in named if one not in fought]
        if more:
            changes += state(name, in_melee=[*fought, *more])
        if game.turn.active_side == record.side:
            changes += state(name, activated=True)
            if len({*named, *(foe.id for foe in opponents(game, record))}) > 1:  # the others have theirs (MM-162)
                met = dict.fromkeys([*state_of(record).fought_with, *named])
                changes += state(name, fought_with=list(met))
    facts = {"unit": unit, "enemies": list(enemies)}
    return Event(event="round-fought", facts=facts, changes=tuple(changes), rule="MM-162")

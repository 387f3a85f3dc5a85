"""Melee: a round between units in contact, with one enemy or several (MM-149 to MM-162)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from msgspec import Meta, Struct, structs

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
from engine.rulesets.muskets_mohawks.procedures.charges.melee_dice import flat_modifiers, more_figures
from engine.rulesets.muskets_mohawks.procedures.charges.rounds import first_round, fought_already
from engine.rulesets.muskets_mohawks.procedures.nerve.losses import Loss, lose
from engine.rulesets.muskets_mohawks.procedures.refusal import refuse_friends
from engine.rulesets.muskets_mohawks.table.facts import in_contact
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, state_of, stats_of

__all__ = [
    "SUCCESS",
    "MeleeKeys",
    "Pools",
    "Share",
    "even_shares",
    "fights_of",
    "melee",
    "pools",
    "reasons_against",
    "share_reasons",
]

Count = Annotated[int, Meta(ge=0)]
SUCCESS = "<=3"  # of a die of a melee (MM-150)


class Share(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What of a unit's dice and figures goes against one of several enemies (MM-159).

    The figures are counted before the losses on contact or after them: all shares alike.
    """

    id: str
    dice: Count
    figures: Count


class MeleeKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``melee``."""

    enemy: str | None = None
    enemies: tuple[Share, ...] = ()


class _Fight(Struct, frozen=True, kw_only=True):
    """A round against one enemy, its dice read."""

    enemy: str
    unit_casualties: int
    enemy_casualties: int


def melee(game: Game, action: Action, keys: MeleeKeys) -> Procedure[None]:
    """Begins the action. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    if (keys.enemy is None) == (not keys.enemies):
        raise UnknownAction("melee: expected either enemy or enemies")
    names = [keys.enemy] if keys.enemy is not None else [share.id for share in keys.enemies]
    if len(set(names)) < len(names):
        raise UnknownAction("melee: enemies: expected each enemy once")
    foes = [game.unit(name) for name in names]
    for foe in foes:
        refuse_friends(unit, foe)
    reasons = Reasons()
    for foe in foes:
        reasons.extend(reasons_against(game, unit, foe))
    reasons.extend(share_reasons(game, unit, foes, keys.enemies))
    fought = not reasons and all(fought_already(game, unit, foe) for foe in foes)
    reasons.add(fought, f"{unit.id} and {' and '.join(names)} have fought their round of this activation", "MM-162")
    return _melee(game, action, keys.enemies, [foe.id for foe in foes], allow(action, reasons))


def reasons_against(game: Game, unit: Unit, foe: Unit) -> Reasons:
    """Why two units may not fight a round."""
    reasons = Reasons()
    for one in (unit, foe):
        reasons.add(not figures_of(one), f"{one.id} has no figures on the table", "MM-124")
    locked = foe.id in state_of(unit).in_melee or unit.id in state_of(foe).in_melee
    apart = not reasons and not locked and not in_contact(game, unit, foe)
    reasons.add(apart, f"{unit.id} and {foe.id} are not in contact", "MM-124")
    return reasons


def share_reasons(game: Game, unit: Unit, foes: Sequence[Unit], shares: Sequence[Share]) -> Reasons:
    """Why a unit's dice and figures cannot be shared out so (MM-159)."""
    reasons, figures = Reasons(), _fighting(unit)
    if not shares:
        return reasons
    left = figures - sum(_lost_on_contact(unit, foe) for foe in foes)
    after = f", or to the {left} left after the losses on contact" if left < figures else ""
    all_out = sum(share.figures for share in shares) in (figures, left)
    reasons.add(not all_out, f"the shares must add up to the {figures} figures of {unit.id}{after}", "MM-159")
    pool = _pool(game, unit, foes)
    too_many = sum(share.dice for share in shares) > pool
    reasons.add(too_many, f"the shares must not add up to more than the {pool} dice of {unit.id}", "MM-159")
    return reasons


def _pool(game: Game, unit: Unit, foes: Sequence[Unit]) -> int:
    """The dice that a unit shares out among several enemies."""
    first = any(first_round(unit, foe) for foe in foes)
    return max(0, stats_of(unit).rep + _values(flat_modifiers(game, unit, foes, first_round=first)))


def even_shares(game: Game, unit: Unit, foes: Sequence[Unit]) -> tuple[Share, ...]:
    """A unit's dice and figures shared out as evenly as they go, what is over to the first (MM-159)."""
    pool, figures, parts = _pool(game, unit, foes), _fighting(unit), len(foes)
    return tuple(
        Share(id=foe.id, dice=(pool + parts - 1 - place) // parts, figures=(figures + parts - 1 - place) // parts)
        for place, foe in enumerate(foes)
    )


def _fighting(unit: Unit) -> int:
    """How many of the unit's figures fight: all, but for those who hold the horses (MM-19)."""
    return sum(figure.role != "holder" for figure in figures_of(unit))


def _lost_on_contact(unit: Unit, foe: Unit) -> int:
    """The figure that each loses in the first round, none where one of them has but one (MM-149, R-30)."""
    lone = len(figures_of(unit)) == 1 or len(figures_of(foe)) == 1
    return 1 if first_round(unit, foe) and not lone else 0


def _values(modifiers: Sequence[object]) -> int:
    return sum(modifier.extra["value"] for modifier in modifiers)  # type: ignore[attr-defined]


def _melee(
    game: Game, action: Action, shares: Sequence[Share], enemies: Sequence[str], against: tuple[str, ...]
) -> Procedure[None]:
    assert action.unit is not None
    game = yield from overruled(game, action, against)
    foes = [game.unit(name) for name in enemies]
    fights: list[_Fight] = []
    for enemy, given in zip(enemies, fights_of(game, game.unit(action.unit), foes, shares), strict=True):
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


def fights_of(game: Game, unit: Unit, foes: Sequence[Unit], shares: Sequence[Share]) -> list[Pools]:
    """What each fight of a round begins with; ``shares``: what of the unit is against each of several (MM-159)."""
    if not shares:
        return [pools(game, unit, foe) for foe in foes]
    gross = sum(share.figures for share in shares) >= _fighting(unit)
    found = []
    for share, foe in zip(shares, foes, strict=True):
        lost = 0 if gross else _lost_on_contact(unit, foe)  # the players had already counted them
        given = structs.replace(share, figures=share.figures + lost)
        found.append(pools(game, unit, foe, given, foes))
    return found


def pools(game: Game, unit: Unit, foe: Unit, share: Share | None = None, foes: Sequence[Unit] = ()) -> Pools:
    """What a fight begins with (MM-149 to MM-159); ``share`` of the unit fights this one of its ``foes``."""
    first = first_round(unit, foe)
    mine, theirs = _fighting(unit) if share is None else share.figures, _fighting(foe)
    lost = _lost_on_contact(unit, foe)
    mine, theirs = max(0, mine - lost), max(0, theirs - lost)
    flat = _values(flat_modifiers(game, unit, foes or [foe], first_round=first))
    start = stats_of(unit).rep + flat if share is None else share.dice
    his = stats_of(foe).rep + _values(flat_modifiers(game, foe, [unit], first_round=first))
    return Pools(
        unit_dice=max(0, start + _values(more_figures(mine, theirs))),
        enemy_dice=max(0, his + _values(more_figures(theirs, mine))),
        lost=lost, fighting=(mine, theirs), unit_figures=len(figures_of(unit)), enemy_figures=len(figures_of(foe)),
    )  # fmt: skip


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
        opponents = list(enemies) if name == unit else [unit]
        fought = list(state_of(record).in_melee)
        more = [one for one in opponents if one not in fought]
        if more:
            changes += state(name, in_melee=[*fought, *more])
        if game.turn.active_side == record.side:
            changes += state(name, activated=True)
    facts = {"unit": unit, "enemies": list(enemies)}
    return Event(event="round-fought", facts=facts, changes=tuple(changes), rule="MM-162")

"""How a unit that fights several enemies shares its dice and figures out among them (MM-159)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from engine.records.answer import Modifier
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import Reasons, listed
from engine.rulesets.muskets_mohawks.procedures.charges.melee_dice import flat_modifiers
from engine.rulesets.muskets_mohawks.procedures.charges.rounds import first_round, opponents
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, stats_of

__all__ = ["Share", "even_shares", "fighting", "flat_dice", "lost_on_contact", "share_against", "share_reasons"]

Count = Annotated[int, Meta(ge=0)]


class Share(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What of a unit's dice and figures goes against one of several enemies (MM-159).

    The figures are counted before the losses on contact or after them: all shares alike.
    """

    id: str
    dice: Count
    figures: Count


def fighting(unit: Unit) -> int:
    """How many of the unit's figures fight: all, but for those who hold the horses (MM-19)."""
    return sum(figure.role != "holder" for figure in figures_of(unit))


def lost_on_contact(unit: Unit, foe: Unit) -> int:
    """The figure that each loses in the first round, none where one of them has but one (MM-149, R-30)."""
    lone = len(figures_of(unit)) == 1 or len(figures_of(foe)) == 1
    return 1 if first_round(unit, foe) and not lone else 0


def flat_dice(game: Game, unit: Unit, foes: Sequence[Unit]) -> tuple[Modifier, ...]:
    """What changes the dice that a unit has against all these enemies, but for the numbers of figures."""
    return flat_modifiers(game, unit, foes, first_round=any(first_round(unit, foe) for foe in foes))


def _pool(game: Game, unit: Unit, foes: Sequence[Unit]) -> int:
    """The dice that a unit has against these enemies, or shares out among them."""
    more: int = sum(one.extra["value"] for one in flat_dice(game, unit, foes))
    return max(0, stats_of(unit).rep + more)


def even_shares(game: Game, unit: Unit, foes: Sequence[Unit]) -> tuple[Share, ...]:
    """A unit's dice and figures shared out as evenly as they go, what is over to the first (MM-159)."""
    pool, figures, parts = _pool(game, unit, foes), fighting(unit), len(foes)
    return tuple(
        Share(id=foe.id, dice=(pool + parts - 1 - place) // parts, figures=(figures + parts - 1 - place) // parts)
        for place, foe in enumerate(foes)
    )


def share_against(game: Game, unit: Unit, foe: Unit) -> Share | None:
    """A unit's even share against one of the enemies whom it fights; None where he is the only one."""
    foes = opponents(game, unit, and_also=foe)
    shares = even_shares(game, unit, foes) if len(foes) > 1 else ()
    return next((share for share in shares if share.id == foe.id), None)


def share_reasons(game: Game, unit: Unit, foes: Sequence[Unit], shares: Sequence[Share]) -> Reasons:
    """Why a unit's dice and figures cannot be shared out so among those whom it fights (MM-159)."""
    reasons, figures = Reasons(), fighting(unit)
    if not shares:
        return reasons
    named = {share.id for share in shares}
    left_out = [foe.id for foe in foes if foe.id not in named]
    text = f"{unit.id} fights {listed(left_out)} as well: whoever it fights has a share"
    reasons.add(bool(left_out), text, "MM-159")
    others = named - {foe.id for foe in foes}
    reasons.add(bool(others), f"{unit.id} does not fight {listed(sorted(others))}", "MM-159")
    left = figures - sum(lost_on_contact(unit, foe) for foe in foes)
    after = f", or to the {left} left after the losses on contact" if left < figures else ""
    all_out = sum(share.figures for share in shares) in (figures, left)
    reasons.add(not all_out, f"the shares must add up to the {figures} figures of {unit.id}{after}", "MM-159")
    pool = _pool(game, unit, foes)
    too_many = sum(share.dice for share in shares) > pool
    reasons.add(too_many, f"the shares must not add up to more than the {pool} dice of {unit.id}", "MM-159")
    return reasons

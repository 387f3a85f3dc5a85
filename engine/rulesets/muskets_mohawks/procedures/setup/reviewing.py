"""``review``: what an army holds against what its list advises, and which Leaders it lacks (MM-34 to MM-37)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from engine.events import Event
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.procedures.setup.armies import Shares, army_of
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, stats_of

__all__ = ["ReviewKeys", "review"]

_PICKED = ("light", "grenadier", "guard")
_FOOT = ("regular", *_PICKED, "militia", "irregular", "indian")
_HORSE = ("cavalry", "mounted-infantry")
#: A tenth of ten is one, whatever the arithmetic makes of it.
_EXACT = 1e-9
#: Two units make a platoon or war party, two of those a company, seven companies a battalion, three guns a battery.
_IN_PLATOON, _IN_COMPANY, _IN_BATTALION, _IN_BATTERY = 2, 2, 7, 3


class ReviewKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``review``: the side, and the list that it is held against (as for ``raise``)."""

    side: str
    list: str | None = None


def review(game: Game, _action: Action, keys: ReviewKeys) -> Procedure[None]:
    """Begins ``review``. Raises UnknownAction for a side or list that there is not."""
    army = army_of(game, keys.side, keys.list, "review")
    units = [unit for unit in game.units if unit.side == keys.side and figures_of(unit)]
    return _review(keys.side, units, army.shares)


def _review(side: str, units: Sequence[Unit], shares: Shares | None) -> Procedure[None]:
    fighting = [unit for unit in units if unit.type in (*_FOOT, *_HORSE, "gunners")]
    led = sum(unit.type in (*_FOOT, *_HORSE) and unit.type != "indian" for unit in fighting)
    braves = sum(unit.type == "indian" for unit in fighting)
    guns = sum(unit.type == "gunners" for unit in fighting)
    facts = {
        "side": side, "units": len(fighting), "platoons": led // _IN_PLATOON, "war_parties": braves // _IN_PLATOON,
        "companies": led // _IN_PLATOON // _IN_COMPANY, "batteries": guns // _IN_BATTERY,
        "advice": [*_leaders(units, led, braves), *(() if shares is None else _shares(fighting, shares))],
    }  # fmt: skip
    yield from happen(Event(event="review", facts=facts, rule="MM-34" if shares is None else shares.rule))


def _leaders(units: Sequence[Unit], led: int, braves: int) -> Iterator[str]:
    """The higher Leaders that so many units should have (MM-34)."""
    have = Counter(stats_of(unit).rank for unit in units if unit.type == "leader")
    platoons, parties = led // _IN_PLATOON, braves // _IN_PLATOON
    wanted = {
        "lieutenant": platoons, "captain": platoons // _IN_COMPANY,
        "major": platoons // _IN_COMPANY // _IN_BATTALION, "war-chief": parties // _IN_COMPANY,
    }  # fmt: skip
    for rank, number in wanted.items():
        if have[rank] != number:  # type: ignore[index]  # the ranks are those of the vocabulary
            yield f"{rank.replace('-', ' ')}s: {number} for these units, there are {have[rank]}"  # type: ignore[index]


def _shares(units: Sequence[Unit], shares: Shares) -> Iterator[str]:
    """Kinds of troops that are more of the army than its list advises (MM-36, MM-37)."""
    kinds = {
        "infantry": _FOOT, "artillery": ("gunners",), "militia": ("militia",), "irregular": ("irregular", "indian"),
        "picked": _PICKED,
    }  # fmt: skip
    counted = [unit for unit in units if unit.type not in _HORSE]
    foot = [unit for unit in counted if unit.type in _FOOT]
    for name, types in kinds.items():
        among = counted if name in ("infantry", "artillery") else foot  # the others are shares of the infantry
        number, most = sum(unit.type in types for unit in among), getattr(shares, name)
        if name != "infantry" and number > most * len(among) + _EXACT:
            words = "light infantry, grenadiers and guards" if name == "picked" else name
            noun = "units" if name == "artillery" else "units of infantry"
            yield f"{words}: {number} of {len(among)} {noun}, at most {most:.0%} ({shares.rule})"

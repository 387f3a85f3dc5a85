"""``raise``: a unit taken from the army lists, or a higher Leader, laid out at its side's edge (MM-34 to MM-40)."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.dice import Roll
from engine.errors import UnknownAction
from engine.events import AddUnit, Event
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.procedures.campaign.arrivals import in_quarters
from engine.rulesets.muskets_mohawks.procedures.setup.armies import Entry, army_of, check_side
from engine.rulesets.muskets_mohawks.procedures.setup.mustering import at_edge, new_unit
from engine.rulesets.muskets_mohawks.vocabulary import Rank, conditions_of, stats_of

__all__ = ["RaiseKeys", "raise_unit"]

T = TypeVar("T")


class RaiseKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``raise``: for which side, what it is called, and an entry of its list or a Leader's rank.

    ``list`` is by default that of the side's army in the campaign, else that of the side's own name. ``rep`` is one
    that the list leaves to the players.
    """

    side: str
    id: str
    entry: str | None = None
    rank: Rank | None = None
    list: str | None = None
    name: str | None = None
    figures: Annotated[int, Meta(ge=1, le=40)] | None = None
    rep: Literal[3, 4, 5] | None = None


class _Listed(Struct, frozen=True, kw_only=True):
    """An entry of a list, as the unit is to have it: its Rep, or None where a die decides, and the list's row."""

    name: str
    entry: Entry
    rep: int | None
    rule: str


def raise_unit(game: Game, action: Action, keys: RaiseKeys) -> Procedure[None]:
    """Begins ``raise``. Raises UnknownAction for a side, list or entry that there is not, ActionRefused."""
    if (keys.entry is None) == (keys.rank is None):
        raise UnknownAction("raise: expected either the key entry, of a list, or the key rank, of a Leader")
    reasons = Reasons()
    reasons.add(keys.id in game.by_id, f"there is a unit {keys.id} already", "MM-40")
    listed = None
    if keys.entry is not None:
        listed = _listed(game, keys, keys.entry, reasons)
    else:
        check_side(game, keys.side, "raise")
    return _raise(game, action, keys, listed, allow(action, reasons))


def _listed(game: Game, keys: RaiseKeys, name: str, reasons: Reasons) -> _Listed:
    army = army_of(game, keys.side, keys.list, "raise")
    if name not in army.units:
        raise UnknownAction(f"raise: entry: expected one of {', '.join(army.units)}, got {name!r}")
    entry, conditions = army.units[name], conditions_of(game)
    quartered = in_quarters(game, entry.type, conditions.month)
    reasons.add(quartered, "only irregulars take the field from November to February", "MM-199")
    reps = entry.reps(conditions.year)
    wrong = keys.rep is not None and keys.rep not in reps and conditions.period != "fiw"
    reasons.add(wrong, f"Rep {keys.rep}: the list has {' or '.join(map(str, sorted(set(reps))))}", army.rule)
    by_die = isinstance(entry.rep, tuple) and keys.rep is None
    return _Listed(name=name, entry=entry, rep=None if by_die else keys.rep or reps[0], rule=army.rule)


def _raise(
    game: Game, action: Action, keys: RaiseKeys, listed: _Listed | None, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    if keys.id in game.by_id:
        return
    facts: dict[str, Any] = {"unit": keys.id, "side": keys.side}
    if listed is None:
        unit = new_unit(keys.id, keys.side, "leader", name=keys.name, stats={"rank": keys.rank})
        facts["rank"] = keys.rank
    else:
        drawn = yield from _drawn(keys.id, listed)
        unit = _unit(keys, listed.entry, drawn)
        if keys.figures not in (None, stats_of(unit).paper_strength):
            unit = replace(unit, stats={**unit.stats, "paper_strength": keys.figures})
        facts |= {"entry": listed.name, **{key: value for key, value in drawn.items() if value}}
    unit = at_edge(game, unit, keys.figures)
    facts["figures"] = len(unit.figures)
    rule = "MM-34" if listed is None else listed.rule
    yield from happen(Event(event="raised", facts=facts, changes=(AddUnit(unit=unit),), rule=rule))


def _drawn(name: str, listed: _Listed) -> Procedure[dict[str, Any]]:
    """What the list leaves to dice, in this order: what men, their Rep, their weapon, what they carry besides."""
    entry, rule = listed.entry, listed.rule
    of = yield from _read(entry.of or "", f"{name}: what men", rule)
    rep = listed.rep
    if rep is None:
        rep = yield from _read(entry.rep, f"{name}: their Rep", rule)
    weapon = yield from _read(entry.weapon, f"{name}: their weapon", rule)
    also = yield from _read(entry.also or "", f"{name}: what they carry besides", rule)
    return {"rep": rep, "weapon": weapon, "of": of, "also": also}


def _read(values: T | tuple[T, ...], what: str, rule: str) -> Procedure[T]:
    """The value, or that of six which a die names."""
    if not isinstance(values, tuple):
        return values
    rolled = yield from roll(Roll(purpose=what, count=1, rule=rule))
    found: T = values[rolled.total - 1]
    return found


def _unit(keys: RaiseKeys, entry: Entry, drawn: dict[str, Any]) -> Unit:
    stats = {"rep": drawn["rep"]} | ({"special": list(entry.special)} if entry.special else {})
    return new_unit(keys.id, keys.side, entry.type, name=keys.name, weapon=drawn["weapon"], stats=stats)

"""Setting a raid up and counting it out: ``camp``, ``villagers``, ``livestock-return``, ``victory``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from engine.dice import Roll
from engine.events import Change, Event, SetCondition
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.verdicts import Verdict, decided
from engine.rulesets.presidio.raid_book import raid_book
from engine.rulesets.presidio.vocabulary import conditions_of

__all__ = [
    "CampKeys", "ReturnKeys", "VictoryKeys", "VillagersKeys", "camp", "livestock_return", "nearest_whole",
    "victory", "villagers",
]  # fmt: skip

Count = Annotated[int, Meta(ge=0)]
Item = Literal[
    "war-chief", "captain", "alcalde", "horse", "chief", "lieutenant", "warrior", "soldier", "mule", "cow", "scalp",
    "ears", "captive", "home", "donkey", "sheep", "pig", "chicken",
]  # fmt: skip


class CampKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``camp``: whether horses take part."""

    horses: bool = False


class VillagersKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``villagers``: how many there are."""

    count: Count


class ReturnKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``livestock-return``: how many animals were lost, whether a party searches for them."""

    count: Count
    search: bool = False


class VictoryKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``victory``: whose points, and what was taken or slain, item by item."""

    side: str
    taken: Mapping[Item, Count] = {}


def nearest_whole(number: float) -> int:
    """The nearest whole number, halves up.

    >>> nearest_whole(2.5), nearest_whole(2.4), nearest_whole(0.0)
    (3, 2, 0)
    """
    return int(number + 0.5 + 1e-9)


def camp(game: Game, action: Action, keys: CampKeys) -> Procedure[None]:
    """Where a camp lies, what is beside it and who watches (PR-801, PR-802)."""
    book = raid_book().camp
    scores = []
    for what in ("the ground of the camp", "what is beside the camp", "the sentries"):
        scores.append((yield from roll(Roll(purpose=what, count=1, rule="PR-802"))).total - 1)
    ground, feature, watch = scores
    terrain = book.with_horses if keys.horses and ground == 0 else book.terrain[ground]
    facts = {
        "terrain": terrain, "feature": book.feature[feature], "sentries": book.sentries[watch],
        "apart_in": book.apart_in,
    }  # fmt: skip
    yield from happen(Event(event="camp", facts=facts, rule="PR-802"))


def villagers(game: Game, action: Action, keys: VillagersKeys) -> Procedure[None]:
    """Where the villagers are when raiders come (PR-803)."""
    share = raid_book().village[conditions_of(game).time]
    fields, plaza = nearest_whole(keys.count * share.fields), nearest_whole(keys.count * share.plaza)
    plaza = min(plaza, keys.count - fields)
    facts = {
        "houses": keys.count - fields - plaza, "fields": fields, "plaza": plaza, "guards": share.guards,
    }  # fmt: skip
    yield from happen(Event(event="villagers", facts=facts, rule="PR-803"))


def livestock_return(game: Game, action: Action, keys: ReturnKeys) -> Procedure[None]:
    """What becomes of each lost animal (PR-816)."""
    table = raid_book().strayed.searching if keys.search else raid_book().strayed.waiting
    request = Roll(purpose="what becomes of the lost animals", count=keys.count, each=True, rule="PR-816")
    scores = (yield from roll(request)).scores
    fates = [table[score - 1] for score in scores]
    facts = {fate: fates.count(fate) for fate in ("returned", "enemy", "lost")}
    yield from happen(Event(event="livestock", facts=facts, rule="PR-816"))


def victory(game: Game, action: Action, keys: VictoryKeys) -> Procedure[None]:
    """The victory points of a side. Raises UnusableFile for a side that there is not (PR-825)."""
    game.side(keys.side)
    return _victory(game, keys)


def _victory(game: Game, keys: VictoryKeys) -> Procedure[None]:
    worth = raid_book().points
    points = sum(worth[item] * number for item, number in keys.taken.items())
    facts = {"side": keys.side, "points": points}
    counted = {**conditions_of(game).victory_points, keys.side: points}
    changes = (SetCondition(key="victory_points", value=counted), *_judged(game, counted))
    yield from happen(Event(event="victory", facts=facts, changes=changes, rule="PR-825"))


def _judged(game: Game, counted: Mapping[str, int]) -> tuple[Change, ...]:
    """Once every side's points are counted, the game is over: who has most has won; else it is a draw."""
    if any(side.name not in counted for side in game.sides):
        return ()
    most = max(counted.values())
    best = tuple(side.name for side in game.sides if counted[side.name] == most)
    why = " against ".join(f"{counted[side.name]} for {side.name}" for side in game.sides)
    points = {side: float(number) for side, number in counted.items()}
    won = best if len(best) == 1 else ()
    return decided(Verdict(won=won, why=f"victory points: {why}", rule="PR-825", points=points))

"""``casualty-status``: what becomes of the fallen, and of the men of shattered units (PR-608, PR-609)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from engine.dice import Roll
from engine.events import Event
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.presidio.book import book

__all__ = ["StatusKeys", "casualty_status"]

_KILLED, _MORTAL = 1, 2


class StatusKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``casualty-status``: of how many figures, and whether their unit was shattered."""

    count: Annotated[int, Meta(ge=1, le=100)]
    shattered: bool = False


def casualty_status(game: Game, action: Action, keys: StatusKeys) -> Procedure[None]:
    """A die for each figure and what that asks for besides; ``days`` until it dies or is back, where known."""
    results: list[str] = []
    days: list[int | None] = []
    for number in range(1, keys.count + 1):
        name, after = yield from (_of_shattered(number) if keys.shattered else _of_fallen(number))
        results.append(name)
        days.append(after)
    rule = "PR-609" if keys.shattered else "PR-608"
    yield from happen(Event(event="fate", facts={"results": results, "days": days}, rule=rule))


def _die(number: int, what: str, rule: str) -> Procedure[int]:
    return (yield from roll(Roll(purpose=f"{what} of casualty {number}", count=1, rule=rule))).total


def _of_fallen(number: int) -> Procedure[tuple[str, int | None]]:
    """Killed, or wounded and for how long (PR-608)."""
    fate = book().fates[(yield from _die(number, "fate", "PR-608")) - 1]
    if not fate.dice:
        return fate.name, 1 if fate.name == "surface" else None
    request = Roll(purpose=f"how long, casualty {number}", count=fate.dice, rule="PR-608")
    return fate.name, (yield from roll(request)).total * fate.days


def _of_shattered(number: int) -> Procedure[tuple[str, int | None]]:
    """Captured or escaped, wounded or not (PR-609)."""
    score = yield from _die(number, "fate", "PR-609")
    if score <= 2:
        wound = yield from _die(number, "wound", "PR-609")
        return f"captured-{book().fates[(_MORTAL if wound == _KILLED else wound) - 1].name}", None
    if score <= 4:
        return "captured", None
    if score == 5:
        return ("escaped-scratched" if (yield from _die(number, "wound", "PR-609")) <= 3 else "escaped-light"), None
    return "escaped", None

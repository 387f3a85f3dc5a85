"""Whether a campaign hangs together: no battle missing, no way that leads nowhere or round in a circle (MP-291)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError

from engine.errors import UnusableFile
from engine.rulesets.base.fitting import expected
from engine.rulesets.musket_pike.campaign.records import OUTCOMES, Campaign, Sealed, Situation

__all__ = ["check"]


def check(campaign: Campaign, source: str) -> None:
    """Refuses a campaign that cannot be played. Raises UnusableFile naming ``source`` and the key's path."""
    for where, fault in _faults(campaign):
        raise UnusableFile(f"{source}: {where}: {fault}")


def _faults(campaign: Campaign) -> Iterator[tuple[str, str]]:
    places = [*campaign.situation_by_id, *campaign.conclusion_by_id]
    yield from _twice("situations and conclusions", [*campaign.situations, *campaign.conclusions])
    yield from _twice("battles", campaign.battles)
    if campaign.sides[0] == campaign.sides[1]:
        yield "sides", "expected two different sides"
    if campaign.start not in campaign.situation_by_id:
        yield "start", expected(campaign.situation_by_id, campaign.start)
    for number, situation in enumerate(campaign.situations):
        yield from _situation_faults(campaign, situation, f"situations[{number}]")
    for number, battle in enumerate(campaign.battles):
        for outcome in OUTCOMES:
            if outcome not in battle.next:
                yield f"battles[{number}].next.{outcome}", "expected where this outcome leads, found no such key"
            elif battle.next[outcome] not in places:
                yield f"battles[{number}].next.{outcome}", expected(places, battle.next[outcome])
    yield from _circles(campaign)
    yield from _state_faults(campaign)


def _twice(what: str, records: Iterable[object]) -> Iterator[tuple[str, str]]:
    for name, count in Counter(getattr(record, "id", "") for record in records).items():
        if count > 1:
            yield what, f"expected an id of its own for each, got {name!r} {count} times"


def _situation_faults(campaign: Campaign, situation: Situation, where: str) -> Iterator[tuple[str, str]]:
    seats: Mapping[str, tuple[str, ...]] = {}
    for seat in ("a", "b"):
        if not situation.choices.get(seat):
            yield f"{where}.choices.{seat}", "expected at least one choice"
            return
        names = [choice.id for choice in situation.choices[seat]]
        if len(set(names)) < len(names):
            yield f"{where}.choices.{seat}", "expected every choice to have an id of its own"
        seats = {**seats, seat: tuple(names)}
    pairs = Counter((match.a, match.b) for match in situation.battles)
    for number, match in enumerate(situation.battles):
        for seat, name in (("a", match.a), ("b", match.b)):
            if name not in seats[seat]:
                yield f"{where}.battles[{number}].{seat}", expected(seats[seat], name)
        if match.battle not in campaign.battle_by_id:
            yield f"{where}.battles[{number}].battle", expected(campaign.battle_by_id, match.battle)
    for a in seats["a"]:
        for b in seats["b"]:
            if pairs[a, b] != 1:
                yield f"{where}.battles", f"expected one battle for {a} against {b}, found {pairs[a, b] or 'none'}"


def _circles(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """The first way that comes back to where it was."""
    try:
        campaign.ways.prepare()
    except CycleError as error:
        circle = " → ".join(reversed(error.args[1]))
        yield "situations", f"expected a campaign without circles, found {circle}"


def _state_faults(campaign: Campaign) -> Iterator[tuple[str, str]]:
    state = campaign.state
    if state is None:
        return
    if state.situation in campaign.conclusion_by_id:
        if state.chosen:
            yield "state.chosen", "expected nothing chosen once the campaign is over"
        return
    situation = campaign.situation_by_id.get(state.situation)
    if situation is None:
        places = [*campaign.situation_by_id, *campaign.conclusion_by_id]
        yield "state.situation", expected(places, state.situation)
        return
    for seat, name in state.chosen.items():
        if not isinstance(name, Sealed) and name not in situation.options(seat):
            yield f"state.chosen.{seat}", expected(situation.options(seat), name)

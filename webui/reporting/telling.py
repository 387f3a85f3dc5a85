"""What a battle report holds, worked out once from a journal: its page and its PDF only set it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from engine.keeping.entries import standing
from engine.keeping.entry import Entry, told_under
from engine.keeping.times import on_the_clock
from engine.records.game import Game
from engine.rulesets.base.ruleset import Counted, Ruleset
from engine.rulesets.base.verdicts import verdict_line
from engine.words.story import Names, lines_of, name_of, names_in, plain, rules_of, title_of, turn_name
from webui.reporting.charts import chart_of
from webui.reporting.holding import Moment, moments_of, strength_of
from webui.reporting.luck import Luck, lucks_of
from webui.reporting.maps import COLOURS, map_of, ways_of
from webui.reporting.sketch import Sketch

__all__ = ["Loss", "Report", "SideTold", "Told", "TurnTold", "caption_of", "report_of"]


class Told(Struct, frozen=True):
    """An entry in words."""

    title: str
    lines: tuple[str, ...]
    rules: tuple[str, ...]
    overruled: bool


class TurnTold(Struct, frozen=True):
    """A turn: its entries, the table at its end with the ways of its moves, and the last picture of it."""

    name: str
    entries: tuple[Told, ...]
    map: Sketch
    picture: Path | None


class SideTold(Struct, frozen=True):
    """A side: its name, letter and colour, its strength at first and last, and the dice's luck."""

    name: str
    letter: str
    colour: str
    began: int
    left: int
    luck: Luck


class Loss(Struct, frozen=True):
    """What a unit began with and has left."""

    unit: str
    side: str
    began: int
    left: int


class Report(Struct, frozen=True):
    """A battle, told. ``noun`` is what strength counts: figures, men, units; ``verdict`` says who has won."""

    title: str
    begun: str
    ended: str
    noun: str
    verdict: str | None
    sides: tuple[SideTold, ...]
    turns: tuple[TurnTold, ...]
    strength: Sketch
    order: Sketch
    luck: Sketch
    ways: Sketch
    losses: tuple[Loss, ...]


def report_of(entries: Sequence[Entry], ruleset: Ruleset, pictures: Mapping[int, Path] | None = None) -> Report:
    """The report of the entries that stand; ``pictures`` by the entry that they show the table after."""
    alive = standing(entries)
    counted = ruleset.wording().counted
    moments = tuple(moments_of(alive, counted))
    first, last = moments[0], moments[-1]
    everybody = {unit.id: unit for moment in moments for unit in moment.game.units}
    names = names_in(replace(first.game, units=tuple(everybody.values())), ruleset)
    lucks = lucks_of(alive, first.game)
    turns = [moment.turn for moment in moments]
    return Report(
        title=ruleset.title,
        begun=_time(alive[0].at),
        ended=_time(alive[-1].at),
        noun=counted.noun,
        verdict=_verdict(last.game, ruleset, names),
        sides=tuple(_side(place, first, last, luck) for place, luck in enumerate(lucks)),
        turns=_turns(alive, moments, names, pictures or {}),
        strength=chart_of(f"Strength in {counted.noun}", turns, _series(moments, "strength")),
        order=chart_of("Units in good order", turns, _series(moments, "steady")),
        luck=chart_of("Successes ahead of the expectation", turns, _luck_lines(moments, lucks), whole=False),
        ways=map_of(last.game, "The ways of the units", ways_of(moment.game for moment in moments)),
        losses=tuple(
            Loss(name_of(unit), plain(unit.side), began, _left(unit.id, last.game, counted))
            for unit in first.game.units
            if (began := strength_of(unit, counted))
        ),
    )


def _verdict(game: Game, ruleset: Ruleset, names: Names) -> str | None:
    """Who has won, in a sentence; None where the game is not over."""
    found = ruleset.verdict(game)
    if found is None:
        return None
    said = names.within(verdict_line(found))
    for side in game.sides:
        said = re.sub(rf"(?<![\w-]){re.escape(side.name)}(?![\w-])", plain(side.name), said)
    return f"{said}. ({found.rule})"


def caption_of(entry: Entry, entries: Sequence[Entry], ruleset: Ruleset) -> str:
    """What a picture that was taken after an entry shows, in a line."""
    from engine.keeping.entries import game_of

    names = names_in(game_of(entries[:1]), ruleset)
    under = told_under(entry)
    turn = "" if under is None else f"{turn_name(under)}: "
    return turn + title_of(entry, names)


def _side(place: int, first: Moment, last: Moment, luck: Luck) -> SideTold:
    return SideTold(
        name=plain(luck.side),
        letter=luck.side[:1].upper(),
        colour=COLOURS[place % len(COLOURS)],
        began=first.strength[luck.side],
        left=last.strength.get(luck.side, 0),
        luck=luck,
    )


def _turns(
    alive: Sequence[Entry], moments: Sequence[Moment], names: Names, pictures: Mapping[int, Path]
) -> tuple[TurnTold, ...]:
    first = moments[0].turn
    told, so_far = [], 0
    for number, of_turn in groupby(alive, key=lambda entry: _turn_of(entry, first)):
        part, begun = tuple(of_turn), so_far
        so_far += len(part)
        games = [moment.game for moment in moments[max(0, begun - 1) : so_far]]
        shown = [one for one in pictures if part[0].number <= one < _next(alive, so_far)]
        told.append(
            TurnTold(
                turn_name(number),
                tuple(_tell(one, names) for one in part),
                map_of(games[-1], f"{turn_name(number)}: the table as it then stood", ways_of(games)),
                pictures[max(shown)] if shown else None,
            )
        )
    return tuple(told)


def _turn_of(entry: Entry, first: int) -> int:
    """The turn that an entry is told under; what comes before any is told under the first."""
    under = told_under(entry)
    return first if under is None else under


def _next(alive: Sequence[Entry], place: int) -> int:
    """The number of the entry at a place, or one beyond all."""
    return alive[place].number if place < len(alive) else alive[-1].number + 1


def _tell(entry: Entry, names: Names) -> Told:
    return Told(title_of(entry, names), tuple(lines_of(entry, names)), tuple(rules_of(entry)), entry.overruled)


def _series(moments: Sequence[Moment], what: str) -> dict[str, list[float]]:
    sides = list(moments[0].strength)
    return {plain(side): [getattr(moment, what).get(side, 0) for moment in moments] for side in sides}


def _luck_lines(moments: Sequence[Moment], lucks: Sequence[Luck]) -> dict[str, list[float]]:
    lines: dict[str, list[float]] = {}
    for luck in lucks:
        after, ahead, line = dict(luck.course), 0.0, []
        for moment in moments:
            ahead = after.get(moment.number, ahead)
            line.append(ahead)
        lines[plain(luck.side)] = line
    return lines


def _left(unit: str, game: Game, counted: Counted) -> int:
    return strength_of(game.unit(unit), counted) if unit in game.by_id else 0


def _time(at: str) -> str:
    return on_the_clock(at).replace(" ", " at ")

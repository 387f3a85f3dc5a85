"""Who falls when a unit is hit, and what that means for it (PR-601, PR-602, PR-604, PR-106)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from engine.dice import Roll
from engine.events import Change, Event, RemoveFigures
from engine.play import Procedure, happen, roll
from engine.records.game import Figure, Game, Unit
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.changes import state
from engine.rulesets.presidio.table.sorts import leads, models, specialty
from engine.rulesets.presidio.vocabulary import figures_of, state_of

__all__ = ["fall", "felled", "gone", "lost", "morale_due", "picked"]


def picked(
    game: Game, name: str, wounds: int, seen: Sequence[str] | None = None, so_far: Hashable = None
) -> Procedure[tuple[str, ...]]:
    """Which figures of a unit fall, of those seen (None: of all), with a die for each where it has specialists.

    The die is that of the unit's size before the first falls. Models of guns and wagons never fall (PR-604).
    ``so_far``: what the chances still need of what came before.
    """
    unit = game.unit(name)
    left = [
        figure for figure in figures_of(unit)
        if not models(unit, figure) and (seen is None or figure.id in seen)
    ]  # fmt: skip
    die = book().allocation_die(max(len(figures_of(unit)), 1))
    fallen: list[str] = []
    for _ in range(min(wounds, len(left))):
        special = [figure for figure in left if specialty(figure)]
        plain = [figure for figure in left if not specialty(figure)]
        victim = (plain or special)[-1]
        if special:
            request = Roll(purpose=f"who of {name} falls", count=1, die=die, rule="PR-601", so_far=so_far)
            rolled = yield from roll(request)
            if rolled.total <= len(special):
                victim = special[rolled.total - 1]
        left.remove(victim)
        fallen.append(victim.id)
    return tuple(fallen)


def felled(game: Game, name: str, hits: int, figures: Sequence[str], rule: str | None = None) -> Procedure[Game]:
    """A unit was hit so often, and these figures fall: the game after it; ``rule``: what hit them, if not shots."""
    facts = {"unit": name, "hits": hits, "casualties": len(figures)}
    game = yield from happen(Event(event="hit", facts=facts, rule=rule or "PR-401"))
    for figure in figures:
        game = yield from lost(game, name, figure, "casualty", rule or "PR-601")
    return game


def fall(
    game: Game, name: str, hits: int, wounds: int, *, known: Sequence[str] | None = None,
    seen: Sequence[str] | None = None,
) -> Procedure[Game]:  # fmt: skip
    """A unit was hit and wounded so often: who falls, and the game after it; ``known``: these, without a die."""
    standing = {figure.id for figure in figures_of(game.unit(name))}
    if known is not None:
        victims = tuple(figure for figure in known if figure in standing)[:wounds]
    else:
        victims = yield from picked(game, name, wounds, seen)
    return (yield from felled(game, name, hits, victims))


def morale_due(game: Game, name: str, rule: str = "PR-701") -> Procedure[Game]:
    """Says that a unit must check its morale."""
    return (yield from happen(Event(event="morale-due", facts={"unit": name}, rule=rule)))


def lost(game: Game, name: str, figure_id: str, event: str, rule: str) -> Procedure[Game]:
    """A figure of a unit is lost, by an event of that name: it leaves the table and is counted."""
    unit = game.unit(name)
    figure = next(one for one in unit.figures if one.id == figure_id)
    facts = {"unit": unit.id, "figure": figure_id}
    changes: tuple[Change, ...] = (
        RemoveFigures(unit=unit.id, figures=(figure_id,)),
        *state(unit.id, **dict(_loss(unit, figure))),
        *_if_last(game, unit),
    )
    return (yield from happen(Event(event=event, facts=facts, changes=changes, rule=rule)))


def gone(game: Game, unit: Unit, figure: Figure) -> tuple[Change, ...]:
    """What a figure that is led away leaves: it is missed if it led; the last one's melees are over."""
    return (*state(unit.id, **dict(_missed(unit, figure))), *_if_last(game, unit))


def _if_last(game: Game, unit: Unit) -> tuple[Change, ...]:
    """The unit's melees are over with its last figure."""
    return tuple(_freed(game, unit)) if len(figures_of(unit)) == 1 else ()


def _loss(unit: Unit, figure: Figure) -> Iterator[tuple[str, object]]:
    """What a fall leaves in the unit's state: it is counted; leaders are missed (PR-106, PR-706)."""
    yield "casualties", state_of(unit).casualties + 1
    yield from _missed(unit, figure)
    if len(figures_of(unit)) == 1:
        yield "failed", "destroyed"
        yield "fell_at", [figure.x_mm, figure.y_mm]


def _missed(unit: Unit, figure: Figure) -> Iterator[tuple[str, object]]:
    """What a unit's state keeps of a leader who is no longer with it (PR-106, PR-706)."""
    if leads(figure):
        yield "leader_lost", True
        if not any(leads(other) for other in figures_of(unit) if other.id != figure.id):
            yield "leaderless", True


def _freed(game: Game, unit: Unit) -> Iterator[Change]:
    """A unit that is gone holds nobody in melee."""
    for other in game.units:
        engaged = state_of(other).engaged_with
        if unit.id in engaged:
            yield from state(other.id, engaged_with=[name for name in engaged if name != unit.id])
    if state_of(unit).engaged_with:
        yield from state(unit.id, engaged_with=[])

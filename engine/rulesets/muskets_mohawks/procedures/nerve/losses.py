"""Losses: which figures fall, the Leader checks, and what becomes of the unit (MM-115 to MM-117, MM-161, R-25)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from msgspec import Struct

from engine.dice import Roll
from engine.events import Change, Event, RemoveFigures, SetFigure
from engine.play import Procedure, happen, roll
from engine.records.game import Figure, Game, Unit
from engine.rulesets.muskets_mohawks.procedures.changes import loosed, parted, state, state_where
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, state_of

__all__ = ["HORSE_HIT", "LEADER_FALLS", "Loss", "lose", "rides", "rides_alone"]

#: A Leader falls at this total of his check, on foot and mounted (MM-116).
LEADER_FALLS = {False: 11, True: 10}
#: The horse, not the rider, is hit up to this score (MM-117).
HORSE_HIT = 3


class Loss(Struct, frozen=True, kw_only=True):
    """What losses came to: the game after them, how many figures fell, whether the Leader is among them."""

    game: Game
    fallen: int
    leader_lost: bool
    destroyed: bool


class _Toll(Struct, kw_only=True):
    """The losses of one unit while they are counted."""

    unit: Unit
    standing: list[Figure]
    fallen: list[Figure] = []
    leader_lost: bool = False
    unhorsed: bool = False

    def chief(self) -> Figure | None:
        """Whom the checks are for: the Leader, else an officer (R-25)."""
        for role in ("leader", "officer"):
            for figure in self.standing:
                if figure.role == role:
                    return figure
        return None

    def fells(self, figure: Figure) -> None:
        """The figure is the casualty."""
        self.standing.remove(figure)
        self.fallen.append(figure)


def lose(
    game: Game, unit: str, casualties: int, order: Sequence[Figure], *, ranged: bool, by: Sequence[str] = (),
    alone: bool = False,
) -> Procedure[Loss]:  # fmt: skip
    """Takes casualties off a unit, in ``order``, with a Leader check for each; ``by`` scored them by fire.

    ``alone``: nothing that the dice have said before matters to what follows but how many fall.
    """
    record = game.unit(unit)
    ordered = [*order, *(figure for figure in figures_of(record) if figure not in order)]
    toll = _Toll(unit=record, standing=ordered, fallen=[])
    casualties = min(casualties, len(ordered))
    if casualties <= 0:
        return Loss(game=game, fallen=0, leader_lost=False, destroyed=False)
    if casualties == len(ordered):
        spared = ranged and rides_alone(record, ordered) and (yield from _alone(toll))
        if not spared:
            toll.leader_lost = any(figure.role == "leader" for figure in ordered)
            toll.fallen, toll.standing = ordered, []
    else:
        for left in range(casualties, 0, -1):
            yield from _casualty(toll, ranged=ranged, left=left if alone else None)
    if toll.fallen:
        game = yield from happen(_hit(toll, by, ranged=ranged))
    if not toll.standing:
        game = yield from happen(_destroyed(game, game.unit(unit)))
    return Loss(game=game, fallen=len(toll.fallen), leader_lost=toll.leader_lost, destroyed=not toll.standing)


def _casualty(toll: _Toll, *, ranged: bool, left: int | None) -> Procedure[None]:
    chief = toll.chief()
    if chief is not None and len(toll.standing) > 1:
        so_far = None if left is None else (left, *(figure.id for figure in toll.fallen), toll.unhorsed)
        outcome = yield from _check(toll, chief, ranged=ranged, so_far=so_far)
        if outcome == "horse-hit":
            return
        if outcome == "hit":
            toll.leader_lost = toll.leader_lost or chief.role == "leader"
            toll.fells(chief)
            return
    others = [figure for figure in toll.standing if figure.role not in ("leader", "officer")]
    falls = (others or toll.standing)[0]
    toll.leader_lost = toll.leader_lost or falls.role == "leader"
    toll.fells(falls)


def _check(toll: _Toll, chief: Figure, *, ranged: bool, so_far: Hashable) -> Procedure[str]:
    """The check of one casualty; the horse of a mounted Leader may take the ball (MM-117, R-26)."""
    mounted = rides(toll.unit, chief) and not toll.unhorsed
    name = toll.unit.id
    cut = LEADER_FALLS[mounted]
    purpose = f"Leader check of {name}, {cut} or more hits him"
    asked = Roll(purpose=purpose, count=2, rule="MM-116", so_far=so_far, cuts=(cut,))
    rolled = yield from roll(asked)
    result = "hit" if rolled.total >= cut else "unharmed"
    changes: tuple[Change, ...] = ()
    if result == "hit" and mounted and ranged:
        changes = yield from _horse(toll, chief)
        result = "horse-hit" if changes else "hit"
    facts = {"unit": name, "total": rolled.total, "result": result, "figure": chief.id}
    yield from happen(
        Event(event="leader-check", facts=facts, changes=changes, rule="MM-117" if changes else "MM-116")
    )
    return result


def _horse(toll: _Toll, chief: Figure) -> Procedure[tuple[Change, ...]]:
    """Horse or rider: what it does to a mounted Leader that it was his horse; nothing where he is hit (MM-117)."""
    unit = toll.unit
    horse = yield from roll(
        Roll(purpose=f"horse or rider, Leader of {unit.id}", count=1, success=f"<={HORSE_HIT}", rule="MM-117")
    )
    if not horse.passed:
        return ()
    toll.unhorsed = True
    return (
        SetFigure(figure=chief.id, key="mounted", value=False),
        SetFigure(figure=chief.id, key="status", value="stunned"),
        *state(unit.id, stunned=True, unhorsed=True),
        *(state_where(unit, mounted=False) if unit.type == "leader" else ()),
    )


def _alone(toll: _Toll) -> Procedure[bool]:
    """Whether a mounted Leader on his own is spared: he is hit without a check, it may be his horse (MM-117)."""
    chief = toll.standing[0]
    changes = yield from _horse(toll, chief)
    result = "horse-hit" if changes else "hit"
    facts = {"unit": toll.unit.id, "total": None, "result": result, "figure": chief.id}
    yield from happen(Event(event="leader-check", facts=facts, changes=changes, rule="MM-117"))
    return bool(changes)


def rides_alone(unit: Unit, figures: Sequence[Figure]) -> bool:
    """Whether these figures are one mounted Leader and nobody else."""
    led = unit.type == "leader" or any(figure.role in ("leader", "officer") for figure in figures)
    return len(figures) == 1 and led and rides(unit, figures[0])


def rides(unit: Unit, chief: Figure) -> bool:
    """Whether the Leader is on horseback; a file may say so of the unit or of its figures."""
    if chief.status == "stunned":
        return False
    said = state_of(unit).unhorsed or any(figure.mounted for figure in unit.figures)
    return chief.mounted or (bool(state_of(unit).mounted) and not said)


def _hit(toll: _Toll, by: Sequence[str], *, ranged: bool) -> Event:
    unit, left = toll.unit, len(toll.standing)
    now = state_of(unit)
    changes: list[Change] = [
        RemoveFigures(unit=unit.id, figures=tuple(figure.id for figure in toll.fallen)),
        *state(unit.id, casualties=now.casualties + len(toll.fallen), strength=left),
    ]
    if 2 * left < (now.start_strength or 0):
        changes += state(unit.id, below_half=True)
    changes += [change for name in by for change in state(name, scored_casualty=True)]
    facts = {
        "unit": unit.id,
        "casualties": len(toll.fallen),
        "figures": [figure.id for figure in toll.fallen],
        "leader_lost": toll.leader_lost,
    }
    return Event(event="hit", facts=facts, changes=tuple(changes), rule="MM-115" if ranged else "MM-161")


def _destroyed(game: Game, unit: Unit) -> Event:
    changes = (*loosed(game, unit), *parted(game, unit))
    return Event(event="destroyed", facts={"unit": unit.id}, changes=changes, rule="MM-64")

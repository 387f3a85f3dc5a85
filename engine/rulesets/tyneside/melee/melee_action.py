"""``melee``: figures in contact fight, matched evenly; the worse side is pushed back (TY-71 to TY-74)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from engine.dice import Roll
from engine.errors import UnknownAction
from engine.events import Change, Event
from engine.geometry.moving.moves import away, centroid, mean_bearing, room_to_edge
from engine.geometry.plane.directions import Vector
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons, listed
from engine.rulesets.base.fitting import expected
from engine.rulesets.tyneside.book import book
from engine.rulesets.tyneside.changes import left_position, shifted, state, state_where
from engine.rulesets.tyneside.fire.harming import harm
from engine.rulesets.tyneside.melee.duels import WOUNDS, Pair, fought, in_contact, modifiers, pairs_in_contact
from engine.rulesets.tyneside.vocabulary import conditions_of, figures_of, is_character, state_of

__all__ = ["MeleeKeys", "fights_at", "melee"]


class MeleeKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``melee``: who fights whom (from contact, where nobody says), whether the winner follows up."""

    pairs: tuple[Pair, ...] | None = None
    follow_up: bool = False


class _Tally(Struct, kw_only=True):
    """The fights that each side lost and the harm that it took, by the unit's id."""

    fights: dict[str, int]
    casualties: dict[str, int]

    def counted(self, worst: str) -> dict[str, int]:
        """What the worse result of a melee is told by (TR-12)."""
        return self.fights if worst == "fights" else self.casualties


def melee(game: Game, action: Action, keys: MeleeKeys) -> Procedure[None]:
    """Two units in contact fight. Raises ActionRefused with every reason, UnknownAction for an unknown figure."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    pairs, reasons = fights_at(game, unit, target, keys)
    nobody = unit.id == target.id or not figures_of(unit) or not figures_of(target)
    if nobody or _strangers(unit, target, pairs):  # nothing that could be played, whatever the umpire says
        action = replace(action, override=False)
    return _melee(game, unit, target, pairs, keys.follow_up, action, allow(action, reasons))


def fights_at(game: Game, unit: Unit, target: Unit, keys: MeleeKeys) -> tuple[Sequence[Pair], Reasons]:
    """Who would fight whom in a melee of two units, and everything that speaks against it. Raises UnknownAction."""
    pairs = pairs_in_contact(game, unit, target) if keys.pairs is None else keys.pairs
    _demand_known(pairs, (*figures_of(unit), *figures_of(target)))
    return pairs, _reasons(game, unit, target, pairs)


def _demand_known(pairs: Sequence[Pair], figures: Sequence[Figure]) -> None:
    """Raises UnknownAction for a figure that neither unit has: there is nobody who could fight."""
    known = [figure.id for figure in figures]
    for name in (name for pair in pairs for side in pair for name in side):
        if name not in known:
            raise UnknownAction(f"melee: pairs: {expected(known, name)}")


def _reasons(game: Game, unit: Unit, target: Unit, pairs: Sequence[Pair]) -> Reasons:
    reasons = Reasons()
    reasons.add(unit.side == target.side, f"{target.id} is on the same side as {unit.id}", "TY-71")
    for one in (unit, target):
        reasons.add(not figures_of(one), f"{one.id} has no figure left", "TY-40")
        reasons.add(state_of(one).hidden, f"{one.id} is hidden: reveal it first", "TY-82")
    again = target.id in (state_of(unit).fought or ()) and unit.id in (state_of(target).fought or ())
    reasons.add(again, f"{unit.id} and {target.id} have fought this turn", "TY-09")
    reasons.add(not pairs, f"no figure of {unit.id} is in contact with {target.id}", "TY-71")
    fighting = [name for pair in pairs for side in pair for name in side]
    strange = _strangers(unit, target, pairs)
    reasons.add(bool(strange), f"pairs: {listed(strange)} not of {unit.id} and {target.id} in this order", "TY-71")
    twice = [name for name in fighting if fighting.count(name) > 1]
    reasons.add(bool(twice), f"pairs: {listed(twice)} in more than one fight", "TY-71")
    for some, others in pairs:
        reasons.add(min(len(some), len(others)) != 1, "pairs: one against one, or several against one", "TY-71")
    if not strange:
        reasons.extend(_apart(game, pairs))
        free = _left_out(game, unit, target, set(fighting))
        reasons.add(bool(free), f"{listed(free)} in contact and left out of the fights", "TY-71")
    return reasons


def _strangers(unit: Unit, target: Unit, pairs: Sequence[Pair]) -> list[str]:
    """Figures that stand on the wrong side of a pair."""
    own, foe = ({figure.id for figure in figures_of(one)} for one in (unit, target))
    strange = [name for some, _ in pairs for name in some if name not in own]
    return strange + [name for _, others in pairs for name in others if name not in foe]


def _apart(game: Game, pairs: Sequence[Pair]) -> list[tuple[str, str]]:
    """Opponents who are not in contact."""
    return [
        (f"{one} and {other} are not in contact", "TY-71")
        for some, others in pairs for one in some for other in others
        if not in_contact(game, one, other)
    ]  # fmt: skip


def _left_out(game: Game, unit: Unit, target: Unit, fighting: set[str]) -> list[str]:
    """Figures in contact that no pair names."""
    return [
        name for pair in pairs_in_contact(game, unit, target) for side in pair for name in side
        if name not in fighting
    ]  # fmt: skip


def _melee(
    game: Game, unit: Unit, target: Unit, pairs: Sequence[Pair], follow_up: bool, action: Action,
    against: tuple[str, ...],
) -> Procedure[None]:  # fmt: skip
    yield from overruled(game, action, against)
    tally = _Tally(fights={unit.id: 0, target.id: 0}, casualties={unit.id: 0, target.id: 0})
    before = game
    counted = tally.counted(conditions_of(game).options.worst)
    for pair in pairs:
        game = yield from _fight(before, game, unit, target, pair, tally, tuple(counted.values()))
    worst = max(counted.values())
    lost_by = [one.id for one in (unit, target) if counted[one.id] == worst]
    changes: list[Change] = []
    for one in (unit, target):
        other = target if one is unit else unit
        changes += _fought(game, game.unit(one.id), other.id, lost=one.id in lost_by)
    facts = {"unit": unit.id, "target": target.id, "lost_by": lost_by, "fights_lost": tally.fights}
    game = yield from happen(Event(event="melee", facts=facts, changes=tuple(changes), rule="TY-74"))
    yield from _push_back(game, unit, target, pairs, lost_by, follow_up)


def _fought(game: Game, unit: Unit, opponent: str, *, lost: bool) -> tuple[Change, ...]:
    """What a melee leaves in the unit's state: leaders are busy with it, and so is the side whose turn it is."""
    active = game.turn.active_side
    busy = is_character(unit) or active is None or unit.side == active
    before = state_of(unit).fought or ()
    won: tuple[Change, ...] = () if before else state_where(unit, melee_retreat=False)
    retreat = state(unit.id, melee_retreat=True) if lost else won  # who was beaten this turn has been beaten
    return (
        *retreat,
        *state(unit.id, fought=[*before, opponent]),
        *(state(unit.id, activity="melee") if busy else ()),
    )


def _fight(
    before: Game, game: Game, unit: Unit, target: Unit, pair: Pair, tally: _Tally,
    so_far: tuple[int, ...],
) -> Procedure[Game]:  # fmt: skip
    """One fight: a die for each figure in the order written, the winners' fives and sixes (TY-72, TY-73).

    ``so_far``: all that the melee's end needs of the fights before.
    """
    sides = tuple(
        tuple(figure for name in names for figure in one.figures if figure.id == name)
        for names, one in zip(pair, (unit, target), strict=True)
    )
    dice: list[int] = []
    for names, others in (pair, pair[::-1]):
        for name in names:
            request = Roll(
                purpose=f"{name} against {listed(others)}", count=1, rule="TY-72", so_far=None if dice else so_far
            )
            dice.append((yield from roll(request)).total)
    ours = modifiers(before, unit, sides[0], target, sides[1])
    adds = (*ours, *modifiers(before, target, sides[1], unit, sides[0]))
    found = fought(dice, adds, len(sides[0]))
    winner = None if found.winner is None else (unit, target)[found.winner]
    facts = {
        "unit": unit.id, "target": target.id, "pair": [list(names) for names in pair],
        "winner": None if winner is None else winner.id, "scores": list(found.scores),
    }  # fmt: skip
    game = yield from happen(Event(event="fight", facts=facts, rule="TY-73"))
    if found.winner is None:
        return game
    loser, victims = (target, sides[1]) if found.winner == 0 else (unit, sides[0])
    tally.fights[loser.id] += 1
    return (yield from _harmed(game, loser, victims, found.strokes, tally))


def _harmed(
    game: Game, loser: Unit, victims: Sequence[Figure], strokes: Iterable[int], tally: _Tally
) -> Procedure[Game]:
    """Each stroke wounds by a 5 and kills by a 6, the first of the losers who still stands (TY-73)."""
    for die in strokes:
        victim = next((one.id for one in victims if _stands(game, loser.id, one.id)), None)
        if victim is not None:
            tally.casualties[loser.id] += 1
            game = yield from harm(game, loser.id, victim, "wound" if die == WOUNDS else "kill", "TY-73")
    return game


def _stands(game: Game, unit: str, figure: str) -> bool:
    return any(one.id == figure for one in game.unit(unit).figures)


def _push_back(
    game: Game,
    unit: Unit,
    target: Unit,
    pairs: Sequence[Pair],
    lost_by: Sequence[str],
    follow_up: bool,
) -> Procedure[None]:
    """Who lost more moves back 5 cm away from the enemy, stopped at the table's edge; the winner may follow."""
    fought = {name for pair in pairs for side in pair for name in side}
    middle = {one.id: centroid([f for f in one.figures if f.id in fought] or one.figures) for one in (unit, target)}
    facing = {one.id: mean_bearing(one.figures) for one in (unit, target)}
    gone: tuple[Vector, float] | None = None
    for one, other in ((unit, target), (target, unit)):
        if one.id not in lost_by:
            continue
        direction = away(middle[one.id], middle[other.id], facing[one.id])
        moved = yield from _shift(game, one.id, direction, book().mm("push_back"))
        gone = (direction, book().mm("push_back") if moved is None else moved)
    if follow_up and len(lost_by) == 1 and gone is not None:
        winner = target if lost_by[0] == unit.id else unit
        yield from _shift(game, winner.id, *gone, follows=True)


def _shift(
    game: Game, name: str, direction: Vector, most_mm: float, *, follows: bool = False
) -> Procedure[float | None]:
    """Shifts a unit as a body; how far, or None where nobody is left to move."""
    figures = figures_of(game.unit(name))
    if not figures:
        return None
    far = min(most_mm, room_to_edge(figures, direction, game.table))
    changes = (*shifted(figures, direction, far), *left_position(game, game.unit(name), direction, far))
    facts = {"unit": name, "distance_mm": far, "why": "follows up" if follows else "pushed back"}
    yield from happen(Event(event="moved", facts=facts, changes=changes, rule="TY-74"))
    return far

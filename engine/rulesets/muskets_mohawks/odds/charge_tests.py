"""The dice of a charge at the 6 in spot: by how much one side passes more than the other (MM-139, MM-143)."""

from __future__ import annotations

from itertools import product

from msgspec.structs import replace

from engine.events import Event, apply
from engine.play import Procedure
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.procedures.charges.charge import advance_to_spot
from engine.rulesets.muskets_mohawks.procedures.leaders import die_against, leader_die
from engine.rulesets.muskets_mohawks.procedures.movement.square import least_score
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, leader_of
from engine.spreads import chance_of, merged, passes

__all__ = ["chance_of_square", "differences", "leader_there", "without_dice"]


def differences(dice: tuple[int, int], success: tuple[str, str], leader_rep: int | None) -> dict[int, float]:
    """Charger's passes less the target's; where they are equal, the Leader's die makes it 1 or -1 (MM-143)."""
    ours, theirs = (enumerate(passes(count, chance_of(one))) for count, one in zip(dice, success, strict=True))
    plain = merged((mine - his, chance * share) for (mine, chance), (his, share) in product(ours, list(theirs)))
    even = plain.pop(0, 0.0)
    led = 0.0 if leader_rep is None else chance_of(f"<={leader_rep}")
    return merged([*plain.items(), (1, even * led), (-1, even * (1.0 - led))])


def chance_of_square(game: Game, charger: Unit, target: Unit) -> float:
    """The chance that a line which tries to form square against a charger does (MM-247)."""
    least = least_score(game, charger, target)
    return sum(score >= least for score in range(1, 7)) / 6


def leader_there(game: Game, unit: Unit, target: Unit) -> int | None:
    """What the Leader die of a unit sent by a reaction is rolled against where it stands when the dice are equal.

    A higher Leader who stood beside it does not come with it.
    """
    beside = any(one.type == "leader" and one.side == unit.side and figures_of(one) for one in game.units)
    if leader_of(unit) is not None or not beside:
        return die_against(unit, None)
    begun = replace(game, units=tuple(unit if one.id == unit.id else one for one in game.units))
    there = without_dice(begun, advance_to_spot(begun, unit, target, by_reaction=True))
    return leader_die(there, there.unit(unit.id))


def without_dice(game: Game, procedure: Procedure[Game]) -> Game:
    """The game after a procedure that asks for no dice."""
    try:
        step = next(procedure)
        while True:
            assert isinstance(step, Event)
            game = apply(game, step)
            step = procedure.send(game)
    except StopIteration as ended:
        after: Game = ended.value
        return after

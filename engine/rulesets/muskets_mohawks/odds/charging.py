"""The chances of a charge: the test, the fire in between, and the first round of the melee (MM-139 to MM-150)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from engine.events import Event, apply
from engine.geometry.moving.moves import gap_of_each, moved, nearest_first
from engine.geometry.plane.tolerance import MM
from engine.records.answer import ChargeOption, FireOption
from engine.records.game import Figure, Game, Unit
from engine.rulesets.muskets_mohawks.odds.charge_tests import chance_of_square, differences, without_dice
from engine.rulesets.muskets_mohawks.odds.fighting import Fight, Fought, rounds
from engine.rulesets.muskets_mohawks.odds.firing import (
    DESTROYED,
    Struck,
    casualties,
    reacts,
    struck,
)
from engine.rulesets.muskets_mohawks.odds.gunnery import cannon_losses
from engine.rulesets.muskets_mohawks.odds.nerves import Nerve, results
from engine.rulesets.muskets_mohawks.options.charge_options import charge_option
from engine.rulesets.muskets_mohawks.procedures.changes import formed
from engine.rulesets.muskets_mohawks.procedures.charges.charge import advance_to_spot, charge_dice
from engine.rulesets.muskets_mohawks.procedures.charges.charge_results import (
    answering_fire,
    contact,
    horse_refuses,
)
from engine.rulesets.muskets_mohawks.procedures.charges.charge_table import ChargeRow, charge_row
from engine.rulesets.muskets_mohawks.procedures.charges.melee import pools
from engine.rulesets.muskets_mohawks.procedures.firing.shooting import shooting, tests_of
from engine.rulesets.muskets_mohawks.procedures.leaders import leader_die
from engine.rulesets.muskets_mohawks.procedures.movement.defences import defended
from engine.rulesets.muskets_mohawks.seeing.sight import look_at_one
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of, sheets_as_they_were
from engine.rulesets.muskets_mohawks.vocabulary import figures_of
from engine.spreads import merged

__all__ = ["Charged", "charged", "charged_at_square"]


class Charged(Struct, frozen=True, kw_only=True):
    """What a charge came to: its result, what the fire did to the charger, and the first round of a melee."""

    result: str
    casualties: int = 0
    charger: str | None = None
    fight: Fought | None = None


def charged(
    game: Game,
    unit: Unit,
    target: Unit,
    option: ChargeOption,
    *,
    mode: str | None = None,
    by_reaction: bool = False,
) -> dict[Charged, float]:
    """The chances of a charge that is made, to the end of the first round of melee that it leads to."""
    with sheets_as_they_were():
        dice = charge_dice(game, unit.id, target.id, option)
        success = (dice.extra["charger_success"], dice.extra["target_success"])
        there = without_dice(game, advance_to_spot(game, unit, target, by_reaction=by_reaction))
        spread = differences((dice.charger, dice.target), success, leader_die(there, there.unit(unit.id)))
        chain = _Chain(there, unit.id, target.id, mode)
        return merged(
            (outcome, chance * share)
            for difference, chance in spread.items()
            for outcome, share in chain.after(charge_row(difference)).items()
        )


def charged_at_square(game: Game, unit: Unit, target: Unit, *, mode: str | None = None) -> dict[Charged, float]:
    """The same against a line that tries to form square first: horse does not charge one (MM-247, MM-248)."""
    squared = chance_of_square(game, unit, target)
    late = apply(game, Event(event="square", changes=formed(target.id, "unformed")))
    foe = late.unit(target.id)
    unformed = charged(late, unit, foe, charge_option(late, unit, foe), mode=mode) if squared < 1 else {}
    return merged(
        [
            (Charged(result="cavalry-refuses"), squared),
            *((outcome, chance * (1 - squared)) for outcome, chance in unformed.items()),
        ]
    )


class _Chain:
    """What follows from the dice of one charge, the charger being at the 6 in spot: each thing worked out once."""

    def __init__(self, game: Game, unit: str, target: str, mode: str | None) -> None:
        self._game, self._unit, self._target, self._mode = game, game.unit(unit), game.unit(target), mode
        self._horse = horse_refuses(game, unit, target)
        self._fire: list[tuple[int, Struck, float]] | None = None
        self._untouched = Struck(figures=figures_of(self._unit), fallen=0, leader_lost=False)
        self._known: Mapping[Struck, Mapping[Fought, float]] = {}
        self._nerves: Mapping[Struck, Nerve | None] = {}
        self._rows: dict[str, dict[Charged, float]] = {}

    def after(self, row: ChargeRow) -> dict[Charged, float]:
        """The chances of what a row of the table leads to."""
        if row.rule not in self._rows:
            result = "cavalry-refuses" if row.result == "melee" and self._horse else row.result
            self._rows[row.rule] = merged(self._outcomes(result, fires=row.fires))
        return self._rows[row.rule]

    def _outcomes(self, result: str, *, fires: bool) -> Iterable[tuple[Charged, float]]:
        under_fire = self._fired_at() if fires else None
        for count, state, chance in under_fire or [(0, self._untouched, 1.0)]:
            outcome = Charged(result=result, casualties=count)
            if not state.figures:
                yield replace(outcome, charger=DESTROYED), chance
            elif result == "melee":
                for fight, share in self._fights()[state].items():
                    yield replace(outcome, fight=fight), chance * share
            elif result == "charger-retires":
                for then, share in self._beaten_off(state) if under_fire else (("retire", 1.0),):
                    yield replace(outcome, charger=then), chance * share
            else:
                yield outcome, chance

    def _fired_at(self) -> list[tuple[int, Struck, float]] | None:
        """What the target's fire may leave of the charger; None where it cannot fire (MM-146)."""
        if self._fire is None:
            look_at_one(sheet_of(self._game), self._target, self._unit)
            option = answering_fire(self._game, self._target.id, self._unit.id, self._mode)
            self._fire = [] if option is None else list(self._losses(option))
        return self._fire or None

    def _losses(self, option: FireOption) -> Iterable[tuple[int, Struck, float]]:
        foe, unit = self._target, self._unit
        if foe.type == "gunners":
            losses = cannon_losses(self._game, foe, unit, option)
        else:
            order = nearest_first(figures_of(unit), shooting(foe, option))
            counts = casualties(self._game, foe, option, len(order))
            losses = [(count, struck(unit, order, count), chance) for count, chance in counts]
        for count, states, chance in losses:
            yield from ((count, state, chance * share) for state, share in states)

    def _beaten_off(self, state: Struck) -> Iterable[tuple[str, float]]:
        """It retires at least; worse where the tests of the fire say so (MM-145, R-24)."""
        if not self._nerves:
            states = list(dict.fromkeys(one for _, one, _ in self._fired_at() or () if one.figures))
            read = reacts(self._game, self._target, self._unit, states)
            self._nerves = dict(zip(states, read, strict=True))
        return results(
            self._nerves[state], tuple(tests_of(state.fallen, state.leader_lost, fired_at=True)), "retire"
        )

    def _fights(self) -> Mapping[Struck, Mapping[Fought, float]]:
        """The round of melee with each of what may be left of the charger."""
        if self._known:
            return self._known
        fire = [state for _, state, _ in self._fired_at() or () if state.figures]
        standing = list(dict.fromkeys([self._untouched, *fire]))
        met, fights = self._met([self._as_listed(state.figures) for state in standing]), []
        for game in met:
            unit, enemy = game.unit(self._unit.id), game.unit(self._target.id)
            fights.append(Fight(unit=unit, enemy=enemy, pools=pools(game, unit, enemy)))
        self._known = dict(zip(standing, rounds(met[0], fights), strict=True))
        return self._known

    def _as_listed(self, figures: Sequence[Figure]) -> tuple[Figure, ...]:
        """Figures in the order of the unit's list, in which those equally near an enemy fall."""
        left = {one.id: one for one in figures}
        return tuple(left[one.id] for one in figures_of(self._unit) if one.id in left)

    def _met(self, groups: Sequence[Sequence[Figure]]) -> list[Game]:
        """The games in which each group of figures that may be left of the charger has closed with the target.

        Which figure is left in front says how far and whither all go (MM-124); all else is as with the first group,
        but for the wall between them.
        """
        foe = figures_of(self._target)
        lines = {gap.start.id: gap for gap in gap_of_each(groups[0], foe)}
        played: dict[str | None, Game] = {}
        met = []
        for group in groups:
            wall = defended(self._game, self._target, group)
            if wall not in played:
                begun = self._with(self._game, group)
                played[wall] = without_dice(begun, contact(begun, self._unit.id, self._target.id))
            line = min((lines[one.id] for one in group), key=lambda gap: round(gap.distance_mm, 6))
            far = line.distance_mm if line.distance_mm > MM else 0.0
            met.append(self._with(played[wall], moved(group, line.direction, far)))
        return met

    def _with(self, game: Game, figures: Sequence[Figure]) -> Game:
        """The game in which the charger is these figures."""
        now = replace(game.unit(self._unit.id), figures=tuple(figures))
        return replace(game, units=tuple(now if one.id == now.id else one for one in game.units))

"""What changes the value of a shot, and what it comes to (MP-140 to MP-164)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from engine.geometry.grids.flat import direction_between
from engine.records.game import Cell
from engine.rulesets.musket_pike.fire.effects import Effect, Effects, factor_of, percent_of, value_of
from engine.rulesets.musket_pike.fire.fire_reasons import Manner, column_percent, rating, weapon_of
from engine.rulesets.musket_pike.losses.casualties import Span, after_armour, span
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.sight import CLEAR, Line
from engine.rulesets.musket_pike.table.troops import QUALITY, Troop, gun_fire
from engine.rulesets.musket_pike.table.weather import weather_name, weather_now

__all__ = ["Shot", "firer_effects", "shot_at", "shot_at_bridge"]

#: The hex kinds that cover skirmishers alone (MP-151).
_SKIRMISH_COVER = frozenset({"building", "rough"})


class Shot(Struct, frozen=True, kw_only=True):
    """The value of a shot: men × rating with its effects, and the casualties that it may bring.

    ``result`` is the combat result before armour, ``loss`` after it.
    """

    men: float
    rating: float
    effects: tuple[Effect, ...]
    value: float
    result: Span
    armor_factor: float

    @property
    def base(self) -> float:
        """Men × rating."""
        return self.men * self.rating

    @property
    def percent(self) -> float:
        """The sum of the percents."""
        return percent_of(self.effects)

    @property
    def factor(self) -> float:
        """The product of the factors."""
        return factor_of(self.effects)

    @property
    def loss(self) -> Span:
        """The casualties after armour."""
        return self.result.times(self.armor_factor)


def shot_at(
    board: Board, troop: Troop, target: Troop, hexes: int, manner: Manner, line: Line = CLEAR
) -> Shot | None:
    """The value of a unit's shot at another; None where its weapon has no rating for that range."""
    hard = target.stats.armor > 0
    rated = rating(weapon_of(board, troop), hexes, hard=hard)
    if rated is None:
        return None
    effects = [*firer_effects(board, troop, hexes, manner, line), *_target_effects(board, troop, target, hexes)]
    return _shot(board, troop, rated, effects, target.stats.armor)


def shot_at_bridge(board: Board, troop: Troop, hexes: int, manner: Manner, line: Line = CLEAR) -> Shot | None:
    """The value of a shot at an empty bridge: the firer's rows alone, and the hard rating (MP-167)."""
    rated = rating(weapon_of(board, troop), hexes, hard=True)
    if rated is None:
        return None
    return _shot(board, troop, rated, firer_effects(board, troop, hexes, manner, line), 0)


def _shot(board: Board, troop: Troop, rated: float, effects: Iterable[Effect], armor: int) -> Shot:
    parameters, known = board.parameters, tuple(effects)
    men = troop.strength * parameters.men_per_gun if gun_fire(troop) else float(troop.strength)
    value = value_of(men * rated, known, board.options.modifiers_combine)
    result = span(value, parameters.fire_lcv, parameters.fire_hcv)
    return Shot(men=men, rating=rated, effects=known, value=value, result=result, armor_factor=after_armour(armor))


def firer_effects(board: Board, troop: Troop, hexes: int, manner: Manner, line: Line) -> tuple[Effect, ...]:
    """What the firer and the way to the target change (MP-140 to MP-149, MP-160, MP-161)."""
    effects, state, quality = Effects(), troop.state, QUALITY[troop.stats.quality]
    fire = board.parameters.fire
    effects.percent(quality >= QUALITY["A"], fire.good_percent, "firer of quality A or better", "MP-140")
    effects.percent(quality <= QUALITY["E"], fire.poor_percent, "firer of quality E or worse", "MP-140")
    effects.factor(state.disordered, fire.disordered, "firer disordered", "MP-141")
    effects.factor(troop.column, column_percent(board, troop) / 100, "firer in column", "MP-142")
    two_rank = "two-rank" in troop.attributes and troop.line
    shortened = troop.formation == "shortened-line"
    effects.percent(two_rank and not shortened, fire.two_rank_percent, "two ranks in line", "MP-143")
    effects.factor(two_rank and shortened, fire.two_rank_shortened, "two ranks in shortened line", "MP-144")
    effects.factor(troop.skirmisher, fire.skirmishers, "skirmishers", "MP-145")
    effects.factor(troop.gun and state.captured_by is not None, fire.captured, "captured guns", "MP-146")
    _, tired = board.parameters.fatigue.level(state.fatigue)
    effects.percent(True, tired.percent, "firer's fatigue", "MP-147")
    effects.factor(manner == "offensive" and state.moved, fire.moved, "fire after movement", "MP-148")
    effects.factor(manner == "opportunity", fire.opportunity, "opportunity fire", "MP-149")
    effects.percent(line.veiled, fire.veiled_percent, "skirmishers or leaders in the way", "MP-160")
    if gun_fire(troop) and hexes >= fire.weather_from:
        name = f"{weather_name(board)} weather, {fire.weather_from} hexes or more"
        effects.percent(True, weather_now(board).artillery, name, "MP-161")
    return effects.found


def _target_effects(board: Board, troop: Troop, target: Troop, hexes: int) -> tuple[Effect, ...]:
    """What the target and its place change (MP-150 to MP-159)."""
    effects, parameters, fire = Effects(), board.parameters, board.parameters.fire
    _cover(effects, board, troop, target)
    enfiladed = target.line and not board.faces(target, troop.hex)
    effects.percent(enfiladed, parameters.enfilade_percent, "enfilade", "MP-153")
    effects.factor(target.wagon, fire.wagon, "target is a supply wagon", "MP-154")
    massed = target.column or target.block
    how = f"at infantry in {target.formation}"
    effects.percent(massed and gun_fire(troop), fire.guns_massed_percent, f"artillery {how}", "MP-155")
    effects.percent(massed and troop.foot, fire.foot_massed_percent, f"infantry {how}", "MP-155")
    if target.horse and hexes <= fire.riders_far:
        percent = parameters.cavalry_fire_percent * (1 if hexes <= fire.riders_near else fire.riders_far_share)
        effects.percent(True, percent, f"target is mounted, {hexes} hexes away", "MP-156")
    limbered = target.gun and target.formation == "limbered"
    effects.percent(limbered, fire.limbered_percent, "target is limbered artillery", "MP-157")
    stack = board.stack_men(target.hex)
    few = target.skirmisher and stack <= parameters.max_stacking * parameters.thin_share
    effects.factor(few, fire.thin, "skirmishers in a thinly held hex", "MP-158")
    dense = board.options.target_density and stack > fire.dense_men
    effects.factor(dense, stack / fire.dense_men, f"target density, {stack:g} men", "MP-159")
    return effects.found


def _cover(effects: Effects, board: Board, troop: Troop, target: Troop) -> None:
    """What the target's hex, the side that it is fired at over and its height take off (MP-150 to MP-152)."""
    parameters, ground, cell = board.parameters, board.ground, target.hex
    if not target.state.moved:
        percent, names = _hexside_percent(board, troop.hex, cell)
        effects.percent(True, percent, f"target behind {names}", "MP-150")
    kind = ground.kind(cell)
    if kind not in _SKIRMISH_COVER or target.skirmisher:
        effects.percent(True, parameters.terrain_fire_percent.get(kind, 0.0), f"target in {kind}", "MP-151")
    effects.percent(cell in ground.abatis, parameters.abatis_fire_percent, "target in abatis", "MP-151")
    effects.percent(cell in ground.trenches, parameters.trench_fire_percent, "target in a trench", "MP-151")
    rise = ground.level(cell) - ground.level(troop.hex)
    times = parameters.fire.steep_times if rise >= parameters.fire.steep else 1
    effects.percent(rise > 0, parameters.elevation_fire_percent * times, "target stands higher", "MP-152")


def _hexside_percent(board: Board, start: Cell, end: Cell) -> tuple[float, str]:
    """The percents of the hexside by which a line enters its hex, and what lies there; of two the smaller."""
    ground = board.ground
    if not any(ground.side(end, direction) for direction in range(6)):
        return 0.0, ""
    steps = board.grid.samples(start, end)
    before = steps[-1] if steps else (start,)
    table = board.parameters.hexside_fire_percent
    found = []
    for cell in before:
        direction = direction_between(end, cell)
        kinds = sorted(ground.side(end, direction)) if direction is not None else []
        found.append((sum(table.get(kind, 0.0) for kind in kinds), " and ".join(kinds)))
    return max(found, key=lambda side: side[0])

"""The strengths of both sides in a melee, and what they may cost (MP-176 to MP-197, MP-207, MP-214)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from engine.rulesets.base.kept import once
from engine.rulesets.musket_pike.fire.effects import Effect, Effects, factor_of, share_of
from engine.rulesets.musket_pike.fire.fire_reasons import weapon_of
from engine.rulesets.musket_pike.fire.firing import Firing
from engine.rulesets.musket_pike.losses.casualties import Span, span
from engine.rulesets.musket_pike.melee.assault import Assault
from engine.rulesets.musket_pike.parameters import Melee
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.supply import is_isolated
from engine.rulesets.musket_pike.table.troops import QUALITY, Troop
from engine.rulesets.musket_pike.table.weather import weather_name, weather_now

__all__ = ["Strengths", "bridge_strength", "strengths_of", "weight"]

#: Why a defender could not answer by fire that do not count here: the phase is not yet, or no longer, that of fire.
_BY_THE_CLOCK = frozenset({"MP-14"})


class Strengths(Struct, frozen=True, kw_only=True):
    """Both strengths, the effects in them, and the casualty values that each side may draw (MP-198).

    ``light_share``: how much of its value each side loses, attackers and defenders, for skirmishers in thin order
    lose little; ``light_defence``: such defenders always retreat (MP-207).
    """

    attack: float
    defence: float
    effects: tuple[Effect, ...]
    attackers_draw: Span
    defenders_draw: Span
    light_share: tuple[float, float]
    light_defence: bool

    @property
    def attackers(self) -> Span:
        """What the attackers may lose."""
        return self.attackers_draw.times(self.light_share[0])

    @property
    def defenders(self) -> Span:
        """What the defenders may lose."""
        return self.defenders_draw.times(self.light_share[1])

    @property
    def charge_factor(self) -> float:
        """The factor that charging cavalry has; 1 where it has none (MP-177)."""
        found = [effect.factor for effect in self.effects if effect.rule == "MP-177" and effect.factor is not None]
        return max(found, default=1.0)


def weight(board: Board, troop: Troop) -> float:
    """What a unit counts in melee: its men, guns by their melee value, others nothing (MP-176)."""
    if troop.gun:
        return troop.strength * board.parameters.artillery_melee
    return float(troop.strength) if troop.foot or troop.horse else 0.0


def strengths_of(assault: Assault) -> Strengths:
    """The strengths of both sides with all that changes them, worked out once for each board."""
    known: dict[object, Strengths] = once(assault.board.game, "mp_strengths", dict)
    key = (assault.cell, tuple(troop.id for troop in assault.attackers))
    if key not in known:
        known[key] = _strengths(assault)
    return known[key]


def _strengths(assault: Assault) -> Strengths:
    board, parameters = assault.board, assault.board.parameters
    attack_side, defence_side = _attack_side(assault), _defence_side(assault)
    attackers = [(troop, _attacker(assault, troop)) for troop in assault.attackers]
    defenders = [(troop, _defender(board, troop)) for troop in assault.fighters]
    attack = _strength(board, attackers, attack_side)
    defence = _strength(board, defenders, defence_side)
    own = [effect for _, effects in (*attackers, *defenders) for effect in effects]
    return Strengths(
        attack=attack, defence=defence, effects=(*own, *attack_side, *defence_side),
        attackers_draw=span(defence, parameters.melee_attacker_lcv, parameters.melee_attacker_hcv),
        defenders_draw=span(attack, parameters.melee_defender_lcv, parameters.melee_defender_hcv),
        light_share=_light_share(assault), light_defence=_light_defence(assault),
    )  # fmt: skip


def bridge_strength(assault: Assault) -> float:
    """The strength of an attack on an empty bridge: the units' own rows alone (MP-167)."""
    return _strength(assault.board, [(troop, _attacker(assault, troop)) for troop in assault.attackers], ())


def _strength(
    board: Board, units: Iterable[tuple[Troop, Sequence[Effect]]], side: Sequence[Effect]
) -> float:  # fmt: skip
    """The sum over units of men × factors × percents, the side's percents with each unit's own."""
    combine = board.options.modifiers_combine
    return sum(
        weight(board, troop) * factor_of(effects) * share_of((*effects, *side), combine) for troop, effects in units
    )


def _attacker(assault: Assault, troop: Troop) -> tuple[Effect, ...]:
    """What changes an attacking unit's own part (MP-177 to MP-187, MP-192, MP-195)."""
    board, ground, melee = assault.board, assault.board.ground, assault.board.parameters.melee
    effects = Effects("attack", troop.id)
    charging = troop.horse and troop.state.charging and _charge_tells(assault, troop)
    effects.factor(charging, board.parameters.charge_factor, "cavalry charge", "MP-177")
    effects.percent(troop.horse and "heavy" in troop.attributes, melee.heavy_percent, "heavy cavalry", "MP-181")
    hampered = troop.state.disordered or _would_disorder(assault, troop)
    effects.factor(hampered, melee.disordered_attacker, "attacker disordered, or by the ground", "MP-182")
    _common(effects, board, troop)
    works = assault.cell in ground.trenches or troop.hex in ground.abatis
    poor = "assault-penalty" in troop.attributes
    effects.factor(poor and works, melee.poor_at_works, "poor at works", "MP-185")
    rise = ground.level(assault.cell) - ground.level(troop.hex)
    percent = board.parameters.elevation_melee_percent * max(0, rise)
    effects.percent(rise > 0, percent, "uphill", "MP-192")
    column = board.parameters.nation(troop.nation).column_melee_percent or 0.0
    effects.percent(troop.column, column, "attack in column", "MP-195")
    return effects.found


def _defender(board: Board, troop: Troop) -> tuple[Effect, ...]:
    """What changes a defending unit's own part (MP-182 to MP-187)."""
    effects, state, melee = Effects("defence", troop.id), troop.state, board.parameters.melee
    effects.factor(state.disordered, melee.disordered_defender, "defender disordered", "MP-182")
    cut_off = is_isolated(board, troop)
    if state.routed and cut_off:
        effects.factor(True, melee.routed_isolated, "defender routed and isolated", "MP-183")
    else:
        effects.factor(state.routed, melee.routed, "defender routed", "MP-183")
        effects.factor(cut_off, melee.isolated, "defender isolated", "MP-183")
    _common(effects, board, troop)
    return effects.found


def _common(effects: Effects, board: Board, troop: Troop) -> None:
    """What counts alike for attackers and defenders (MP-184, MP-186, MP-187)."""
    melee, value = board.parameters.melee, troop.stats.melee
    effects.factor(not weapon_of(board, troop).bayonet, melee.without_bayonet, "weapon without bayonet", "MP-184")
    effects.percent(True, melee.value_percent * value, f"melee value {value}", "MP-186")
    _, tired = board.parameters.fatigue.level(troop.state.fatigue)
    effects.percent(True, tired.percent, "fatigue", "MP-187")


def _would_disorder(assault: Assault, troop: Troop) -> bool:
    """Whether the ground on the way disorders an attacker; night does not count (MP-46, MP-56, MP-57, MP-182)."""
    crossing = assault.crossing(troop)
    if crossing is None or crossing.by == "bridge" or troop.skirmisher:
        return False
    return crossing.works is not None or (crossing.rough and (troop.line or troop.block or troop.horse))


def _charge_tells(assault: Assault, troop: Troop) -> bool:
    """Whether a charge has its factor against this hex and these defenders (MP-177, MP-179)."""
    ground, direction = assault.board.ground, assault.direction(troop)
    rough = ground.obstructed(assault.cell) or (
        direction is not None and ground.obstructed_side(troop.hex, direction)
    )
    others = [other for other in assault.defenders if not other.leader]
    shaken = any(other.skirmisher or other.state.routed or other.gun for other in others)
    if rough or ("irregular" in troop.attributes and not shaken):
        return False
    return not (others and _withstands(others, houses=ground.kind(assault.cell) in ("building", "chateau")))


def _withstands(others: Sequence[Troop], *, houses: bool) -> bool:
    """Whether a charge is nothing but a melee to defenders: blocks with those who shelter by them, riders alone,
    skirmishers alone in houses (MP-177)."""
    blocks = any(other.block for other in others)
    sheltered = blocks and all(other.block or other.skirmisher or other.gun or other.wagon for other in others)
    riders = all(other.horse for other in others)
    return sheltered or riders or (houses and all(other.skirmisher for other in others))


def _attack_side(assault: Assault) -> tuple[Effect, ...]:
    """What changes the whole attack (MP-188 to MP-197, MP-214)."""
    board, attackers, parameters = assault.board, assault.attackers, assault.board.parameters
    effects, melee = Effects("attack"), parameters.melee
    fresh = not any(troop.state.fired for troop in attackers)
    effects.percent(fresh, melee.fresh_percent, "no attacker has fired this turn", "MP-188")
    answered = any(_can_answer(board, defender, attackers) for defender in assault.fighters)
    effects.percent(answered, melee.answered_percent, "defenders can still fire", "MP-189")
    led = any(other.leader for troop in attackers for other in board.friends_at(troop.hex, assault.side))
    effects.percent(led, melee.leader_percent, "leader with the attackers", "MP-190")
    effects.percent(_outflanked(assault), melee.flank_percent, "over a side that no defender faces", "MP-191")
    percent, names = _worst_side(assault)
    effects.percent(True, percent, f"over {names}", "MP-214")
    _quality(effects, melee, attackers, "attackers")
    kind = board.ground.kind(assault.cell)
    effects.percent(kind == "chateau", melee.chateau_percent, "defenders in a chateau", "MP-194")
    effects.percent(True, weather_now(board).attacker, f"{weather_name(board)} weather", "MP-196")
    if board.options.melee_terrain:
        effects.percent(True, parameters.terrain_fire_percent.get(kind, 0.0), f"defenders in {kind}", "MP-197")
    return effects.found


def _defence_side(assault: Assault) -> tuple[Effect, ...]:
    """What changes the whole defence (MP-190, MP-193)."""
    effects, melee = Effects("defence"), assault.board.parameters.melee
    led = any(troop.leader for troop in assault.defenders)
    effects.percent(led, melee.leader_percent, "leader with the defenders", "MP-190")
    _quality(effects, melee, assault.fighters, "defenders")
    return effects.found


def _quality(effects: Effects, melee: Melee, troops: Sequence[Troop], who: str) -> None:
    """A side of nothing but good units, or of nothing but poor ones (MP-193)."""
    worths = [QUALITY[troop.stats.quality] for troop in troops]
    if worths:
        good, poor = min(worths) >= QUALITY["A"], max(worths) <= QUALITY["E"]
        effects.percent(good, melee.good_percent, f"all {who} of quality A or better", "MP-193")
        effects.percent(poor, melee.poor_percent, f"all {who} of quality E or worse", "MP-193")


def _can_answer(board: Board, defender: Troop, attackers: Sequence[Troop]) -> bool:
    """Whether a defender has not fired yet and could fire at an attacker (MP-189)."""
    firing = Firing(board, defender, manner="defensive")
    return any(
        not set(firing.reasons(attacker).rules) - _BY_THE_CLOCK
        for attacker in attackers
        if board.apart(defender.hex, attacker.hex) == 1
    )


def _outflanked(assault: Assault) -> bool:
    """Whether an attacker comes over a side that no defender with a facing faces (MP-191, R2, R38)."""
    facings = [troop for troop in assault.fighters if troop.facing is not None]
    if not facings:
        return False
    if not assault.board.options.block_has_flanks and any(troop.block for troop in facings):
        return False
    ways = (assault.direction(troop) for troop in assault.attackers)
    return any(
        way is not None and all(((way + 3) - (troop.facing or 0)) % 6 not in (0, 1) for troop in facings)
        for way in ways
    )


def _worst_side(assault: Assault) -> tuple[float, str]:
    """The hexside of those that attackers cross that changes most, whatever its sign (MP-214, R43)."""
    table = assault.board.parameters.hexside_melee_percent
    found = [(0.0, "")]
    for troop in assault.attackers:
        direction = assault.direction(troop)
        if direction is not None:
            kinds = sorted(assault.board.ground.side(troop.hex, direction))
            found.append((sum(table.get(kind, 0.0) for kind in kinds), " and ".join(kinds)))
    return max(found, key=lambda one: abs(one[0]))


def _thin(board: Board, troops: Sequence[Troop]) -> bool:
    """Whether units are nothing but skirmishers who are a small share of a full stack together (MP-207)."""
    few = sum(troop.men for troop in troops) <= board.parameters.max_stacking * board.parameters.thin_share
    return bool(troops) and few and all(troop.skirmisher for troop in troops)


def _light_defence(assault: Assault) -> bool:
    """Whether skirmishers in thin order always retreat: others than skirmishers attack them (MP-207)."""
    light = _thin(assault.board, assault.fighters) and not any(troop.wagon for troop in assault.defenders)
    return light and not all(troop.skirmisher for troop in assault.attackers)


def _light_share(assault: Assault) -> tuple[float, float]:
    """What attackers and defenders lose of their casualties as skirmishers in thin order (MP-207)."""
    thin = _thin(assault.board, assault.fighters) and not any(troop.wagon for troop in assault.defenders)
    share = assault.board.parameters.melee.thin_loss
    return (share if thin and _thin(assault.board, assault.attackers) else 1.0), (share if thin else 1.0)

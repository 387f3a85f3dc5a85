"""What ``ask`` says about canister and ball (MM-118 to MM-121), with the gun as it points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.directions import bearing_of, off
from engine.geometry.plane.tolerance import angle_at_most, at_most
from engine.geometry.templates import Lane
from engine.records.answer import FireOption, FireRoll, Modifier
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.options.artillery import (
    BALL_MM,
    CANISTER_HALF_WIDTH_MM,
    CANISTER_MM,
    AtRisk,
    Gun,
    ball_at_risk,
    ball_lane,
    canister_at_risk,
    canister_lane,
    gun_at,
    units_near,
)
from engine.rulesets.muskets_mohawks.options.fire_arc import BALL_ARC_DEG
from engine.rulesets.muskets_mohawks.options.fire_reasons import (
    NO_CREW,
    markers,
    own_reasons,
    returns_fire,
    target_reasons,
)
from engine.rulesets.muskets_mohawks.options.shooting import range_borderline, sight_reasons
from engine.rulesets.muskets_mohawks.seeing.between import note_between, still_between
from engine.rulesets.muskets_mohawks.seeing.pairs import Pairs
from engine.rulesets.muskets_mohawks.seeing.sight import Crowd, bodies_pairs, crowd
from engine.rulesets.muskets_mohawks.table.bodies import body_of
from engine.rulesets.muskets_mohawks.table.facts import aspect_from, crew_of
from engine.rulesets.muskets_mohawks.table.sheet import Sheet, sheet_of
from engine.rulesets.muskets_mohawks.table.told import Told
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, state_of
from engine.rulesets.muskets_mohawks.wording import angle, dice, length

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


def artillery_options(
    game: Game, unit: Unit, enemies: Sequence[Unit], modes: Sequence[str]
) -> tuple[FireOption, ...]:
    """The shots of one of the game's own guns at its enemies: those of an earlier game where nobody who comes near
    the shot's way is otherwise than then."""
    sheet, gun = sheet_of(game), gun_at(game, unit)
    told: Told[FireOption] = Told(sheet, "shots", unit)
    shots = [(enemy, mode) for enemy in enemies for mode in modes]
    near = _near_the_way(sheet, unit, gun, shots)
    return tuple(
        told.option(enemy, mode, others, partial(artillery_option, game, unit, enemy, mode, at_charger=False))
        for (enemy, mode), others in zip(shots, near, strict=True)
    )


def _near_the_way(
    sheet: Sheet, unit: Unit, gun: Gun | None, shots: Sequence[tuple[Unit, str]]
) -> list[tuple[Unit, ...]]:
    """For each target and mode, the units that the shot might meet, and some that it does not."""
    if gun is None:
        return [() for _ in shots]

    def lane(target: Unit, mode: str) -> Lane:
        there = len(sheet.body(target)) > 0
        return _aim(sheet.game, unit, gun, target, mode).lane(gun) if there else canister_lane(gun)

    return units_near(sheet, [lane(*one) for one in shots])


def artillery_option(game: Game, unit: Unit, target: Unit, mode: str, *, at_charger: bool) -> FireOption:
    """A canister or ball shot at a unit: legal or not, who is at risk, what to roll."""
    gun = gun_at(game, unit)
    reasons = Reasons()
    own_reasons(reasons, game, unit, at_charger=at_charger, returns=returns_fire(unit, target))
    reasons.extend(target_reasons(target))
    _gun_reasons(reasons, unit, gun)
    body = sheet_of(game).body(target)
    if gun is None or not len(body):
        return _empty(target, mode, reasons)
    aim = _aim(game, unit, gun, target, mode)
    risk = canister_at_risk(game, unit) if mode == "canister" else aim.ball(game, unit)
    reasons.extend(aim.unseen)
    if mode == "canister" and not aim.unseen and all(one.unit != target.id for one in risk):
        width = length(2 * CANISTER_HALF_WIDTH_MM)
        reasons.add(True, f"no figure of {target.id} at risk in the strip {width} wide", "R-33")
    house = state_of(target).in_building
    reasons.add(mode == "ball" and house is not None, f"{target.id} is in {house}: the ball goes at that", "MM-174")
    shooters = (gun.figure.id,) if crew_of(unit) and aim.aimed(mode) else ()
    count, modifiers = _dice(game, risk)
    return FireOption(
        target=target.id,
        legal=not reasons and bool(shooters),
        why_not=reasons.texts,
        why_rules=reasons.rules,
        mode=mode,
        range_mm=aim.range_mm,
        range_sigma_mm=aim.sigma_mm,
        band="in-range" if at_most(aim.range_mm, aim.reach_mm) else "out-of-range",
        shooters=shooters,
        targets_seen=tuple(one.figure for one in risk),
        aspect=_aspect(game, unit, gun, target),
        cover=None,
        modifiers=modifiers,
        roll=_roll(game, mode, count) if shooters else None,
        borderline=aim.borderline(),
        extra={"weapon": "cannon", "at_risk": list(dict.fromkeys(r.unit for r in risk if r.unit != target.id))},
    )


def _aspect(game: Game, unit: Unit, gun: Gun, target: Unit) -> str:
    """From where the gun stands to a target, whichever way it fires."""
    spot = np.array([[gun.figure.x_mm, gun.figure.y_mm]])
    key = "gun aspect", unit.id, target.id
    return sheet_of(game).memo(key, lambda: aspect_from(game, spot, target), unit, target)


def _aim(game: Game, unit: Unit, gun: Gun, target: Unit, mode: str) -> _Aim:
    """The gun against a target: of figures no gun minds, so that it holds while these two stay as they are."""
    sheet = sheet_of(game)
    if not sheet.owns(unit, target):
        return _Aim(gun, _sight(game, unit, gun, target), mode)
    told: Told[_Aim] = Told(sheet, "aims", unit)
    key = "gun sees", unit.id, target.id  # whichever way it fires
    return told.option(
        target, mode, (), lambda: _Aim(gun, sheet.memo(key, lambda: _sight(game, unit, gun, target)), mode)
    )


def _sight(game: Game, unit: Unit, gun: Gun, target: Unit) -> Pairs:
    """What the gun sees of a unit: as it was in an earlier game, or of all enemies in the open at once."""
    sheet, piece = sheet_of(game), body_of(game, unit, (gun.figure,))
    if not sheet.owns(unit, target) or target.side == unit.side or state_of(target).in_building is not None:
        return bodies_pairs(sheet, piece, sheet.body(target), over_figures=True)

    still = still_between(sheet)

    def together() -> Crowd:
        enemies = [one for one in game.enemies(unit) if state_of(one).in_building is None]
        anew = [body for one in enemies if len(body := sheet.body(one)) and (unit.id, one.id, "gun") not in still]
        return crowd(sheet, [piece], anew, over_figures=True)

    seen = still.get((unit.id, target.id, "gun"))
    if seen is None:
        seen = sheet.memo(("gun", unit.id), together, unit).of(piece, sheet.body(target))
    note_between(sheet, (unit.id, target.id, "gun"), seen)
    return seen


class _Aim:
    """The gun against one target: which figure it aims at, how far and how far off the barrel."""

    def __init__(self, gun: Gun, sight: Pairs, mode: str) -> None:
        self.sight, self.mode = sight, mode
        self.centres = centres = sight.seen.centre
        self.clear: Mask = sight.clear[0]
        to = centres - gun.muzzle
        self.distance = np.hypot(to[:, 0], to[:, 1])
        self.off_deg = off(bearing_of(to), np.array(gun.bearing_deg))
        self.in_arc: Mask = np.array([angle_at_most(float(turn), BALL_ARC_DEG) for turn in self.off_deg])
        self.reach_mm = CANISTER_MM if mode == "canister" else BALL_MM
        self.chosen = self._choose()
        nearest = int(
            np.where(self.clear, self.distance, np.inf).argmin() if self.clear.any() else self.distance.argmin()
        )
        self.range_mm = float(self.distance[nearest])
        self.sigma_mm = float(sight.sigma_mm[0, nearest])

    def _choose(self) -> int:
        """The target figure that counts: nearest of those seen (in arc, for ball), else nearest."""
        wanted = (self.clear & self.in_arc, self.in_arc) if self.mode == "ball" else (self.clear,)
        for mask in wanted:
            if mask.any():
                return int(np.where(mask, self.distance, np.inf).argmin())
        return int(self.distance.argmin())

    def aimed(self, mode: str) -> bool:
        """Whether there is a shot at all: a ball needs a target figure within 15 degrees."""
        return mode == "canister" or bool(self.in_arc[self.chosen])

    def ball(self, game: Game, unit: Unit) -> tuple[AtRisk, ...]:
        """Who is at risk when the ball is aimed at the chosen figure."""
        if not self.aimed("ball"):
            return ()
        return ball_at_risk(game, unit, self.at)

    @property
    def at(self) -> tuple[float, float]:
        """Where the figure stands that counts."""
        x, y = self.centres[self.chosen]
        return float(x), float(y)

    def lane(self, gun: Gun) -> Lane:
        """The rectangle that the shot sweeps."""
        return canister_lane(gun) if self.mode == "canister" else ball_lane(gun, self.at)

    @cached_property
    def unseen(self) -> list[tuple[str, str]]:
        """Why the shot cannot be had: range, direction, sight."""
        row = "MM-119" if self.mode == "canister" else "MM-121"
        found: list[tuple[str, str]] = []
        if not at_most(self.range_mm, self.reach_mm):
            text = f"out of range: {length(self.range_mm)}, {self.mode} reaches {length(self.reach_mm)}"
            found.append((text, row))
        if self.mode == "ball" and not self.in_arc.any():
            least = float(self.off_deg.min())
            found.append((f"out of arc: {angle(least)} off the barrel, {angle(BALL_ARC_DEG)} at most", row))
        found += sight_reasons(self.sight, arc=False, among=self.in_arc if self.mode == "ball" else None)
        return found

    def borderline(self) -> tuple[str, ...]:
        """The range and, for ball, the arc where the measurement cannot settle them."""
        lines = range_borderline(self.range_mm, self.sigma_mm, self.reach_mm)
        sigma = float(self.sight.arc_sigma_deg[0, self.chosen])
        turn = float(self.off_deg[self.chosen])
        if self.mode == "ball" and sigma > 0 and abs(turn - BALL_ARC_DEG) <= 2 * sigma:
            lines.append(f"arc {turn:.1f} ± {sigma:.1f} degrees against {BALL_ARC_DEG:.0f} degrees")
        return tuple(lines)


def _gun_reasons(reasons: Reasons, unit: Unit, gun: Gun | None) -> None:
    state = state_of(unit)
    reasons.add(gun is None, "no gun whose direction is known", "MM-118")
    reasons.add(not crew_of(unit), NO_CREW, "MM-118")
    reasons.add(state.limbered, "limbered: must be unlimbered first", "MM-118")
    reasons.add(state.reload_markers > 0, f"not loaded: {markers(state.reload_markers)}", "MM-118")


def _dice(game: Game, risk: tuple[AtRisk, ...]) -> tuple[int, tuple[Modifier, ...]]:
    in_square = sum(game.unit(one.unit).formation == "square" for one in risk)
    if not in_square:
        return len(risk), ()
    return len(risk) + in_square, (dice("two dice for each figure of a square", in_square, "MM-246"),)


def _roll(game: Game, mode: str, count: int) -> FireRoll:
    extra = {"misfire": ">=5"} if conditions_of(game).misfires else {}
    return FireRoll(count=count, die="d6", success="<=2" if mode == "canister" else "<=3", extra=extra)


def _empty(target: Unit, mode: str, reasons: Reasons) -> FireOption:
    return FireOption(
        target=target.id, legal=False, why_not=reasons.texts, why_rules=reasons.rules, mode=mode, range_mm=None,
        range_sigma_mm=0.0, band="out-of-range", shooters=(), targets_seen=(), aspect=None, cover=None,
        modifiers=(), roll=None, borderline=(), extra={"weapon": "cannon"},
    )  # fmt: skip

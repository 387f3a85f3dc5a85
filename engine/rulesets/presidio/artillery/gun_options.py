"""``ask``: what a piece of artillery can fire at, in every mode that its load allows (PR-903 to PR-906)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.records.answer import FireOption, FireRoll
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.artillery.blasts import endangered
from engine.rulesets.presidio.artillery.gun_templates import template_of
from engine.rulesets.presidio.artillery.gunnery import GunShot
from engine.rulesets.presidio.small_arms.fire_reasons import state_reasons
from engine.rulesets.presidio.table.field import on_table, told_apart
from engine.rulesets.presidio.table.sorts import formation_of
from engine.rulesets.presidio.units.guns import gun_modes
from engine.rulesets.presidio.vocabulary import state_of

__all__ = ["gun_option", "gun_options", "gun_reasons"]


def gun_options(game: Game, unit: Unit) -> tuple[FireOption, ...]:
    """An entry for each enemy unit and mode that the piece and its load can ever use, nearest enemy first."""
    options = [
        gun_option(GunShot(game, unit, enemy, mode)) for enemy in game.enemies(unit) for mode in gun_modes(unit)
    ]
    far = float("inf")
    return tuple(sorted(options, key=lambda option: far if option.range_mm is None else option.range_mm))


def gun_option(shot: GunShot) -> FireOption:
    """The entry of one shot."""
    reasons = Reasons()
    reasons.extend(gun_reasons(shot))
    there = shot.range is not None
    return FireOption(
        target=shot.target.id, legal=not reasons, why_not=reasons.texts, why_rules=reasons.rules, mode=shot.mode,
        range_mm=shot.range.length_mm if shot.range else None,
        range_sigma_mm=shot.range.sigma_mm if shot.range else 0.0,
        band=shot.band, shooters=(shot.gun.id,) if shot.gun else (), targets_seen=shot.seen if there else (),
        aspect=None, cover=shot.cover.name if there else None, modifiers=shot.modifiers() if there else (),
        roll=_roll(shot), borderline=shot.doubts() if there else (),
        extra={
            "weapon": shot.unit.weapon, "ammo": state_of(shot.unit).ammo, "actions": shot.cost,
            "at_risk": list(endangered(shot)) if there else [], "template": template_of(shot),
        },
    )  # fmt: skip


def _roll(shot: GunShot) -> FireRoll | None:
    """The dice of the shot; None where it cannot hit."""
    number = shot.number() if shot.range is not None and shot.band != "out" else None
    if number is None:
        return None
    if shot.mode == "blind":
        return FireRoll(count=2, die="d6", success=f">={number}", extra={"sum": True})
    return FireRoll(count=shot.load.burst if shot.canister else 1, die="d12", success=f">={number}")


def gun_reasons(shot: GunShot) -> Iterator[tuple[str, str]]:
    """Everything that speaks against a shot."""
    unit = shot.unit
    yield from state_reasons(unit, shot.cost if shot.range is not None else 1)
    if not on_table(shot.target):
        yield f"{shot.target.id} has no figures on the table", "PR-403"
    elif state_of(shot.target).hidden:
        yield f"{shot.target.id} is hidden: spot it first", "PR-430"
    if shot.gun is None:
        yield f"{unit.id} has no gun left", "PR-930"
    elif not shot.manned:
        yield f"{unit.id} has no gunner at its piece", "PR-914"
    if formation_of(unit) == "limbered":
        yield f"{unit.id} is limbered", "PR-930"
    if state_of(unit).fuse_fault:
        yield f"{unit.id} has a faulty fuse: mend it first", "PR-935"
    if shot.range is None or not on_table(shot.target):
        return
    yield from _sight_reasons(shot)
    if shot.band == "out":
        far, most = told_apart(shot.range.length_mm, shot.limits[-1])
        yield f"out of range: {far}, less than {most} needed", "PR-408"
    if shot.in_vain:
        yield "complete cover: cannot be hit", "PR-414"
    elif shot.number() is None:
        yield "needs more than 12, the most that a d12 shows", "PR-426"


def _sight_reasons(shot: GunShot) -> Iterator[tuple[str, str]]:
    """What each mode needs to see, or must not (PR-903)."""
    if shot.mode in ("direct", "indirect"):
        if not shot.sees:
            yield from shot.view.why or (("out of sight", "PR-903"),)
        for friend in shot.barred:
            yield f"{friend} is in the line of fire: it may not shoot over them", "PR-901"
        return
    if shot.sees:
        yield f"{shot.target.id} is in sight: {shot.mode} fire is for what the gun does not see", "PR-903"
    if shot.mode == "directed" and not shot.observers:
        yield "no observer: a leader near the gun, or with flags, who sees the target", "PR-903"
    if shot.mode == "blind" and shot.observers:
        yield f"{shot.observers[0].id} observes: the fire is directed, not blind", "PR-903"

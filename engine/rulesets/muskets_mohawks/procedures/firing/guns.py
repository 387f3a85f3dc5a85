"""The dice of a gun in the open and whom they hit: shared by an active gun and by fire at a charger."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from engine.dice import Roll
from engine.events import Change, Event
from engine.geometry.moving.moves import nearest_first
from engine.play import Procedure, happen, roll
from engine.records.answer import FireOption
from engine.records.game import Figure, Game
from engine.rulesets.muskets_mohawks.procedures.changes import fired_on, state
from engine.rulesets.muskets_mohawks.procedures.firing.shooting import Shot, misfires
from engine.rulesets.muskets_mohawks.procedures.nerve.losses import lose
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, gun_of, weapons

__all__ = ["GunShot", "discharge_gun", "falling_of", "fell", "loaded", "shoot_gun"]

#: A unit and one of its figures.
Pair = tuple[str, str]


class GunShot(Struct, frozen=True, kw_only=True):
    """What a gun's shot came to: the game after losses, and each unit at risk, nearest first."""

    game: Game
    units: Mapping[str, Shot]

    def shot_at(self, unit: str) -> Shot:
        """What it did to one unit, with the game after all of it."""
        one = self.units.get(unit)
        if one is None:
            return Shot(game=self.game, fallen=0, leader_lost=False, destroyed=False)
        return Shot(game=self.game, fallen=one.fallen, leader_lost=one.leader_lost, destroyed=one.destroyed)


def loaded(unit: str, *, active: bool) -> tuple[Change, ...]:
    """What firing a gun leaves: its markers, and the end of the activation (MM-122)."""
    return (
        *state(unit, reload_markers=weapons()["cannon"].markers),
        *(state(unit, activated=True) if active else ()),
    )


def shoot_gun(game: Game, gunners: str, option: FireOption, *, active: bool) -> Procedure[GunShot]:
    """Canister or ball: a die for each figure at risk, of whatever unit; the nearest fall (MM-119 to MM-122)."""
    game, at_risk, falling = yield from discharge_gun(game, gunners, option, active=active)
    return (yield from fell(game, gunners, at_risk, falling))


def discharge_gun(
    game: Game, gunners: str, option: FireOption, *, active: bool
) -> Procedure[tuple[Game, list[Pair], list[Pair]]]:
    """A gun's dice: who is at risk, the nearest first, and who of them are hit; nobody falls yet."""
    owner = {figure.id: unit.id for unit in game.units for figure in unit.figures}
    at_risk = [(owner[name], name) for name in option.targets_seen]
    count = 0 if option.roll is None else option.roll.count
    success = "<=2" if option.roll is None else option.roll.success
    lost = yield from misfires(game, game.unit(gunners), count)
    rule = "MM-119" if option.mode == "canister" else "MM-121"
    rolled = yield from roll(
        Roll(
            purpose=f"{gunners} fires {option.mode} at {option.target}",
            count=count - lost,
            success=success,
            rule=rule,
        )
    )
    falling = at_risk[: rolled.passed]
    facts = {
        "unit": gunners, "target": option.target, "mode": option.mode, "dice": count, "misfires": lost,
        "hits": rolled.passed, "casualties": len(falling),
    }  # fmt: skip
    targets = [game.unit(name) for name in dict.fromkeys(unit for unit, _ in at_risk)]
    changes = (*loaded(gunners, active=active), *fired_on(game, game.unit(gunners), targets))
    game = yield from happen(Event(event="fired", facts=facts, changes=changes, rule=rule))
    return game, at_risk, falling


def fell(game: Game, gunners: str, at_risk: list[Pair], falling: list[Pair]) -> Procedure[GunShot]:
    """Losses unit by unit, in the order of their nearest figure at risk."""
    shooter = game.unit(gunners)
    units: dict[str, Shot] = {}
    for name in dict.fromkeys(unit for unit, _ in at_risk):
        order, hit = falling_of(game, gunners, name, at_risk, falling)
        by = (gunners,) if game.unit(name).side != shooter.side else ()
        loss = yield from lose(game, name, hit, order, ranged=True, by=by)
        game = loss.game
        units[name] = Shot(game=game, fallen=loss.fallen, leader_lost=loss.leader_lost, destroyed=loss.destroyed)
    return GunShot(game=game, units=units)


def falling_of(
    game: Game, gunners: str, name: str, at_risk: list[Pair], falling: list[Pair]
) -> tuple[list[Figure], int]:
    """A unit's figures in the order in which they fall to a gun's shot, and how many do."""
    unit, gun = game.unit(name), gun_of(game.unit(gunners))
    by_id = {figure.id: figure for figure in unit.figures}
    hit = [by_id[figure] for owner, figure in falling if owner == name]
    order: list[Figure] = [
        *hit, *(by_id[figure] for owner, figure in at_risk if owner == name and by_id[figure] not in hit),
    ]  # fmt: skip
    rest = [figure for figure in figures_of(unit) if figure not in order]
    return [*order, *nearest_first(rest, [gun] if gun is not None else [])], len(hit)

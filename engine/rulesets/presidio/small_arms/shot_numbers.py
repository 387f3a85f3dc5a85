"""What a shot needs to hit: the weapon's number, range, skill, cover and everything else that alters it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.records.answer import Modifier
from engine.records.game import Game, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.presidio.book import Band, book
from engine.rulesets.presidio.small_arms.shooting import Shot
from engine.rulesets.presidio.table.covering import Covering
from engine.rulesets.presidio.table.sorts import class_of, formation_of, mounted
from engine.rulesets.presidio.vocabulary import conditions_of, is_artillery, state_of, stats_of

__all__ = ["cover_modifiers", "effect", "modifiers_of", "number_of", "range_modifier", "target_modifiers"]

_COVER_ROWS = {"partial": "PR-410", "heavy": "PR-411", "full": "PR-412", "complete": "PR-414"}


def effect(name: str, value: int, rule: str) -> Modifier:
    """Something that alters a number that is needed."""
    return Modifier(name=name, effect=f"{value:+d}", rule=rule, extra={"value": value})


def range_modifier(game: Game, band: Band) -> Modifier:
    """What a range band does (PR-408, R-4)."""
    value = conditions_of(game).options.medium_dm if band == "medium" else book().range_dm.get(band, 0)
    return effect(f"{band} range", value, "PR-408")


def cover_modifiers(game: Game, cover: Covering) -> Iterator[Modifier]:
    """What the target's cover does: its class, and one for all that is incidental (PR-409 to PR-412, R-24)."""
    worth = book().cover_dm
    if cover.above != "none":
        yield effect(f"{cover.above} cover", worth[cover.above], _COVER_ROWS[cover.above])
    if cover.effects:
        many = len(cover.effects) if conditions_of(game).options.incidental_stack else 1
        yield effect(f"incidental cover: {', '.join(cover.effects)}", many * worth["incidental"], "PR-409")


def target_modifiers(game: Game, target: Unit) -> Iterator[Modifier]:
    """What the target's formation and doings do, beside its cover (PR-415 to PR-419, PR-429)."""
    fire, state = book().fire, state_of(target)
    if formation_of(target) == "skirmish":
        yield effect("target in skirmish", fire.skirmish, "PR-415")
    elif is_artillery(target):
        yield effect("target is artillery", fire.skirmish, "PR-415")
    for holds, name, value, rule in (
        (state.evading, "target evades", fire.evading, "PR-416"),
        (state.taking_cover, "target takes cover", fire.taking_cover, "PR-417"),
        (state.covered_reload, "target reloads under cover", fire.covered_reload, "PR-429"),
        (mounted(target), "target on horseback", conditions_of(game).options.mounted_target_dm, "PR-419"),
    ):
        if holds:
            yield effect(name, value, rule)


def _fewer(shot: Shot) -> Iterator[Modifier]:
    """What leaves the number as it is and makes the shots of an action fewer than there are men who can shoot."""
    able, count = len(shot.shooters), shot.count
    if count >= able or shot.way not in ("independent", "moving"):
        return
    told: dict[str, Any] = {"effect": f"{count}d12", "extra": {"value": 0}}
    if shot.way == "moving":
        yield Modifier(name=f"on the move {count} of {able} shoot", rule="PR-424", **told)
        return
    yield Modifier(name=f"{count} of {able} shoot in an action", rule="PR-422", **told)
    if formation_of(shot.unit) == "disorder" and class_of(shot.unit) in ("light", "skirmish"):
        yield Modifier(name="half as many in disorder", rule="PR-321", **told)
    if state_of(shot.unit).covered_reload:
        yield Modifier(name="half as many reloading under cover", rule="PR-429", **told)


def modifiers_of(shot: Shot, band: Band | None = None) -> tuple[Modifier, ...]:
    """Everything that alters the number of a shot, worked out once; ``band``: another than the measured one."""
    kept: dict[Band, tuple[Modifier, ...]] = once(shot, "modifiers", dict)
    counts = band or shot.band
    if counts not in kept:
        kept[counts] = (*_modifiers(shot, counts), *_fewer(shot))
    return kept[counts]


def _modifiers(shot: Shot, band: Band) -> Iterator[Modifier]:
    fire = book().fire
    if shot.way == "moving":
        if shot.cover.above == "full":
            yield effect("full cover", fire.moving_full, "PR-424")
        return
    ranged = stats_of(shot.unit).ranged
    back = conditions_of(shot.game).options.firing_from_cover
    yield range_modifier(shot.game, band)
    if ranged:
        yield effect(f"ranged skill {ranged}", -ranged, "PR-401")
    yield from cover_modifiers(shot.game, shot.cover)
    yield from target_modifiers(shot.game, shot.target)
    if back and shot.own_cover.above in ("partial", "heavy", "full"):
        yield effect("fires from cover", back, "PR-413")
    if shot.mode == "aimed":
        yield effect("aimed", fire.aim, "PR-420")
    if shot.mode == "opportunity":
        yield effect("opportunity fire", fire.opportunity, "PR-425")


def number_of(shot: Shot, band: Band | None = None) -> int | None:
    """What each die must show (PR-401, PR-426); None where no die can show it."""
    fire = book().fire
    start = fire.moving if shot.way == "moving" else shot.arm.hit
    number = start + sum(int(one.extra["value"]) for one in modifiers_of(shot, band))
    if number > fire.die:
        return fire.die if conditions_of(shot.game).options.natural_12_hits else None
    return max(number, 2)

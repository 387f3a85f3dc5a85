"""What ``ask`` says about a unit as a group: where it belongs, its size, who lost sight of it (TY-07, TY-38)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import listed
from engine.rulesets.tyneside.book import book
from engine.rulesets.tyneside.table.facts import belonging_doubt, home_of, platoon_of
from engine.rulesets.tyneside.table.sight import view_of
from engine.rulesets.tyneside.vocabulary import figures_of, is_character, state_of

__all__ = ["group_extra"]


def group_extra(game: Game, unit: Unit) -> dict[str, Any]:
    """The group that a unit counts in when shot at, its platoon, what it may join, and warnings."""
    homes = home_of(game)
    extra: dict[str, Any] = {
        "figures": len(figures_of(unit)),
        "belongs_to": homes[unit.figures[0].id] if is_character(unit) else unit.id,
        "may_join": _may_join(game, unit),
        "warnings": list(_warnings(game, unit)),
        "borderline": list(belonging_doubt(game, unit)),
    }
    if unit.type == "formed":
        extra["platoon"] = list(platoon_of(game, unit))
    return extra


def _may_join(game: Game, unit: Unit) -> list[str]:
    """Like units that a small one may join (TY-07)."""
    size, (_, most) = len(figures_of(unit)), book().limits.group
    if is_character(unit) or size > book().limits.small:
        return []
    return [
        other.id
        for other in game.units
        if other.id != unit.id and (other.side, other.type) == (unit.side, unit.type)
        and figures_of(other) and not state_of(other).hidden and size + len(figures_of(other)) <= most
    ]  # fmt: skip


def _warnings(game: Game, unit: Unit) -> list[str]:
    """A size that groups do not have, and members who see nobody of their own (TY-07)."""
    size, (least, most) = len(figures_of(unit)), book().limits.group
    if is_character(unit):
        return []
    said = []
    if unit.type != "formed" and not least <= size <= most:
        said.append(f"{size} figures: groups have {least} to {most}")
    view = view_of(game, unit, unit)
    others = view.lookers[:, None] != view.targets[None, :]
    alone = view.lookers[~(view.open & others).any(axis=1)]
    if size > 1 and len(alone):
        said.append(f"out of sight of the group: {listed(view.field.names(np.asarray(alone)))}")
    return said

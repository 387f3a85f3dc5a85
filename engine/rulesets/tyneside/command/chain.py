"""What ``ask`` says about command: whom a leader can command, through whom, at what cost (TY-11 to TY-16)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import listed
from engine.rulesets.tyneside.command.commanding import (
    LINKS,
    command_doubts,
    cost_each,
    in_command,
    link_dice,
    musician_commanded,
    officer_dice,
)
from engine.rulesets.tyneside.vocabulary import figures_of, is_character, state_of

__all__ = ["Way", "cheapest_way", "command_extra"]

Mask = NDArray[np.bool_]

#: More links than that are not looked for in one chain.
_MOST_LINKS = 4


@dataclass(frozen=True)
class Way:
    """A way to command a group: the figures that pass the order on, in order, what all costs, how many d6."""

    via: tuple[str, ...]
    cost: int
    dice: int


def command_extra(game: Game, leader: Unit) -> dict[str, Any]:
    """The leader's dice, and for each group of his side the cheapest way to command it, or why there is none."""
    groups = [one for one in game.units if one.side == leader.side and not is_character(one) and figures_of(one)]
    found = []
    for group in groups:
        if state_of(group).hidden:
            continue
        way = cheapest_way(game, leader, group)
        entry: dict[str, Any] = {"group": group.id, "figures": len(figures_of(group))}
        entry["each"] = cost_each(leader, group)
        if way is None:
            near = in_command(game, [leader.figures[0].id], [one.id for one in figures_of(group)])[0]
            far = [one.id for one, held in zip(figures_of(group), near.tolist(), strict=True) if not held]
            whom = "" if len(far) == len(near) else f"{listed(far)} "  # all of it: that is the group
            entry |= {"reached": False, "why_not": f"{whom}beyond command distance", "rule": "TY-13"}
        else:
            entry |= {"reached": True, "via": list(way.via), "cost": way.cost, "dice": way.dice}
        entry["borderline"] = _doubts(game, leader, group, () if way is None else way.via)
        found.append(entry)
    return {"dice": officer_dice(leader), "die": "d6", "groups": found}


def _doubts(game: Game, leader: Unit, group: Unit, via: Sequence[str]) -> list[str]:
    """What the measurement cannot settle of the way to a group: whether each link is held, and each figure."""
    posts, said = [leader.figures[0].id], list[str]()
    for link in via:
        said += command_doubts(game, posts, [link])
        posts.append(link)
    return list(dict.fromkeys([*said, *command_doubts(game, posts, [one.id for one in figures_of(group)])]))


def cheapest_way(game: Game, leader: Unit, group: Unit) -> Way | None:
    """The way that commands a whole group for the fewest points, of equals with the fewest links; None: none does.

    The officer costs nothing, each link of another group its own figure's price (TY-14 to TY-16).
    """
    wanted = [figure.id for figure in figures_of(group)]
    links = [
        (unit, figure)
        for unit in game.units
        if unit.side == leader.side and not state_of(unit).hidden
        for figure in figures_of(unit)
        if figure.role in LINKS
    ]
    post = leader.figures[0].id
    names = [figure.id for _, figure in links]
    chain = in_command(game, [post, *names], names) if names else np.zeros((1, 0), dtype=bool)
    holds = in_command(game, [post, *names], wanted)
    best: tuple[int, int, tuple[int, ...]] | None = None
    for chosen in _chains(chain, holds, len(links)):
        outside = sum(cost_each(leader, links[one][0]) for one in chosen if names[one] not in wanted)
        price = (outside + cost_each(leader, group) * len(wanted), len(chosen), chosen)
        best = price if best is None or price < best else best
    if best is None:
        return None
    through = [links[one] for one in best[2]]
    music = musician_commanded(game, leader, [figure for _, figure in through], [group])
    dice = officer_dice(leader) + music + sum(link_dice(unit, figure) for unit, figure in through)
    return Way(tuple(figure.id for _, figure in through), best[0], dice)


def _chains(chain: Mask, holds: Mask, count: int) -> Iterator[tuple[int, ...]]:
    """The sets of links, each in an order in which they reach each other, that hold the whole group."""
    for size in range(min(count, _MOST_LINKS) + 1):
        for chosen in combinations(range(count), size):
            order = _in_order(chain, chosen)
            if order is not None and holds[[0, *(one + 1 for one in order)]].any(axis=0).all():
                yield order


def _in_order(chain: Mask, chosen: Sequence[int]) -> tuple[int, ...] | None:
    """An order in which each of the links is reached by the officer or one before it; None where there is none."""
    posts, order, left = [0], [], list(chosen)
    while left:
        found = next((one for one in left if chain[posts, one].any()), None)
        if found is None:
            return None
        left.remove(found)
        order.append(found)
        posts.append(found + 1)
    return tuple(order)

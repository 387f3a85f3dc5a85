"""Who can be commanded from where, with how many dice, and what it costs (TY-11 to TY-16)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import Verdict, at_most
from engine.records.game import Figure, Game, Unit
from engine.rulesets.tyneside.book import book
from engine.rulesets.tyneside.table.field import Field, field_of, measured
from engine.rulesets.tyneside.vocabulary import class_of, figures_of, state_of, stats_of

__all__ = [
    "LINKS", "MUSICIANS", "command_doubts", "cost_each", "in_command", "link_dice", "musician_commanded",
    "officer_dice",
]  # fmt: skip

Mask = NDArray[np.bool_]
Pairs = tuple[NDArray[np.intp], ...]

MUSICIANS = ("drummer", "bugler")
#: Who may command in an officer's place (TY-16).
LINKS = ("nco", *MUSICIANS)


def officer_dice(leader: Unit, *, busy: bool = False) -> int:
    """How many d6 the leader's class throws, one fewer while he loads, fires or fights (TY-11); no musician's.

    ``busy``: he is going to this turn.
    """
    dice = book().command_dice[class_of(leader, leader.figures[0])]
    return dice - (1 if busy or state_of(leader).activity else 0)


def link_dice(unit: Unit, link: Figure) -> int:
    """How many d6 an activated NCO or musician of a unit adds (TY-16)."""
    return book().command_dice[class_of(unit, link)]


def cost_each(leader: Unit, unit: Unit) -> int:
    """What each figure of a unit costs the leader: 1, or 2 where it is disloyal to him or routs (TY-06, TY-14)."""
    loyal_to = stats_of(unit).loyal_to
    loyal = unit.side == leader.side if loyal_to == "side" else leader.id in loyal_to
    return 1 if loyal and not state_of(unit).routing else 2


def in_command(game: Game, posts: Sequence[str], figures: Sequence[str]) -> Mask:
    """(n, m) which figures are within the command distance of which posts, all by their ids (TY-13)."""
    field = field_of(game)
    pairs, most = _distances(field, posts, figures)
    near: Mask = at_most(field.apart.value_mm[pairs], most) == Verdict.YES
    return near


def command_doubts(game: Game, posts: Sequence[str], figures: Sequence[str]) -> list[str]:
    """The command distance in words, of each figure that no post surely holds and one may (TY-01, TY-13)."""
    field, said = field_of(game), list[str]()
    pairs, most = _distances(field, posts, figures)
    apart, sigma = field.apart.value_mm[pairs], field.apart.sigma_mm[pairs]
    held = at_most(apart, most, sigma)
    for one in np.flatnonzero(held.max(axis=0, initial=Verdict.NO) == Verdict.BORDERLINE).tolist():
        post = int(np.flatnonzero(held[:, one] == Verdict.BORDERLINE)[0])
        limit = measured(float(apart[post, one]), float(sigma[post, one]), float(most[post, one]))
        said.append(f"whether {posts[post]} commands {figures[one]}: {limit}")
    return said


def _distances(field: Field, posts: Sequence[str], figures: Sequence[str]) -> tuple[Pairs, NDArray[np.float64]]:
    """The pairs (n, m) of posts and figures by their numbers, and how far each post commands each figure."""
    number = {figure.id: index for index, figure in enumerate(field.figures)}
    here = np.array([number[name] for name in posts], dtype=np.intp)
    there = np.array([number[name] for name in figures], dtype=np.intp)
    shut = field.enclosed[here][:, None] | field.enclosed[there][None, :]
    return np.ix_(here, there), np.where(shut, book().mm("command_enclosed"), book().mm("command"))


def musician_commanded(game: Game, leader: Unit, links: Sequence[Figure], groups: Sequence[Unit]) -> bool:
    """Whether a drummer or bugler is commanded: a link, or one of a group within the leader's distance (TY-12)."""
    if any(link.role in MUSICIANS for link in links):
        return True
    own = [figure.id for group in groups for figure in figures_of(group) if figure.role in MUSICIANS]
    return bool(own) and bool(in_command(game, [leader.figures[0].id], own).any())

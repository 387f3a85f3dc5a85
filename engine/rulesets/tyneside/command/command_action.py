"""``command``: the points thrown along the chain of command, and the groups that they buy (TY-11 to TY-17)."""

from __future__ import annotations

from msgspec import Struct

from engine.dice import Roll
from engine.errors import UnknownAction
from engine.events import Event
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons, listed
from engine.rulesets.tyneside.changes import state
from engine.rulesets.tyneside.command.commanding import (
    LINKS,
    cost_each,
    in_command,
    link_dice,
    musician_commanded,
    officer_dice,
)
from engine.rulesets.tyneside.vocabulary import figures_of, is_character, state_of

__all__ = ["CommandKeys", "command"]


class CommandKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``command``: the figures that command on the leader's behalf, and the groups, in order.

    ``busy``: the leader is also going to load, fire or fight this turn, and throws a die fewer (TY-11).
    """

    via: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    busy: bool = False


class _Link(Struct, frozen=True, kw_only=True):
    """A figure that is to command on the leader's behalf, and his unit."""

    figure: Figure
    unit: Unit


def command(game: Game, action: Action, keys: CommandKeys) -> Procedure[None]:
    """A leader commands. Raises ActionRefused with every reason."""
    leader = game.unit(action.unit or "")
    links = [_link(game, name) for name in keys.via]
    groups = [_group(game, name) for name in keys.groups]
    reasons = _reasons(leader, links, groups)
    if figures_of(leader):
        reasons.extend(_unreached(game, leader, links))
    return _command(game, leader, links, groups, keys.busy, action, allow(action, reasons))


def _link(game: Game, name: str) -> _Link:
    for unit in game.units:
        for figure in figures_of(unit):
            if figure.id == name:
                return _Link(figure=figure, unit=unit)
    raise UnknownAction(f"command: via: expected ids of figures on the table, got {name!r}")


def _group(game: Game, name: str) -> Unit:
    if name not in game.by_id:
        raise UnknownAction(f"command: groups: expected some of {', '.join(sorted(game.by_id))}, got {name!r}")
    return game.unit(name)


def _reasons(leader: Unit, links: list[_Link], groups: list[Unit]) -> Reasons:
    reasons = Reasons()
    reasons.add(not is_character(leader), f"{leader.id} is no player character: only they command", "TY-08")
    reasons.add(not figures_of(leader), f"{leader.id} has no figure left", "TY-40")
    reasons.add(state_of(leader).gave_orders, f"{leader.id} has thrown for command this turn", "TY-11")
    for named in (*(link.unit for link in links), *groups):
        reasons.add(named.side != leader.side, f"{named.id} is not on {leader.id}'s side", "TY-06")
    for group in groups:
        reasons.add(is_character(group), f"{group.id} is a player character and needs no command", "TY-08")
    for names, what in (([link.figure.id for link in links], "link"), ([group.id for group in groups], "group")):
        twice = {name for name in names if names.count(name) > 1}
        reasons.add(bool(twice), f"named twice as a {what}: {listed(sorted(twice))}", "TY-16")
    for link in links:
        role = link.figure.role
        reasons.add(role not in LINKS, f"{link.figure.id} is no NCO, drummer or bugler but {role}", "TY-16")
    return reasons


def _unreached(game: Game, leader: Unit, links: list[_Link]) -> list[tuple[str, str]]:
    """Links that are out of the distance of the leader and of every link before them."""
    posts, found = [leader.figures[0].id], []
    for link in links:
        if not in_command(game, posts, [link.figure.id]).any():
            text = f"{link.figure.id} is not within command distance of {listed(posts)}"
            found.append((text, "TY-13, TY-16"))
        posts.append(link.figure.id)
    return found


class _Purse(Struct, kw_only=True):
    """Command points while they are thrown and spent."""

    points: int = 0
    spent: int = 0

    def pay(self, cost: int) -> bool:
        """Spends points where there are enough."""
        if self.points - self.spent < cost:
            return False
        self.spent += cost
        return True


def _command(
    game: Game, leader: Unit, links: list[_Link], groups: list[Unit], busy: bool, action: Action,
    against: tuple[str, ...],
) -> Procedure[None]:  # fmt: skip
    game = yield from overruled(game, action, against)
    if not figures_of(leader):
        return
    purse, posts = _Purse(), [leader.figures[0].id]
    music = musician_commanded(game, leader, [link.figure for link in links], groups)
    own = officer_dice(leader, busy=busy)
    request = Roll(purpose=f"{leader.id} commands", count=own + music, rule="TY-11")
    purse.points = (yield from roll(request)).total
    for link in links:
        reached = bool(against) or bool(in_command(game, posts, [link.figure.id]).any())
        paid = reached and purse.pay(cost_each(leader, link.unit))
        count = link_dice(link.unit, link.figure)
        request = Roll(
            purpose=f"{link.figure.id} commands for {leader.id}", count=count, rule="TY-16",
            so_far=(purse.points, purse.spent, tuple(posts), paid),
        )  # fmt: skip
        rolled = yield from roll(request)
        if paid:
            purse.points += rolled.total
            posts.append(link.figure.id)
    facts = {"unit": leader.id, "points": purse.points, "links": posts[1:]}
    thrown = state(leader.id, gave_orders=True)
    if busy and state_of(leader).activity is None:
        thrown += state(leader.id, activity="firing")
    game = yield from happen(Event(event="command", facts=facts, changes=thrown, rule="TY-11"))
    for group in groups:
        yield from _buy(game, leader, group, purse, posts)


def _buy(game: Game, leader: Unit, group: Unit, purse: _Purse, posts: list[str]) -> Procedure[None]:
    """One group is commanded whole, or passed over (TY-14, TY-15)."""
    figures = [figure.id for figure in figures_of(group)]
    cost = cost_each(leader, group) * sum(name not in posts for name in figures)
    why, rule = "", "TY-15"
    far = _out_of_command(game, posts, figures)
    if not figures:
        why = f"{group.id} has no figures left"
    elif far:
        why, rule = f"{listed(far)} not within command distance of {listed(posts)}", "TY-13"
    elif not purse.pay(cost):
        routs = " (routing)" if state_of(group).routing else ""
        why, rule = f"{group.id}{routs} costs {cost}, {purse.points - purse.spent} points are left", "TY-14"
    if why:
        missed = {"unit": leader.id, "group": group.id, "why": why}
        yield from happen(Event(event="not-commanded", facts=missed, rule=rule))
        return
    facts = {"unit": leader.id, "group": group.id, "cost": cost}
    changes = state(group.id, commanded=True)
    yield from happen(Event(event="commanded", facts=facts, changes=changes, rule="TY-14"))


def _out_of_command(game: Game, posts: list[str], figures: list[str]) -> list[str]:
    """The figures that are not within the command distance of any post."""
    near = in_command(game, posts, figures)
    return [name for column, name in enumerate(figures) if not near[:, column].any()]

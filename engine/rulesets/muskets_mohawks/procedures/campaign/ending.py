"""``end-battle`` and ``afterwards``: who holds the field, what a side does between encounters (MM-167, MM-260)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from engine.events import Event, SetStat
from engine.play import Procedure, followed, happen
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons, listed
from engine.rulesets.base.verdicts import Verdict, decided
from engine.rulesets.muskets_mohawks.procedures.campaign.campaign_tables import side_campaign
from engine.rulesets.muskets_mohawks.procedures.campaign.roster import (
    BattleKeys,
    ChangeKeys,
    after_battle,
    desertion,
    rep_change,
    replace_leader,
    replacements,
)
from engine.rulesets.muskets_mohawks.procedures.changes import noted
from engine.rulesets.muskets_mohawks.procedures.setup.armies import check_side
from engine.rulesets.muskets_mohawks.vocabulary import (
    conditions_of,
    figures_of,
    leader_of,
    leader_rep_of,
    state_of,
    stats_of,
)

__all__ = ["AfterwardsKeys", "EndKeys", "afterwards", "end_battle"]

_NOT_ON_ROSTER = ("pef", "wagon", "civilian", "leader")


class EndKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``end-battle``: whether no side that is left wants to go on."""

    unwilling: bool = False


class AfterwardsKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``afterwards``: whose roster, whether it won the battle and did what the encounter asked."""

    side: str
    won: bool
    success: bool


def end_battle(game: Game, action: Action, keys: EndKeys) -> Procedure[None]:
    """Begins ``end-battle``. Raises ActionRefused while two sides are on the table and willing."""
    left = [side.name for side in game.sides if any(figures_of(u) for u in game.units if u.side == side.name)]
    reasons, several = Reasons(), len(left) > 1
    text = f"{listed(left)} are still on the table: the battle ends when none of them will go on"
    reasons.add(several and not keys.unwilling, text, "MM-167")
    return _end(game, action, left, allow(action, reasons))


def _end(game: Game, action: Action, left: list[str], against: tuple[str, ...]) -> Procedure[None]:
    """The side alone on the table has won; of several each counts as having won."""
    yield from overruled(game, action, against)
    facts = {"won": left, "drawn": len(left) != 1}
    changes = (*noted(game, stage="ended", won=conditions_of(game).player_side in left), *decided(_verdict(left)))
    yield from happen(Event(event="battle", facts=facts, changes=changes, rule="MM-167"))


def _verdict(left: list[str]) -> Verdict:
    """Who is alone on the table has won; where several are, or nobody is, it is a draw."""
    if len(left) == 1:
        return Verdict(won=(left[0],), why="alone on the table", rule="MM-167")
    why = f"{listed(left)} hold the field, and none will go on" if left else "nobody is left on the table"
    return Verdict(won=(), why=why, rule="MM-167")


def afterwards(game: Game, action: Action, keys: AfterwardsKeys) -> Procedure[None]:
    """Begins ``afterwards``. Raises UnknownAction for a side that there is not."""
    check_side(game, keys.side, "afterwards")
    return _afterwards(game, keys)


def _afterwards(game: Game, keys: AfterwardsKeys) -> Procedure[None]:
    """Recovery, lost Leaders, Reps, replacements, desertion: each step for all units before the next (MM-260)."""
    names = [unit.id for unit in game.units if unit.side == keys.side and unit.type not in _NOT_ON_ROSTER]
    game = yield from _each(game, names, lambda now, act: after_battle(now, act, BattleKeys(won=keys.won)))
    game = yield from _leaders(game, keys.side, names)
    game = yield from _each(game, names, lambda now, act: rep_change(now, act, ChangeKeys(success=keys.success)))
    campaign = side_campaign(game, keys.side)
    if campaign.territory is not None and campaign.investment_level is not None:
        game = yield from _each(game, names, replacements)
    game = yield from _each(game, names, desertion)
    facts = {"side": keys.side, "units": names}
    changes = noted(game, stage="counted") if keys.side == conditions_of(game).player_side else ()
    yield from happen(Event(event="afterwards", facts=facts, changes=changes, rule="MM-260"))


def _each(game: Game, names: list[str], step: Callable[[Game, Action], Procedure[None]]) -> Procedure[Game]:
    """One step for every unit in list order."""
    for name in names:
        game = yield from followed(game, step(game, Action(action="afterwards", unit=name)))
    return game


def _leaders(game: Game, side: str, names: list[str]) -> Procedure[Game]:
    """A lost lieutenant is the NCO of the first unit under him, whose place is rolled; so are all others (R-64)."""
    vacant = [name for name in names if _leaderless(game.unit(name))]
    for lost in _lost_leaders(game, side):
        lieutenant = stats_of(lost).rank == "lieutenant"
        promoted = _first_under(game, lost, names, vacant) if lieutenant else None
        if promoted is None:
            game = yield from followed(game, replace_leader(game, Action(action="replace-leader", unit=lost.id)))
            continue
        rep = leader_rep_of(promoted)
        changes = tuple(SetStat(unit=lost.id, key=key, value=rep) for key in ("rep", "leader_rep"))
        facts = {"unit": lost.id, "from": promoted.id, "rep": rep}
        changes = (*changes, SetStat(unit=lost.id, key="nco", value=True))
        game = yield from happen(Event(event="promoted", facts=facts, changes=changes, rule="R-64"))
        vacant.append(promoted.id)
    for name in vacant:
        game = yield from followed(game, replace_leader(game, Action(action="replace-leader", unit=name)))
    return game


def _leaderless(unit: Unit) -> bool:
    """Whether its Leader fell: it is noted of those gone from the table; of who is destroyed he is one."""
    now = state_of(unit)
    if unit.figures:
        return leader_of(unit) is None
    elsewhere = now.runaway or now.left_field or now.hidden
    return now.leaderless or (now.casualties > 0 and not elsewhere)


def _lost_leaders(game: Game, side: str) -> Iterator[Unit]:
    """Higher Leaders who fell: neither on the table, nor gone from it or run, nor still under a marker."""
    leaders = (unit for unit in game.units if unit.side == side and unit.type == "leader")
    gone = (unit for unit in leaders if not unit.figures)
    alive = ("left_field", "runaway", "hidden")
    return (unit for unit in gone if not any(getattr(state_of(unit), key) for key in alive))


def _first_under(game: Game, leader: Unit, names: list[str], vacant: Sequence[str]) -> Unit | None:
    """The first unit under a Leader whose own Leader neither fell nor moved up before; None where there is none."""
    commands = stats_of(leader).commands
    under = names if commands is None else [name for name in commands if name in names]
    return next((game.unit(name) for name in under if name not in vacant), None)

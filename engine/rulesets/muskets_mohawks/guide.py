"""What comes next: the steps of an evening alone, together or against each other, as the game stands.

Each step says in words what is to be done, and names the action that does it with the keys that follow from the
game. The first is what comes next; others may stand beside it. Nothing here is enforced.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.command import order
from engine.rulesets.muskets_mohawks.objectives import stores_done, succeeded
from engine.rulesets.muskets_mohawks.procedures.campaign.arrivals import in_quarters
from engine.rulesets.muskets_mohawks.procedures.campaign.campaign_tables import other_side, side_campaign
from engine.rulesets.muskets_mohawks.procedures.charges.melee_shares import even_shares
from engine.rulesets.muskets_mohawks.procedures.charges.rounds import opponents, owed_at_once, still_owes
from engine.rulesets.muskets_mohawks.procedures.movement.leaving import reasons_to_stay
from engine.rulesets.muskets_mohawks.procedures.setup.armies import armies
from engine.rulesets.muskets_mohawks.procedures.solo.non_players import np_tactics
from engine.rulesets.muskets_mohawks.procedures.solo.np_closing import foe_of
from engine.rulesets.muskets_mohawks.procedures.solo.surveying import sections_in_sight
from engine.rulesets.muskets_mohawks.seeing.sight import pairs
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import Conditions, conditions_of, figures_of, state_of, stats_of

__all__ = ["guide", "meeting", "turn_order"]

Step = dict[str, Any]

#: The units and the Leaders that each part commands (MM-34, MM-40); without a part a platoon.
FORCE: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "lieutenant": (2, ("lieutenant",)), "captain": (4, ("captain", "lieutenant", "lieutenant")),
    "war-party-leader": (2, ()), "war-chief": (4, ("war-chief",)),
}  # fmt: skip
_NO_UNIT = ("leader", "pef", "wagon", "civilian")
_WITH_REPS_OF_LISTS = "fiw"


@cache
def _words() -> Mapping[str, Mapping[str, Any]]:
    text = files(__package__).joinpath("guide.toml").read_text(encoding="utf-8")
    found: Mapping[str, Mapping[str, Any]] = tomllib.loads(text)["steps"]
    return found


def guide(game: Game) -> list[Step]:
    """The steps that come next, the first first; none where troops stand there and nobody said how they play."""
    play = conditions_of(game).evening.play
    if play is None:
        return [] if game.units else [_step("agree", keys={"play": "solo", "player_side": game.sides[0].name})]
    stages = {"before": _before, "battle": _battle}
    return list(stages.get(conditions_of(game).evening.stage, _after)(game, _Sides(game)))


class _Sides:
    """The player's side, the other one, and the units of each that are on the table."""

    def __init__(self, game: Game) -> None:
        self.conditions: Conditions = conditions_of(game)
        self.mine = self.conditions.player_side or game.sides[0].name
        self.theirs = other_side(game, self.mine) or self.mine
        self.own = [one for one in game.units if one.side == self.mine and figures_of(one)]
        self.foes = [one for one in game.units if one.side == self.theirs and figures_of(one)]
        self.program = self.conditions.evening.play in ("solo", "same-side")


def _step(
    name: str,
    *,
    unit: str | None = None,
    keys: Mapping[str, Any] | None = None,
    waiting: bool = False,
    **facts: Any,
) -> Step:
    """A step with its words; those for a turn in which others of the side are ``waiting`` to act, if they are."""
    words = _words()[name]
    text = words["waiting"] if waiting else words["text"]
    step: Step = {"step": name, "text": text.format(unit=unit, **facts), "rule": words["rule"]}
    step |= {key: words[key] for key in ("action", "pass", "opens") if key in words}
    if unit is not None:
        step["unit"] = unit
    return step | ({"keys": dict(keys)} if keys else {})


def _before(game: Game, sides: _Sides) -> Iterator[Step]:
    """From the agreement to the first turn."""
    campaigns = [side_campaign(game, side.name) for side in game.sides]
    encounter = sides.conditions.evening.due or "scout"
    if any(one.army is None for one in campaigns):
        known = armies()[sides.conditions.period]
        usual = {side.name: side.name for side in game.sides if side.name in known}
        yield _step("armies", keys={"armies": usual} if usual else None)
    elif any(one.local_campaign_morale is None for one in campaigns):
        yield _step("campaign-start", keys={"year": 1757} if sides.conditions.period == "fiw" else None)
    elif any(one.territory is None for one in campaigns):
        yield _step("territory")
    elif sides.conditions.encounter is None:
        if not _fit_units(sides.own) and _resting(game, sides):
            yield _step("rest")
        kept = {"keep_investment": True} if all(one.investment_level for one in campaigns) else {}
        yield _step("encounter", keys={"encounter": encounter, **kept}, encounter=encounter.replace("-", " "))
    elif sides.conditions.proposals:
        yield _step("lay-terrain", keys={"as_proposed": True})
    elif not (game.terrain or sides.conditions.evening.rolled or sides.conditions.evening.laid_out_by):
        yield _step("terrain", keys={"type": sides.conditions.overall_terrain})
    else:
        yield from _forces(game, sides)


def _forces(game: Game, sides: _Sides) -> Iterator[Step]:
    """The force that the player's part commands; then the first turn."""
    campaign = side_campaign(game, sides.mine)
    wanted, ranks = FORCE[campaign.role or "lieutenant"]
    have = _fit_units(sides.own)
    have += _resting(game, sides) if have else []
    missing = list(ranks)
    for leader in (one for one in sides.own if one.type == "leader"):
        if stats_of(leader).rank in missing:
            missing.remove(stats_of(leader).rank)
    for rank in missing[:1]:
        name = _free(game, rank)
        yield _step("lead", keys={"side": sides.mine, "rank": rank, "id": name}, rank=rank.replace("-", " "))
        return
    if len(have) < wanted:
        keys = {"side": sides.mine, "entry": _entry(game, campaign.army or ""), "id": _free(game, "unit")}
        yield _step("raise", keys=keys, have=len(have), wanted=wanted)
        return
    rolled = sides.conditions.period == _WITH_REPS_OF_LISTS
    for unit in sides.own:
        if rolled and unit.type != "leader" and not state_of(unit).rep_rolled:
            yield _step("rep", unit=unit.id, keys={"kind": "unit"})
            return
        if "leader_rep" not in unit.stats:
            yield _step("leader-rep", unit=unit.id, keys={"kind": "leader"})
            return
    yield _step("first-turn")


def _fit_units(units: Sequence[Unit]) -> list[Unit]:
    return [one for one in units if one.type not in _NO_UNIT]


def _resting(game: Game, sides: _Sides) -> list[Unit]:
    """The player's units that are on the roster, but in winter quarters or not back yet (MM-199, MM-239)."""
    return _fit_units([one for one in game.units if one.side == sides.mine and state_of(one).resting])


def _entry(game: Game, army: str) -> str:
    """The first line of an army's list; in this war's winters the first that fights then (MM-199)."""
    now = conditions_of(game)
    units = armies()[now.period][army].units
    return next(
        (name for name, one in units.items() if not in_quarters(game, one.type, now.month)), next(iter(units))
    )


def _free(game: Game, stem: str) -> str:
    if stem not in game.by_id and stem != "unit":
        return stem
    return next(name for number in range(1, 100) if (name := f"{stem}-{number}") not in game.by_id)


def meeting(game: Game, unit: Unit, others: list[Unit]) -> bool:
    """Whether a unit and any of the others see each other, whichever way they face (MM-223)."""
    sheet = sheet_of(game)
    return any(bool(pairs(sheet, other, unit).clear.any()) for other in others)


def _battle(game: Game, sides: _Sides) -> Iterator[Step]:
    """A turn: what must be done at once, what may be done, and whose turn is next."""
    found = list(_at_once(game, sides))
    yield from found
    if found and found[0]["step"] in ("resolve", "end"):
        return
    active = game.turn.active_side or sides.mine
    waiting = [game.unit(name) for name in order(game)] if game.turn.active_side else []
    if active == sides.mine or not sides.program:
        yield from _own_turn(game, sides, active, waiting)
    else:
        yield from _their_turn(game, sides, waiting)


def _at_once(game: Game, sides: _Sides) -> Iterator[Step]:
    markers = [one for one in sides.foes if one.type == "pef"]
    men = [one for one in sides.own if one.type != "pef"]
    met = next((marker for marker in markers if meeting(game, marker, men)), None)
    if met is None and not sides.program:  # against each other either side has markers (MM-196)
        foes = [one for one in sides.foes if one.type != "pef"]
        own = (one for one in sides.own if one.type == "pef")
        met = next((marker for marker in own if meeting(game, marker, foes)), None)
    if met is not None:
        yield _step("resolve", unit=met.id)
        return
    if _over(game, sides, markers):
        yield _step("end", keys=None if not (sides.own and sides.foes) else {"unwilling": True})
        return
    scouts = [one for one in sides.foes if state_of(one).tactics == "scout"]
    if sides.program and any(meeting(game, one, men) for one in scouts):
        yield _step("meet", keys={"side": sides.theirs})
    yield from _rounds(game, (*sides.own, *sides.foes))
    for unit in (*sides.own, *sides.foes):
        now = state_of(unit)
        if now.trophies_due and not (now.in_melee or now.retiring):
            yield _step("trophies", unit=unit.id)


def _rounds(game: Game, units: Sequence[Unit]) -> Iterator[Step]:
    """The next round of melee: first those on contact and of who follows up, then of who activates (MM-162)."""
    pairs_now = [(unit, foe) for unit in units for foe in opponents(game, unit)]
    owed = [(unit, foe) for unit, foe in pairs_now if owed_at_once(unit, foe)]
    due = [
        (unit, foe) for unit, foe in pairs_now
        if unit.side == game.turn.active_side and (still_owes(unit, foe) or not state_of(unit).activated)
    ]  # fmt: skip
    for unit, foe in (*owed, *due)[:1]:
        single = max((unit, foe), key=lambda one: len(opponents(game, one)))
        foes = opponents(game, single)
        if len(foes) == 1:
            yield _step("melee", unit=single.id, keys={"enemy": foes[0].id})
            return
        shares = [msgspec.structs.asdict(share) for share in even_shares(game, single, foes)]
        yield _step("melee-shared", unit=single.id, keys={"enemies": shares})


def _over(game: Game, sides: _Sides, markers: list[Unit]) -> bool:
    """Whether the encounter has ended: nobody of the player's is there, or no enemy where he defends (MM-260)."""
    if not sides.own:
        return True
    evening = sides.conditions.evening
    to_clear = sides.conditions.encounter in ("raid-defend", "stand-up-fight") and evening.markers
    return to_clear and not sides.foes and not markers


def _own_turn(game: Game, sides: _Sides, active: str, waiting: list[Unit]) -> Iterator[Step]:
    evening = sides.conditions.evening
    waiting = [one for one in waiting if one.type != "pef" and not state_of(one).in_melee]
    scouting = sides.conditions.encounter == "scout" and active == sides.mine
    if scouting and not evening.scouted and set(sections_in_sight(game)) - set(evening.seen):
        yield _step("survey")
    home = _homeward(game, sides, active)
    if waiting:
        steps = [_step("act", unit=waiting[0].id)]
        steps += [] if home is None else [_step(home, unit=waiting[0].id)]
        yield from steps if reasons_to_stay(game, waiting[0]) else reversed(steps)
    if sides.program and not evening.markers:
        yield _step("markers", keys={"side": sides.theirs}, waiting=bool(waiting))
        return
    yield from _passing(game, active, waiting=bool(waiting))


def _homeward(game: Game, sides: _Sides, active: str) -> str | None:
    """The step that leads a side home that has done what its encounter asks of it, if any does."""
    encounter = sides.conditions.encounter if active == sides.mine else None
    if encounter == "scout" and sides.conditions.evening.scouted:
        return "leave"
    return "leave-raid" if encounter == "raid-attack" and stores_done(game) else None


def _passing(game: Game, active: str, *, waiting: bool) -> Iterator[Step]:
    first = turn_order(game)[0]
    last = turn_order(game)[-1]
    if active == last and first != last:
        yield _step("new-turn", waiting=waiting)
    else:
        yield _step("pass", keys={"side": last}, side=last, waiting=waiting)


def turn_order(game: Game) -> list[str]:
    """The sides as they are active in a turn: the attacker first (MM-42)."""
    first = conditions_of(game).evening.attacker or game.sides[0].name
    return [first, *(side.name for side in game.sides if side.name != first)]


def _their_turn(game: Game, sides: _Sides, waiting: list[Unit]) -> Iterator[Step]:
    for unit in waiting:
        if unit.type == "pef":
            yield _step("pef-move", unit=unit.id)
            return
        idle = unit.type in _NO_UNIT and unit.type != "leader"
        if idle or state_of(unit).in_melee or foe_of(game, unit) is None:
            continue
        if np_tactics(game, unit) == "scout" and unit.type != "leader":
            continue  # they have not met anybody: they stand
        asks = {"opens": True} if sides.conditions.squares and troop(unit, game).cavalry else {}
        yield _step("np-play", unit=unit.id) | asks  # a line that it charges may form square (MM-247)
        return
    first, last = turn_order(game)[0], turn_order(game)[-1]
    if sides.theirs == last and first != last:
        yield _step("new-turn")
    else:
        yield _step("back", keys={"side": last}, side=last)


def _after(game: Game, sides: _Sides) -> Iterator[Step]:
    """From the end of the battle to the next month."""
    evening, stage = sides.conditions.evening, sides.conditions.evening.stage
    success = succeeded(game, sides.mine)
    if stage == "ended":
        keys = {"side": sides.mine, "won": bool(evening.won), "success": success}
        yield _step("afterwards", keys=keys)
    elif stage == "counted":
        yield _step("after-encounter", keys={"success": sides.mine if success else None})
    elif lost := [side.name for side in game.sides if side_campaign(game, side.name).local_campaign_morale == 0]:
        result = "lost" if sides.mine in lost else "won"
        keys = {"year": sides.conditions.year} if sides.conditions.year else {}
        yield _step("campaign-over", keys={**keys, "previous": {sides.mine: result}}, result=result)
    elif evening.due is None:
        yield _step("next-encounter", keys={"last": sides.conditions.encounter, "success": success})
    else:
        yield _step("next-month")

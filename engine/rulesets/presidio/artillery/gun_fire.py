"""``fire`` with artillery: the shot, mishaps, where it lands, what it bounces into (PR-905 to PR-935)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.dice import Roll
from engine.errors import UnknownAction
from engine.events import Change, Event, PlaceFigures
from engine.geometry.certainty import Verdict
from engine.geometry.moving.moves import bearing_to, places, towards, way_between
from engine.geometry.plane.directions import Vector
from engine.geometry.templates import Lane, lane
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.artillery.blasts import burst, muzzle_of, shot_line, touched
from engine.rulesets.presidio.artillery.canister import canister
from engine.rulesets.presidio.artillery.gun_options import gun_reasons
from engine.rulesets.presidio.artillery.gun_templates import burst_template, lanes_template, way_template
from engine.rulesets.presidio.artillery.gunnery import GunShot
from engine.rulesets.presidio.artillery.harming import Harm, harmed
from engine.rulesets.presidio.artillery.mishaps import mishap
from engine.rulesets.presidio.book import Band, book
from engine.rulesets.presidio.changes import spent, state
from engine.rulesets.presidio.fight_book import fight_book
from engine.rulesets.presidio.small_arms.bands import counted_band
from engine.rulesets.presidio.table.field import field_of
from engine.rulesets.presidio.units.guns import crew_at, gun_modes
from engine.rulesets.presidio.vocabulary import MM_PER_IN, state_of, stats_of

__all__ = ["fire_gun", "loosed"]

Point = tuple[float, float]


def fire_gun(
    game: Game, action: Action, mode: str | None, at: Point | None, *, holds: bool
) -> Procedure[None]:  # fmt: skip
    """A piece of artillery fires in a mode (the first that its load allows), at the target or another point.

    ``holds``: it keeps its fire from a target that has hunkered down and has not the higher initiative (PR-418).
    Raises ActionRefused with every reason, UnknownAction for a mode that piece and load do not have.
    """
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    modes = gun_modes(unit)
    chosen = next((known for known in modes if mode in (None, known)), None)
    if chosen is None:
        raise UnknownAction(f"fire: mode: expected one of {', '.join(modes) or 'none'}, got {mode!r}")
    shot = GunShot(game, unit, target, chosen, at)
    reasons = Reasons()
    reasons.add(unit.side == target.side, f"{target.id} is on the same side as {unit.id}", "PR-401")
    ducked = state_of(target).hunkered
    reasons.extend(found for found in gun_reasons(shot) if not (ducked and found[1] in ("PR-414", "PR-426")))
    return _fire(game, shot, action, allow(action, reasons), holds)


def _fire(game: Game, shot: GunShot, action: Action, against: tuple[str, ...], holds: bool) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    facts = {"unit": shot.unit.id, "target": shot.target.id, "weapon": shot.unit.weapon, "mode": shot.mode}
    mine, theirs = state_of(shot.unit).initiative or 0, state_of(shot.target).initiative or 0
    if holds and state_of(shot.target).hunkered and theirs <= mine:
        yield from happen(Event(event="fire-held", facts=facts, rule="PR-418"))
        return
    yield from loosed(game, shot)


def loosed(game: Game, shot: GunShot) -> Procedure[Game]:
    """The piece is pointed and fired: the game after all that comes of it."""
    if shot.aim is None or shot.gun is None:
        return game
    by_range = shot.mode in ("direct", "indirect")
    band = yield from counted_band(shot.band, shot.other_band if by_range else None)
    pointed: Change = PlaceFigures(places=places((shot.gun,), shot.bearing_deg))
    facts = {
        "unit": shot.unit.id, "target": shot.target.id, "weapon": shot.unit.weapon, "mode": shot.mode,
        "ammo": state_of(shot.unit).ammo,
    }  # fmt: skip
    changes = (*spent(shot.unit, shot.cost), pointed)
    game = yield from happen(Event(event="fired", facts=facts, changes=changes, rule="PR-904"))
    if shot.in_vain:
        return (yield from happen(_must_load(game, shot, None)))
    if shot.canister:
        game = yield from canister(game, shot, band)
        return (yield from happen(_must_load(game, shot, None)))
    return (yield from _shot(game, shot, band))


def _must_load(game: Game, shot: GunShot, missed: bool | None) -> Event:
    """The piece must be loaded again, longer where gunners lack; misses in a row are counted (PR-913, PR-914)."""
    unit = game.unit(shot.unit.id)
    lacking = max(stats_of(unit).crew_needed - crew_at(game, unit), 0)
    values: dict[str, Any] = {"reload_left": shot.load.reload + fight_book().gun.missing_crew * lacking}
    if missed is not None:
        values |= {"misses": shot.corrections + 1 if missed else 0, "last_target": shot.target.id}
    facts = {"unit": unit.id, "left": values["reload_left"]}
    return Event(event="must-reload", facts=facts, changes=state(unit.id, **values), rule="PR-914")


def _shot(game: Game, shot: GunShot, band: Band) -> Procedure[Game]:
    """Shot and shell: the die, a mishap, where it lands, whom it reaches."""
    number = shot.number(band)
    needed = number if number is not None else book().fire.die + 1
    blind = shot.mode == "blind"
    request = Roll(
        purpose=f"{shot.unit.id} fires at {shot.target.id}", count=2 if blind else 1,
        die="d6" if blind else "d12", each=True, rule="PR-905",
    )  # fmt: skip
    scores = (yield from roll(request)).scores
    total = sum(scores)
    hit, fails = total >= needed, all(score == 1 for score in scores)
    result = "mishap" if fails else "hit" if hit else "miss"
    facts = {"unit": shot.unit.id, "target": shot.target.id, "result": result}
    game = yield from happen(Event(event="shot", facts=facts, rule="PR-905"))
    if fails:
        game, after = yield from mishap(game, shot.unit.id)
        if after == "over":
            return game
        if after == "spent":
            return (yield from happen(_must_load(game, shot, True)))
    landing: Point | None = shot.aim
    if not hit:
        landing = yield from _scattered(shot, needed - total)
    if landing is not None:
        game = yield from _lands(game, shot, landing, hit=hit)
    return (yield from happen(_must_load(game, shot, not hit)))


def _scattered(shot: GunShot, short: int) -> Procedure[Point | None]:
    """Where a miss lands; None where nobody follows it (PR-910, PR-912)."""
    assert shot.aim is not None
    if not shot.scatter_factor:
        return None
    rolled = yield from roll(Roll(purpose="direction of the miss", count=1, rule="PR-912"))
    distance = short * shot.scatter_factor * MM_PER_IN
    bearing = (shot.bearing_deg + 60.0 * (rolled.total - 1)) % 360.0
    way = towards(bearing)
    at = (shot.aim[0] + way[0] * distance, shot.aim[1] + way[1] * distance)
    facts = {
        "unit": shot.unit.id, "distance_mm": distance, "bearing_deg": bearing, "at_mm": list(at),
        "template": way_template(shot.aim, at),
    }  # fmt: skip
    yield from happen(Event(event="scatter", facts=facts, rule="PR-910"))
    return at


def _lands(game: Game, shot: GunShot, at: Point, *, hit: bool) -> Procedure[Game]:
    """What the shot does where it comes down."""
    if shot.load.radius > 0:
        reached = burst(game, at, shot.load.radius, direct=hit)
        facts: dict[str, Any] = {"unit": shot.unit.id, "at_mm": list(at), "radius_mm": shot.load.radius * MM_PER_IN}
        facts["template"] = burst_template(at, shot.load.radius)
        game = yield from happen(Event(event="landed", facts=facts, rule="PR-925"))
        harm = Harm(shot.unit.id, shot.load.damage, reached, exploding=True)
        return (yield from harmed(game, harm))
    start = muzzle_of(shot)
    found = way_between(start, at)
    way, far = found if found is not None else (towards(shot.bearing_deg), 0.0)
    bearing = bearing_to((0.0, 0.0), way)
    lands = [far]
    if _bounces(game, shot, start, bearing, far, at, hit=hit):
        lands = yield from _bounced(lands)
    lanes = shot_line(shot, bearing, start, lands)
    reached = touched(game, shot, lanes, start, at if hit else None)
    facts = {"unit": shot.unit.id, "at_mm": list(at), "template": lanes_template(lanes)}
    if len(lands) > 1:
        ways = [(start[0] + way[0] * along, start[1] + way[1] * along) for along in lands]
        facts |= {"bounces": len(lands) - 1, "template": {**facts["template"], **way_template(*ways)}}
    game = yield from happen(Event(event="landed", facts=facts, rule="PR-920"))
    harm = Harm(shot.unit.id, shot.load.damage, reached, exploding=False)
    return (yield from harmed(game, harm))


def _bounces(game: Game, shot: GunShot, start: Point, bearing: float, far: float, at: Point, *, hit: bool) -> bool:
    """Whether it bounces on: a smoothbore's miss that lands short of any base, a rifle's shot on rocks (PR-922)."""
    field = field_of(game).as_measured
    if shot.piece.bore == "rifled":
        rocks = [number for number, patch in enumerate(field.patches) if patch.kind == "rocks"]
        if not rocks or not field.pieces.pick(rocks).contains([at]).any():
            return False
    elif shot.piece.bore == "mortar" or hit:
        return False
    way: Vector = towards(bearing)
    begin = (start[0] + way[0] * far, start[1] + way[1] * far)
    beyond = Lane(start=begin, bearing_deg=bearing, length_mm=fight_book().gun.bounce_near * MM_PER_IN)
    met = (lane(beyond, field.bases).touched == Verdict.YES) & ~field.marker
    return any(
        one and field.figures[number].id != (shot.gun.id if shot.gun else None)
        for number, one in enumerate(met.tolist())
    )


def _bounced(lands: Sequence[float]) -> Procedure[list[float]]:
    """Where it comes down again: a die and six inches on, then a die more (PR-922)."""
    first = (yield from roll(Roll(purpose="the first bounce", count=1, rule="PR-922"))).total
    second = (yield from roll(Roll(purpose="the second bounce", count=1, rule="PR-922"))).total
    one = lands[-1] + (first + fight_book().gun.bounce_on) * MM_PER_IN
    return [*lands, one, one + second * MM_PER_IN]

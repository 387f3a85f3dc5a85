"""``posture``, ``general``, ``mount``, ``dismount``, ``reload``: what a unit does where it is (PR-210, PR-213)."""

from __future__ import annotations

from math import ceil
from typing import Annotated, Literal

from msgspec import Meta, Struct

from engine.dice import Roll
from engine.errors import UnknownAction
from engine.events import Change, Event, SetFigure
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.presidio.acting import able, happens
from engine.rulesets.presidio.book import artillery
from engine.rulesets.presidio.changes import spent, state, state_where
from engine.rulesets.presidio.table.field import field_of, on_table
from engine.rulesets.presidio.table.sorts import class_of, mounted
from engine.rulesets.presidio.units.arms import loading_left
from engine.rulesets.presidio.units.guns import crew_at
from engine.rulesets.presidio.vocabulary import Ammunition, Posture, figures_of, is_artillery, state_of, stats_of

__all__ = [
    "GeneralKeys", "HolderKeys", "PostureKeys", "ReloadKeys", "dismount", "general", "mount", "posture", "reload",
]  # fmt: skip

#: How many horses one man holds (PR-213).
_HELD = 5
#: What a man who held horses is again without more ado.
_PLAIN = ("rank", "private", "horse-holder")

Task = Literal["fix-bayonets", "unfix-bayonets", "draw", "board", "leave", "tie", "tether"]


class PostureKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``posture``: how the unit stands then."""

    posture: Posture


class GeneralKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``general``: what is done."""

    task: Task


class HolderKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``mount`` and ``dismount``: who holds the horses."""

    holders: tuple[str, ...] = ()


class ReloadKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``reload``: how many actions are spent on it, and what a gun is loaded with."""

    actions: Annotated[int, Meta(ge=1, le=2)] = 1
    ammo: Ammunition | None = None


def posture(game: Game, action: Action, keys: PostureKeys) -> Procedure[None]:
    """A unit kneels, lies down or rises where it is (PR-309). Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    reasons = able(unit, 1, "PR-309")
    reasons.add(state_of(unit).posture == keys.posture, f"is {keys.posture} already", "PR-309")
    reasons.add(mounted(unit) and keys.posture != "standing", f"{unit.id} is mounted", "PR-309")
    changes = (*spent(unit, 1), *state(unit.id, posture=keys.posture))
    facts = {"unit": unit.id, "posture": keys.posture}
    return happens(game, action, allow(action, reasons), "posture", facts, changes, "PR-309")


def general(game: Game, action: Action, keys: GeneralKeys) -> Procedure[None]:
    """A task of one action (PR-210). Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    reasons = able(unit, 1, "PR-210")
    fixes = {"fix-bayonets": True, "unfix-bayonets": False}.get(keys.task)
    if fixes is not None:
        reasons.add(state_of(unit).bayonets == fixes, f"bayonets are {'' if fixes else 'not '}fixed", "PR-210")
    changes: tuple[Change, ...] = spent(unit, 1)
    if fixes is not None:
        changes += state(unit.id, bayonets=fixes)
    facts = {"unit": unit.id, "task": keys.task}
    return happens(game, action, allow(action, reasons), "done", facts, changes, "PR-210")


def _mounting_cost(unit: Unit) -> int:
    """The actions to mount or dismount: elite riders are quicker (PR-213)."""
    return 1 if stats_of(unit).morale == "elite" else 2


def mount(game: Game, action: Action, keys: HolderKeys) -> Procedure[None]:
    """A unit gets on its horses, those at least that have not run off (PR-213). Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    cost, gone = _mounting_cost(unit), state_of(unit).horseless
    riders = [one for one in figures_of(unit) if not one.mounted and one.id not in gone]
    reasons = able(unit, cost, "PR-213")
    horsed = class_of(unit) in ("light", "skirmish")
    reasons.add(not riders or not horsed, "nobody is on foot who has a horse", "PR-213")
    changes: tuple[Change, ...] = (*spent(unit, cost), *state_where(unit, posture="standing"))
    for figure in riders:
        changes += (SetFigure(figure=figure.id, key="mounted", value=True),)
        if figure.role == "horse-holder":
            role = state_of(unit).holder_roles.get(figure.id, "private")
            changes += (SetFigure(figure=figure.id, key="role", value=role),)
    changes += state_where(unit, holder_roles={})
    facts = {"unit": unit.id, "mounted": True}
    return happens(game, action, allow(action, reasons), "mounted", facts, changes, "PR-213")


def dismount(game: Game, action: Action, keys: HolderKeys) -> Procedure[None]:
    """A unit gets off its horses; away from woods men must hold them, or they may run (PR-213).

    Raises ActionRefused, and UnknownAction for holders that are not of the unit.
    """
    unit = game.unit(action.unit or "")
    known = {figure.id for figure in figures_of(unit)}
    for name in keys.holders:
        if name not in known:
            raise UnknownAction(f"dismount: holders: expected figures of {unit.id}, got {name!r}")
    reasons = able(unit, _mounting_cost(unit), "PR-213")
    reasons.add(not any(one.mounted for one in figures_of(unit)), "nobody is mounted", "PR-213")
    return _dismount(game, unit, keys, action, allow(action, reasons))


def _dismount(
    game: Game, unit: Unit, keys: HolderKeys, action: Action, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    riders = [figure for figure in figures_of(unit) if figure.mounted]
    held = len(riders) if _in_woods(game, unit) else _HELD * len(keys.holders)
    ran: list[str] = []
    for figure in riders[held:]:
        rolled = yield from roll(Roll(purpose=f"the horse of {figure.id}", count=1, rule="PR-213"))
        if rolled.total % 2:
            ran.append(figure.id)
    changes: tuple[Change, ...] = spent(unit, _mounting_cost(unit))
    changes += tuple(SetFigure(figure=figure.id, key="mounted", value=False) for figure in riders)
    needed = ceil(len(riders) / _HELD)
    changes += tuple(SetFigure(figure=name, key="role", value="horse-holder") for name in keys.holders[:needed])
    were = {one.id: one.role for one in riders if one.id in keys.holders[:needed] and one.role not in _PLAIN}
    changes += state_where(unit, holder_roles=were)
    facts: dict[str, object] = {"unit": unit.id, "mounted": False}
    yield from happen(Event(event="mounted", facts=facts, changes=changes, rule="PR-213"))
    lost = list(state_of(unit).horseless)
    for name in ran:
        lost.append(name)
        facts = {"unit": unit.id, "figure": name}
        gone = state(unit.id, horseless=list(lost))
        yield from happen(Event(event="ran-off", facts=facts, changes=gone, rule="PR-213"))


def _in_woods(game: Game, unit: Unit) -> bool:
    """Whether at least half of a unit stands in woods, where horses are tied to trees."""
    field = field_of(game)
    woods = [number for number, patch in enumerate(field.patches) if patch.woods]
    which = field.of_unit[unit.id]
    inside = field.inside[which][:, woods].any(axis=1)
    return bool(len(which)) and bool(2 * inside.sum() >= len(which))


def reload(game: Game, action: Action, keys: ReloadKeys) -> Procedure[None]:
    """A unit loads: a volley's weapons, or all of them to change its way of firing (PR-427, PR-902, PR-914).

    Raises ActionRefused, and UnknownAction where other than a gun's ammunition is chosen.
    """
    unit, now = game.unit(action.unit or ""), state_of(game.unit(action.unit or ""))
    reasons = able(unit, keys.actions, "PR-427")
    left = now.reload_left if is_artillery(unit) else loading_left(unit)
    if is_artillery(unit):
        left += _more_for(unit, keys.ammo)
        reasons.extend(_ammo_reasons(unit, keys.ammo))
    elif keys.ammo is not None:
        raise UnknownAction("reload: ammo: only guns choose what they load")
    reasons.add(left == 0, "is loaded", "PR-427")
    nobody = is_artillery(unit) and on_table(unit) and crew_at(game, unit) == 0
    reasons.add(nobody, f"{unit.id} has no gunner at its piece", "PR-914")
    after = max(left - keys.actions, 0)
    changes: tuple[Change, ...] = (*spent(unit, keys.actions), *state(unit.id, reload_left=after))
    if after == 0:
        changes += state_where(unit, fire_mode=None)
    if keys.ammo is not None:
        changes += state(unit.id, ammo=keys.ammo)
    facts = {"unit": unit.id, "left": after}
    rule = "PR-914" if is_artillery(unit) else "PR-427"
    return happens(game, action, allow(action, reasons), "reloaded", facts, changes, rule)


def _ammo_reasons(unit: Unit, ammo: Ammunition | None) -> tuple[tuple[str, str], ...]:
    """What keeps a gun from being loaded with something: what it takes is chosen when loading starts (PR-902)."""
    piece, now = artillery().get(unit.weapon), state_of(unit)
    if piece is None or ammo is None or ammo == now.ammo:
        return ()
    if ammo not in piece.ammunition:
        return ((f"a {unit.weapon} fires no {ammo}", "PR-901"),)
    begun = now.ammo in piece.ammunition and now.reload_left < piece.ammunition[now.ammo].reload
    return (("loading has begun: its ammunition is chosen", "PR-902"),) if begun else ()


def _more_for(unit: Unit, ammo: Ammunition | None) -> int:
    """How many more actions another ammunition takes than that which the gun fired last."""
    piece, now = artillery().get(unit.weapon), state_of(unit)
    if (
        piece is None
        or ammo is None
        or ammo not in piece.ammunition
        or now.ammo not in piece.ammunition
        or not now.reload_left
    ):
        return 0
    return piece.ammunition[ammo].reload - piece.ammunition[now.ammo].reload

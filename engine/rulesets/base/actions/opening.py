"""What is open now: each action is begun as it stands, no die is asked for and nothing changes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.errors import ActionRefused, UnusableFile
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.forms.asking import Kind, Whose
from engine.rulesets.base.forms.forms import Field, Form
from engine.rulesets.base.ruleset import Ruleset

__all__ = ["FORMAT", "Aim", "OpenAction", "open_actions", "opening_builtins"]

FORMAT = "vedette-actions/1"


class _Record(Struct, frozen=True, kw_only=True):
    """What both records share: immutable, keyword only."""


class Aim(_Record, frozen=True, kw_only=True):
    """An action with one value of one key; ``why_rules[i]`` is the row of ``why_not[i]``, or empty."""

    key: str
    value: str
    allowed: bool
    why_not: tuple[str, ...] = ()
    why_rules: tuple[str, ...] = ()


class OpenAction(_Record, frozen=True, kw_only=True):
    """How an action stands: ``allowed``, ``refused`` with every reason, or it ``asks`` for keys before that shows.

    Where it needs one thing (its target, a building …), ``aims`` are its values: it is allowed if one of them is,
    and the reasons stand with them. Where it needs a place or a number, it is refused for what speaks against
    whatever is said. One that is refused as it stands ``asks`` for the choices that may be left out but allow it.
    ``choices`` are the words that there are for a key in this game, where its form has more.
    """

    action: str
    unit: str | None
    state: Literal["allowed", "refused", "asks"]
    why_not: tuple[str, ...] = ()
    why_rules: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    aims: tuple[Aim, ...] = ()
    choices: Mapping[str, tuple[str, ...]] = {}


def open_actions(ruleset: Ruleset, game: Game, unit: str | None) -> tuple[OpenAction, ...]:
    """How every action of a unit stands; without a unit, those of a side and of the whole game.

    Raises UnusableFile where there is no such unit.
    """
    record = None if unit is None else game.unit(unit)
    forms = [form for form in ruleset.forms().values() if (form.scope == "unit") == (unit is not None)]
    return tuple(_opening(ruleset, game, form, record) for form in forms)


def opening_builtins(ruleset: Ruleset, game: Game, units: Sequence[str]) -> dict[str, Any]:
    """``vedette-actions/1``: the forms of a ruleset, and how each action of the units and of the game stands."""
    found = [one for unit in (*units, None) for one in open_actions(ruleset, game, unit)]
    forms = [msgspec.to_builtins(form) for form in ruleset.forms().values()]
    return {"format": FORMAT, "ruleset": ruleset.id, "forms": forms, "open": msgspec.to_builtins(found)}


class _Try(_Record, frozen=True, kw_only=True):
    """What came of beginning an action: every reason against it; ``lacks`` where it wanted further keys."""

    why_not: tuple[str, ...] = ()
    why_rules: tuple[str, ...] = ()
    lacks: bool = False


def _try(ruleset: Ruleset, game: Game, action: Action) -> _Try:
    try:
        ruleset.begin(game, action).close()
    except ActionRefused as error:
        return _Try(why_not=error.reasons, why_rules=error.rules)
    except UnusableFile as error:
        return _Try(why_not=(str(error),), why_rules=("",), lacks=True)
    return _Try()


def _opening(ruleset: Ruleset, game: Game, form: Form, unit: Unit | None) -> OpenAction:
    action = Action(action=form.action, unit=None if unit is None else unit.id)
    choices = ruleset.choices(game, action)
    found = OpenAction(action=form.action, unit=action.unit, state="asks", asks=form.needed, choices=choices)
    needed = (*(["target"] if form.target == "must" else []), *form.needed)
    keys = _tried_with(form)
    if len(needed) > 1:
        return found
    if needed and needed[0] not in keys:
        return _by_samples(ruleset, game, form, action, found)
    if not needed:
        tried = _try(ruleset, game, action)
        if not tried.why_not:
            return replace(found, state="allowed")
        if not tried.lacks or not (keys or form.fields):
            eased = _eased(ruleset, game, form, action)
            return replace(found, state="refused", why_not=tried.why_not, why_rules=tried.why_rules, asks=eased)
    return _by_aims(
        found,
        form,
        needed,
        tuple(aim for key in (needed or keys) for aim in _aims(ruleset, game, form, action, key)),
    )


def _eased(ruleset: Ruleset, game: Game, form: Form, action: Action) -> tuple[str, ...]:
    """The keys that may be left out, but of which a choice, or a yes, allows what is refused without."""

    def allowed(key: str, value: Any) -> bool:
        return not _try(ruleset, game, replace(action, extra={key: value})).why_not

    values: Mapping[Kind, Callable[[Field], list[Any]]] = {
        "choice": lambda field: [choice.value for choice in field.choices], "yes-no": lambda _: [True, False],
    }  # fmt: skip
    return tuple(
        field.key
        for field in form.fields
        if field.ask in values and any(allowed(field.key, value) for value in values[field.ask](field))
    )


def _by_samples(ruleset: Ruleset, game: Game, form: Form, action: Action, found: OpenAction) -> OpenAction:
    """How an action stands that asks for one thing of which there is no list: by values far from each other."""
    field = next(field for field in form.fields if field.key == form.needed[0])
    every: list[dict[tuple[str, str], None]] = []
    for value in _samples(game, action, field):
        tried = _try(ruleset, game, replace(action, extra={field.key: value}))
        every.append(dict.fromkeys(zip(tried.why_not, tried.why_rules, strict=True)))
        if tried.lacks or not every[-1]:
            return found
    against = [reason for reason in every[0] if all(reason in one for one in every)] if every else []
    if not against and field.ask == "yes-no":
        against = [*every[0]]  # neither is allowed, each for reasons of its own: why it cannot be done is told
    if not against:
        return found
    texts, rules = zip(*against, strict=True)
    return replace(found, state="refused", why_not=texts, why_rules=rules, asks=())


def _by_aims(found: OpenAction, form: Form, needed: tuple[str, ...], aims: tuple[Aim, ...]) -> OpenAction:
    """How an action stands by what it can be aimed at."""
    asks = needed or tuple(dict.fromkeys(aim.key for aim in aims)) or tuple(field.key for field in form.fields)
    found = replace(found, asks=asks, aims=aims)
    if not aims and not needed:
        return found
    if not aims:
        what = next((field.label for field in form.fields if field.key == needed[0]), "Target")
        reason = f"there is nothing on the table for “{what}”"
        return replace(found, state="refused", why_not=(reason,), why_rules=("",))
    return replace(found, state="allowed" if any(aim.allowed for aim in aims) else "refused")


def _tried_with(form: Form) -> tuple[str, ...]:
    """The keys of an action whose values can be gone through, its target first."""
    target = ("target",) if form.target != "none" else ()
    return (*target, *(field.key for field in form.fields if field.ask in _CANDIDATES))


def _aims(ruleset: Ruleset, game: Game, form: Form, action: Action, key: str) -> Iterator[Aim]:
    """The action with each value of a key; those that it cannot be begun with at all are left out."""
    if key == "target":
        choices: Iterable[str] = _units(game, action, form.whose)
    else:
        field = next(field for field in form.fields if field.key == key)
        choices = _CANDIDATES[field.ask](game, action, field)
    for value in choices:
        aimed = replace(action, target=value) if key == "target" else replace(action, extra={key: value})
        tried = _try(ruleset, game, aimed)
        if not tried.lacks:
            yield Aim(
                key=key, value=value, allowed=not tried.why_not, why_not=tried.why_not, why_rules=tried.why_rules
            )


def _units(game: Game, action: Action, whose: Whose) -> tuple[str, ...]:
    """The other units that are the acting unit's ``own``, its ``enemy``, or ``any`` of them, in list order."""
    if action.unit is None or whose == "any":
        return tuple(other.id for other in game.units if other.id != action.unit)
    side, own = game.unit(action.unit).side, whose != "enemy"
    return tuple(other.id for other in game.units if other.id != action.unit and (other.side == side) == own)


def _samples(game: Game, action: Action, field: Field) -> Iterable[Any]:
    """Values of a key, so unlike each other that what speaks against them all speaks against any."""
    match field.ask:
        case "yes-no":
            return (True, False)
        case "choices" | "steps":
            return [[choice.value] for choice in field.choices]
        case "bearing":
            return (0.0, 90.0, 180.0, 270.0)
        case "number":
            numbers = [value for value in (field.least, field.most, -45, -1, 1, 2, 5, 45) if value is not None]
            least = -math.inf if field.least is None else field.least
            most = math.inf if field.most is None else field.most
            fit = [value for value in numbers if least <= value <= most]
            return dict.fromkeys(map(int, fit) if field.whole else fit)
        case "point":
            return _places(game, action)
        case _:
            return ()


def _places(game: Game, action: Action) -> Iterator[tuple[float, float]]:
    """A little ahead, behind and to either side of a unit; all over the table for one that is off it."""
    figures = () if action.unit is None else game.unit(action.unit).figures
    if figures:
        x_mm = sum(figure.x_mm for figure in figures) / len(figures)
        y_mm = sum(figure.y_mm for figure in figures) / len(figures)
        for right, ahead in ((0.0, 25.0), (25.0, 0.0), (0.0, -25.0), (-25.0, 0.0)):
            yield x_mm + right, y_mm + ahead
        return
    for across, away in ((0.25, 0.25), (0.25, 0.75), (0.75, 0.25), (0.75, 0.75)):
        yield game.table.width_mm * across, game.table.depth_mm * away


#: What may stand for a key, by what it is asked for as.
_CANDIDATES: Mapping[Kind, Callable[[Game, Action, Field], Iterable[str]]] = {
    "unit": lambda game, action, field: _units(game, action, field.whose),
    "side": lambda game, _action, _field: [side.name for side in game.sides],
    "terrain": lambda game, _action, _field: [piece.id for piece in game.terrain],
    "choice": lambda _game, _action, field: [str(choice.value) for choice in field.choices],
}

"""Any action that the program offers, with keys drawn at random as a player might fill its form in."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from engine.errors import ActionRefused, UnusableFile
from engine.records.action import action_from
from engine.records.game import Game
from engine.rulesets.base.actions.opening import OpenAction, open_actions
from engine.rulesets.base.forms.forms import Field, Form, Section
from engine.rulesets.muskets_mohawks import RULESET
from tests.engine.muskets_mohawks.playing import Plain

#: A form is filled in so often before it is laid aside.
TRIES = 4


def drawn_action(of: Game, unit: str | None, sections: tuple[Section, ...], rng: random.Random) -> Plain | None:
    """An action of those sections that the rules allow as it is filled in; None where none was found."""
    forms = RULESET.forms()
    offered = [
        one
        for one in open_actions(RULESET, of, unit)
        if one.state != "refused" and forms[one.action].section in sections and not forms[one.action].begins
    ]
    rng.shuffle(offered)
    return next(filter(None, (_filled(of, forms[one.action], one, rng) for one in offered)), None)


def _filled(of: Game, form: Form, offer: OpenAction, rng: random.Random) -> Plain | None:
    head: Plain = {"action": form.action} | ({"unit": offer.unit} if offer.unit else {})
    if offer.state == "allowed":
        aims = [aim for aim in offer.aims if aim.allowed]
        drawn = head | ({(aim := rng.choice(aims)).key: aim.value} if aims else {})
        RULESET.begin(of, action_from(drawn)).close()  # what is offered is never refused
        if not rng.random() < 0.5:
            return drawn
        head = drawn
    for _ in range(TRIES):
        drawn = {**dict(_keys(of, form, offer, rng)), **head}
        if form.target == "must" and "target" not in drawn:
            drawn["target"] = _unit(of, offer.unit, form.whose, rng)
        try:
            RULESET.begin(of, action_from(drawn)).close()
            return drawn
        except (ActionRefused, UnusableFile):
            continue
    return head if offer.state == "allowed" else None


def _keys(of: Game, form: Form, offer: OpenAction, rng: random.Random) -> Iterator[tuple[str, Any]]:
    for field in form.fields:
        if field.required or rng.random() < 0.3:
            yield field.key, _value(of, field, offer.unit, rng)


def _value(of: Game, field: Field, unit: str | None, rng: random.Random) -> Any:
    """A value as the form would take it; one that there is none for is a word that nothing is called by."""
    return _DRAWN[field.ask](of, field, unit, rng)


def _some_of(field: Field, rng: random.Random) -> list[Any]:
    values = [choice.value for choice in field.choices]
    return rng.sample(values, rng.randint(1, min(2, len(values))))


def _number(field: Field, rng: random.Random) -> int:
    least = int(field.least or 0)
    return rng.randint(least, least + 3 if field.most is None else int(field.most))


def _record(of: Game, fields: Iterable[Field], unit: str | None, rng: random.Random) -> Plain:
    return {field.key: _value(of, field, unit, rng) for field in fields}


_DRAWN: Mapping[str, Callable[[Game, Field, str | None, random.Random], Any]] = {
    "yes-no": lambda _of, _field, _unit, rng: rng.random() < 0.5,
    "choice": lambda _of, field, _unit, rng: rng.choice(field.choices).value,
    "choices": lambda _of, field, _unit, rng: _some_of(field, rng),
    "number": lambda _of, field, _unit, rng: _number(field, rng),
    "bearing": lambda _of, _field, _unit, rng: rng.randrange(360),
    "side": lambda of, _field, _unit, rng: rng.choice(of.sides).name,
    "unit": lambda of, field, unit, rng: _unit(of, unit, field.whose, rng),
    "units": lambda of, field, unit, rng: [_unit(of, unit, field.whose, rng)],
    "terrain": lambda of, _field, _unit, rng: rng.choice(of.terrain).id if of.terrain else "nothing",
    "point": lambda of, _field, _unit, rng: [rng.uniform(0, of.table.width_mm), rng.uniform(0, of.table.depth_mm)],
    "name": lambda _of, _field, _unit, rng: f"drawn-{rng.randrange(1000)}",
    "each-side": lambda of, field, _unit, rng: {side.name: _value(of, field.of[0], None, rng) for side in of.sides},
    "rows": lambda of, field, unit, rng: [_record(of, field.of, unit, rng) for _ in range(rng.randint(1, 2))],
}


def _unit(of: Game, unit: str | None, whose: str, rng: random.Random) -> str:
    side = None if unit is None else of.unit(unit).side
    some = [
        one.id
        for one in of.units
        if one.id != unit and (whose == "any" or side is None or (one.side == side) == (whose == "own"))
    ]
    return rng.choice(some) if some else "nobody"

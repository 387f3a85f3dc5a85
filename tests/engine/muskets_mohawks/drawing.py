"""Any action that the program offers, with keys drawn at random as a player might fill its form in."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engine.errors import ActionRefused, UnusableFile
from engine.records.action import action_from
from engine.records.game import Game
from engine.rulesets.forms import Field, Form, Section
from engine.rulesets.muskets_mohawks import RULESET
from engine.rulesets.opening import OpenAction, open_actions
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
    match field.ask:
        case "yes-no":
            return rng.random() < 0.5
        case "choice":
            return rng.choice([choice.value for choice in field.choices])
        case "choices":
            values = [choice.value for choice in field.choices]
            return rng.sample(values, rng.randint(1, min(2, len(values))))
        case "number" | "bearing":
            least, most = field.least or 0, field.most if field.most is not None else (field.least or 0) + 3
            return rng.randint(int(least), int(most))
        case "side":
            return rng.choice(of.sides).name
        case "unit":
            return _unit(of, unit, field.whose, rng)
        case "terrain":
            return rng.choice(of.terrain).id if of.terrain else "nothing"
        case "point":
            return [rng.uniform(0, of.table.width_mm), rng.uniform(0, of.table.depth_mm)]
        case "name":
            return f"drawn-{rng.randrange(1000)}"
        case "each-side":
            return {side.name: _value(of, field.of[0], None, rng) for side in of.sides}
        case "rows":
            return [
                {inner.key: _value(of, inner, unit, rng) for inner in field.of} for _ in range(rng.randint(1, 2))
            ]
        case _:
            raise AssertionError(f"{field.key}: nothing is drawn for {field.ask}")


def _unit(of: Game, unit: str | None, whose: str, rng: random.Random) -> str:
    side = None if unit is None else of.unit(unit).side
    some = [
        one.id
        for one in of.units
        if one.id != unit and (whose == "any" or side is None or (one.side == side) == (whose == "own"))
    ]
    return rng.choice(some) if some else "nobody"

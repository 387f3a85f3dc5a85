"""The rulings that a rulebook leaves to the players (``conditions.options``): what each is, and setting one.

A ruleset's options are the record ``Options`` of its ``vocabulary.py``; ``options.toml`` beside it gives each
a label in the players' words, the row of its ruling, and what its values are called.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct, inspect

from engine.errors import UnknownAction, UnusableFile
from engine.events import Event, SetCondition, apply
from engine.records.game import Game
from engine.records.reading import convert
from engine.rulesets.base.fitting import fits
from engine.rulesets.base.folder import RulesetFolder
from engine.rulesets.base.forms.forms import Field, KeyWords, fields_of
from engine.rulesets.base.ruleset import Ruleset

__all__ = ["FILE", "Option", "OptionWords", "option_event", "option_words", "options_of"]

FILE = "options.toml"


class OptionWords(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The words of an option: what it asks, the row of its ruling, what its values are called."""

    label: str
    rule: str = ""
    choices: Mapping[str, str] = {}


class Option(Struct, frozen=True, kw_only=True):
    """An option as it stands: how it is asked for, the row of its ruling, its value now."""

    field: Field
    rule: str
    value: Any

    def said(self, value: Any) -> str:
        """What a value of it is called."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        return next((one.label for one in self.field.choices if one.value == value), str(value))


def options_of(ruleset: Ruleset, game: Game) -> tuple[Option, ...]:
    """Every option of a ruleset with its value in a game; none for rulesets that are no folder of ours."""
    record = _record(ruleset)
    if record is None or not isinstance(ruleset, RulesetFolder):
        return ()
    words = option_words(ruleset.package)
    keys = {name: KeyWords(label=word.label, choices=word.choices) for name, word in words.items()}
    known = inspect.type_info(record)
    assert isinstance(known, inspect.StructType)
    now = game.conditions.get("options", {})
    return tuple(
        Option(
            field=field,
            rule=words[field.key].rule if field.key in words else "",
            value=now.get(field.key, field.default),
        )
        for field in fields_of(known.fields, keys, f"{ruleset.package}: {FILE}", record)
    )


def option_event(ruleset: Ruleset, game: Game, key: str, value: Any) -> Event:
    """The event that sets an option.

    Raises UnknownAction for an option that there is not, UnusableFile where the value is not one of it or does not
    go with the others.
    """
    known = {option.field.key: option for option in options_of(ruleset, game)}
    if key not in known:
        raise UnknownAction(f"options: expected one of {', '.join(known) or 'none'}, got {key!r}")
    record = _record(ruleset)
    assert record is not None
    for where, fault in fits({key: value}, record, "options"):
        raise UnusableFile(f"{where}: {fault}")
    changed = {**game.conditions.get("options", {}), key: value}
    option = known[key]
    facts = {"option": key, "label": option.field.label, "said": option.said(value), "value": value}
    change = SetCondition(key="options", value=changed)
    event = Event(event="option", facts=facts, changes=(change,), rule=option.rule or None)
    ruleset.check(apply(game, event))
    return event


@cache
def option_words(package: str) -> Mapping[str, OptionWords]:
    """The words in a package's ``options.toml``; none where there is no such file."""
    file = files(package).joinpath(FILE)
    if not file.is_file():
        return {}
    return convert(tomllib.loads(file.read_text(encoding="utf-8")), dict[str, OptionWords], f"{package}: {FILE}")


def _record(ruleset: Ruleset) -> type[Struct] | None:
    """The record of a ruleset's options, or None."""
    if not isinstance(ruleset, RulesetFolder):
        return None
    found = getattr(import_module(f"{ruleset.package}.vocabulary"), "Options", None)
    return found if isinstance(found, type) and issubclass(found, msgspec.Struct) else None

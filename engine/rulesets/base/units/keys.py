"""What a unit's state and stats may say under a ruleset: every key of its vocabulary, with its value."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import msgspec

from engine.records.game import Unit
from engine.rulesets.base.folder import RulesetFolder
from engine.rulesets.base.forms.forms import Field, fields_of
from engine.rulesets.base.ruleset import Ruleset

__all__ = ["unit_fields", "unit_keys"]


def unit_keys(ruleset: Ruleset, unit: Unit) -> dict[str, dict[str, Any]]:
    """The keys of ``state`` and of ``stats``: those that the unit's entry holds first, then the others at their
    defaults. Of rules without a vocabulary of that kind, those that it holds."""
    return {
        "state": _keys(ruleset, "State", unit.state),
        "stats": _keys(ruleset, "Stats", unit.stats),
    }


def unit_fields(ruleset: Ruleset) -> dict[str, tuple[Field, ...]]:
    """What the keys of ``state`` and of ``stats`` may be; nothing of rules without a vocabulary of that kind."""
    if not isinstance(ruleset, RulesetFolder):
        return {"state": (), "stats": ()}
    return {"state": _fields(ruleset, "State"), "stats": _fields(ruleset, "Stats")}


def _fields(ruleset: RulesetFolder, record: str) -> tuple[Field, ...]:
    spelt = _vocabulary(ruleset, record)
    known = msgspec.inspect.type_info(spelt)
    assert isinstance(known, msgspec.inspect.StructType)
    return fields_of(known.fields, {}, f"{ruleset.package}.{record}", spelt)


def _vocabulary(ruleset: RulesetFolder, record: str) -> type[msgspec.Struct]:
    found: type[msgspec.Struct] = getattr(import_module(f"{ruleset.package}.vocabulary"), record)
    return found


def _keys(ruleset: Ruleset, record: str, held: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(ruleset, RulesetFolder):
        return dict(held)
    known = _vocabulary(ruleset, record)
    whole = msgspec.convert(held, known)
    names = zip(known.__struct_fields__, known.__struct_encode_fields__, strict=True)
    told = {name: msgspec.to_builtins(getattr(whole, field)) for field, name in names}
    return {**held, **{name: value for name, value in told.items() if name not in held}}

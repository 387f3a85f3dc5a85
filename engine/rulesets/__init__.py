"""The rulesets: one visible list of those built in, and the entry points of other people's packs."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import cast

from engine.errors import UnknownRuleset
from engine.rulesets.base import Ruleset

__all__ = ["BUILT_IN", "find_ruleset", "known_rulesets"]

#: Ruleset id → where its `Ruleset` stands; imported on first use, so that asking for one does not load all.
BUILT_IN: Mapping[str, str] = MappingProxyType(
    {
        "muskets-mohawks": "engine.rulesets.muskets_mohawks:RULESET",
        "palouse": "engine.rulesets.palouse:RULESET",
    }
)

_GROUP = "vedette.rulesets"


def known_rulesets() -> tuple[str, ...]:
    """The ids of all rulesets: built in, then installed as packs."""
    return (*BUILT_IN, *(point.name for point in entry_points(group=_GROUP) if point.name not in BUILT_IN))


def find_ruleset(name: str) -> Ruleset:
    """The ruleset of that id. Raises UnknownRuleset, a ValueError that lists the known ones."""
    if name in BUILT_IN:
        module, attribute = BUILT_IN[name].split(":")
        return cast(Ruleset, getattr(import_module(module), attribute))
    for point in entry_points(group=_GROUP):
        if point.name == name:
            return cast(Ruleset, point.load())
    raise UnknownRuleset(f"ruleset: expected one of {', '.join(known_rulesets())}, got {name!r}")

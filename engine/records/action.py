"""An action: what a player does, in the words of the ruleset; the record of ``ACTION.json``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from engine.records.reading import convert, join_extra, load_json, split_extra


class Action(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """An action; ``extra`` holds the keys of the ruleset, which checks them."""

    action: str
    unit: str | None = None
    target: str | None = None
    override: bool = False
    extra: Mapping[str, Any] = {}


def action_from(raw: Any, source: str = "the action") -> Action:
    """The action in a plain value. Raises UnusableFile."""
    return convert(split_extra(raw, frozenset(Action.__struct_fields__)), Action, source)


def read_action(path: Path) -> Action:
    """The action in a file. Raises UnusableFile."""
    return action_from(load_json(path), str(path))


def action_builtins(action: Action) -> dict[str, Any]:
    """An action as the plain value of its file."""
    return join_extra(msgspec.to_builtins(action))

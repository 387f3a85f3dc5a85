"""Packages whose rooms are entered when first needed: a short command should not wait for what it does not use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["door"]


def door(package: str, rooms: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package: loads the room that has a name when the name is first asked for.

    ``rooms`` has the names that each of the package's modules gives, separated by blanks.

    >>> door("engine.geometry", {"plane.tolerance": "MM DEG"})("MM")
    0.001
    """
    room_of = {name: room for room, names in rooms.items() for name in names.split()}

    def enter(name: str) -> Any:
        if name not in room_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{room_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return enter

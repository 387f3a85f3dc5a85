"""The rulesets: one visible list of those built in, then other people's: entry points, and packs of TOML."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from engine.errors import UnknownRuleset, UnusableFile
from engine.rulesets.base import Ruleset

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

__all__ = ["BUILT_IN", "find_ruleset", "known_rulesets"]

#: Ruleset id → where its `Ruleset` stands; imported on first use, so that asking for one does not load all.
BUILT_IN: Mapping[str, str] = MappingProxyType(
    {
        "musket-pike": "engine.rulesets.musket_pike:RULESET",
        "muskets-mohawks": "engine.rulesets.muskets_mohawks:RULESET",
        "palouse": "engine.rulesets.palouse:RULESET",
        "presidio": "engine.rulesets.presidio:RULESET",
        "tyneside": "engine.rulesets.tyneside:RULESET",
    }
)

_GROUP = "vedette.rulesets"


def known_rulesets() -> tuple[str, ...]:
    """The ids of all rulesets: built in, then installed with other packages, then packs."""
    return tuple(dict.fromkeys((*BUILT_IN, *(point.name for point in _installed()), *_packs())))


def find_ruleset(name: str) -> Ruleset:
    """The ruleset of that id.

    Raises UnknownRuleset, a ValueError that lists the known ones, and UnusableFile for a pack that cannot be used.
    """
    if name in BUILT_IN:
        module, attribute = BUILT_IN[name].split(":")
        return cast(Ruleset, getattr(import_module(module), attribute))
    for point in _installed():
        if point.name == name:
            return cast(Ruleset, point.load())
    file = _packs().get(name)
    if file is not None:
        return _from_pack(file)
    raise UnknownRuleset(f"ruleset: expected one of {', '.join(known_rulesets())}, got {name!r}")


def _installed() -> EntryPoints:
    """What other packages bring; loaded here, for it is slow to load and the built-in rulesets need none of it."""
    from importlib.metadata import entry_points

    return entry_points(group=_GROUP)


def _packs() -> Mapping[str, Path]:
    """The packs by the ids of their rules, the first found of each."""
    from engine.rulesets.packs import pack_folders, packs_in, read_pack

    found: dict[str, Path] = {}
    for file in packs_in(pack_folders()):
        found.setdefault(read_pack(file).id, file)
    return found


def _from_pack(file: Path) -> Ruleset:
    from engine.rulesets.packs import Extensible, read_pack

    pack = read_pack(file)
    if pack.extends not in BUILT_IN:
        raise UnusableFile(f"{file}: extends: expected one of {', '.join(BUILT_IN)}, got {pack.extends!r}")
    base = find_ruleset(pack.extends)
    if not isinstance(base, Extensible):
        raise UnusableFile(f"{file}: extends: {pack.extends} has no tables that a pack can replace yet")
    return base.extended(pack, str(file))

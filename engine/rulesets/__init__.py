"""The rulesets: one visible list of those built in, then other people's: entry points, and packs of TOML."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from engine.errors import UnknownRuleset, UnusableFile
from engine.rulesets.base.ruleset import Ruleset

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

    from engine.rulesets.base.data.packs import Pack

__all__ = ["BUILT_IN", "extended_by", "find_ruleset", "known_rulesets", "pack_files", "titles"]

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


def titles() -> Mapping[str, str]:
    """What the rulesets are called, by id: of packs that can be read, whether or not their tables fit."""
    packs = {name: pack.title for name, (_, pack) in _packs().items()}
    return {name: packs[name] if name in packs else find_ruleset(name).title for name in known_rulesets()}


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
    found = _packs().get(name)
    if found is not None:
        return extended_by(*found)
    for _, pack in pack_files():
        if isinstance(pack, UnusableFile):  # it may be the one that is meant
            raise UnusableFile(f"ruleset {name!r} is not known, and {pack}") from pack
    raise UnknownRuleset(f"ruleset: expected one of {', '.join(known_rulesets())}, got {name!r}")


def _installed() -> EntryPoints:
    """What other packages bring; loaded here, for it is slow to load and the built-in rulesets need none of it."""
    from importlib.metadata import entry_points

    return entry_points(group=_GROUP)


def _packs() -> Mapping[str, tuple[Path, Pack]]:
    """The packs that can be read by the ids of their rules, the first found of each."""
    found: dict[str, tuple[Path, Pack]] = {}
    for file, pack in pack_files():
        if not isinstance(pack, UnusableFile):
            found.setdefault(pack.id, (file, pack))
    return found


def pack_files() -> list[tuple[Path, Pack | UnusableFile]]:
    """The files of packs in the folders that are looked in, each with what it says, or why it says nothing."""
    from engine.rulesets.base.data.packs import pack_folders, packs_in, read_pack

    found: list[tuple[Path, Pack | UnusableFile]] = []
    for file in packs_in(pack_folders()):
        try:
            found.append((file, read_pack(file)))
        except UnusableFile as error:
            found.append((file, error))
    return found


def extended_by(file: Path, pack: Pack) -> Ruleset:
    """The ruleset that a pack makes of a built-in one. Raises UnusableFile that names its file."""
    from engine.rulesets.base.data.packs import Extensible

    if pack.extends not in BUILT_IN:
        raise UnusableFile(f"{file}: extends: expected one of {', '.join(BUILT_IN)}, got {pack.extends!r}")
    if pack.id in BUILT_IN:
        raise UnusableFile(f"{file}: id: {pack.id!r} is a built-in ruleset's; give it one of its own")
    base = find_ruleset(pack.extends)
    if not isinstance(base, Extensible):
        raise UnusableFile(f"{file}: extends: {pack.extends} has no tables that a pack can replace yet")
    return base.extended(pack, str(file))

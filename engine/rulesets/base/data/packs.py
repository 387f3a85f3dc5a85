"""House rules as packs: a folder with a ``ruleset.toml`` that extends a built-in ruleset, TOML alone.

Packs are looked for in the folders of the environment variable ``VEDETTE_RULESETS`` (separated as ``PATH`` is),
then ``rulesets`` in the user's data folder. Each folder in them that has a ``ruleset.toml`` is a pack.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from engine.errors import UnusableFile
from engine.records.reading import convert, demand_format
from engine.rulesets.base.data.faults import table_faults
from engine.rulesets.base.data.tables import Laid, table_text
from engine.rulesets.base.ruleset import Ruleset

__all__ = [
    "FILE", "FORMAT", "VARIABLE", "Extensible", "Pack", "laid_over", "merged", "pack_folders", "packs_in",
    "read_pack",
]  # fmt: skip

FORMAT = "vedette-ruleset/1"
VARIABLE = "VEDETTE_RULESETS"
FILE = "ruleset.toml"


class Pack(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A pack: the id and title of the rules that it makes, and the ruleset that it extends.

    ``tables`` are laid over that one's; ``remove`` are key paths (``types.indian``) that are taken out of them;
    ``rows`` are the texts of its own rows, by id.
    """

    format: str
    id: str
    title: str
    extends: str
    tables: Mapping[str, Any] = {}
    remove: tuple[str, ...] = ()
    rows: Mapping[str, str] = {}


@runtime_checkable
class Extensible(Protocol):
    """A ruleset whose tables a pack may replace."""

    def extended(self, pack: Pack, source: str) -> Ruleset:
        """The ruleset by the pack's tables. Raises UnusableFile that names ``source`` and the key's path."""
        ...


def pack_folders() -> tuple[Path, ...]:
    """Where packs are looked for."""
    from platformdirs import user_data_path

    named = [Path(part) for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part]
    return (*named, user_data_path("vedette") / "rulesets")


def packs_in(folders: tuple[Path, ...]) -> Iterator[Path]:
    """The files of the packs in folders; a folder may be a pack itself."""
    for folder in folders:
        inside = sorted(child / FILE for child in folder.iterdir()) if folder.is_dir() else []
        yield from (file for file in (folder / FILE, *inside) if file.is_file())


def read_pack(file: Path) -> Pack:
    """The pack in a file. Raises UnusableFile with the file's name and the key's path."""
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnusableFile(f"{file}: cannot be read ({error.strerror})") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UnusableFile(f"{file}: cannot be read as TOML ({error})") from error
    return convert(demand_format(raw, FORMAT, str(file)), Pack, str(file))


def laid_over(package: str, files: Sequence[str], pack: Pack, source: str) -> Laid:
    """A pack's tables over those in files of a ruleset's package; the first key is a file's name without ``.toml``.

    Raises UnusableFile that names ``source`` and the key's path.
    """
    own = {PurePosixPath(file).stem: tomllib.loads(table_text(package, file)) for file in files}
    whole = merged(own, pack, source)
    for path, fault in table_faults(whole, own):
        raise UnusableFile(f"{source}: tables.{path}: {fault}")
    return Laid(whole)


def merged(tables: Mapping[str, Any], pack: Pack, source: str) -> dict[str, Any]:
    """Tables with a pack's laid over them: tables are joined key by key, any other value takes the old one's place.

    Raises UnusableFile where ``remove`` names what is not there.

    >>> pack = Pack(format=FORMAT, id="x", title="X", extends="y", tables={"a": {"b": 2}}, remove=("c.d",))
    >>> merged({"a": {"b": 1, "e": 1}, "c": {"d": 1}}, pack, "x")
    {'a': {'b': 2, 'e': 1}, 'c': {}}
    """
    found = _laid_over(tables, pack.tables)
    for path in pack.remove:
        *way, last = path.split(".")
        here: Any = found
        for key in way:
            here = here.get(key) if isinstance(here, dict) else None
        if not isinstance(here, dict) or last not in here:
            raise UnusableFile(f"{source}: remove: expected the path of a key in the tables, got {path!r}")
        del here[last]
    return found


def _laid_over(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    built = {key: _laid_over(value, {}) if isinstance(value, Mapping) else value for key, value in old.items()}
    for key, value in new.items():
        both = isinstance(value, Mapping) and isinstance(old.get(key), Mapping)
        built[key] = _laid_over(old[key], value) if both else value
    return built

"""The page's modules as one file, and its styles as another: a phone at the edge of the wireless network asks for
three files, and not for ninety.

The files stay as they are written. Each module becomes a function that is called the first time another wants
something of it, which is the order in which a browser runs them.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

__all__ = ["MODULES", "STATIC", "STYLES", "bundled"]

STATIC = Path(__file__).parents[1] / "static"

_IMPORT = re.compile(r'^import (?:\* as (\w+)|\{([^}]*)\}) from "(\.[^"]*)";', re.MULTILINE)
_LATER = re.compile(r'(?<=await )import\("(\.[^"]*)"\)')
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)

#: No module has names with a dollar sign.
_HEAD = """const $made = new Map();
function $part(name) {
  if (!$made.has(name)) $parts[name]((its) => $made.set(name, its));
  return $made.get(name);
}
export { $part as part };
const $parts = {
"""


#: What the pages ask for: these modules, each with all that it needs …
MODULES = ("main.js", "campaign.js", "evening/main.js")
#: … and these styles, in this order. Nothing else is put together, however it is asked for.
STYLES: Mapping[str, tuple[str, ...]] = {
    "table.css": (
        "base", "layout", "table", "labels", "orders", "guide", "forms", "seats", "grid", "log", "dice", "wall",
    ),
    "campaign.css": ("base", "layout", "orders", "guide", "forms", "seats", "log", "dice", "campaign"),
    "evening.css": ("base", "evening", "evening-forms"),
    "ready-made.css": ("base", "evening"),
}  # fmt: skip


class _Whole(Struct, frozen=True):
    """A file that was put together, of which files, and when those were written."""

    text: str
    files: tuple[Path, ...]
    written_ns: tuple[int, ...]


_made: dict[str, _Whole] = {}


def bundled(name: str) -> str | None:
    """The file of that name, one of `MODULES` or `STYLES`; None for any other. It is as its files are now."""
    if name not in MODULES and name not in STYLES:
        return None
    whole = _made.get(name)
    if whole is None or whole.written_ns != _written_ns(whole.files):
        files, text = _modules(name) if name in MODULES else _styles(STYLES[name])
        whole = _made[name] = _Whole(text, files, _written_ns(files))
    return whole.text


def _written_ns(files: Iterable[Path]) -> tuple[int, ...]:
    return tuple(path.stat().st_mtime_ns for path in files)


def _styles(names: Iterable[str]) -> tuple[tuple[Path, ...], str]:
    files = tuple(STATIC / "css" / f"{name}.css" for name in names)
    return files, "\n".join(path.read_text(encoding="utf-8") for path in files)


def _modules(entry: str) -> tuple[tuple[Path, ...], str]:
    """The files of a module and all that it needs, and the text of them together."""
    parts: dict[str, str] = {}
    wanted = [entry]
    while wanted:
        name = wanted.pop()
        if name not in parts:
            parts[name], needs = function_of(name, (STATIC / "js" / name).read_text(encoding="utf-8"))
            wanted += needs
    text = f'{_HEAD}{"".join(parts.values())}}};\n$part("{entry}");\n'
    return tuple(STATIC / "js" / name for name in parts), text


def function_of(name: str, text: str) -> tuple[str, list[str]]:
    """A module as a function of one object, and the names of the modules that it needs. Lines stay where they are.

    Raises ValueError for an import or export that it does not know.

    >>> text = 'import { h as make } from "../dom.js";\\nexport const A = 1;\\n'
    >>> made, needs = function_of("evening/table.js", text)
    >>> needs
    ['dom.js']
    >>> print(made)
    "evening/table.js"($share) { $share({ get A() { return A; } });
    const { h: make } = $part("dom.js");
    const A = 1;
    },
    <BLANKLINE>
    """
    needs: list[str] = []

    def need(path: str) -> str:
        needs.append(posixpath.normpath(posixpath.join(posixpath.dirname(name), path)))
        return f'$part("{needs[-1]}")'

    def taken(found: re.Match[str]) -> str:
        names = f"{{{re.sub(r' as ', ': ', found[2])}}}" if found[1] is None else found[1]
        return f"const {names} = {need(found[3])};"

    shared = _EXPORT.findall(text)
    body = _EXPORT.sub("", _IMPORT.sub(taken, text))
    body = _LATER.sub(lambda found: need(found[1]), body)
    if other := _OTHER.search(body):
        raise ValueError(f"{name}: this cannot be put together with other modules: {other[0]}")
    return f'"{name}"($share) {{ $share({{ {_getters(shared)} }});\n{body}}},\n', needs


def _getters(names: Iterable[str]) -> str:
    """What a module shares, each looked up when it is asked for: two modules may need each other."""
    return ", ".join(f"get {name}() {{ return {name}; }}" for name in names)

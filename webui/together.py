"""The page's modules as one file, and its styles as another: a phone at the edge of the wireless network asks for
three files, and not for ninety.

The files stay as they are written. Each module becomes a function that is called the first time another wants
something of it, which is the order in which a browser runs them.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

__all__ = ["STATIC", "together"]

STATIC = Path(__file__).parent / "static"

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


def together(name: str) -> str | None:
    """The file of that name: ``main.js``, with all modules that it needs; ``base+layout.css``, the styles ``base``
    and ``layout``. None where there are no such files.
    """
    newest = max(path.stat().st_mtime_ns for path in STATIC.rglob("*.*"))
    return _made(name, newest)


@lru_cache(maxsize=32)
def _made(name: str, newest: int) -> str | None:
    """The same as long as nobody writes a file anew."""
    stem, _, kind = name.rpartition(".")
    if kind == "css":
        texts = [_text("css", f"{part}.css") for part in stem.split("+")]
        return None if None in texts else "\n".join(text for text in texts if text is not None)
    return _modules(name) if kind == "js" and _text("js", name) is not None else None


def _text(folder: str, name: str) -> str | None:
    """A file of the page; None where there is none."""
    known = {path.relative_to(STATIC / folder).as_posix(): path for path in (STATIC / folder).rglob("*")}
    return known[name].read_text(encoding="utf-8") if name in known else None


def _modules(entry: str) -> str:
    """A module and all that it needs."""
    parts: dict[str, str] = {}
    wanted = [entry]
    while wanted:
        name = wanted.pop()
        if name not in parts:
            text = _text("js", name)
            if text is None:
                raise FileNotFoundError(f"{name}: the page has no such module")
            parts[name], needs = _function_of(name, text)
            wanted += needs
    return f'{_HEAD}{"".join(parts.values())}}};\n$part("{entry}");\n'


def _function_of(name: str, text: str) -> tuple[str, list[str]]:
    """A module as a function of one object, and the names of the modules that it needs. Lines stay where they are.

    >>> text = 'import { h as make } from "../dom.js";\\nexport const A = 1;\\n'
    >>> made, needs = _function_of("evening/table.js", text)
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

"""The tables of TOML that a ruleset reads: its own, or those of the pack by whose rules a game is played.

Rules ask for their numbers where they need them (``weapons()``). So that each function need not be handed a set of
tables, the pack in force is kept in a context variable: of this thread, and only while a part of its ruleset runs.
Geometry, which has threads of its own, reads no tables.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, partial, wraps
from importlib.resources import files
from typing import Any, ParamSpec, TypeVar, cast

__all__ = ["Laid", "in_force", "of_tables", "table", "table_text", "under"]

P = ParamSpec("P")
T = TypeVar("T")
Asked = TypeVar("Asked")
Score = TypeVar("Score")
Found = TypeVar("Found")

_KEPT = 4096  # of what one function has made


class Laid:
    """A pack's tables over those that it extends, by the name of their file, and what has been made of them."""

    def __init__(self, tables: Mapping[str, Mapping[str, Any]]) -> None:
        self.tables = tables
        self._kept: dict[Callable[..., Any], Callable[..., Any]] = {}

    def kept(self, reader: Callable[P, T]) -> Callable[P, T]:
        """A reader that keeps what it has made of these tables."""
        if reader not in self._kept:
            self._kept[reader] = _keeping(reader)
        return self._kept[reader]


def _keeping(reader: Callable[P, T]) -> Callable[P, T]:
    return cast("Callable[P, T]", lru_cache(maxsize=_KEPT)(reader))


_IN_FORCE: ContextVar[Laid | None] = ContextVar("tables in force", default=None)


@contextmanager
def in_force(laid: Laid | None) -> Iterator[None]:
    """While this lasts, tables are read from there; None: the rulesets' own."""
    token = _IN_FORCE.set(laid)
    try:
        yield
    finally:
        _IN_FORCE.reset(token)


def under(laid: Laid | None, procedure: Generator[Asked, Score, Found]) -> Generator[Asked, Score, Found]:
    """A procedure each step of which reads its tables there; between steps others may be in force."""
    step = partial(next, procedure)
    while True:
        with in_force(laid):
            try:
                asked = step()
            except StopIteration as end:
                return cast("Found", end.value)
        try:
            score = yield asked
        except BaseException as error:
            step = partial(procedure.throw, error)
        else:
            step = partial(procedure.send, score)


def table_text(package: str, file: str) -> str:
    """A ruleset's own file of TOML, as it is written; ``file`` may stand in a folder of the package."""
    return files(package).joinpath(*file.split("/")).read_text(encoding="utf-8")


def table(package: str, file: str) -> dict[str, Any]:
    """The plain value of a file of TOML in a package, or what the pack in force has in its place."""
    laid = _IN_FORCE.get()
    name = file.removesuffix(".toml")
    if laid is not None and name in laid.tables:
        return dict(laid.tables[name])
    return tomllib.loads(table_text(package, file))


def of_tables(reader: Callable[P, T]) -> Callable[P, T]:
    """Keeps what a function makes of tables and of hashable values, apart for a ruleset's own and each pack's."""
    own = _keeping(reader)

    @wraps(reader)
    def found(*given: P.args, **named: P.kwargs) -> T:
        laid = _IN_FORCE.get()
        return (own if laid is None else laid.kept(reader))(*given, **named)

    return found

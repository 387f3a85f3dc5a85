"""The check of a game against the vocabulary: one clear line with the key's path for whatever is outside it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import convert

from engine.errors import UnusableFile
from engine.records.game import Cell, Figure, Game, Terrain, Unit
from engine.rulesets.base.fitting import expected, fits
from engine.rulesets.palouse.board import Board, board_of
from engine.rulesets.palouse.book import Book
from engine.rulesets.palouse.vocabulary import Conditions, SideKeys, State, Stats, TerrainKeys, on_table

__all__ = ["check"]


def check(game: Game, book: Book) -> None:
    """Refuses a game with a word outside the vocabulary. Raises UnusableFile with the key path."""
    for where, fault in _faults(game, book):
        raise UnusableFile(f"{where}: {fault}")
    for where, fault in _misplaced(game, book):
        raise UnusableFile(f"{where}: {fault}")


def _faults(game: Game, book: Book) -> Iterator[tuple[str, str]]:
    grid = game.table.grid
    if grid is None or grid.kind != "square":
        yield "table.grid", "expected a grid of squares: this ruleset is played on one"
    elif grid.extra:
        yield f"table.grid.{next(iter(grid.extra))}", "unknown key"
    for key in game.turn.extra:
        yield f"turn.{key}", "unknown key"
    for number, side in enumerate(game.sides):
        yield from fits(side.extra, SideKeys, f"sides[{number}]")
    yield from fits(game.conditions, Conditions, "conditions")
    for number, piece in enumerate(game.terrain):
        yield from _terrain_faults(piece, book, f"terrain[{number}]")
    for number, unit in enumerate(game.units):
        yield from _unit_faults(game, unit, book, f"units[{number}]")
    yield from _second_of(game, "commander", "PA-60")
    yield from _second_of(game, "officer", "PA-62")


def _second_of(game: Game, key: str, rule: str) -> Iterator[tuple[str, str]]:
    """A second commander or trusted officer of a side: who of them leads would be anybody's guess."""
    first: dict[str, str] = {}
    for number, unit in enumerate(game.units):
        if unit.state.get(key) is True and not unit.state.get("eliminated"):
            with_him = first.setdefault(unit.side, unit.id)
            if with_him != unit.id:
                yield (
                    f"units[{number}].state.{key}",
                    f"expected one {key} a side, got one with {with_him} too ({rule})",
                )


def _terrain_faults(piece: Terrain, book: Book, where: str) -> Iterator[tuple[str, str]]:
    if piece.kind not in book.kinds:
        yield f"{where}.kind", expected(book.kinds, piece.kind)
        return
    yield from fits(piece.extra, TerrainKeys, where)
    if piece.polyline_mm is not None:
        yield f"{where}.polyline_mm", "expected squares, edges or polygon_mm: this ruleset is played on squares"
    given = [key for key in ("squares", "edges") if piece.extra.get(key)] + ["polygon_mm"] * bool(piece.polygon_mm)
    if len(given) != 1:
        yield where, f"expected one of squares, edges or polygon_mm, got {' and '.join(given) or 'none'}"
    ground = book.kinds[piece.kind]
    if "edges" in given and not (ground.river or ground.crossing):
        yield f"{where}.edges", "expected squares: only rivers, bridges and fords lie on edges"


def _unit_faults(game: Game, unit: Unit, book: Book, where: str) -> Iterator[tuple[str, str]]:
    if unit.type not in book.types:
        yield f"{where}.type", expected(book.types, unit.type)
        return
    kind = book.types[unit.type]
    if unit.weapon != "none" and unit.weapon not in kind.weapons:
        yield f"{where}.weapon", expected(kind.weapons, unit.weapon)
    if unit.formation not in ("none", "unformed"):
        yield f"{where}.formation", expected(["none"], unit.formation)
    if unit.hex is not None:
        yield f"{where}.hex", "expected none: this ruleset is played on squares"
    yield from fits(unit.stats, Stats, f"{where}.stats")
    yield from fits(unit.state, State, f"{where}.state")
    if len(unit.figures) > 1:
        yield f"{where}.figures", f"expected one figure, the unit's base, got {len(unit.figures)}"
    if unit.figures and unit.square is not None:
        yield f"{where}.square", "expected none beside a figure: the square is that which the figure stands in"
    for number, figure in enumerate(unit.figures):
        yield from _figure_faults(figure, f"{where}.figures[{number}]")
    struck = unit.state.get("struck_by_adjacent")
    if struck is not None and struck not in game.by_id:
        yield f"{where}.state.struck_by_adjacent", expected(sorted(game.by_id), struck)


def _figure_faults(figure: Figure, where: str) -> Iterator[tuple[str, str]]:
    if figure.weapon is not None:
        yield f"{where}.weapon", "expected none: the unit's weapon counts"


def _misplaced(game: Game, book: Book) -> Iterator[tuple[str, str]]:
    board = board_of(game, book)
    for number, piece in enumerate(game.terrain):
        yield from _off_the_grid(piece, board, f"terrain[{number}]")
    taken: dict[tuple[int, int], str] = {}
    for number, unit in enumerate(game.units):
        where = f"units[{number}].square" if unit.square is not None else f"units[{number}]"
        if not on_table(unit):
            continue
        stand = board.stands.get(unit.id)
        if stand is None:
            yield where, "expected a square, or one figure"
            continue
        if not board.grid.contains(stand.cell):
            yield where, _a_square_of(board, stand.cell)
        elif stand.cell in taken and unit.square is not None:
            yield (
                where,
                f"expected a square of its own, got that of {taken[stand.cell]}: {list(stand.cell)} (PA-04)",
            )
        taken[stand.cell] = unit.id


def _off_the_grid(piece: Terrain, board: Board, where: str) -> Iterator[tuple[str, str]]:
    """Squares and edges that no unit could ever meet: a slip of the pen, which would be passed over in silence."""
    keys = convert(piece.extra, TerrainKeys)
    for number, cell in enumerate(keys.squares):
        if not board.grid.contains(cell):
            yield f"{where}.squares[{number}]", _a_square_of(board, cell)
    for number, (column, row, _) in enumerate(keys.edges):
        if not board.grid.contains((column, row)):
            yield f"{where}.edges[{number}]", _a_square_of(board, (column, row))


def _a_square_of(board: Board, cell: Cell) -> str:
    columns, rows = board.grid.columns, board.grid.rows
    return f"expected a square of {columns} columns and {rows} rows, got {list(cell)}"

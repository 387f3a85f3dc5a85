"""How a game begins: from a file, as a part of a campaign, or with no units yet; or goes on from its journal."""

from __future__ import annotations

import math
import secrets
from pathlib import Path

from msgspec import UNSET
from msgspec.structs import replace

from calibration.records import Table
from engine.clock import now_text
from engine.errors import UnknownRuleset, UnusableFile
from engine.records.game import GAME_FORMAT, Edge, Game, Grid, Side, TableArea, Turn, read_game
from engine.records.reading import load_json
from engine.rulesets import find_ruleset
from engine.rulesets.base.units.mustering import Roll, roll_of
from webui.errors import UnusableOption
from webui.table.desk import Desk
from webui.table.keeping import Keeping

__all__ = ["beginning", "empty_game", "grid_for", "open_desk", "with_campaign"]

_EDGES: tuple[Edge, ...] = ("south", "north", "west", "east")
_WHOLE = 1e-6  # a table of twelve squares holds twelve


def beginning(table: Table, ruleset: str, game_file: Path | None, campaign_file: Path | None) -> Game | None:
    """The game of the files that are given, fit for the table and checked by its rules; None where none is.

    Raises the error of whatever file cannot be used, UnusableOption for a game of another size.
    """
    game = None if game_file is None else read_game(game_file)
    if game is not None:
        _demand_same_size(game, table, game_file)
        game = game if game.table.grid is not None else _on_the_mat(game, table)
    if campaign_file is not None:
        game = with_campaign(game or empty_game(table, ruleset), campaign_file)
    first = game or empty_game(table, ruleset)
    find_ruleset(first.ruleset).check(first)
    return game


def open_desk(keeping: Keeping, table: Table, game: Game | None, ruleset: str, *, fresh: bool) -> Desk:
    """The desk over the journal of a folder; a new journal begins with ``game``, or with no units at all.

    Raises UnusableOption where a game is given and the journal holds another that has been played on.
    """
    try:
        journal = keeping.journal(fresh=fresh)
    except BaseException:
        keeping.close()
        raise
    try:
        desk = Desk(journal, table, now_text, lambda: secrets.randbits(32))
        if not desk.begun:
            desk.begin(game or empty_game(table, ruleset))
        elif game is not None and journal_began_otherwise(desk, game):
            raise UnusableOption(
                f"--data {keeping.folder}: another game is being played in this folder; begin anew with --fresh,"
                " or leave --game out to go on with it"
            )
    except BaseException:
        journal.close()
        keeping.close()
        raise
    return desk


def journal_began_otherwise(desk: Desk, game: Game) -> bool:
    """Whether the journal's game is not the one that ``game`` was."""
    from engine.events import fold

    return fold(desk.journal.entries[0].events) != game


def with_campaign(game: Game, campaign_file: Path) -> Game:
    """A game as a part of a campaign: that of another game file, or one in a file of its own.

    Raises UnusableFile where it cannot be read, or the rules of the game do not know such a campaign.
    """
    raw = load_json(campaign_file)
    kept = raw.get("conditions", {}).get("campaign") if raw.get("format") == GAME_FORMAT else raw
    if not isinstance(kept, dict):
        raise UnusableFile(f"{campaign_file}: conditions.campaign: expected a campaign, found none")
    part = replace(game, conditions={**game.conditions, "campaign": kept})
    try:
        find_ruleset(game.ruleset).check(part)
    except UnusableFile as error:
        raise UnusableFile(f"{campaign_file}: {error}") from error
    return part


def empty_game(table: Table, ruleset: str) -> Game:
    """A game with no units yet: a side for each army of the table file, and two at least."""
    names = [army.name for army in table.armies]
    names += [name for name in ("first", "second") if name not in names][: max(0, 2 - len(names))]
    sides = tuple(
        Side(name=name, edge=_EDGES[place % len(_EDGES)]) for place, name in enumerate(dict.fromkeys(names))
    )
    grid = grid_for(ruleset, table)
    number = _roll(ruleset).turn
    size = TableArea(width_mm=table.table.width_mm, depth_mm=table.table.depth_mm, grid=grid)
    game = Game(ruleset=ruleset, table=size, sides=sides, turn=Turn(number=number, active_side=sides[0].name))
    return _on_the_mat(game, table)


def _on_the_mat(game: Game, table: Table) -> Game:
    """The game on the squares or hexes that the table file has, if any."""
    from webui.camera.mat import game_grid

    if table.grid is UNSET:
        return game
    return replace(game, table=replace(game.table, grid=game_grid(table.grid)))


def grid_for(ruleset: str, table: Table, kept: Grid | None = None) -> Grid | None:
    """The grid that a ruleset is played on, as much of it as the table holds; ``kept`` is one of the same size."""
    wanted = _roll(ruleset).grid
    if wanted is None:
        return None
    size = kept.size_mm if kept is not None and kept.kind == wanted.kind else wanted.size_mm
    width, depth = table.table.width_mm, table.table.depth_mm
    if wanted.kind == "square":
        return Grid(
            kind="square",
            size_mm=size,
            columns=max(int(width / size + _WHOLE), 1),
            rows=max(int(depth / size + _WHOLE), 1),
        )
    columns, rows = int(width // (size * math.sqrt(0.75))), int(depth / size - 0.5)
    return Grid(kind="hex", size_mm=size, columns=max(columns, 1), rows=max(rows, 1))


def _roll(ruleset: str) -> Roll:
    try:
        return roll_of(find_ruleset(ruleset))
    except UnknownRuleset:  # whoever begins the game refuses it, and says which there are
        return Roll()


def _demand_same_size(game: Game, table: Table, game_file: Path | None) -> None:
    ours, theirs = table.table, game.table
    if abs(ours.width_mm - theirs.width_mm) > 1.0 or abs(ours.depth_mm - theirs.depth_mm) > 1.0:
        raise UnusableOption(
            f"{game_file}: table: expected the size of the table file, {ours.width_mm:g} x {ours.depth_mm:g} mm,"
            f" got {theirs.width_mm:g} x {theirs.depth_mm:g} mm"
        )

"""Another game in the place of the present one: its journal is put aside, and that of an imported game taken up."""

from __future__ import annotations

from collections.abc import Sequence

from engine.clock import stamp
from engine.errors import EngineError
from engine.keeping.entries import game_of
from engine.keeping.entry import Entry
from engine.keeping.journal import Journal
from engine.keeping.shelf import put_aside, rename
from engine.records.game import Game
from webui.errors import Refused
from webui.table.desk import Desk

__all__ = ["exchange"]


def exchange(desk: Desk, entries: Sequence[Entry], *, same_rules: bool) -> None:
    """Has the desk go on with the game of these entries, on disk before the present one is put aside.

    ``same_rules``: only a game by the rules of the present one can be played here. Raises Refused where it does not
    fit this table, or the disk fails; then the present game goes on.
    """
    _demand_fit(game_of(entries), desk, same_rules=same_rules)
    path = desk.journal.path
    coming = path.with_name(f"{path.stem}-coming{path.suffix}")
    try:
        coming.unlink(missing_ok=True)
        with Journal(coming) as journal:
            journal.take_in(entries)
            journal.verify()
        desk.journal.close()
        try:
            aside = put_aside(path, stamp())
            try:
                coming.rename(path)
            except OSError:
                rename(aside, path)
                raise
        finally:
            desk.carry_on(Journal(path))
    except (OSError, EngineError) as error:
        raise Refused(f"the game cannot be taken in: {error}") from error


def _demand_fit(game: Game, desk: Desk, *, same_rules: bool) -> None:
    ours, theirs = desk.table.table, game.table
    if abs(ours.width_mm - theirs.width_mm) > 1.0 or abs(ours.depth_mm - theirs.depth_mm) > 1.0:
        raise Refused(
            f"the file's game is played on a table of {theirs.width_mm:g} x {theirs.depth_mm:g} mm, this one"
            f" measures {ours.width_mm:g} x {ours.depth_mm:g} mm"
        )
    if same_rules and desk.begun and game.ruleset != desk.game.ruleset:
        raise Refused(
            f"the file holds a game of {game.ruleset}; this is the demo of {desk.game.ruleset}: start"
            f" 'vedette demo --ruleset {game.ruleset}' and take it in there"
        )

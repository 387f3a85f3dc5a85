"""The table as it was: the game after an entry of the log, for a map that looks back."""

from __future__ import annotations

from typing import Any

from engine.keeping.entries import game_of
from engine.records.game import game_builtins
from webui.camera.cells import cells_view
from webui.errors import BadRequest
from webui.people.concealing import concealed, entry_for, known_game
from webui.people.seats import Seat
from webui.shown.state import entry_view
from webui.table.desk import Desk

__all__ = ["then_view"]


def then_view(desk: Desk, seat: Seat, number: int) -> dict[str, Any]:
    """The game after entry ``number`` as a seat may know it, with the entry itself and how many there are.

    What is hidden from the seat now is hidden in what was, too. Raises BadRequest where there is no such entry.
    """
    entries = desk.journal.entries
    if not 1 <= number <= len(entries):
        raise BadRequest(f"entry: expected 1 to {len(entries)}, got {number}")
    now, past = desk.game, game_of(entries[:number])
    hidden = concealed(desk.ruleset, now, seat) | concealed(desk.ruleset, past, seat)
    veiled = past if seat.kind == "umpire" else desk.ruleset.veiled(past, seat.side)
    game = known_game(veiled, hidden)
    return {
        "number": number,
        "of": len(entries),
        "entry": entry_for(entry_view(desk, entries[number - 1]), now, hidden & frozenset(now.by_id), seat),
        "game": game_builtins(game),
        "cells": cells_view(game),
    }

"""``vedette evening``: the first evening by command, over the folder that ``vedette serve`` plays in."""

from __future__ import annotations

import click

from webui.evening.ground_cli import ground
from webui.evening.table_cli import begin, camera, empty, grid, lay, look, rules, show, size, tape
from webui.evening.troops_cli import army, muster, unit

__all__ = ["evening"]


@click.group()
def evening() -> None:
    """Sets an evening up without the page, in the folder that `vedette serve` plays in.

    What a command writes into the game is an entry of the folder's journal.db, as from the page: 'vedette log undo'
    takes it back. While a running program has the folder, nothing is changed here.
    """


for _command in (begin, show, camera, size, lay, tape, empty, army, rules, muster, unit, ground, grid, look):
    evening.add_command(_command)

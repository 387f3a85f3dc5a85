"""The subcommands of ``webui``: ``demo`` and ``serve``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from calibration.ranges import FiniteRange

__all__ = ["demo", "serve"]

_FILE = click.Path(path_type=Path)


def _page_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command that serves the page."""
    for option in reversed(
        (
            click.option(
                "--host", default="127.0.0.1", show_default=True,
                help="The address to listen on; 0.0.0.0 lets the phones on your network in.",
            ),
            click.option(
                "--port", type=click.IntRange(0, 65535), help="The port; the first free one from 8765 unless told."
            ),
            click.option(
                "--data", metavar="DIR", type=_FILE, help="The folder in which the game is kept."
            ),
            click.option(
                "--campaign", metavar="FILE.json", type=_FILE,
                help="A campaign, or a game file with one, that a game which begins is a part of.",
            ),
            click.option("--fresh", is_flag=True, help="Begin a new game; the log of the last one is put aside."),
            click.option("--no-browser", is_flag=True, help="Do not open the page in a browser."),
        )
    ):  # fmt: skip
        command = option(command)
    return command


@click.command()
@_page_options
@click.option(
    "--ruleset", default="muskets-mohawks", show_default=True, help="Whose demo: palouse, tyneside, musket-pike …"
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the simulated camera's noise.")
@click.option("--dice-seed", type=int, help="Have the program's own dice fall the same for the same actions.")
@click.option("--no-troops", is_flag=True, help="Begin on a bare table: raise armies and roll terrain on the page.")
def demo(
    host: str, port: int | None, data: Path | None, campaign: Path | None, fresh: bool, no_browser: bool,
    ruleset: str, seed: int, dice_seed: int | None, no_troops: bool,
) -> None:  # fmt: skip
    """Start the page on a simulated camera and table: the whole program with no hardware."""
    from webui.commands.demo import open_demo
    from webui.server import serve_until_stopped

    serve_until_stopped(
        open_demo(
            data, fresh=fresh, seed=seed, ruleset=ruleset, campaign=campaign, troops=not no_troops,
            dice_seed=dice_seed,
        ), host, port, browser=not no_browser,
    )  # fmt: skip


@click.command()
@click.option(
    "--table", "table_file", metavar="TABLE.toml", type=_FILE, help="The table file, else what was set up."
)
@click.option(
    "--camera", "camera", metavar="SOURCE",
    help="A device number, a video file, a folder of pictures, an http(s):// or rtsp:// address, browser or"
    " simulated; else the one that was set up.",
)  # fmt: skip
@click.option("--intrinsics", "lens_file", metavar="CAM.json", type=_FILE, help="The lens, from vedette calibrate.")
@click.option(
    "--empty", "empty_file", metavar="EMPTY_PHOTO", type=_FILE,
    help="A photo of the table, terrain laid but no figures yet, by which bases without a painted rim are found;"
    " else the one that was taken on the page.",
)  # fmt: skip
@click.option("--game", "game_file", metavar="GAME.json", type=_FILE, help="The game to begin with.")
@click.option("--ruleset", default="muskets-mohawks", show_default=True, help="The rules, where no game is given.")
@click.option(
    "--fps", default=2.0, show_default=True, type=FiniteRange(min=0.0, min_open=True, max=60.0),
    help="How many pictures of a folder are shown a second.",
)  # fmt: skip
@_page_options
def serve(
    table_file: Path | None, camera: str | None, lens_file: Path | None, empty_file: Path | None,
    game_file: Path | None, ruleset: str, fps: float, host: str, port: int | None, data: Path | None,
    campaign: Path | None, fresh: bool, no_browser: bool,
) -> None:  # fmt: skip
    """Start the page on a real camera and table.

    With nothing set up yet, the page leads through it step by step, and keeps it in the --data folder.
    """
    from webui.commands.serve import open_table
    from webui.server import serve_until_stopped

    live = open_table(
        table_file,
        camera,
        lens_file=lens_file,
        empty_file=empty_file,
        game_file=game_file,
        ruleset=ruleset,
        data=data,
        fresh=fresh,
        fps=fps,
        campaign_file=campaign,
    )
    serve_until_stopped(live, host, port, browser=not no_browser)

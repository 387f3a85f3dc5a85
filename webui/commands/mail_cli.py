"""The subcommand ``mail``: a game by mail, one file to and fro, with a replay of what the opponent did."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from engine.keeping.entry import Entry
    from engine.keeping.mail import Letter
    from engine.records.game import Game

__all__ = ["mail"]

_FILE = click.Path(path_type=Path)
_SIDE = click.option("--side", required=True, metavar="NAME", help="The side that you play.")
_KEY = click.option(
    "--key", envvar="VEDETTE_KEY", help="The key that both players know; else VEDETTE_KEY, else none."
)
_JOURNAL = click.option(
    "--journal", "journal_file", metavar="JOURNAL", type=_FILE, required=True, help="Your game log."
)


@click.group()
def mail() -> None:
    """Plays a game by mail: begin it, send it, open what came."""


@mail.command()
@click.argument("game_file", metavar="GAME.json", type=_FILE)
@_JOURNAL
@_SIDE
@click.option("--fog", is_flag=True, help="Nobody is told of units that his side does not see.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An optional rule (several may be given)."
)
@click.option(
    "--advantage", default=0, show_default=True, help="An advantage that the players agreed on; it is kept."
)
def begin(
    game_file: Path, journal_file: Path, side: str, fog: bool, options: tuple[str, ...], advantage: int
) -> None:
    """Begins a game that will go by mail; what is chosen here stays in its file."""
    from engine.clock import now_text
    from engine.errors import UnusableFile
    from engine.events import Event
    from engine.events import begin as begun
    from engine.keeping.journal import Journal
    from engine.keeping.shelf import held_with
    from engine.rulesets import find_ruleset
    from engine.rulesets.games import ready

    game, _ = ready(game_file)
    game.side(side)
    if journal_file.exists():
        raise UnusableFile(f"{journal_file}: expected no such file yet: a game begins in a log of its own")
    game = _chosen(game, options, fog=fog)
    find_ruleset(game.ruleset).check(game)
    facts = {"side": side, "fog_of_war": fog, "advantage": advantage}
    with held_with(journal_file), Journal(journal_file) as journal:
        journal.append(at=now_text(), kind="begin", events=(begun(game), Event(event="by-mail", facts=facts)))
    click.echo(f"{journal_file}: the game has begun; play your turn, then send it")


@mail.command()
@_JOURNAL
@_SIDE
@_KEY
@click.option("-o", "output", type=_FILE, required=True, help="The file for your opponent.")
def send(journal_file: Path, side: str, key: str | None, output: Path) -> None:
    """Writes the file for the opponent: control passes to him."""
    from engine.cli import open_journal
    from engine.clock import now_text
    from engine.keeping.mail import send as sent_by
    from engine.keeping.shelf import held_with
    from engine.records.files import write_file

    open_journal(journal_file).close()  # a name that is mistyped makes no folder
    with held_with(journal_file), open_journal(journal_file, to_write=True) as journal:
        write_file(output, sent_by(journal, side, at=now_text(), key=key))
    click.echo(f"{output}: send it to your opponent{'' if key is None else '; it is under your key'}")


@mail.command(name="open")
@click.argument("mail_file", metavar="FILE", type=_FILE)
@_JOURNAL
@_SIDE
@_KEY
@click.option(
    "--replay", type=click.Choice(["full", "brief", "none"]), default="full", show_default=True,
    help="Tell what the opponent did: with the dice and losses, without them, or not at all.",
)  # fmt: skip
@click.option(
    "--step", is_flag=True, help="Wait for Enter after each thing that is told; q and Enter break it off."
)
def open_mail(mail_file: Path, journal_file: Path, side: str, key: str | None, replay: str, step: bool) -> None:
    """Opens a file that came, tells what the opponent did, and takes it into your game log."""
    from engine.errors import UnusableFile
    from engine.keeping.journal import Journal
    from engine.keeping.mail import open_letter, received, turn_to_replay
    from engine.keeping.shelf import held_with

    try:
        text = mail_file.read_bytes()
    except OSError as error:
        raise UnusableFile(f"{mail_file}: cannot be read ({error.strerror})") from error
    letter = open_letter(text, side, key, str(mail_file))
    with held_with(journal_file), Journal(journal_file) as journal:
        received(journal, letter)
    if replay != "none":
        _tell(letter, turn_to_replay(letter), full=replay == "full", step=step)
    click.echo(f"{journal_file}: it is your turn")


def _chosen(game: Game, options: Sequence[str], *, fog: bool) -> Game:
    """The game with what the players have agreed on."""
    import msgspec
    from msgspec.structs import replace

    kept = dict(game.conditions.get("options", {}))
    for given in options:
        name, sign, text = given.partition("=")
        if not sign or not name:
            raise click.UsageError(f"--option: expected NAME=VALUE, got {given!r}")
        try:
            kept[name] = msgspec.json.decode(text)
        except msgspec.DecodeError:
            kept[name] = text
    conditions = {**game.conditions, **({"options": kept} if kept else {}), **({"fog_of_war": True} if fog else {})}
    return replace(game, conditions=conditions)


def _tell(letter: Letter, entries: Sequence[Entry], *, full: bool, step: bool) -> None:
    """The opponent's turn in words, an entry after the other, until it is broken off."""
    from engine.rulesets import find_ruleset
    from engine.words.story import lines_of, names_in, title_of

    ruleset = find_ruleset(letter.game.ruleset)
    names = names_in(letter.beginning, ruleset)
    for entry in entries:
        click.echo(title_of(entry, names))
        for line in lines_of(entry, names) if full else ():
            click.echo(f"    {line}")
        if step and click.prompt("", default="", show_default=False, prompt_suffix="").strip().lower() == "q":
            return

"""``vedette log``: what is done with a journal as a whole."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli import FILE, dice_of, open_journal, print_played, typed_dice
from engine.clock import now_text, stamp
from engine.records.files import write_file, write_out

if TYPE_CHECKING:
    from engine.keeping.entry import Entry
    from engine.keeping.journal import Journal
    from engine.play import Played
    from engine.records.action import Action
    from engine.words.story import Names


@click.group()
def log() -> None:
    """The game log: list, verify, replay and play on a journal, undo, redo, branch off earlier, export, import."""


_JOURNAL = click.argument("journal_file", metavar="JOURNAL", type=FILE)


@log.command(name="list")
@_JOURNAL
def list_entries(journal_file: Path) -> None:
    """Tells what happened, entry by entry, oldest first, as the log on the page does; those undone are marked."""
    from engine.keeping.branches import course_of
    from engine.keeping.entries import standing
    from engine.keeping.times import on_the_clock
    from engine.words.story import lines_of, title_of, turn_name

    with open_journal(journal_file) as journal:
        entries, names = journal.entries, _names(journal)
        alive = {entry.number for entry in standing(entries)}
        here = {entry.number for entry in course_of(entries)}
        for entry in entries:
            turn = "" if entry.turn is None else turn_name(entry.turn)
            when = ", ".join(filter(None, [on_the_clock(entry.at), turn, entry.side and names.of(entry.side)]))
            mark = _mark(entry, alive, here)
            title = title_of(entry, names, _meant(entry, entries))
            click.echo(f"{entry.number:4}  {when}: {title}" + (f"  ({mark})" if mark else ""))
            for line in lines_of(entry, names):
                click.echo(f"          {line}")


def _names(journal: Journal) -> Names:
    """The names and wording that the log is told with; of a ruleset that is not at hand, the names alone."""
    from engine.errors import UnusableFile
    from engine.rulesets import find_ruleset
    from engine.words.story import Names, names_in

    try:
        return names_in(journal.game, find_ruleset(journal.game.ruleset))
    except UnusableFile:
        return Names(journal.game)


def _meant(entry: Entry, entries: Sequence[Entry]) -> Entry | None:
    """The entry that this one takes back, or goes on from."""
    number = entry.undoes if entry.undoes is not None else entry.follows
    return None if number is None else entries[number - 1]


@log.command()
@_JOURNAL
@click.option("-o", "output", type=FILE, help="Write to this file instead of standard output.")
def export(journal_file: Path, output: Path | None) -> None:
    """Writes the whole game as one file (vedette-log/1): a head, then every entry as one JSON object a line."""
    from engine.keeping.exchange import log_text

    with open_journal(journal_file) as journal:
        text = log_text(journal.entries)
    if output is None:
        write_out(text)
        return
    write_file(output, text)


@log.command()
@_JOURNAL
def verify(journal_file: Path) -> None:
    """Checks that no entry was changed or taken out from among the others, and that they still lead to a game.

    How many there were is kept nowhere else: entries taken off the end are not noticed.
    """
    with open_journal(journal_file) as journal:
        journal.verify()
        click.echo(f"{journal_file}: {len(journal.entries)} entries, each as it was written after the one before")


@log.command()
@_JOURNAL
@click.option("--upto", type=click.IntRange(min=1), metavar="N", help="Only the first N entries (all unless told).")
def replay(journal_file: Path, upto: int | None) -> None:
    """Prints the game (vedette-game/1) that the entries lead to."""
    from engine.keeping.entries import game_of
    from engine.records.game import game_json

    with open_journal(journal_file) as journal:
        if upto is not None and upto > len(journal.entries):
            raise click.BadParameter(
                f"expected one of the {len(journal.entries)} entries of this log, got {upto}", param_hint="--upto"
            )
        write_out(game_json(game_of(journal.entries[:upto])))


@log.command()
@_JOURNAL
@click.option(
    "--from", "number", type=int, metavar="N", help="The entry after which the game goes on; its list unless told."
)
def branch(journal_file: Path, number: int | None) -> None:
    """Lets the game go on from after entry N. What came since is kept; without --from the courses are listed.

    The number of a course's last entry comes back to it.
    """
    from engine.keeping.branches import course_of, other_courses
    from engine.keeping.shelf import held_with

    open_journal(journal_file).close()  # a name that is mistyped makes no folder
    with held_with(journal_file), open_journal(journal_file, to_write=True) as journal:
        if number is not None:
            entry = journal.branch(at=now_text(), number=number)
            click.echo(f"{journal_file}: entry {entry.number}: the game goes on from entry {number}", err=True)
        click.echo(f"this course: {_spans([one.number for one in course_of(journal.entries)])}")
        for course in other_courses(journal.entries):
            click.echo(f"left at {course.leaves}: {_spans(course.numbers)}; back to it with --from {course.tip}")


_NUMBER = click.option(
    "--number", type=click.IntRange(min=1), metavar="N", help="Only if it is entry N; else whichever it is."
)


@log.command()
@_JOURNAL
@_NUMBER
def undo(journal_file: Path, number: int | None) -> None:
    """Takes back the newest entry that stands; the log keeps it, and 'redo' lets it stand again.

    What only says where figures stand is passed over, as on the page. Units whose figures it had moved are named:
    they are set back on the table.
    """
    entry, meant, moved = _turned_back(journal_file, lambda journal: journal.undo(at=now_text(), number=number))
    click.echo(f"{journal_file}: entry {entry.number}: entry {meant.number} ({_what(meant)}) is undone")
    _say_whom_to_set_back(moved)


@log.command()
@_JOURNAL
@_NUMBER
def redo(journal_file: Path, number: int | None) -> None:
    """Lets what the last undo took back stand again, where nothing was done since; N is the undo's own entry."""
    entry, meant, moved = _turned_back(journal_file, lambda journal: journal.redo(at=now_text(), number=number))
    click.echo(f"{journal_file}: entry {entry.number}: entry {meant.number} ({_what(meant)}) stands again")
    _say_whom_to_set_back(moved)


@log.command()
@_JOURNAL
@click.option("--do", "action_file", metavar="ACTION.json", type=FILE, required=True, help="The action to play.")
@click.option("--dice", metavar='"4 2 6"', help="The scores that the players rolled, in the order asked for.")
@click.option("--seed", type=int, help="Roll the program's own dice from this seed (a new one unless told).")
@click.option("--json", "as_json", is_flag=True, help="Print vedette-result/1 and nothing else.")
def play(journal_file: Path, action_file: Path, dice: str | None, seed: int | None, as_json: bool) -> None:
    """Plays one action in the game that the log leads to, and writes it and its dice down, as the page does."""
    from engine.records.action import read_action

    played = played_into(journal_file, lambda: read_action(action_file), str(action_file), dice, seed)
    print_played(played, as_json)


def played_into(
    journal_file: Path, action_of: Callable[[], Action], named: str, dice: str | None, seed: int | None
) -> Played:
    """Plays an action in the game that a journal leads to, writes it and its dice down, and says which entry it is.

    ``named`` is what the action stands in, for what is wrong with it. Raises EngineError: then nothing is written.
    """
    from engine.errors import UnusableFile
    from engine.keeping.shelf import held_with
    from engine.play import play as played_by
    from engine.rulesets import find_ruleset
    from engine.rulesets.base.actions.overruling import overrules

    scores = typed_dice(dice, seed)
    open_journal(journal_file).close()  # a name that is mistyped makes no folder
    action = action_of()
    with held_with(journal_file), open_journal(journal_file, to_write=True) as journal:
        game = journal.game
        ruleset = find_ruleset(game.ruleset)
        try:
            played = played_by(game, ruleset.begin(game, action), dice_of(scores, seed))
            ruleset.check(played.game)
        except UnusableFile as error:
            raise type(error)(f"{named}: {error}") from error
        overruled = overrules(game, ruleset, action)
        entry = journal.append(
            at=now_text(),
            kind="action",
            events=played.events,
            rolls=played.rolls,
            action=action,
            overruled=overruled,
        )
    click.echo(f"{journal_file}: entry {entry.number}", err=True)
    return played


def _say_whom_to_set_back(names: Sequence[str]) -> None:
    if names:
        click.echo(f"to set back on the table: {', '.join(names)}")


def _turned_back(journal_file: Path, change: Callable[[Journal], Entry]) -> tuple[Entry, Entry, list[str]]:
    """The entry that an undo or redo wrote, the one that fell or stands again, and the units to set back by hand.

    Raises JournalError.
    """
    from engine.errors import JournalError
    from engine.keeping.entries import set_back
    from engine.keeping.shelf import held_with
    from engine.words.story import name_of

    open_journal(journal_file).close()  # a name that is mistyped makes no folder
    with held_with(journal_file), open_journal(journal_file, to_write=True) as journal:
        try:
            entry = change(journal)
        except JournalError as error:
            told = str(error)
            raise JournalError(told if str(journal_file) in told else f"{journal_file}: {told}") from error
        meant = entry
        while meant.undoes is not None:
            meant = journal.entries[meant.undoes - 1]
        owed = set_back(journal.entries)
        units = [unit for unit in journal.game.units if any(one.id in owed for one in unit.figures)]
        return entry, meant, [name_of(unit) for unit in units]


@log.command(name="import")
@click.argument("log_file", metavar="FILE", type=FILE)
@_JOURNAL
@click.option("--replace", is_flag=True, help="A journal that is there already is put aside under another name.")
def import_log(log_file: Path, journal_file: Path, replace: bool) -> None:
    """Makes a journal of an exported game, checked first; a file that is not sound changes nothing."""
    from engine.errors import UnusableFile
    from engine.keeping.exchange import read_log
    from engine.keeping.journal import Journal
    from engine.keeping.shelf import held_with, put_aside

    try:
        entries = read_log(log_file.read_bytes(), str(log_file))
    except OSError as error:
        raise UnusableFile(f"{log_file}: cannot be read ({error.strerror})") from error
    try:
        with held_with(journal_file):
            if journal_file.exists():
                if not replace:
                    raise UnusableFile(
                        f"{journal_file}: there already; --replace puts it aside, or name another file"
                    )
                aside = put_aside(journal_file, stamp())
                click.echo(f"what was there is kept as {aside}", err=True)
            with Journal(journal_file) as journal:
                journal.take_in(entries)
    except OSError as error:
        raise UnusableFile(f"{journal_file}: cannot be written ({error.strerror})") from error
    click.echo(f"{journal_file}: {len(entries)} entries")


def _mark(entry: Entry, alive: Container[int], here: Container[int]) -> str:
    """What the list says at the end of an entry's line."""
    if entry.follows is not None:
        mark = f"goes on from {entry.follows}"
    elif entry.number in alive:
        mark = ""
    elif entry.undoes is not None:
        mark = f"undoes {entry.undoes}"
    else:
        mark = "undone" if entry.number in here else "another course"
    return ", ".join(filter(None, [mark, "overruled" if entry.overruled else ""]))


def _what(entry: Entry) -> str:
    """What an entry is, in a word: its action, else its kind."""
    return entry.kind if entry.action is None else entry.action.action


def _spans(numbers: Sequence[int]) -> str:
    """Numbers as people write a row of pages.

    >>> _spans([1, 2, 3, 7])
    'entries 1-3, 7'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return "entries " + ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)

"""The subcommands of ``engine`` that play a game: ``ask``, ``actions`` and ``resolve``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine.records.files import write_out

if TYPE_CHECKING:
    from engine.dice import DiceSource, Roll, SeededDice
    from engine.keeping.journal import Journal
    from engine.play import Played
    from engine.records.answer import Answer, ChargeOption, FireOption, FireRoll, UnitAnswer
    from engine.records.game import Game
    from engine.rulesets.base.actions.opening import OpenAction
    from engine.rulesets.base.ruleset import Ruleset

FILE = click.Path(path_type=Path)
#: What a journal begins with: it is a file of SQLite.
_JOURNAL_MAGIC = b"SQLite format 3\0"


def at_hand(path: Path) -> tuple[Game, Ruleset]:
    """The game in a file, as `ready` has it, or the one that a journal leads to; nothing is written.

    Raises UnusableFile, JournalError.
    """
    if not is_journal(path):
        from engine.rulesets.games import ready

        return ready(path)
    from engine.rulesets import find_ruleset

    with open_journal(path) as journal:
        return journal.game, find_ruleset(journal.game.ruleset)


def is_journal(path: Path) -> bool:
    """Whether a file that is there is a journal, not a game's file."""
    if not path.is_file():
        return False
    with path.open("rb") as opened:
        return opened.read(len(_JOURNAL_MAGIC)) == _JOURNAL_MAGIC


@click.command()
@click.argument("game_file", metavar="GAME", type=FILE)
@click.option("--unit", "units", multiple=True, metavar="ID", help="Only this unit (may be given more than once).")
@click.option("--chances", is_flag=True, help="Beside each option that is allowed, its exact chances.")
@click.option("--json", "as_json", is_flag=True, help="Print vedette-answer/1 and nothing else.")
def ask(game_file: Path, units: tuple[str, ...], chances: bool, as_json: bool) -> None:
    """What each unit can fire at, charge and reach, and why (not); and who has won, once the game is over.

    GAME is a game's file, or a journal.
    """
    from msgspec import to_builtins
    from msgspec.structs import replace

    game, ruleset = at_hand(game_file)
    for unit in units:
        game.unit(unit)
    answer, verdict = ruleset.ask(game, units or None), ruleset.verdict(game)
    for one in answer.units:
        for warning in one.extra.get("warnings", ()):
            click.echo(f"warning: {one.unit}: {warning}", err=True)
    if chances:
        from engine.rulesets.base.answers.option_chances import with_chances

        answer = with_chances(ruleset, game, answer)
    if as_json:
        from engine.records.answer import answer_json

        over = {} if verdict is None else {"verdict": to_builtins(verdict)}
        write_out(answer_json(replace(answer, extra={**answer.extra, **over})))
    else:
        _print_answer(answer, game, ruleset)


@click.command()
@click.argument("game_file", metavar="GAME", type=FILE)
@click.option("--unit", "units", multiple=True, metavar="ID", help="Only this unit (may be given more than once).")
@click.option("--json", "as_json", is_flag=True, help="Print vedette-actions/1 and nothing else.")
def actions(game_file: Path, units: tuple[str, ...], as_json: bool) -> None:
    """Every action of each unit, of its side and of the game: allowed now, or why not, and what it asks for.

    GAME is a game's file, or a journal.
    """
    from engine.rulesets.base.actions.opening import open_actions, opening_builtins

    game, ruleset = at_hand(game_file)
    named = units or tuple(unit.id for unit in game.units)
    for unit in named:
        game.unit(unit)
    if as_json:
        import msgspec

        write_out(
            msgspec.json.format(msgspec.json.encode(opening_builtins(ruleset, game, named)), indent=1) + b"\n"
        )
        return
    for name in (*named, None):
        record = None if name is None else game.unit(name)
        console().print(f"\n{'The game' if record is None else record.name or record.id}", style="bold")
        for opening in open_actions(ruleset, game, name):
            print_opening(console(), opening, ruleset)


@click.command()
@click.argument("game_file", metavar="GAME", type=FILE)
@click.option("--do", "action_file", metavar="ACTION.json", type=FILE, required=True, help="Which action.")
@click.option("--json", "as_json", is_flag=True, help="Print the chances as JSON and nothing else.")
def odds(game_file: Path, action_file: Path, as_json: bool) -> None:
    """The exact chances of one action: all that its dice can come to. Nothing is played.

    GAME is a game's file, or a journal.
    """
    import msgspec

    from engine.records.action import read_action
    from engine.rulesets.base.answers.chances import chances, percent

    game, ruleset = at_hand(game_file)
    found = chances(ruleset, game, read_action(action_file))
    if as_json:
        write_out(msgspec.json.format(msgspec.json.encode(found.to_builtins()), indent=1) + b"\n")
        return
    console().print(found.line or "dice are rolled, but nothing that they decide is counted", style="bold")
    for outcomes in filter(None, (found.outcomes, *(part.outcomes for part in found.then))):
        console().print("  " + ", ".join(f"{one.what}: {percent(one.chance)}" for one in outcomes))


@click.command()
@click.argument("game_file", metavar="GAME", type=FILE)
@click.option("--do", "action_file", metavar="ACTION.json", type=FILE, required=True, help="The action to play.")
@click.option("--dice", metavar='"4 2 6"', help="The scores that the players rolled, in the order asked for.")
@click.option("--seed", type=int, help="Roll the program's own dice from this seed (a new one unless told).")
@click.option("--json", "as_json", is_flag=True, help="Print vedette-result/1 and nothing else.")
def resolve(game_file: Path, action_file: Path, dice: str | None, seed: int | None, as_json: bool) -> None:
    """Plays one action by the rules and prints the events and the game after it.

    GAME is a game's file, or a journal; neither is changed: 'log play' writes into a journal.
    """
    from engine.errors import UnusableFile
    from engine.play import play
    from engine.records.action import read_action

    scores = typed_dice(dice, seed)
    game, ruleset = at_hand(game_file)
    action = read_action(action_file)
    try:
        played = play(game, ruleset.begin(game, action), dice_of(scores, seed))
    except UnusableFile as error:
        raise type(error)(f"{action_file}: {error}") from error
    print_played(played, as_json)


def print_played(played: Played, as_json: bool) -> None:
    """What an action did: its rolls and events as the log tells them, each with its rule, or vedette-result/1."""
    from engine.result import result_json
    from engine.rulesets import find_ruleset
    from engine.words.story import happened, names_in, rolled_in_words

    if as_json:
        write_out(result_json(played))
        return
    names = names_in(played.game, find_ruleset(played.game.ruleset))
    told = [(rolled_in_words(one, names), one.roll.rule) for one in played.rolls]
    told += [(happened(event, names), event.rule) for event in played.events]
    for line, rule in told:
        click.echo(line + (f"  [{rule}]" if rule else ""))


def typed_dice(dice: str | None, seed: int | None) -> tuple[int, ...] | None:
    """The scores that were typed; None where there are none. Raises UsageError where a seed is given, too."""
    from engine.dice import parse_dice

    if dice is not None and seed is not None:
        raise click.UsageError("--dice and --seed exclude each other: give the players' dice or a seed")
    return None if dice is None else parse_dice(dice)


def dice_of(scores: tuple[int, ...] | None, seed: int | None) -> DiceSource:
    """The players' scores, else the program's own dice from a seed; one that it makes up is said, if it is used."""
    from engine.dice import SeededDice, TypedDice

    if scores is not None:
        return TypedDice(scores)
    return SeededDice(seed) if seed is not None else _OwnDice()


class _OwnDice:
    """The program's own dice from a seed that it makes up, and says at the first roll."""

    _dice: SeededDice | None = None

    def scores(self, roll: Roll) -> tuple[int, ...]:
        """Random scores."""
        from engine.dice import SeededDice

        if self._dice is None:
            import secrets

            seed = secrets.randbits(32)
            self._dice = SeededDice(seed)
            click.echo(f"rolled with --seed {seed}", err=True)
        return self._dice.scores(roll)


def open_journal(path: Path, *, to_write: bool = False) -> Journal:
    """A journal, only to be read unless told. Raises UnusableFile where there is none, JournalError where it is
    not sound.
    """
    from engine.errors import UnusableFile
    from engine.keeping.journal import Journal

    if not path.is_file():
        raise UnusableFile(f"{path}: expected a journal file, found none")
    if not path.stat().st_size:
        raise UnusableFile(f"{path}: expected a Vedette journal, found an empty file")
    return Journal(path, only_read=not to_write)


def console() -> Any:
    """Where readable tables and lines are printed."""
    from rich.console import Console

    return Console(highlight=False, markup=False)


def _print_answer(answer: Answer, game: Game, ruleset: Ruleset) -> None:
    out = console()
    verdict = ruleset.verdict(game)
    if verdict is not None:
        from engine.rulesets.base.verdicts import verdict_line

        out.print(f"{verdict_line(verdict)} [{verdict.rule}]", style="bold")
    for army in answer.extra.get("standing", ()):
        out.print(f"{army['side']}: {army['text']} [{army['rule']}]")
    for unit in answer.units:
        record = game.unit(unit.unit)
        out.print(f"\n{record.name or unit.unit} ({record.side}, {record.type}, {record.formation})", style="bold")
        _print_unit(out, unit, ruleset)


def _print_unit(console: Any, unit: UnitAnswer, ruleset: Ruleset) -> None:
    several = len({fire.extra.get("weapon") for fire in unit.fire}) > 1
    for fire in unit.fire:
        dice = "" if fire.roll is None else f"  {_dice_words(fire.roll)}"
        span = _span(ruleset, fire.range_mm, fire.extra.get(f"range_{ruleset.unit_of_length}"))
        arms = f" with {fire.extra['weapon']}" if several and fire.extra.get("weapon") else ""
        _print_option(console, f"fire {fire.mode} at {fire.target}{arms}{span}{dice}", fire)
    for charge in unit.charge:
        dice = (
            "" if charge.roll is None else f"  {charge.roll.charger}{charge.roll.die} against {charge.roll.target}"
        )
        span = _span(ruleset, charge.distance_mm, charge.extra.get(f"distance_{ruleset.unit_of_length}"))
        _print_option(console, f"charge {charge.target}{span}{dice}", charge)
    if unit.move is not None:
        ways = ", ".join(unit.move.modes) or "none"
        counted = unit.move.extra.get(f"allowance_{ruleset.unit_of_length}")
        console.print(f"  move{_span(ruleset, unit.move.allowance_mm, counted)[1:]}: {ways}")
    for note in unit.extra.get("notes", ()):
        console.print(f"  {note['text']} [{note['rule']}]")
    _print_by_itself(console, unit)


def _print_by_itself(console: Any, unit: UnitAnswer) -> None:
    """What a unit does where nobody commands it, and whom it commands, where the rules know of such."""
    from engine.words.by_itself import command_lines, will_lines

    for key, part, lines in (("risk", "results", will_lines), ("command", "groups", command_lines)):
        told = unit.extra.get(key)
        for line in lines(told) if isinstance(told, dict) and told.get(part) else ():
            console.print(f"  {line}")


def _dice_words(roll: FireRoll) -> str:
    """What to roll: ``12d6, 1s hit, x0.5``, or ``1d3-1`` where the dice are added."""
    from engine.words.rolling import wanted

    add = roll.extra.get("add", 0)
    text = f"{roll.count}{roll.die}" + (f"{add:+d}" if add else "")
    if roll.success is not None:
        text += f", {wanted(roll.success)} hit"
    return text if roll.multiplier == 1 else f"{text}, x{roll.multiplier:g}"


#: What one of a unit of length is called, where that is not its sign.
_ONE = {"bounds": "bound", "hexes": "hex"}


def _span(ruleset: Ruleset, length_mm: float | None, cells: int | None) -> str:
    """How far something is, after two spaces: in the cells that the rules count, else as a length."""
    sign = ruleset.unit_of_length
    if cells is not None:
        return f"  {cells} {_ONE.get(sign, sign) if cells == 1 else sign}"
    return "" if length_mm is None else f"  {length_mm / ruleset.mm_per_unit:.2f} {sign}"


def _print_option(console: Any, line: str, option: FireOption | ChargeOption) -> None:
    why_not = option.why_not
    console.print(f"  {'no ' if why_not else 'yes'} {line}", style="dim" if why_not else "")
    for reason in why_not:
        console.print(f"        {reason}", style="dim")
    if "chances" in option.extra:
        told = option.extra["chances"]
        parts = [told["sentence"], *(part["sentence"] for part in told.get("then", ()) if part["sentence"])]
        console.print(f"        {'; '.join(parts)}")
    for doubt in option.borderline:
        console.print(f"        borderline: {doubt}", style="yellow")


def print_opening(console: Any, opening: OpenAction, ruleset: Ruleset) -> None:
    """An action in a line: ``yes``, ``no`` with its reasons and their rows, ``if`` where it asks for keys first."""
    form = ruleset.forms()[opening.action]
    good = [aim.value for aim in opening.aims if aim.allowed]
    more = f": {', '.join(good)}" if good else f" (asks for {', '.join(opening.asks)})" if opening.asks else ""
    mark = {"allowed": "yes", "refused": "no", "asks": "if"}[opening.state]
    console.print(
        f"  {mark:3} {opening.action}{more}  {form.title}", style="dim" if opening.state == "refused" else ""
    )
    for reason, rule in zip(opening.why_not, opening.why_rules, strict=True):
        console.print(f"        {reason}" + (f" [{rule}]" if rule else ""), style="dim")
    for aim in opening.aims:
        for reason, rule in zip(aim.why_not, aim.why_rules, strict=True):
            console.print(f"        {aim.value}: {reason}" + (f" [{rule}]" if rule else ""), style="dim")

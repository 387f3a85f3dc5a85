"""``vedette campaign``: begins, shows and carries on a campaign that its rules keep in the game file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine.cli import FILE, at_hand, console, dice_of, is_journal, print_opening, print_played, typed_dice
from engine.commands.log_cli import played_into
from engine.records.files import as_it_is, keep_what_was_there, write_file
from engine.rulesets.games import ready

if TYPE_CHECKING:
    from engine.play import Played
    from engine.records.action import Action
    from engine.records.game import Game
    from engine.rulesets.base.campaigns import CampaignView
    from engine.rulesets.base.forms.forms import Form
    from engine.rulesets.base.ruleset import Ruleset

__all__ = ["campaign", "value_of"]

#: Where an action stands that is taken between battles.
_BETWEEN = ("setup", "campaign")

_CAMPAIGN = click.argument("campaign_file", metavar="CAMPAIGN.json", type=FILE)
_KEYS = click.argument("keys", nargs=-1, metavar="[KEY=VALUE]...")
_DICE = click.option(
    "--dice", metavar='"4 2 6"', help="The scores that the players rolled, in the order asked for."
)
_SEED = click.option("--seed", type=int, help="Roll the program's own dice from this seed (a new one unless told).")


class _Campaigns(click.Group):
    """The commands for campaigns kept in game files, and the groups of rulesets that keep theirs otherwise."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Our own commands first."""
        return [*self.commands, *_groups()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One of our own commands, or a ruleset's group."""
        return self.commands.get(cmd_name) or _groups().get(cmd_name)


@cache
def _groups() -> Mapping[str, click.Group]:
    from engine.rulesets import BUILT_IN, find_ruleset
    from engine.rulesets.base.folder import RulesetFolder

    rulesets = [find_ruleset(name) for name in BUILT_IN]
    groups = [one.campaign_group() for one in rulesets if isinstance(one, RulesetFolder)]
    return {group.name: group for group in groups if group is not None and group.name is not None}


def _ready(path: Path) -> tuple[Game, Ruleset]:
    """The game in a file or journal and its rules. Raises UnusableFile, for a campaign of another kind, too."""
    from engine.errors import UnusableFile
    from engine.records.reading import load_json

    if is_journal(path):
        return at_hand(path)
    raw = load_json(path)
    if isinstance(raw, dict) and str(raw.get("format")).startswith("vedette-campaign/"):
        which = " or ".join(f"'vedette campaign {name} --help'" for name in _groups())
        raise UnusableFile(f"{path}: format: expected a game, got a campaign with a file of its own (see {which})")
    return ready(path)


@click.group(cls=_Campaigns)
def campaign() -> None:
    """Begins, shows and carries on a campaign, which is kept in its file from evening to evening."""


@campaign.command()
@click.argument("game_file", metavar="GAME.json", type=FILE)
@_KEYS
@click.option("-o", "output", metavar="CAMPAIGN.json", type=FILE, required=True, help="The campaign's file.")
@_DICE
@_SEED
def begin(game_file: Path, keys: tuple[str, ...], output: Path, dice: str | None, seed: int | None) -> None:
    """Begins a campaign with the sides and units of a game; KEY=VALUE are what its rules ask for (year=1757)."""
    game, ruleset = _ready(game_file)
    first = next((name for name, form in ruleset.forms().items() if form.begins), None)
    if first is None:
        raise click.UsageError(f"{ruleset.title} has no campaign that is kept in a game file")
    played = _played(game, ruleset, _action(first, None, None, keys), dice, seed)
    keep_what_was_there(output, game_file)
    _keep(played, output)


@campaign.command()
@_CAMPAIGN
@click.argument("action", metavar="ACTION")
@_KEYS
@click.option("--unit", metavar="ID", help="The unit that it is an action of.")
@click.option("--target", metavar="ID", help="The unit that it is aimed at.")
@_DICE
@_SEED
def play(
    campaign_file: Path, action: str, keys: tuple[str, ...], unit: str | None, target: str | None, dice: str | None,
    seed: int | None,
) -> None:  # fmt: skip
    """Plays one action of the campaign and keeps what comes of it in its file.

    KEY=VALUE are the action's keys: a number, true, false, a word, or JSON. 'vedette campaign show' lists the
    actions. A journal will do for the file: the action is an entry of it.
    """
    if is_journal(campaign_file):
        meant = _action(action, unit, target, keys)
        print_played(played_into(campaign_file, lambda: meant, action, dice, seed), as_json=False)
        return
    before = as_it_is(campaign_file)
    game, ruleset = _ready(campaign_file)
    _keep(_played(game, ruleset, _action(action, unit, target, keys), dice, seed), campaign_file, before)


@campaign.command()
@_CAMPAIGN
@click.option("--side", metavar="NAME", help="Only what this side knows.")
def show(campaign_file: Path, side: str | None) -> None:
    """Shows how the campaign stands, the roster of each side, and what can be done between battles.

    A journal will do for the file.
    """
    from engine.rulesets.base.actions.opening import open_actions
    from engine.rulesets.base.campaigns import roster_line

    game, ruleset = _ready(campaign_file)
    if side is not None:
        game = _known(game, ruleset, side)
    out = console()
    for line in _standing(game, ruleset):
        out.print(line, markup=False)
    for one in game.sides:
        out.print(f"\n{one.name}", style="bold")
        for unit in game.units:
            if unit.side == one.name:
                out.print(f"  {roster_line(unit)}", markup=False)
    _print_steps(out, ruleset.ask(game).extra.get("guide", ()), campaign_file)
    forms = ruleset.forms()
    out.print("\nBetween battles", style="bold")
    for opening in open_actions(ruleset, game, None):
        if forms[opening.action].section in _BETWEEN:
            print_opening(out, opening, ruleset)
    of_units = ", ".join(name for name, form in forms.items() if _of_units(form))
    if of_units:
        out.print(f"  of a unit (--unit ID): {of_units}")


def _print_steps(out: Any, steps: Sequence[Mapping[str, Any]], file: Path) -> None:
    """What comes next, where the rules say so, each with the command that does it."""
    if not steps:
        return
    out.print("\nWhat comes next", style="bold")
    for step in steps:
        out.print(f"  {step['text']} ({step['rule']})")
        action = step.get("action") or ("pass-turn" if "pass" in step else None)
        if action is None:
            out.print(f"    vedette actions {file} --unit {step['unit']}")
            continue
        unit = [f"--unit {step['unit']}"] if "unit" in step else []
        keys = [f"{key}={_typed(value)}" for key, value in step.get("keys", {}).items()]
        command = ["vedette campaign play", str(file), action, *unit, *keys]
        out.print(f"    {' '.join(command)}", soft_wrap=True)


def _typed(value: Any) -> str:
    """A value as it is typed on the command line.

    >>> print(_typed("british"), _typed(True), _typed({"a": "b"}))
    british true '{"a":"b"}'
    """
    import msgspec

    if isinstance(value, str):
        return value
    text = msgspec.json.encode(value).decode()
    return f"'{text}'" if isinstance(value, Mapping | Sequence) else text


def _of_units(form: Form) -> bool:
    return form.scope == "unit" and form.section in _BETWEEN


def _known(game: Game, ruleset: Ruleset, side: str) -> Game:
    """The game as a side knows it. Raises UnusableFile where there is no such side."""
    from msgspec.structs import replace

    game.side(side)
    hidden = ruleset.concealed(game, side)
    known = ruleset.veiled(game, side)
    return replace(known, units=tuple(unit for unit in known.units if unit.id not in hidden))


def _standing(game: Game, ruleset: Ruleset) -> Iterator[str]:
    """How the campaign stands: its facts, its cards but for the rosters, and what stands where on its map."""
    view = ruleset.campaign(game)
    if view is None or not view.begun:
        yield _none_begun(ruleset, view)
        return
    yield from filter(None, (view.stage, view.text))
    yield from (f"{fact.label.lower()}: {fact.value}" for fact in view.facts)
    for card in view.cards:
        if not card.id.startswith("roster-"):
            yield f"{card.title}:"
            yield from (f"  {line[:1].lower()}{line[1:]}" for line in card.lines)
    names = {one.id: f" ({one.title})" for one in view.hexes if one.title}
    for piece in view.pieces:
        where = "beside the map" if piece.hex is None else f"in {piece.hex}{names.get(piece.hex, '')}"
        yield f"{piece.title} {where}: {', '.join(piece.lines)}{', has moved' if piece.moved else ''}"


def _none_begun(ruleset: Ruleset, view: CampaignView | None) -> str:
    """What to do where no campaign has begun."""
    if any(form.begins for form in ruleset.forms().values()):
        return "No campaign has begun: vedette campaign begin GAME.json -o CAMPAIGN.json"
    return f"{ruleset.title} has no campaign that is kept in a game file." if view is None else view.text


def _action(name: str, unit: str | None, target: str | None, keys: Sequence[str]) -> Action:
    from engine.records.action import action_from

    raw: dict[str, Any] = {"action": name}
    raw |= {key: value for key, value in (("unit", unit), ("target", target)) if value is not None}
    for given in keys:
        key, sign, text = given.partition("=")
        if not sign or not key:
            raise click.UsageError(f"expected KEY=VALUE such as year=1757, got {given!r}")
        if key in ("action", "unit", "target"):
            raise click.UsageError(f"{given}: expected a key of the action {name} such as year=1757; {key} is none")
        if key in raw:
            raise click.UsageError(f"{key}: is given twice")
        raw[key] = value_of(text)
    return action_from(raw)


def value_of(text: str) -> Any:
    """What a value on the command line stands for: JSON where it is some, else the word itself.

    >>> value_of("1757"), value_of("true"), value_of("british"), value_of('["a", "b"]')
    (1757, True, 'british', ['a', 'b'])
    """
    import msgspec

    from engine.records.reading import whole

    try:
        return whole(msgspec.json.decode(text))
    except msgspec.DecodeError:
        return text


def _keep(played: Played, output: Path, over: bytes | None = None) -> None:
    """Writes the campaign's file, and tells what came of the action."""
    from engine.records.game import game_json

    write_file(output, game_json(played.game), over=over)
    print_played(played, as_json=False)


def _played(game: Game, ruleset: Ruleset, action: Action, dice: str | None, seed: int | None) -> Played:
    from engine.play import play

    played = play(game, ruleset.begin(game, action), dice_of(typed_dice(dice, seed), seed))
    ruleset.check(played.game)
    return played

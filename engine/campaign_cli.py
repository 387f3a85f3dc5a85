"""``vedette campaign``: begins, shows and carries on a campaign that its rules keep in the game file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine.cli import FILE, console, dice_of, print_events, print_opening, print_rolls, ready, write_file

if TYPE_CHECKING:
    from engine.play import Played
    from engine.records.action import Action
    from engine.records.game import Game, Unit
    from engine.rulesets.base import Ruleset
    from engine.rulesets.forms import Form

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
    from engine.rulesets.folder import RulesetFolder

    rulesets = [find_ruleset(name) for name in BUILT_IN]
    groups = [one.campaign_group() for one in rulesets if isinstance(one, RulesetFolder)]
    return {group.name: group for group in groups if group is not None and group.name is not None}


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
    game, ruleset = ready(game_file)
    first = next((name for name, form in ruleset.forms().items() if form.begins), None)
    if first is None:
        raise click.UsageError(f"{ruleset.title} has no campaign that is kept in a game file")
    _play(game, ruleset, _action(first, None, None, keys), output, dice, seed)


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
    actions.
    """
    game, ruleset = ready(campaign_file)
    _play(game, ruleset, _action(action, unit, target, keys), campaign_file, dice, seed)


@campaign.command()
@_CAMPAIGN
def show(campaign_file: Path) -> None:
    """Shows how the campaign stands, the roster of each side, and what can be done between battles."""
    from engine.rulesets.opening import open_actions

    game, ruleset = ready(campaign_file)
    out = console()
    for line in _standing(game):
        out.print(line)
    for side in game.sides:
        out.print(f"\n{side.name}", style="bold")
        for unit in game.units:
            if unit.side == side.name:
                out.print(f"  {_roster_line(unit)}")
    forms = ruleset.forms()
    out.print("\nBetween battles", style="bold")
    for opening in open_actions(ruleset, game, None):
        if forms[opening.action].section in _BETWEEN:
            print_opening(out, opening, ruleset)
    of_units = ", ".join(name for name, form in forms.items() if _of_units(form))
    if of_units:
        out.print(f"  of a unit (--unit ID): {of_units}")


def _of_units(form: Form) -> bool:
    return form.scope == "unit" and form.section in _BETWEEN


def _standing(game: Game) -> Iterator[str]:
    """What the rules keep of the campaign, a line a key."""
    kept = game.conditions.get("campaign")
    if not kept:
        yield "No campaign has begun: vedette campaign begin GAME.json -o CAMPAIGN.json"
        return
    yield from _lines(kept, "")


def _lines(value: Mapping[str, Any], indent: str) -> Iterator[str]:
    for key, inner in value.items():
        if isinstance(inner, Mapping):
            yield f"{indent}{_said(key)}:"
            yield from _lines(inner, indent + "  ")
        else:
            text = (
                ", ".join(map(str, inner)) if isinstance(inner, Sequence) and not isinstance(inner, str) else inner
            )
            yield f"{indent}{_said(key)}: {'-' if text in (None, '') else text}"


def _said(key: str) -> str:
    return key.replace("_", " ")


def _roster_line(unit: Unit) -> str:
    """A unit in a line: its name, type and weapon, its numbers, how many figures it has."""
    numbers = [f"{_said(key)} {value}" for key, value in unit.stats.items() if isinstance(value, int | float | str)]
    strength = unit.state.get("strength", unit.state.get("figures"))
    men = f"{len(unit.figures)} figures" + ("" if strength is None else f", strength {strength}")
    return f"{unit.name or unit.id}: {unit.type}, {unit.weapon}; {', '.join([*numbers, men])}"


def _action(name: str, unit: str | None, target: str | None, keys: Sequence[str]) -> Action:
    from engine.records.action import action_from

    raw: dict[str, Any] = {"action": name}
    raw |= {key: value for key, value in (("unit", unit), ("target", target)) if value is not None}
    for given in keys:
        key, sign, text = given.partition("=")
        if not sign or not key:
            raise click.UsageError(f"expected KEY=VALUE such as year=1757, got {given!r}")
        raw[key] = value_of(text)
    return action_from(raw)


def value_of(text: str) -> Any:
    """What a value on the command line stands for: JSON where it is some, else the word itself.

    >>> value_of("1757"), value_of("true"), value_of("british"), value_of('["a", "b"]')
    (1757, True, 'british', ['a', 'b'])
    """
    import msgspec

    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


def _play(game: Game, ruleset: Ruleset, action: Action, output: Path, dice: str | None, seed: int | None) -> None:
    from engine.records.game import game_json
    from engine.records.result import result_builtins

    played = _played(game, ruleset, action, dice, seed)
    write_file(output, game_json(played.game))
    built = result_builtins(played)
    print_rolls(built["rolls"])
    print_events(built["events"])


def _played(game: Game, ruleset: Ruleset, action: Action, dice: str | None, seed: int | None) -> Played:
    from engine.dice import parse_dice
    from engine.play import play

    if dice is not None and seed is not None:
        raise click.UsageError("--dice and --seed exclude each other: give the players' dice or a seed")
    scores = None if dice is None else parse_dice(dice)
    return play(game, ruleset.begin(game, action), dice_of(scores, seed))

"""``vedette options``: how a game plays the rulings that its rulebook leaves to the players."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine.cli import FILE, at_hand, console
from engine.commands.campaign_cli import value_of
from engine.commands.hand_cli import said_by_hand

if TYPE_CHECKING:
    from engine.events import Event
    from engine.records.game import Game

__all__ = ["options"]


@click.command()
@click.argument("file", metavar="GAME", type=FILE)
@click.argument("settings", nargs=-1, metavar="[OPTION=VALUE]...")
@click.option("--json", "as_json", is_flag=True, help="Print the options as JSON and nothing else.")
def options(file: Path, settings: tuple[str, ...], as_json: bool) -> None:
    """Shows the rulings that the players may change, or changes some of them.

    GAME is a game's file, or a journal, which gets an entry that can be undone.
    """
    from engine.rulesets import find_ruleset
    from engine.rulesets.base.options import options_of

    words = [_word(setting) for setting in settings]
    game = said_by_hand(file, "option", words) if words else at_hand(file)[0]
    ruleset = find_ruleset(game.ruleset)
    found = options_of(ruleset, game)
    if as_json:
        import msgspec

        told: list[dict[str, Any]] = [
            {"field": msgspec.to_builtins(one.field), "rule": one.rule, "value": one.value} for one in found
        ]
        click.echo(msgspec.json.format(msgspec.json.encode({"options": told}), indent=1))
        return
    for one in found:
        others = ", ".join(str(choice.value) for choice in one.field.choices if choice.value != one.value)
        usual = "" if one.value == one.field.default else f", usually {one.said(one.field.default)}"
        row = f" [{one.rule}]" if one.rule else ""
        console().print(
            f"{one.field.key}={_plain(one.value)}  {one.field.label}: {one.said(one.value)}{usual}{row}"
        )
        if others:
            console().print(f"    or {others}", style="dim")


def _word(setting: str) -> Callable[[Game], Event]:
    """What tells the event of a setting as it is typed, `measure=centre`. Raises UsageError."""
    from engine.rulesets import find_ruleset
    from engine.rulesets.base.options import option_event

    key, sign, text = setting.partition("=")
    if not sign:
        raise click.UsageError(f"expected OPTION=VALUE such as measure=centre, got {setting!r}")
    return lambda game: option_event(find_ruleset(game.ruleset), game, key, value_of(text))


def _plain(value: Any) -> str:
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)

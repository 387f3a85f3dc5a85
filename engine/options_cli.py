"""``vedette options``: how a game plays the rulings that its rulebook leaves to the players."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from engine.campaign_cli import value_of
from engine.cli import FILE, as_it_is, console, ready, write_file

__all__ = ["options"]


@click.command()
@click.argument("game_file", metavar="GAME.json", type=FILE)
@click.argument("settings", nargs=-1, metavar="[OPTION=VALUE]...")
@click.option("--json", "as_json", is_flag=True, help="Print the options as JSON and nothing else.")
def options(game_file: Path, settings: tuple[str, ...], as_json: bool) -> None:
    """Shows the rulings that the players may change, or changes some of them in the game's file."""
    from engine.events import apply
    from engine.records.game import game_json
    from engine.rulesets.options import option_event, options_of

    before = as_it_is(game_file)
    game, ruleset = ready(game_file)
    for setting in settings:
        key, sign, text = setting.partition("=")
        if not sign:
            raise click.UsageError(f"expected OPTION=VALUE such as measure=centre, got {setting!r}")
        game = apply(game, option_event(ruleset, game, key, value_of(text)))
    if settings:
        write_file(game_file, game_json(game), over=before)
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


def _plain(value: Any) -> str:
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)

"""The battle report: a journal as one page of HTML that needs nothing else, with the table drawn at each turn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from engine.journal import Entry, game_of, standing
from engine.records.game import Figure, Game, Rect, Side
from engine.rulesets.base import Ruleset
from webui.story import Names, lines_of, name_of, rules_of, title_of

__all__ = ["battle_report", "report"]

#: Side colours that the colour-blind tell apart; figures also carry the side's letter.
_COLOURS = ("#9e2b25", "#1f4e8c", "#8a6d1a", "#5b3a75")


@click.command()
@click.argument("journal_file", metavar="JOURNAL", type=click.Path(path_type=Path))
@click.option(
    "-o", "output", metavar="FILE.html", type=click.Path(path_type=Path), default=Path("report.html"),
    show_default=True, help="The page to write.",
)  # fmt: skip
def report(journal_file: Path, output: Path) -> None:
    """Writes the battle report of a game log: the turns in words, with the table as it stood."""
    from calibration.reading import write_whole
    from engine.cli import open_journal
    from engine.rulesets import find_ruleset

    with open_journal(journal_file) as journal:
        text = battle_report(journal.entries, find_ruleset(journal.game.ruleset))
    write_whole(output, text.encode())
    click.echo(f"{output}: written")


class _Told(Struct, frozen=True):
    title: str
    lines: tuple[str, ...]
    rules: tuple[str, ...]
    overruled: bool


class _Turn(Struct, frozen=True):
    number: int
    entries: tuple[_Told, ...]
    drawing: dict[str, Any]


def battle_report(entries: Sequence[Entry], ruleset: Ruleset) -> str:
    """The report of the entries that stand, as HTML."""
    from jinja2 import Environment, PackageLoader

    alive = standing(entries)
    first, last = game_of(alive[:1]), game_of(alive)
    names = Names(first, ruleset.mm_per_unit, ruleset.unit_of_length, ruleset.wording())
    turns, so_far = [], 0
    for number, of_turn in groupby(alive, key=lambda entry: entry.turn or first.turn.number):
        told = tuple(of_turn)
        so_far += len(told)
        turns.append(_Turn(number, tuple(_tell(one, names) for one in told), _drawing(game_of(alive[:so_far]))))
    loader = Environment(loader=PackageLoader("webui", "templates"), autoescape=True)
    return loader.get_template("report.html").render(
        title=ruleset.title,
        begun=alive[0].at[:16].replace("T", " at "),
        sides=[_side(side, place) for place, side in enumerate(first.sides)],
        turns=turns,
        losses=_losses(first, last),
    )


def _tell(entry: Entry, names: Names) -> _Told:
    return _Told(title_of(entry, names), tuple(lines_of(entry, names)), tuple(rules_of(entry)), entry.overruled)


def _side(side: Side, place: int) -> dict[str, str]:
    return {"name": side.name, "letter": side.name[:1].upper(), "colour": _COLOURS[place % len(_COLOURS)]}


def _losses(first: Game, last: Game) -> list[dict[str, Any]]:
    left = {unit.id: len(unit.figures) for unit in last.units}
    return [
        {"unit": name_of(unit), "side": unit.side, "began": len(unit.figures), "left": left.get(unit.id, 0)}
        for unit in first.units
        if unit.figures
    ]


def _drawing(game: Game) -> dict[str, Any]:
    """The table as numbers for the template's SVG, whose y runs down: millimetres, far edge up."""
    depth = game.table.depth_mm
    colours = {side.name: _side(side, place) for place, side in enumerate(game.sides)}
    return {
        "width": game.table.width_mm,
        "depth": depth,
        "terrain": [
            {"kind": piece.kind, "points": " ".join(f"{x:.1f},{depth - y:.1f}" for x, y in piece.polygon_mm)}
            for piece in game.terrain
            if piece.polygon_mm
        ],
        "units": [
            {
                "name": name_of(unit),
                "side": colours[unit.side],
                "x": sum(figure.x_mm for figure in unit.figures) / len(unit.figures),
                "y": depth - max(figure.y_mm for figure in unit.figures),
                "bases": [_base(figure, depth) for figure in unit.figures],
            }
            for unit in game.units
            if unit.figures
        ],
    }


def _base(figure: Figure, depth: float) -> dict[str, Any]:
    base = figure.base
    width, length = (base.width_mm, base.depth_mm) if isinstance(base, Rect) else (base.diameter_mm,) * 2
    facing = None if figure.bearing_deg is None else math.radians(figure.bearing_deg)
    return {
        "round": not isinstance(base, Rect),
        "x": figure.x_mm,
        "y": depth - figure.y_mm,
        "width": width,
        "length": length,
        "turn": figure.bearing_deg or 0.0,
        "front": None
        if facing is None
        else (figure.x_mm + math.sin(facing) * length / 2, depth - figure.y_mm - math.cos(facing) * length / 2),
    }

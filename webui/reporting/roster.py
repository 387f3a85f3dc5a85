"""The rosters of a game as sheets to print, a side a page, with room to write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from engine.rulesets.base.units.mustering import main_stats, roll_of
from engine.words.story import turn_name

if TYPE_CHECKING:
    from engine.records.game import Game, Side, Unit
    from engine.rulesets.base.ruleset import Ruleset
    from engine.rulesets.base.units.mustering import Roll

__all__ = ["roster_pdf"]

#: Empty lines under each side's units, for those who join later.
_SPARE = 4
_HEADS = ("Unit", "Type", "Weapon", "Numbers", "Strength", "Notes")
#: Widths of the columns in mm; a page has 180 between its margins.
_WIDTHS_MM = (36, 24, 24, 46, 20, 30)
_MARGIN_MM = 15


def roster_pdf(game: Game, ruleset: Ruleset) -> bytes:
    """The rosters as a PDF on A4, the same bytes for the same game."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.units import mm
    from reportlab.platypus import PageBreak, SimpleDocTemplate

    out = BytesIO()
    page = SimpleDocTemplate(
        out, pagesize=A4, leftMargin=_MARGIN_MM * mm, rightMargin=_MARGIN_MM * mm, topMargin=_MARGIN_MM * mm,
        bottomMargin=_MARGIN_MM * mm, title=f"Rosters: {ruleset.title}", author="Vedette", invariant=1,
    )  # fmt: skip
    story: list[Any] = []
    for side in game.sides:
        story += [*_side(game, side, ruleset), PageBreak()]
    page.build(story[:-1])
    return out.getvalue()


def _side(game: Game, side: Side, ruleset: Ruleset) -> Iterator[Any]:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.lib.units import mm
    from reportlab.platypus import Paragraph, Spacer

    styles = getSampleStyleSheet()
    yield Paragraph(escape(_named(side.name)), styles["Title"])
    yield Paragraph(escape(f"{ruleset.title}: {turn_name(game.turn.number).lower()}"), styles["Normal"])
    kept = game.conditions.get("campaign", {}).get(side.name, {})
    if kept:
        yield Spacer(0, 3 * mm)
        yield Paragraph(escape("; ".join(_facts(kept))), styles["Normal"])
    yield Spacer(0, 5 * mm)
    names = {unit.id: unit.name or unit.id for unit in game.units}
    units = [unit for unit in game.units if unit.side == side.name and unit.type != "pef"]
    yield _table(units, names, roll_of(ruleset))


def _table(units: list[Unit], names: Mapping[str, str], roll: Roll) -> Any:
    from reportlab.lib import colors
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.lib.units import mm
    from reportlab.platypus import Paragraph, Table

    small = ParagraphStyle("cell", fontName="Helvetica", fontSize=10, leading=12)
    bold = ParagraphStyle("head", parent=small, fontName="Helvetica-Bold")
    rows = [[Paragraph(head, bold) for head in _HEADS]]
    rows += [[Paragraph(escape(cell), small) for cell in _row(unit, names, roll)] for unit in units]
    rows += [[""] * len(_HEADS)] * _SPARE
    rule = colors.Color(0.55, 0.5, 0.42)
    heights = [None] * (len(units) + 1) + [9 * mm] * _SPARE
    return Table(
        rows, colWidths=[width * mm for width in _WIDTHS_MM], rowHeights=heights, repeatRows=1,
        style=[
            ("GRID", (0, 0), (-1, -1), 0.4, rule), ("BACKGROUND", (0, 0), (-1, 0), colors.Color(0.95, 0.92, 0.84)),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"), ("TOPPADDING", (0, 1), (-1, -1), 4),
            ("BOTTOMPADDING", (0, 1), (-1, -1), 4),
        ],
    )  # fmt: skip


def _row(unit: Unit, names: Mapping[str, str], roll: Roll) -> tuple[str, ...]:
    """A unit's cells; what it has lost stands in the notes, which have room for more. ``names``: of all units.

    What the rules always look at is told of each, also where it is as the rules have it without anybody saying so.
    """
    usual = {key: value for key, value in main_stats(roll, unit.type).items() if key != "strength"}
    told = {**usual, **unit.stats}
    numbers = {key: value for key, value in told.items() if isinstance(value, int | float | str)}
    strength = unit.state.get("strength", numbers.pop("strength", len(unit.figures) or None))
    paper = numbers.pop("paper_strength", unit.state.get("start_strength"))
    whole = paper if paper != strength else None  # "8", as of a unit that has no other number: not "8 of 8"
    men = " of ".join(str(one) for one in (strength, whole) if one is not None)
    lost = unit.state.get("casualties")
    return (
        unit.name or unit.id, _named(unit.type), "" if unit.weapon == "none" else _named(unit.weapon),
        ", ".join(_facts(numbers, names)), men, f"{lost} lost" if lost else "",
    )  # fmt: skip


def _facts(kept: Mapping[str, Any], names: Mapping[str, str] | None = None) -> Iterator[str]:
    """What is kept, in words: what is so is its key alone; units are called by their ``names``."""
    for key, value in kept.items():
        if isinstance(value, bool):
            yield from [_named(key)] * value
        elif isinstance(value, str):
            yield f"{_named(key)} {(names or {}).get(value) or _named(value)}"
        elif value is not None and not isinstance(value, Mapping | list | tuple):
            yield f"{_named(key)} {value}"


def _named(word: str) -> str:
    """A word of the rules for people.

    >>> _named("local_campaign_morale"), _named("formed-line")
    ('Local campaign morale', 'Formed line')
    """
    text = word.replace("_", " ").replace("-", " ")
    return text[:1].upper() + text[1:]

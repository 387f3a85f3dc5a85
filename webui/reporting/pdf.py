"""The report as a PDF on A4: the same drawings as vectors, the same words."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape

from webui.reporting.pictures import shrunk
from webui.reporting.sketch import Circle, Line, Mark, Outlines, Polygon, Sketch, Text
from webui.reporting.telling import Report, SideTold, TurnTold

__all__ = ["pdf_of"]

_MARGIN_MM = 16
_LINES_TOGETHER = 8
_WIDTH_MM = 210 - 2 * _MARGIN_MM
_INK, _SOFT, _RULE = "#2a2218", "#5c5140", "#b9a98a"
_SIGNS = str.maketrans({"→": "-", "−": "-", "≥": ">=", "≤": "<=", "≠": "!=", "½": "1/2"})


def pdf_of(report: Report) -> bytes:
    """The report as a PDF, the same bytes for the same report."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.units import mm
    from reportlab.platypus import SimpleDocTemplate

    out = BytesIO()
    margin = _MARGIN_MM * mm
    document = SimpleDocTemplate(
        out, pagesize=A4, leftMargin=margin, rightMargin=margin, topMargin=margin, bottomMargin=margin,
        title=_written(f"Battle report: {report.title}"), author="Vedette", invariant=1,
    )  # fmt: skip
    styles = _styles()
    story = [*_head(report, styles)]
    for turn in report.turns:
        story += _turn(turn, styles)
    story += _balance(report, styles)
    document.build(story, onFirstPage=_foot, onLaterPages=_foot)
    return out.getvalue()


def _head(report: Report, styles: dict[str, Any]) -> Iterator[Any]:
    from reportlab.platypus import Paragraph, Spacer

    yield Paragraph("BATTLE REPORT", styles["over"])
    yield Paragraph(_text(report.title), styles["title"])
    yield Paragraph(_text(f"Begun {report.begun}, as it stood at {report.ended}."), styles["body"])
    if report.verdict is not None:
        yield Paragraph(_text(report.verdict), styles["body"])
    yield Spacer(0, 8)
    rows = [(side.name, str(side.began), str(side.left), side.luck.words) for side in report.sides]
    yield _table(("Side", report.noun.capitalize(), "Left", "Dice"), rows, styles, (60, 30, 30, 58))


def _turn(turn: TurnTold, styles: dict[str, Any]) -> Iterator[Any]:
    from reportlab.lib.units import mm
    from reportlab.platypus import Image, KeepTogether, Paragraph, Spacer

    yield KeepTogether([Paragraph(turn.name, styles["heading"]), _Drawing(turn.map, _WIDTH_MM * mm)])
    yield Spacer(0, 6)
    jpeg = None if turn.picture is None else shrunk(turn.picture)
    if jpeg is not None:
        picture = Image(BytesIO(jpeg), hAlign="LEFT")
        scale = _WIDTH_MM * mm / picture.imageWidth
        picture.drawWidth, picture.drawHeight = picture.imageWidth * scale, picture.imageHeight * scale
        yield KeepTogether([picture, Paragraph("As the camera saw it.", styles["small"])])
        yield Spacer(0, 6)
    for entry in turn.entries:
        title = _text(entry.title) + (" <i>(overruled by the umpire)</i>" if entry.overruled else "")
        lines = [Paragraph(title, styles["entry"])]
        lines += [Paragraph(_text(line), styles["line"]) for line in entry.lines]
        if entry.rules:
            lines.append(Paragraph(_text(", ".join(entry.rules)), styles["rule"]))
        together = len(lines) if len(lines) <= _LINES_TOGETHER else 3  # a long one may go on overleaf
        yield KeepTogether(lines[:together])
        yield from lines[together:]


def _balance(report: Report, styles: dict[str, Any]) -> Iterator[Any]:
    from reportlab.lib.units import mm
    from reportlab.platypus import KeepTogether, Paragraph, Spacer

    for heading, words, sketch in (
        ("Strength", f"{report.noun.capitalize()} on the table after each entry of the log.", report.strength),
        ("Morale", "Units in good order: on the table, neither broken nor shaken.", report.order),
        ("The luck of the dice", "How far ahead of the expectation each side's successes were.", report.luck),
    ):
        parts = [Paragraph(heading, styles["heading"]), Paragraph(_text(words), styles["body"])]
        yield KeepTogether([*parts, _Drawing(sketch, _WIDTH_MM * mm)])
    yield Spacer(0, 6)
    rows = [_luck_row(side) for side in report.sides]
    heads = ("Side", "Successes", "Expected", "That was", "Added dice", "Expected")
    yield KeepTogether([_table(heads, rows, styles, (32, 27, 27, 42, 25, 25))])
    ways = [Paragraph("The ways of the units", styles["heading"]), _Drawing(report.ways, _WIDTH_MM * mm)]
    yield KeepTogether(ways)
    yield Paragraph("Losses", styles["heading"])
    losses = [(row.unit, row.side, str(row.began), str(row.left)) for row in report.losses]
    yield _table(("Unit", "Side", "Began with", "Left"), losses, styles, (70, 48, 30, 30))


def _luck_row(side: SideTold) -> tuple[str, ...]:
    luck = side.luck
    return (
        side.name,
        f"{luck.passed} of {luck.tests}",
        _give_or_take(luck.expected, luck.spread),
        luck.words,
        f"{luck.total} with {luck.sums}",
        _give_or_take(luck.total_expected, luck.total_spread),
    )


def _table(heads: tuple[str, ...], rows: list[Any], styles: dict[str, Any], widths_mm: tuple[int, ...]) -> Any:
    from reportlab.lib import colors
    from reportlab.lib.units import mm
    from reportlab.platypus import Paragraph, Table

    cells = [[Paragraph(_text(head), styles["head"]) for head in heads]]
    cells += [[Paragraph(_text(cell), styles["cell"]) for cell in row] for row in rows]
    rule = colors.HexColor(_RULE)
    return Table(
        cells, colWidths=[width * mm for width in widths_mm], repeatRows=1, hAlign="LEFT",
        style=[("LINEBELOW", (0, 0), (-1, -1), 0.5, rule), ("LEFTPADDING", (0, 0), (-1, -1), 0)],
    )  # fmt: skip


def _styles() -> dict[str, Any]:
    from reportlab.lib.colors import HexColor
    from reportlab.lib.styles import ParagraphStyle

    ink, soft = HexColor(_INK), HexColor(_SOFT)
    body = ParagraphStyle("body", fontName="Helvetica", fontSize=10, leading=13.5, textColor=ink)
    made = [
        body,
        ParagraphStyle("over", parent=body, fontName="Times-Roman", textColor=soft),
        ParagraphStyle("title", parent=body, fontName="Times-Bold", fontSize=24, leading=29, spaceAfter=4),
        ParagraphStyle(
            "heading", parent=body, fontName="Times-Bold", fontSize=15, leading=19, spaceBefore=14, spaceAfter=5
        ),
        ParagraphStyle("small", parent=body, fontSize=8.5, leading=11, textColor=soft),
        ParagraphStyle("entry", parent=body, fontName="Helvetica-Bold", spaceBefore=5),
        ParagraphStyle("line", parent=body, leftIndent=10, textColor=soft),
        ParagraphStyle("rule", parent=body, leftIndent=10, fontSize=8, leading=10, textColor=soft),
        ParagraphStyle("cell", parent=body, fontSize=9, leading=11.5),
        ParagraphStyle("head", parent=body, fontName="Helvetica-Bold", fontSize=9, leading=11.5),
    ]
    return {style.name: style for style in made}


def _Drawing(sketch: Sketch, width: float) -> Any:  # noqa: N802  # stands among reportlab's flowables
    """A sketch as a flowable of that width, in points."""
    from reportlab.platypus import Flowable

    class Drawing(Flowable):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.scale = width / sketch.width
            self.width, self.height = width, sketch.height * self.scale

        def draw(self) -> None:
            canvas = self.canv
            canvas.saveState()
            canvas.scale(self.scale, self.scale)
            clip = canvas.beginPath()
            clip.rect(0, 0, sketch.width, sketch.height)
            canvas.clipPath(clip, stroke=0, fill=0)
            canvas.setFillColor(sketch.ground)
            canvas.rect(0, 0, sketch.width, sketch.height, stroke=0, fill=1)
            for mark in sketch.marks:
                _draw(canvas, mark)
            canvas.restoreState()

    return Drawing()


def _draw(canvas: Any, mark: Mark) -> None:
    canvas.setDash()
    match mark:
        case Polygon() | Line():
            outline = canvas.beginPath()
            outline.moveTo(*mark.points[0])
            for point in mark.points[1:]:
                outline.lineTo(*point)
            canvas.setLineWidth(mark.width)
            if isinstance(mark, Line):
                canvas.setStrokeColor(mark.stroke)
                canvas.setDash([mark.dash, mark.dash] if mark.dash else [])
                canvas.drawPath(outline, stroke=1, fill=0)
                return
            outline.close()
            canvas.setFillColor(mark.fill)
            if mark.stroke != "none":
                canvas.setStrokeColor(mark.stroke)
            canvas.drawPath(outline, stroke=int(mark.stroke != "none"), fill=1)
        case Outlines():
            cells = canvas.beginPath()
            for outline in mark.outlines:
                cells.moveTo(*outline[0])
                for point in outline[1:]:
                    cells.lineTo(*point)
                cells.close()
            canvas.setStrokeColor(mark.stroke)
            canvas.setLineWidth(mark.width)
            canvas.drawPath(cells, stroke=1, fill=0)
        case Circle():
            canvas.setFillColor(mark.fill)
            canvas.setLineWidth(mark.width)
            if mark.stroke != "none":
                canvas.setStrokeColor(mark.stroke)
            canvas.circle(*mark.at, mark.radius, stroke=int(mark.stroke != "none"), fill=1)
        case Text():
            _write(canvas, mark)


def _write(canvas: Any, mark: Text) -> None:
    text = _written(mark.text)
    width = canvas.stringWidth(text, "Helvetica-Bold", mark.size)
    x = mark.at[0] - {"start": 0.0, "middle": width / 2, "end": width}[mark.anchor]
    if mark.halo:
        canvas.saveState()
        canvas.setStrokeColor(mark.halo)
        canvas.setLineWidth(mark.size / 5)
        _string(canvas, x, mark.at[1], text, mark.size, 1)
        canvas.restoreState()
    canvas.setFillColor(mark.fill)
    _string(canvas, x, mark.at[1], text, mark.size, 0)


def _string(canvas: Any, x: float, y: float, text: str, size: float, mode: int) -> None:
    line = canvas.beginText(x, y)
    line.setFont("Helvetica-Bold", size)
    line.setTextRenderMode(mode)
    line.textOut(text)
    canvas.drawText(line)


def _foot(canvas: Any, document: Any) -> None:
    from reportlab.lib.units import mm

    canvas.saveState()
    canvas.setFont("Helvetica", 8)
    canvas.setFillColor(_SOFT)
    canvas.drawRightString((210 - _MARGIN_MM) * mm, 9 * mm, f"{document.page}")
    canvas.restoreState()


def _give_or_take(expected: float, spread: float) -> str:
    return f"{expected:.1f} ± {spread:.1f}"


def _text(text: str) -> str:
    """Words for a paragraph: nothing in them is markup."""
    return escape(_written(text))


def _written(text: str) -> str:
    """A text in the letters that a PDF's own fonts have; others lose their accents, or become a question mark."""
    kept = []
    for letter in text.translate(_SIGNS):
        try:
            letter.encode("cp1252")
            kept.append(letter)
        except UnicodeEncodeError:
            bare = unicodedata.normalize("NFKD", letter).encode("cp1252", "ignore").decode("cp1252")
            kept.append(bare or "?")
    return "".join(kept)

"""``vedette report``: a journal as a battle report: a page, a PDF, a film."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from engine.keeping.entry import Entry
from engine.rulesets.base.ruleset import Ruleset

__all__ = ["film_bytes", "report"]

_KINDS = (".html", ".pdf", ".webm")


@click.command()
@click.argument("journal_file", metavar="JOURNAL", type=click.Path(path_type=Path))
@click.option(
    "-o", "outputs", metavar="FILE", type=click.Path(path_type=Path), multiple=True, default=(Path("report.html"),),
    show_default="report.html",
    help="What to write, by its ending: .html (one page), .pdf, or .webm (the camera's pictures as a film). May be"
    " given more than once.",
)  # fmt: skip
def report(journal_file: Path, outputs: tuple[Path, ...]) -> None:
    """Writes the battle report of a game log.

    The turns in words with maps and the camera's pictures, strength and morale over time, the luck of the dice, the
    ways of the units, the losses.
    """
    from engine.cli import open_journal
    from engine.records.files import write_file
    from engine.rulesets import find_ruleset
    from webui.camera.album import pictures_in
    from webui.reporting.page import page_of
    from webui.reporting.pdf import pdf_of
    from webui.reporting.telling import report_of

    for output in outputs:
        if output.suffix.lower() not in _KINDS:
            raise click.UsageError(f"-o {output}: expected an ending of {', '.join(_KINDS)}")
    with open_journal(journal_file) as journal:
        entries, ruleset = journal.entries, find_ruleset(journal.game.ruleset)
    pictures = pictures_in(journal_file)
    told = report_of(entries, ruleset, pictures)
    for output in outputs:
        kind = output.suffix.lower()
        if kind == ".html":
            write_file(output, page_of(told).encode())
        elif kind == ".pdf":
            write_file(output, pdf_of(told))
        else:
            film, content = film_bytes(entries, ruleset, pictures, str(output))
            output = output.with_suffix(f".{content.rpartition('/')[2]}")
            write_file(output, film)
        click.echo(f"{output}: written")


def film_bytes(
    entries: Sequence[Entry], ruleset: Ruleset, pictures: dict[int, Path], source: str
) -> tuple[bytes, str]:
    """The film of the present course's pictures, and its kind. Raises NoPictures where there are too few."""
    from engine.keeping.branches import course_of
    from webui.errors import NoPictures
    from webui.reporting.pictures import film_of
    from webui.reporting.telling import caption_of

    course = {entry.number: entry for entry in course_of(entries)}
    shown = {number: file for number, file in pictures.items() if number in course}
    film = film_of(shown, lambda number: caption_of(course[number], entries, ruleset))
    if film is None:
        raise NoPictures(
            f"{source}: a film needs two of the camera's pictures at least; with this game {len(shown)} were kept"
        )
    return film

"""``vedette rule``: what a row of a rulebook says, which every answer and every event names."""

from __future__ import annotations

import click

from engine.cli import console
from engine.records.files import write_out

__all__ = ["rule"]


@click.command()
@click.argument("ruleset", metavar="[RULESET]")
@click.argument("rows", metavar="[ROW]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON and nothing else.")
def rule(ruleset: str, rows: tuple[str, ...], as_json: bool) -> None:
    """Tells in our words what rows of a rulebook say, such as MM-98; all of a ruleset's where none is named."""
    import difflib

    import msgspec

    from engine.errors import UnusableFile
    from engine.rulesets import find_ruleset

    book = _book_of(ruleset)
    ruleset, rows = (ruleset, rows) if book is None else (book, (ruleset, *rows))
    known = find_ruleset(ruleset).rows()
    for name in rows:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"'vedette rule {ruleset}' lists all"
            raise UnusableFile(f"{ruleset}: there is no row {name!r}; {hint}")
    found = [known[name] for name in rows or known]
    if as_json:
        write_out(msgspec.json.format(msgspec.json.encode({"rows": found}), indent=1) + b"\n")
        return
    for row in found:
        page = f" (p. {row.page})" if row.page else ""
        console().print(f"{row.id}{page}: {row.text}", soft_wrap=True)
        if row.not_built is not None:
            console().print(f"    not built: {row.not_built}", soft_wrap=True)


def _book_of(row: str) -> str | None:
    """The ruleset among the built-in ones that has such a row, where somebody names a row alone."""
    from engine.rulesets import BUILT_IN, find_ruleset

    if row in BUILT_IN or "-" not in row:
        return None
    return next((book for book in BUILT_IN if row in find_ruleset(book).rows()), None)

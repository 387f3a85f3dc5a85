"""``vedette rules``: the rulesets that there are, the tables that house rules may change, a pack held to them."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli import FILE, console
from engine.records.files import write_out

if TYPE_CHECKING:
    from engine.rulesets.base.data.packs import Pack

__all__ = ["rules"]


@click.command()
@click.argument("ruleset", required=False)
@click.argument("table", required=False)
@click.option("--check", "folder", type=FILE, metavar="FOLDER", help="Check a pack and play its worked cases.")
@click.option("--json", "as_json", is_flag=True, help="Print the list of rulesets as JSON and nothing else.")
def rules(ruleset: str | None, table: str | None, folder: Path | None, as_json: bool) -> None:
    """Lists the rulesets and packs that there are.

    With RULESET, the tables that a pack may lay its own over; with TABLE, that one as it stands, to copy from.
    """
    if folder is not None:
        _check(folder)
    elif ruleset is not None:
        _tables(ruleset, table)
    else:
        _list(as_json)


def _list(as_json: bool) -> None:
    import msgspec

    from engine.rulesets import pack_files, titles
    from engine.rulesets.base.data.packs import pack_folders

    packs = {pack.id: (file, pack) for file, pack in reversed(pack_files()) if not isinstance(pack, Exception)}
    faults = [str(pack) for _, pack in pack_files() if isinstance(pack, Exception)]
    if as_json:
        found = [{"id": name, "title": title, **_origin(packs.get(name))} for name, title in titles().items()]
        write_out(msgspec.json.format(msgspec.json.encode({"rulesets": found}), indent=1) + b"\n")
    for name, title in titles().items() if not as_json else ():
        where = _origin(packs.get(name))
        told = f" (house rules of {where['extends']}: {where['file']})" if where else ""
        console().print(f"{name}: {title}{told}", soft_wrap=True)
    for fault in faults:
        click.echo(f"warning: {fault}", err=True)
    if not packs and not as_json:
        console().print(f"Packs of house rules are looked for in {pack_folders()[-1]}.", soft_wrap=True)


def _origin(pack: tuple[Path, Pack] | None) -> dict[str, str]:
    return {} if pack is None else {"extends": pack[1].extends, "file": str(pack[0])}


def _tables(ruleset: str, table: str | None) -> None:
    from engine.errors import UnusableFile
    from engine.rulesets import find_ruleset, pack_files
    from engine.rulesets.base.folder import RulesetFolder

    found = find_ruleset(ruleset)
    texts = found.table_texts() if isinstance(found, RulesetFolder) else {}
    if table is None:
        for name, text in texts.items():
            console().print(f"{name}: {_about(text)}", soft_wrap=True)
    elif table in texts:
        write_out(texts[table].encode())
        for file, pack in pack_files():
            if not isinstance(pack, Exception) and pack.id == ruleset:
                click.echo(f"as printed; what {ruleset} lays over it stands in {file}", err=True)
    else:
        raise UnusableFile(f"{ruleset}: expected one of its tables, {', '.join(texts) or 'none'}, got {table!r}")


def _about(text: str) -> str:
    """The first sentence of the comment that a file begins with."""
    lines = [line.lstrip("# ") for line in takewhile(lambda line: line.startswith("#"), text.splitlines())]
    return " ".join(lines).partition(". ")[0].rstrip(".") + "."


def _check(folder: Path) -> None:
    """Reads a pack and plays the cases in its folder ``cases``; status 1 where one does not come out."""
    from engine.errors import EngineError
    from engine.rulesets import extended_by
    from engine.rulesets.base.cases import failures
    from engine.rulesets.base.data.packs import FILE as NAME
    from engine.rulesets.base.data.packs import read_pack

    file = folder / NAME
    ruleset = extended_by(file, read_pack(file))
    cases = sorted((folder / "cases").glob("*.json"))
    wrong = 0
    for path in cases:
        try:
            faults = failures(path, {ruleset.id: ruleset})
        except EngineError as error:
            faults = [str(error)]
        wrong += bool(faults)
        for fault in faults:
            console().print(f"{path.name}: {fault}", soft_wrap=True)
    came_out = f"{len(cases) - wrong} of {len(cases)} cases come out"
    console().print(f"{ruleset.id}: the tables fit; {came_out}", soft_wrap=True)

    if wrong:
        raise click.exceptions.Exit(1)

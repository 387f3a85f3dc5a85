"""No route and no command without its documentation."""

from __future__ import annotations

import contextlib
import re
import shlex
import shutil
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tests.command_line import command_of
from webui.app import create_app
from webui.cli import main
from webui.commands.reference import reference
from webui.live import LiveTable

ROOT = Path(__file__).parents[2]


def test_every_route_is_in_the_list_of_addresses(live: LiveTable) -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    told = set(re.findall(r"`(GET|POST) (/[^`?]*)", text))
    for rule in create_app(live).url_map.iter_rules():
        methods = (rule.methods or set()) - {"HEAD", "OPTIONS"}
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: "ROW" if found[1] == "row" else "PATH", rule.rule)
        for method in methods:
            assert (method, path) in told, f"{method} {path} is not in docs/api.md"


def test_every_address_that_is_told_exists(live: LiveTable) -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    app = create_app(live)
    adapter = app.url_map.bind("localhost")
    for method, path in re.findall(r"`(GET|POST) (/[^`?]*)", text):
        assert adapter.test(path, method=method), f"{method} {path} is told of in docs/api.md but does not exist"


def test_every_command_and_option_is_documented() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    sections = {part.splitlines()[0]: part for part in page.split("\n## ")[1:]}
    for part in reference().split("\n## ")[1:]:
        title = part.splitlines()[0]
        assert title in sections, f"{title} is not in docs/commands.md: run python -m webui.commands.reference"
        for option in re.findall(r"^\| `(-[^`]*)`", part, re.MULTILINE):
            assert option in sections[title], f"{option} of {title} is not in docs/commands.md"


@pytest.mark.parametrize("example", sorted(path.name for path in (ROOT / "examples").iterdir() if path.is_dir()))
def test_the_commands_of_an_example_can_be_typed_as_they_stand(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "examples" / example / "README.md").read_text(encoding="utf-8")
    lines = re.findall(r"^(?:(\w+)=(\S+) )?vedette (.*)$", text, re.MULTILINE)
    assert lines
    for name, value, words in lines:
        if words.startswith("serve "):  # which a camera is wanted for; the battle ends as it was laid out
            shutil.copy("battle.json", "ended.json")
            continue
        if name:
            monkeypatch.setenv(name, value)
        done = CliRunner().invoke(main, shlex.split(words))
        assert done.exit_code == 0, f"vedette {words}: {done.stderr}"


def test_the_readme_makes_vedette_a_command_of_the_terminal_before_it_has_it_typed_alone() -> None:
    """`pip install` in a virtual environment puts it on nobody's path."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    bare = text.index("\nvedette ")
    posix, powershell = ". .venv/bin/activate", r'$env:Path = "$PWD\.venv\Scripts;$env:Path"'
    assert text.find(posix) in range(bare)
    assert text.find(powershell) in range(bare)


@pytest.mark.parametrize("page", sorted((ROOT / "examples").rglob("*.md")), ids=lambda page: page.parent.name)
def test_who_types_a_variable_of_the_environment_on_windows_reads_powershell_s_line_for_it(page: Path) -> None:
    """The readme has Windows users in PowerShell, where ``set NAME=value`` is taken and does nothing."""
    text = page.read_text(encoding="utf-8")
    for name, value in re.findall(r"^(\w+)=(\S+) vedette ", text, re.MULTILINE):
        assert f'$env:{name} = "{value}"' in text
    assert "`set " not in text


def blocks() -> list[str]:
    """The lines of the guide's and the readme's blocks that are typed."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    texts = [page.read_text(encoding="utf-8").replace("\\\n", " ") for page in pages]
    found = [block for text in texts for block in re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)]
    return [line for block in found for line in re.findall(r"^vedette .*$", block, re.MULTILINE)]


@pytest.mark.parametrize("line", blocks())
def test_what_the_guide_has_typed_is_what_the_commands_take(line: str) -> None:
    typed = shlex.split(line, comments=True)[1:]
    names, command, words = command_of(typed[: typed.index(">")] if ">" in typed else typed)
    with contextlib.suppress(click.exceptions.Exit):  # --help and --version
        command.make_context(" ".join(names), words)


def test_no_page_links_to_a_file_that_is_not_there() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    for page in [*pages, *(ROOT / "examples").rglob("*.md")]:
        for link in re.findall(r"\]\(([^)\s#]+)", page.read_text(encoding="utf-8")):
            assert "://" in link or (page.parent / link).exists(), f"{page.relative_to(ROOT)} links to {link}"

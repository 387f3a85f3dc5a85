"""No route and no command without its documentation."""

from __future__ import annotations

import re
from pathlib import Path

from webui.app import create_app
from webui.live import LiveTable
from webui.reference import reference

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
        assert title in sections, f"{title} is not in docs/commands.md: run python -m webui.reference"
        for option in re.findall(r"^\| `(-[^`]*)`", part, re.MULTILINE):
            assert option in sections[title], f"{option} of {title} is not in docs/commands.md"

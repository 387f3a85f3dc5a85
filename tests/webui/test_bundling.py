"""What a page runs and how it looks come as one file each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from webui.serving import bundling as joining
from webui.serving.bundling import STATIC, bundled


@pytest.mark.parametrize("path", ["/", "/campaign", "/evening"])
def test_a_page_asks_for_its_modules_and_its_styles_at_once(client: FlaskClient, path: str) -> None:
    asked = re.findall(r'(?:href|src)="(/static/[^"]*)"', client.get(path).text)
    own = [one for one in asked if "/vendor/" not in one and not one.endswith((".svg", "theme.js"))]
    assert len(own) <= 2
    for one in asked:
        with client.get(one) as answer:
            assert answer.status_code == 200


def test_every_module_is_there_once_and_no_other_import_is_left() -> None:
    for entry in ("main.js", "campaign.js", "evening/main.js"):
        text = bundled(entry)
        assert text is not None
        assert not re.search(r"^(?:import|export) (?!\{ \$part)", text, re.MULTILINE)
        parts = re.findall(r'^"([^"]*)"\(\$share\)', text, re.MULTILINE)
        assert len(parts) == len(set(parts))
        assert set(re.findall(r'\$part\("([^"]*)"\)', text)) == set(parts)


def test_styles_stand_in_the_order_in_which_they_are_named() -> None:
    base, evening = ((STATIC / "css" / f"{name}.css").read_text(encoding="utf-8") for name in ("base", "evening"))
    assert bundled("ready-made.css") == f"{base}\n{evening}"


@pytest.mark.parametrize(
    "name",
    [
        "none.js",
        "main.css",
        "../app.py",
        "main",
        "css/base.css",
        "words.js",
        "base.css",
        "+".join(["base"] * 3000) + ".css",
    ],
)
def test_what_no_page_asks_for_is_not_put_together(client: FlaskClient, name: str) -> None:
    assert bundled(name) is None
    assert client.get(f"/static/together/{name}").status_code == 404


def test_a_page_that_is_opened_again_is_told_that_nothing_has_changed(client: FlaskClient) -> None:
    path = "/static/together/main.js"
    first = client.get(path)
    assert first.headers["Cache-Control"] == "no-cache"
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_a_module_that_was_written_anew_is_served_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joining, "STATIC", tmp_path)
    monkeypatch.setattr(joining, "MODULES", ("one.js",))
    (tmp_path / "js").mkdir()
    (tmp_path / "js" / "one.js").write_text('import { b } from "./two.js";\nalert(b);\n')
    (tmp_path / "js" / "two.js").write_text("export const b = 1;\n")
    first = bundled("one.js")
    (tmp_path / "js" / "two.js").write_text("export const b = 22;\n")
    assert first is not None
    assert "const b = 1;" in first
    assert "const b = 22;" in (bundled("one.js") or "")


@pytest.mark.parametrize(
    "line", ["export let a = 1;", "export default a;", 'import a from "./two.js";', 'import "./b.js";']
)
def test_a_module_in_a_form_that_cannot_be_put_together_is_named(line: str) -> None:
    with pytest.raises(
        ValueError, match=re.escape(f"one.js: this cannot be put together with other modules: {line}")
    ):
        joining.function_of("one.js", f"{line}\n")

"""The gallery in docs/: every picture is what the program draws, and every fact has one."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import xml.etree.ElementTree as ET
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import engine.geometry
from engine.gallery.__main__ import main
from engine.gallery.book import FAMILIES, pages
from engine.gallery.labels import Labels
from engine.gallery.scene import Scene

FOLDER = Path(__file__).parents[2] / "docs" / "gallery"
PAGE = FOLDER.parent / "geometry.md"
SCENES = [scene for family in FAMILIES for scene in family.scenes]
#: Arithmetic that facts are made of, and their records; no fact of a table by themselves.
BENEATH = {
    "doors", "drawing", "facing.wedges", "formations.pairings", "grids.flat", "grids.frame", "grids.placing",
    "grids.sampling", "plane.directions", "plane.distinct", "plane.lines", "plane.rectangles",
    "plane.tolerance", "reach.areas", "reach.blockers", "reach.mixed", "reach.cutting", "reach.endings",
    "reach.wheel_endings",
    "reach.movers", "reach.nearby", "reach.outlines", "reach.overlaps", "reach.rays", "reach.rims",
    "reach.swings", "side_by_side", "sight.incremental", "sight.bodies", "sight.clearance", "sight.covering",
    "sight.covers", "sight.crossing", "sight.fans", "sight.blocking", "sight.near", "sight.rays", "sight.sweeps",
}  # fmt: skip


ROOMS = [
    module.name.removeprefix("engine.geometry.")
    for module in pkgutil.walk_packages(engine.geometry.__path__, "engine.geometry.")
    if not module.ispkg
]


#: Rooms whose functions serve the others of their package; what is asked of them is told there.
INSIDE = {
    "moving.moves", "reach.going", "reach.graded", "reach.loose", "reach.regions", "reach.stars",
    "reach.straight", "reach.legs", "reach.ways", "reach.wheels", "shapes.bases", "shapes.pieces",
    "shapes.units", "sight.looking", "sight.records",
}  # fmt: skip


@cache
def drawn() -> dict[str, str]:
    return pages()


def test_the_files_in_docs_are_what_the_program_draws() -> None:
    stored = {path.name: path.read_bytes() for path in FOLDER.iterdir()}
    assert sorted(stored) == sorted(drawn())
    other = [name for name, text in drawn().items() if stored[name] != text.encode()]
    assert not other, "draw the gallery again: python -m engine.gallery"


@pytest.mark.parametrize("module", sorted(set(ROOMS) - BENEATH))
def test_every_fact_has_a_picture(module: str) -> None:
    assert any(name.startswith(f"{module}.") for scene in SCENES for name in scene.shows), module


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_a_scene_shows_functions_that_there_are(scene: Scene) -> None:
    for name in scene.shows:
        assert there_is(name), name


def there_is(name: str) -> bool:
    """Whether a dotted name below the geometry is a function, a record or a method."""
    parts = name.split(".")
    deep = max((n for n in range(1, len(parts)) if ".".join(parts[:n]) in ROOMS), default=0)
    if not deep:
        return False
    found: object = importlib.import_module(".".join(["engine.geometry", *parts[:deep]]))
    for part in parts[deep:]:
        found = getattr(found, part, None)
    return found is not None


def test_the_page_of_the_layer_names_what_there_is() -> None:
    names = set(re.findall(r"`([a-z]+(?:\.\w+)+)`", PAGE.read_text(encoding="utf-8")))
    assert len(names) > 120
    assert not [name for name in names if not there_is(name) and not name.endswith(".py")]


@pytest.mark.parametrize("module", sorted(set(ROOMS) - BENEATH - INSIDE))
def test_the_page_of_the_layer_names_every_function(module: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    room = importlib.import_module(f"engine.geometry.{module}")
    functions = [name for name in room.__all__ if inspect.isfunction(getattr(room, name))]
    assert not [name for name in functions if f"`{module}.{name}`" not in page]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_a_picture_is_sound_and_says_what_it_is(scene: Scene) -> None:
    root = ET.fromstring(drawn()[f"{scene.name}.svg"])
    assert root.attrib["aria-label"] == scene.title
    assert scene.sentence.endswith(".")
    width, height = (float(part) for part in root.attrib["viewBox"].split()[2:])
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 <= float(text.attrib["x"]) <= width
        assert 0 <= float(text.attrib["y"]) <= height


def test_names_are_given_once() -> None:
    assert max(Counter(scene.name for scene in SCENES).values()) == 1
    assert max(Counter(scene.title for scene in SCENES).values()) == 1


def test_the_same_scene_is_the_same_text() -> None:
    assert SCENES[0].svg() == SCENES[0].svg()


def test_drawing_again_takes_away_what_is_no_scene_any_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gone.svg").write_text("old")
    assert main([str(tmp_path)]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(drawn())
    assert str(len(drawn())) in capsys.readouterr().out


def test_words_go_beside_what_is_taken_and_not_over_each_other() -> None:
    labels = Labels(200.0, 100.0)
    labels.keep_free([(60.0, 0.0, 140.0, 48.0)])
    labels.put((100.0, 50.0), "one", "#000")
    labels.put((100.0, 50.0), "two", "#000")
    one, two = labels.placed
    assert one.y > 50
    assert abs(one.x - two.x) > 15 or abs(one.y - two.y) > 13


def test_words_stay_within_the_picture() -> None:
    labels = Labels(200.0, 100.0)
    for at in ((0.0, 0.0), (200.0, 100.0), (0.0, 100.0)):
        labels.put(at, "a few words", "#000")
    assert all(35 < word.x < 165 and 10 < word.y < 100 for word in labels.placed)

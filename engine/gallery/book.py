"""The gallery as files: the pictures, and a page that shows them with their sentences, family by family."""

from __future__ import annotations

from collections.abc import Iterator

from engine.gallery.picture import PARTS
from engine.gallery.scene import Family, Scene
from engine.gallery.scenes import aspects, cover, distances, formation, grids, placing, reach, sight, templates
from engine.geometry.drawing import Part

__all__ = ["FAMILIES", "pages"]

#: All that the gallery shows, in the order of the page.
FAMILIES: tuple[Family, ...] = (
    distances.FAMILY,
    aspects.FAMILY,
    sight.FAMILY,
    cover.FAMILY,
    reach.FAMILY,
    templates.FAMILY,
    formation.FAMILY,
    grids.FAMILY,
    placing.FAMILY,
)

_WORDS: dict[Part, str] = {
    "measure": "a length, as you would lay a tape",
    "clear": "sight that is open",
    "stopped": "sight from where it is stopped on; what is beyond a limit",
    "blocker": "what stands in the way",
    "zone": "an arc, a quarter, a template",
    "reach": "ground that can be reached",
    "path": "the way there",
    "hit": "what is touched, or meant",
    "doubt": "what the measurement cannot settle",
}

_HEAD = """\
# What the program measures, and how it shows it

Each picture is drawn by the program: it puts figures and terrain on a small table, works the fact out with the same
code that answers at yours, and draws what that code gives as its reason. Numbers are table millimetres; the bar is
two inches; the pale arrowhead on a base is its front. `python -m engine.gallery` draws all of it again.
"""


def pages() -> dict[str, str]:
    """The text of every file by its name."""
    files = {f"{one.name}.svg": one.svg() for family in FAMILIES for one in family.scenes}
    return {"README.md": "".join(_readme()), "key.svg": _key(), **files}


def _readme() -> Iterator[str]:
    yield _HEAD
    yield "\n![What the colours mean: " + "; ".join(_WORDS.values()) + "](key.svg)\n"
    yield "\n" + " · ".join(f"[{family.title}](#{_anchor(family.title)})" for family in FAMILIES) + "\n"
    for family in FAMILIES:
        yield f"\n## {family.title}\n\n<table>\n"
        for at in range(0, len(family.scenes), 2):
            yield "<tr>\n" + "".join(_cell(one) for one in family.scenes[at : at + 2]) + "</tr>\n"
        yield "</table>\n"


def _anchor(title: str) -> str:
    return title.lower().replace(",", "").replace(" ", "-")


def _cell(one: Scene) -> str:
    functions = ", ".join(f"<code>{name}</code>" for name in one.shows)
    return (
        f'<td width="50%" valign="top"><img src="{one.name}.svg" alt="{one.title}" width="400"><br>'
        f"<b>{one.title}.</b> {one.sentence}<br><sub>{functions}</sub></td>\n"
    )


def _key() -> str:
    """What the colours mean."""
    rows = []
    for number, (part, words) in enumerate(_WORDS.items()):
        stroke, fill, dash = PARTS[part]
        x, y = 14 + 390 * (number % 2), 16 + 26 * (number // 2)
        style = f' stroke-dasharray="{dash}"' if dash else ""
        rows.append(
            f'<rect x="{x}" y="{y}" width="34" height="14" fill="{fill}" fill-opacity="0.6" stroke="{stroke}" '
            f'stroke-width="2"{style}/><text x="{x + 44}" y="{y + 12}" fill="#241c14">{words}</text>'
        )
    height = 16 + 26 * ((len(_WORDS) + 1) // 2) + 6
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 {height}" font-family="Georgia, serif" '
        f'font-size="13" role="img" aria-label="What the colours mean">\n'
        f'<rect x="0.5" y="0.5" width="799" height="{height - 1}" rx="6" fill="#f4ecd9" stroke="#c9b48a"/>\n'
        + "\n".join(rows)
        + "\n</svg>\n"
    )

"""Draws the gallery: ``python -m engine.gallery [FOLDER]``, ``docs/gallery`` unless another is named."""

from __future__ import annotations

import sys
from pathlib import Path

from engine.gallery.book import pages


def main(arguments: list[str]) -> int:
    """Writes all the pages and says how many; files of scenes that are no more are taken away."""
    folder = Path(arguments[0] if arguments else "docs/gallery")
    folder.mkdir(parents=True, exist_ok=True)
    wanted = pages()
    for name, text in wanted.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    for left_over in folder.glob("*.svg"):
        if left_over.name not in wanted:
            left_over.unlink()
    sys.stdout.write(f"{len(wanted)} files in {folder}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

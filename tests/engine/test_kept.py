"""What is worked out of a record once is kept beside it in one way, so that one place tells what may be kept."""

from __future__ import annotations

from pathlib import Path

import engine.rulesets

ROOT = Path(engine.rulesets.__file__).parent

#: One keeps; the other asks whether a cached property has been worked out, which would be work for nothing else.
KNOWN = {"base/kept.py", "muskets_mohawks/table/approaches.py"}


def test_no_ruleset_keeps_anything_beside_a_record_by_a_way_of_its_own() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        if any(by in path.read_text(encoding="utf-8") for by in (".__dict__", "vars("))
    }
    assert found == KNOWN

"""What a unit's strength makes of it, and what that does not allow (PR-101 to PR-103)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.records.game import Unit
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.table.sorts import class_of
from engine.rulesets.presidio.vocabulary import figures_of

__all__ = ["body_name", "size_warnings"]


def body_name(figures: int) -> str:
    """What a body of so many figures is called: the smallest that holds them (PR-101).

    >>> [body_name(count) for count in (5, 10, 16, 25, 35, 36)]
    ['team', 'squad', 'platoon', 'company', 'double-company', 'double-company']
    """
    bodies = book().bodies
    return next((name for name, most in bodies.items() if figures <= most), list(bodies)[-1])


def size_warnings(unit: Unit) -> Iterator[str]:
    """What a unit's strength does not allow, in words (PR-102, PR-103)."""
    bodies, count = book().bodies, len(figures_of(unit))
    if unit.type == "native" and count > book().band:
        yield f"{count} figures: native bands are of {book().band} (PR-103)"
    if class_of(unit) not in ("line", "light", "skirmish"):
        return
    if count > bodies["double-company"]:
        yield f"{count} figures: no more than {bodies['double-company']} act as one unit (PR-102)"
    elif count > bodies["company"]:
        yield f"{count} figures: only a double company is more than {bodies['company']} (PR-102)"

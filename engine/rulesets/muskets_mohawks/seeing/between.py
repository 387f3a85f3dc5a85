"""What two units that no side's view holds see of each other, kept until somebody comes or goes between them.

Such are friends, and those in buildings. Of an earlier game all still holds of two units that are as they were,
where none of the others that are otherwise stood or stands near a line from the one to the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS
from engine.geometry.sight.near import lines_near
from engine.records.game import Game
from engine.rulesets.muskets_mohawks.seeing.obstacles import standing
from engine.rulesets.muskets_mohawks.seeing.pairs import Pairs
from engine.rulesets.muskets_mohawks.table.bodies import Body, body_of, joined
from engine.rulesets.muskets_mohawks.table.sheet import Sheet

__all__ = ["How", "note_between", "still_between"]

Mask = NDArray[np.bool_]
#: Who looks, who is looked at, and how: past others, over their heads, or over the barrel of a gun.
How = Literal["past", "over", "gun"]
Key = tuple[str, str, How]


def note_between(sheet: Sheet, key: Key, seen: Pairs) -> None:
    """Keeps what one of the game's units sees of another for the games that come after."""
    looker, *rest = key
    known: dict[tuple[object, ...], Pairs] = sheet.memo(("between", looker), dict)
    known[tuple(rest)] = seen


def still_between(sheet: Sheet) -> Mapping[Key, Pairs]:
    """All that was seen in earlier games and is as it was."""
    return sheet.memo("still between", lambda: _still_between(sheet))


def _still_between(sheet: Sheet) -> dict[Key, Pairs]:
    games: dict[int, tuple[Game, dict[Key, Pairs]]] = {}
    for unit in sheet.game.units:
        before = sheet.earlier(("between", unit.id))
        moved = None if before is None else sheet.moved_since(before.game)
        if before is None or moved is None or unit.id in moved:
            continue
        _, known = games.setdefault(id(before.game), (before.game, {}))
        known |= {(unit.id, *rest): seen for rest, seen in before.value.items() if rest[0] not in moved}
    still: dict[Key, Pairs] = {}
    for game, known in games.values():
        past = {key: seen for key, seen in known.items() if key[2] == "past"}
        still |= {key: seen for key, seen in known.items() if key not in past} | _undisturbed(sheet, game, past)
    return still


def _undisturbed(sheet: Sheet, before: Game, known: dict[Key, Pairs]) -> dict[Key, Pairs]:
    """Of what was seen, that between which nobody stood or stands of those that are otherwise now."""
    others = _otherwise(sheet, before)
    if not known or not len(others):
        return known
    seen = list(known.values())
    start, end = (np.concatenate([getattr(one, name).reshape(-1, 2) for one in seen]) for name in ("start", "end"))
    doubt = _doubt_mm(others, *(body for one in seen for body in (one.lookers, one.seen)))
    near = lines_near(standing(others).bodies, start, end, doubt)
    begins = np.cumsum([0, *(one.gap_mm.size for one in seen[:-1])])
    met: Mask = np.logical_or.reduceat(near, begins)
    return {key: known[key] for key, meets in zip(known, met.tolist(), strict=True) if not meets}


def _doubt_mm(*bodies: Body) -> float:
    """The most by which the measurement leaves it in doubt whether a figure of these is in the way of others."""
    return SIGMAS * float(np.sqrt(3)) * max(float(body.sigma_mm.max(initial=0.0)) for body in bodies)


def _otherwise(sheet: Sheet, before: Game) -> Body:
    """The figures and guns of the units that differ between two games, where they stood and where they stand."""
    moved = sheet.moved_since(before) or ()
    units = [game.unit(name) for game in (before, sheet.game) for name in sorted(moved)]
    return joined(sheet.game, [body_of(sheet.game, unit, unit.figures) for unit in units])

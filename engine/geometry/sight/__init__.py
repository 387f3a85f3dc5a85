"""Lines of sight: points, bases and whole tables against everything that may stand in the way.

`look` takes lines and blockers, records that say what stands where and how it takes sight away, and gives arrays:
verdicts, what blocks. `watch` does so for every looker against every target, `watch_again` after some have moved.
Nothing here knows a rule; a ruleset chooses the blockers and whom they spare.
"""

from typing import TYPE_CHECKING

from engine.geometry.doors import door

if TYPE_CHECKING:
    from engine.geometry.sight.ground import (
        dead_ground_mm,
        dead_ground_sigma_mm,
        eye_heights,
        ground_heights,
        narrow_gaps,
    )
    from engine.geometry.sight.incremental import Again, flipped, watch_again, watch_each_again
    from engine.geometry.sight.looking import Seen, all_lines, held_by, look
    from engine.geometry.sight.mutual import any_sees_any, free_line
    from engine.geometry.sight.records import Blocker, Crests, Limit, Lines, Opaque, Relief, Standing, Veil, Watch
    from engine.geometry.sight.stops import Stops, sight_drawing, stops_of
    from engine.geometry.sight.tables import watch, watch_each, watch_of
else:
    __getattr__ = door(
        __name__,
        {
            "incremental": "Again flipped watch_again watch_each_again",
            "ground": "dead_ground_mm dead_ground_sigma_mm eye_heights ground_heights narrow_gaps",
            "looking": "Seen all_lines held_by look",
            "mutual": "any_sees_any free_line",
            "records": "Blocker Crests Limit Lines Opaque Relief Standing Veil Watch",
            "stops": "Stops sight_drawing stops_of",
            "tables": "watch watch_each watch_of",
        },
    )

__all__ = [
    "Again",
    "Blocker",
    "Crests",
    "Limit",
    "Lines",
    "Opaque",
    "Relief",
    "Seen",
    "Standing",
    "Stops",
    "Veil",
    "Watch",
    "all_lines",
    "any_sees_any",
    "dead_ground_mm",
    "dead_ground_sigma_mm",
    "eye_heights",
    "flipped",
    "free_line",
    "ground_heights",
    "held_by",
    "look",
    "narrow_gaps",
    "sight_drawing",
    "stops_of",
    "watch",
    "watch_again",
    "watch_each",
    "watch_each_again",
    "watch_of",
]

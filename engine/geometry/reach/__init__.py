"""Where a body of bases can get to, how, at what cost, and what stops it; free of any rule.

`blockers` are what stands in the way and `going` what ground costs; `straight` and `wheels` tell the first contact
of a body that shifts or turns; `regions` and `loose` the ground in reach; `ways`, `closing`, `detours` and `graded`
the cheapest ways to a point, into contact, round obstacles and over ground of differing price.
"""

from typing import TYPE_CHECKING

from engine.geometry.doors import door

if TYPE_CHECKING:
    from engine.geometry.reach.blockers import (
        NOTHING,
        Blockers,
        bases_as_blockers,
        joined,
        opened,
        outlines_as_blockers,
    )
    from engine.geometry.reach.closing import way_into_contact
    from engine.geometry.reach.going import OPEN, Going, Ground, ground_of
    from engine.geometry.reach.legs import Leg, Way
    from engine.geometry.reach.loose import LooseMover, loose_region, loose_regions_of
    from engine.geometry.reach.mixed import regions_of_both
    from engine.geometry.reach.outlines import rings
    from engine.geometry.reach.regions import (
        Manoeuvre,
        Mover,
        Region,
        Setting,
        Straight,
        Wheel,
        region,
        regions_of,
    )
    from engine.geometry.reach.spokes import either_region, spokes_region
    from engine.geometry.reach.straight import Contact, first_contact
    from engine.geometry.reach.ways import loose_way, way_to
    from engine.geometry.reach.wheels import Stop, shifted, turn_until_contact, turned
else:
    __getattr__ = door(
        __name__,
        {
            "blockers": "NOTHING Blockers bases_as_blockers joined opened outlines_as_blockers",
            "mixed": "regions_of_both",
            "closing": "way_into_contact",
            "going": "OPEN Going Ground ground_of",
            "loose": "LooseMover loose_region loose_regions_of",
            "outlines": "rings",
            "regions": "Manoeuvre Mover Region Setting Straight Wheel region regions_of",
            "spokes": "either_region spokes_region",
            "straight": "Contact first_contact",
            "legs": "Leg Way",
            "ways": "loose_way way_to",
            "wheels": "Stop shifted turn_until_contact turned",
        },
    )

__all__ = [
    "NOTHING", "OPEN", "Blockers", "Contact", "Going", "Ground", "Leg", "LooseMover", "Manoeuvre", "Mover",
    "Region", "Setting", "Stop", "Straight", "Way", "Wheel", "bases_as_blockers", "either_region", "first_contact",
    "ground_of", "joined", "loose_region", "loose_regions_of", "loose_way", "opened", "outlines_as_blockers",
    "region", "regions_of", "regions_of_both", "rings", "shifted", "spokes_region", "turn_until_contact", "turned",
    "way_into_contact", "way_to",
]  # fmt: skip

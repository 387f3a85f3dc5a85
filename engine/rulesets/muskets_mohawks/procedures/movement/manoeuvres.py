"""How far a formed unit goes off its front, and how far it wheels (MM-44)."""

from __future__ import annotations

import math
from typing import Annotated

from msgspec import Meta, Struct

from engine.records.reading import convert
from engine.rulesets.base.data.tables import of_tables, table

__all__ = ["Manoeuvres", "manoeuvres"]

Turn = Annotated[float, Meta(gt=0, le=180)]


class Manoeuvres(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The angles within which a formed unit goes straight to either side of its front, and wheels."""

    ahead_deg: Turn
    wheel_deg: Turn

    @property
    def ahead_cosine(self) -> float:
        """The least cosine of the angle between the front and a straight way, with room for rounding."""
        return math.cos(math.radians(self.ahead_deg)) - 1e-9


@of_tables
def manoeuvres() -> Manoeuvres:
    """The angles of a formed unit's manoeuvres."""
    return convert(table(__package__, "manoeuvres.toml"), Manoeuvres, "manoeuvres")

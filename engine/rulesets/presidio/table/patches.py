"""A piece of terrain by the rules: what barrier it is, what cover it gives, how it stands to sight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from engine.records.game import Game
from engine.rulesets.base.kept import once
from engine.rulesets.presidio.book import Ground, book, grounds
from engine.rulesets.presidio.vocabulary import Cover, GroundKeys, Options, conditions_of, ground_keys

__all__ = ["Barrier", "Patch", "patches_of"]

Barrier = Literal["none", "light", "medium", "heavy", "impassable"]

#: How high something stands that nobody looks over.
_ENDLESS_MM = 1e6


@dataclass(frozen=True)
class Patch:
    """A piece of terrain: its kind with what its own keys replace; ``tall_mm`` is its height in the game."""

    id: str
    kind: str
    ground: Ground
    keys: GroundKeys
    tall_mm: float
    options: Options

    @property
    def height_ft(self) -> float:
        """How high a fence or wall is, in feet: as said, else as the model stands, else as such things are."""
        heights = book().heights_ft
        if self.keys.height_ft is not None:
            return self.keys.height_ft
        return self.tall_mm / heights["mm_per_ft"] if self.tall_mm > 0 else heights.get(self.kind, 0.0)

    @property
    def line(self) -> bool:
        """Whether it is a thin thing, crossed and defended, rather than an area."""
        return self.ground.lies == "line"

    @property
    def posts(self) -> bool:
        """Whether men can be posted in it: at a window, doorway, loophole or parapet."""
        return self.kind in ("house", "wall", "palisade", "fence", "door", "gate")

    @property
    def hill(self) -> bool:
        """Whether it lifts those who stand on it (PR-006)."""
        return self.kind.startswith("hill-") or self.kind == "cliff"

    @property
    def woods(self) -> bool:
        """Whether one sees only so deep into it."""
        return self.ground.sight == "woods"

    @property
    def barrier(self) -> Barrier:
        """What it is to movement (PR-310 to PR-314); a house is entered through its doors."""
        heights, going = book().heights_ft, self.ground.going
        if going == "by-height":
            if self.kind == "wall" and self.height_ft > heights["ladder"]:
                return "impassable"
            return self._by_height("light", "medium", "heavy")
        if going == "shut":
            return "impassable" if self.keys.shut else "light"
        return "light" if going == "door" else going

    def _by_height(self, low: Barrier, middle: Barrier, high: Barrier) -> Barrier:
        heights = book().heights_ft
        return (
            low if self.height_ft <= heights["light"] else middle if self.height_ft <= heights["medium"] else high
        )

    @property
    def cover(self) -> Cover:
        """What class of cover it gives to those whom it covers (PR-409 to PR-412)."""
        if self.keys.cover is not None:
            return self.keys.cover
        if self.ground.cover == "by-class":
            return self.keys.class_
        if self.ground.cover == "by-height":
            return self._cover_by_height()
        return "heavy" if self.kind == "trench" and self.keys.sandbagged else self.ground.cover

    def _cover_by_height(self) -> Cover:
        """What a fence or a wall gives: a solid one more than one of rails, and most where nobody looks over it."""
        heights = book().heights_ft
        high = self.height_ft > heights["light"]
        if self.kind == "fence":
            return "partial" if high else "incidental"
        if self.height_ft > heights["medium"]:
            return "complete"
        return self.options.shoulder_wall if high else "partial"

    @property
    def top_edge(self) -> Cover | None:
        """What cover the upper edge of a hill gives beside that of the hill itself (PR-410, PR-411)."""
        return self.ground.top_edge if self.keys.cover is None else None

    @property
    def block_mm(self) -> float:
        """How high it stands to sight: no line below that passes; 0 where it hides nothing (PR-006)."""
        sight = self.ground.sight
        if sight == "height":
            return self.tall_mm
        if sight == "tall":
            heights = book().heights_ft
            over_men = book().eyes_mm["standing"] + 1.0
            tall = self.height_ft > heights["medium"]
            return max(self.height_ft * heights["mm_per_ft"], over_men) if tall else 0.0
        if sight == "blocks" or (sight == "shut" and self.keys.shut):
            return self.tall_mm if self.tall_mm > 0 else _ENDLESS_MM
        return 0.0


def patches_of(game: Game) -> tuple[Patch, ...]:
    """The terrain by the rules, in list order; kept beside the game."""
    return once(game, "pr_patches", lambda: _patches(game))


def _patches(game: Game) -> tuple[Patch, ...]:
    kinds: Mapping[str, Ground] = grounds()
    options = conditions_of(game).options
    return tuple(
        Patch(piece.id, piece.kind, kinds[piece.kind], ground_keys(piece), piece.height_mm, options)
        for piece in game.terrain
    )

"""How long the exact chances of one option take, to the end of what follows, in a game of forty units of ten."""

from __future__ import annotations

import time
from typing import Any

from benchmarks.answers import game_of_units

_RUNS = 7
#: How far the whole of one army is pushed at the other, in mm, so that there is somebody to charge.
_NEARER_MM = 90.0


def chances_of_an_option() -> str:
    """The least processor time of runs over an option that has been shown, as the page asks for it."""
    from engine.records.action import Action
    from engine.rulesets import find_ruleset
    from engine.rulesets.base.answers.option_chances import charge_action, fire_action

    ruleset, game = find_ruleset("muskets-mohawks"), _game()
    found: dict[str, Action] = {}
    weight: dict[str, int] = {}
    for one in ruleset.ask(game).units:
        for shot in one.fire:
            if shot.legal and shot.roll is not None and shot.roll.count > weight.get(shot.mode, -1):
                found[shot.mode], weight[shot.mode] = fire_action(ruleset, one.unit, shot), shot.roll.count
        for charge in one.charge:
            if charge.legal:
                found.setdefault("charge", charge_action(one.unit, charge))
    charge_of = found["charge"]
    ours, theirs = str(charge_of.unit), str(charge_of.target)
    spans = {what: _least(ruleset, game, action) for what, action in found.items()}
    fight = Action(action="melee", unit=ours, extra={"enemy": theirs})
    shot = Action(action="fire", unit=ours, target=theirs, extra={"mode": "at-will"})
    spans["fire at horse in reach"] = _least(ruleset, _on_horseback(game, theirs), shot)
    spans["charge at fieldworks"] = _least(ruleset, _behind_works(game, ours, theirs), charge_of)
    spans["melee"] = _least(ruleset, _locked(game, ours, theirs), fight)
    return ", ".join(f"{what} {1e3 * span:.1f} ms" for what, span in spans.items())


def _least(ruleset: Any, game: Any, action: Any) -> float:
    """What is kept by value is forgotten before each run; the facts of the table are known, as once it is shown."""
    from engine import spreads
    from engine.rulesets.base.answers.chances import chances
    from engine.rulesets.muskets_mohawks.odds import fighting, nerves, tolls

    spans = []
    for _ in range(_RUNS):
        for kept in (spreads.passes, spreads.reaching, tolls.tolls, nerves.results, *fighting.KEPT):
            kept.cache_clear()
        start = time.process_time()
        chances(ruleset, game, action)
        spans.append(time.process_time() - start)
    return min(spans)


def _game() -> Any:
    from msgspec.structs import replace

    game = game_of_units(20)
    pushed = tuple(
        replace(one, figures=tuple(replace(f, y_mm=f.y_mm + _NEARER_MM) for f in one.figures))
        if one.side == "british" else one
        for one in game.units
    )  # fmt: skip
    return replace(game, units=(*pushed, _gun(pushed[3])))


def _behind_works(game: Any, ours: str, theirs: str) -> Any:
    """The game with fieldworks along the target's front: who is left on one side counts for tests of the other."""
    from msgspec.structs import replace

    from engine.geometry.moving.moves import centroid, way_between
    from engine.records.game import Terrain

    middle = centroid(game.unit(theirs).figures)
    ahead = way_between(middle, centroid(game.unit(ours).figures))
    assert ahead is not None
    (x, y), _ = ahead
    spots = [(-200, 14), (200, 14), (200, 22), (-200, 22)]  # to the right of the middle, and before it
    outline = tuple((middle[0] + far * x - side * y, middle[1] + far * y + side * x) for side, far in spots)
    works = Terrain(id="works", kind="fieldworks", polygon_mm=outline)
    return replace(game, terrain=(*game.terrain, works))


def _on_horseback(game: Any, name: str) -> Any:
    """The game with a unit that fire may send at the shooters: what its charge comes to is told as well."""
    from msgspec.structs import replace

    horse = replace(game.unit(name), type="cavalry", weapon="sword", formation="unformed", state={"mounted": True})
    return replace(game, units=tuple(horse if one.id == name else one for one in game.units))


def _gun(line: Any) -> Any:
    """A gun and its crew behind a line, so that it fires over or through it."""
    from msgspec.structs import replace

    crew = tuple(
        replace(one, id=f"gun-{place}", y_mm=one.y_mm + 60.0, role="gun" if place == 0 else "crew")
        for place, one in enumerate(line.figures[:6])
    )
    state = {"start_strength": 5}
    return replace(line, id="gun", type="gunners", weapon="cannon", formation="unformed", figures=crew, state=state)


def _locked(game: Any, one: str, other: str) -> Any:
    from msgspec.structs import replace

    foes = {one: [other], other: [one]}
    units = tuple(
        replace(unit, state={**unit.state, "in_melee": foes[unit.id]}) if unit.id in foes else unit
        for unit in game.units
    )
    return replace(game, units=units)

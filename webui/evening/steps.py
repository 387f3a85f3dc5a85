"""How each step of the first evening stands: what is wrong, and what to do about it. Pure, from what is seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

__all__ = ["Step", "steps_of"]

Mood = Literal["todo", "good", "trouble"]

_GOOD_MARKERS = 4
_EMPTY_IT = "Lay the terrain, take all figures off, and take a photo of the empty table."
_AGAIN = "take the figures off, and the photo of the empty table again."
_ALIKE_MM = 3.0  # markers that check each other to this are where they should be


class Step(Struct, frozen=True, kw_only=True):
    """A step: ``says`` are sentences, the most pressing first, each with what to do."""

    id: str
    title: str
    mood: Mood
    says: tuple[str, ...]


def steps_of(view: Mapping[str, Any]) -> tuple[Step, ...]:
    """The steps in their order, from what the page is told of each."""
    return (
        _camera(view["camera"]), _lens(view["lens"], view["camera"]), _table(view["table"]), _length(view),
        _armies(view["armies"], view["empty"]), _units(view["roster"]), _ground(view["ground"]),
    )  # fmt: skip


def _camera(camera: Mapping[str, Any]) -> Step:
    def step(mood: Mood, *says: str) -> Step:
        return Step(id="camera", title="The camera", mood=mood, says=says)

    if camera["source"] is None:
        return step("todo", "Choose the camera that looks down on the table.")
    detail = str(camera["detail"])
    if camera["state"] == "lost":
        return step("trouble", f"The camera is lost: {detail}. It is tried again by itself; or choose another.")
    if camera["size_px"] is None:
        waiting = f"The camera starts … ({detail})" if detail else "The camera starts …"
        on_its_way = camera["state"] == "live" or (camera["state"] == "starting" and not detail)
        return step("todo" if on_its_way else "trouble", f"{waiting} If no picture comes, choose another camera.")
    width, height = camera["size_px"]
    notes = [_sentence(note) for note in detail.split("; ") if note and camera["state"] == "live"]
    if width < 1280:
        notes.insert(0, f"The picture has only {width} x {height} pixels: figures will be found less surely.")
    return step("good", f"The picture has {width} x {height} pixels.", *notes)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _lens(lens: Mapping[str, Any], camera: Mapping[str, Any]) -> Step:
    def step(mood: Mood, *says: str) -> Step:
        return Step(id="lens", title="The lens", mood=mood, says=says)

    if lens["use"] == "calibrated":
        return step("good", "The lens is measured.", *map(_sentence, (lens["result"] or {}).get("warnings", ())))
    if lens["use"] == "guessed":
        return step("good", "The lens is guessed from the markers: good enough to begin, to a few millimetres.")
    if camera["size_px"] is None and (camera["source"] is None or camera["state"] in ("lost", "ended")):
        return step("todo", "A camera first; then its lens.")
    if camera["size_px"] is None:
        return step("todo", "The camera starts; then its lens.")
    return step("todo", "Measure the lens with the printed board, or begin without and do it another day.")


def _table(table: Mapping[str, Any]) -> Step:
    def step(mood: Mood, *says: str) -> Step:
        return Step(id="table", title="The table and its markers", mood=mood, says=says)

    seen, missing, others = table["seen"], table["missing"], table["others"]
    if not table["markers"]:
        if table["trouble"]:
            return step("todo", table["trouble"])
        if len(others) < 3:
            found = f"{_names(others)} seen" if others else "No marker is seen yet"
            return step(
                "todo", f"{found}: lay four or more printed markers round the table, flat and in the light."
            )
        return step("todo", f"{_names(others)} seen: now let Vedette find where they lie.")
    if table["trouble"]:
        return step("trouble", table["trouble"])
    says = [_sentence(warning) for warning in table["warnings"]]
    if missing:
        says.insert(
            0,
            f"{_names(missing)} not seen: uncover or light {'it' if len(missing) == 1 else 'them'}, or turn the"
            " camera.",
        )
    if others:
        says.append(f"{_names(others)} lies there unlisted: find the places anew to use it, or put it away.")
    if len(seen) < _GOOD_MARKERS:
        return step("trouble", *says, "With three markers none can check the others: lay a fourth.")
    off = table["off_mm"]
    checked = f"{len(seen)} markers seen" + (
        f", each within {off:.1f} mm of where the others put it." if off else "."
    )
    bad = bool(missing) or (off is not None and off > _ALIKE_MM)
    return step("trouble" if bad else "good", *(says if bad else [checked, *says]))


def _length(view: Mapping[str, Any]) -> Step:
    def step(mood: Mood, *says: str) -> Step:
        return Step(id="length", title="A known length", mood=mood, says=says)

    tape, off = view["tape"]["mm"], view["tape"]["off_mm"]
    if not view["table"]["markers"]:
        return step("todo", "The markers first; then a tape checks them.")
    if tape is None:
        return step("todo", "Measure one long distance with a tape, and type it in.")
    if abs(off) > 2.0 + 0.0015 * tape:
        more = f"{abs(off):.1f} mm too {'long' if off > 0 else 'short'}"
        return step(
            "trouble",
            f"The camera makes {tape:g} mm {more}: measure again, scale the table to the tape, or look at the"
            " marker's size.",
        )
    return step("good", f"The camera and the tape agree on {tape:g} mm to {abs(off):.1f} mm.")


def _armies(armies: list[Mapping[str, Any]], empty: Mapping[str, Any]) -> Step:
    def step(mood: Mood, *says: str) -> Step:
        return Step(id="armies", title="The armies", mood=mood, says=says)

    if not armies:
        return step("todo", "Put figures on the table, and point at one base of each army.")
    painted = [army for army in armies if "base_colour" in army]
    bare = [army for army in armies if "base_colour" not in army]
    if bare and not empty["kept"]:
        return step("todo", f"The rims of {_and(bare)} have no paint. {_EMPTY_IT}")
    if any(army["seen"] is None for army in armies):
        return step("todo", "The camera looks for the bases …")
    told = ", ".join(
        [*(f"{army['name']} {army['seen']}" for army in painted), *(f"without paint {n['seen']}" for n in bare[:1])]
    )
    blind = [army for army in painted if army["seen"] == 0]
    troubles = list(map(_sentence, empty["faults"]))
    if blind:
        troubles.append(
            f"No base of {_and(blind)} is seen: put one in sight, or point at one again to correct its"
            " colour and size."
        )
    if bare and bare[0]["seen"] == 0:
        troubles.append(f"No base without paint is seen. If {_and(bare)} stands there, {_AGAIN}")
    if troubles:
        return step("trouble", *troubles)
    if len(armies) == 1:
        return step("todo", f"Bases seen: {told}. Now point at a base of the other army.")
    return step("good", f"Bases seen: {told}.")


def _and(armies: list[Mapping[str, Any]]) -> str:
    return " and ".join(str(army["name"]) for army in armies)


def _units(roster: Mapping[str, Any]) -> Step:
    def step(mood: Mood, *says: str) -> Step:
        return Step(id="units", title="The units", mood=mood, says=says)

    units, loose = roster["units"], len(roster["strays"])
    if not units:
        if not loose:
            return step("todo", "Figures of an army on the table first; then they are put into units.")
        return step("todo", f"{loose} bases belong to no unit yet: draw round those of one unit, and name it.")
    sides = {unit["side"] for unit in units}
    says = [f"{len(units)} unit{'s' if len(units) > 1 else ''} mustered."]
    if loose:
        says.append(f"{loose} base{'s' if loose > 1 else ''} still in no unit.")
    away = [str(unit["name"]) for unit in units if unit["seen"] < unit["figures"]]
    if away:
        says.append(f"Not all figures are seen of {', '.join(away)}.")
    if len(sides) < 2:
        return step("todo", *says, "The other side has no unit yet.")
    return step("good", *says)


def _ground(ground: Mapping[str, Any]) -> Step:
    def step(mood: Mood, *says: str) -> Step:
        return Step(id="ground", title="The ground", mood=mood, says=says)

    pieces, kinds = len(ground["pieces"]), len(ground["kinds"])
    if ground["accepted"]:
        return step("good", f"{pieces} piece{'s' if pieces != 1 else ''} of terrain, as you accepted.")
    if not pieces and not kinds:
        return step("todo", "Point at a wood, a hill or a road to say what it is; or accept a bare table.")
    return step("todo", f"{pieces} piece{'s' if pieces != 1 else ''} seen: correct what is wrong, then accept.")


def _names(ids: Any) -> str:
    listed = ", ".join(map(str, ids))
    return f"Marker{'s' if len(ids) > 1 else ''} {listed}"

"""Routes of the first evening: how each step stands, and what is done in it. All of it is the umpire's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from flask import Blueprint, Response, render_template, request

from calibration.errors import CalibrationError
from vision.errors import VisionError
from vision.sources import Mode
from webui.errors import BadRequest, NotReady, Refused
from webui.evening.armies import (
    RADIUS_PX,
    ArmyWanted,
    keep_army,
    point_at_base,
    point_at_colour,
    remove_army,
)  # fmt: skip
from webui.evening.bench import Workbench
from webui.evening.cameras import post_frame
from webui.evening.emptied import change_empty
from webui.evening.ground import GroundWanted, change_ground
from webui.evening.layout import lay, resize, scale_to_tape, tape
from webui.evening.lenses import BoardBook
from webui.evening.overview import overview
from webui.evening.pictures import picture_of
from webui.evening.requests import (
    CameraBody,
    EmptyBody,
    HoldBody,
    LayBody,
    LensBody,
    MusterBody,
    PointBody,
    RulesBody,
    SizeBody,
    TapeBody,
)  # fmt: skip
from webui.evening.roster import UnitWanted, change_unit, muster_unit
from webui.live import LiveTable
from webui.people.door import seat_here
from webui.people.seats import judge
from webui.serving.answering import json_answer
from webui.serving.requests import body

__all__ = ["evening"]


class _Place:
    """The workbench of a table and its board photos, for whoever may set the table up."""

    def __init__(self, live: LiveTable) -> None:
        self._live = live
        self._book: BoardBook | None = None

    def bench(self) -> Workbench:
        """The workbench. Raises NotYours for all but the umpire, Refused where the table is a demo's."""
        judge(seat_here())
        if self._live.bench is None:
            raise Refused("the demo's table is set up already; `vedette serve` sets up one of your own")
        return self._live.bench

    def book(self) -> BoardBook:
        """The board photos."""
        bench = self.bench()
        with bench.lock:
            if self._book is None:
                self._book = BoardBook(bench)
            return self._book


def evening(live: LiveTable) -> Blueprint:
    """The routes."""
    blueprint = Blueprint("evening", __name__)
    place = _Place(live)

    @blueprint.get("/evening")
    def index() -> str:
        """The page of the first evening; a demo has none."""
        return render_template("ready_made.html" if live.bench is None else "evening.html")

    _looking(blueprint, place)
    _camera(blueprint, place)
    _table(blueprint, place)
    _troops(blueprint, place)
    return blueprint


def _looking(blueprint: Blueprint, place: _Place) -> None:
    """The routes that change nothing."""

    @blueprint.get("/api/evening")
    def view() -> Response:
        """How every step stands."""
        return json_answer(overview(place.bench(), place.book()))

    @blueprint.get("/api/evening/picture.jpg")
    def picture() -> Response:
        """The newest frame as the camera gave it; ``r`` makes the address cacheable."""
        number, jpeg = picture_of(place.bench())
        response = Response(jpeg, mimetype="image/jpeg")
        if request.args.get("r", type=int) == number:
            response.headers["Cache-Control"] = "private, max-age=60"
        return response

    @blueprint.get("/api/evening/board")
    def board() -> Response:
        """What the newest frame shows of the calibration board."""
        return json_answer(place.book().look())

    @blueprint.get("/api/evening/sheets.pdf")
    def sheets() -> Response:
        """The sheets to print: markers of the size that was said, tags, the board and the ruler."""
        from calibration.sheets import Order, make_sheets

        table = place.bench().table
        paper = "letter" if request.args.get("paper") == "letter" else "A4"
        order = Order(paper=paper, marker_mm=table.markers.size_mm, dictionary=table.markers.dictionary)
        response = Response(make_sheets(order), mimetype="application/pdf")
        response.headers["Content-Disposition"] = "inline; filename=vedette-sheets.pdf"
        return response


def _camera(blueprint: Blueprint, place: _Place) -> None:
    """The routes of the camera and its lens."""

    @blueprint.post("/api/evening/camera")
    def camera() -> Response:
        """Chooses the camera."""
        asked, bench = body(CameraBody), place.bench()
        mode = Mode(
            width_px=asked.width_px, height_px=asked.height_px, lock_focus=asked.lock_focus,
            lock_exposure=asked.lock_exposure, focus=asked.focus,
        )  # fmt: skip
        bench.use_camera(asked.source.strip(), mode)
        return json_answer({"revision": bench.revision})

    @blueprint.post("/api/evening/frame")
    def frame() -> Response:
        """A picture of the browser's camera: a JPEG."""
        bench, jpeg = place.bench(), _jpeg()
        _done(lambda: post_frame(bench, jpeg))
        return json_answer({"taken": len(jpeg)})

    @blueprint.post("/api/evening/lens")
    def lens() -> Response:
        """Takes a board photo, works the lens out, or begins without."""
        asked, book, bench = body(LensBody), place.book(), place.bench()
        if asked.do == "take":
            return json_answer({"look": _done(book.take), "lens": book.view()})
        if asked.do == "solve":
            _done(book.solve)
        elif asked.do == "guess":
            book.hold(put_away=True)
            bench.use_lens(None)
        else:
            book.forget(asked.number)
        return json_answer({"lens": book.view()})

    @blueprint.post("/api/evening/photo")
    def photo() -> Response:
        """A board photo that somebody brings: a JPEG."""
        book, jpeg = place.book(), _jpeg()
        return json_answer({"look": _done(lambda: book.add(jpeg)), "lens": book.view()})

    @blueprint.post("/api/evening/hold")
    def hold() -> Response:
        """The simulated hand holds the board another way, or puts it away."""
        asked, book = body(HoldBody), place.book()
        book.hold(put_away=not asked.hold)
        return json_answer({"held": asked.hold})


def _table(blueprint: Blueprint, place: _Place) -> None:
    """The routes of the table, empty or laid, its markers and the tape."""

    @blueprint.post("/api/evening/size")
    def size() -> Response:
        """Says how large the table and the printed markers are."""
        asked, bench = body(SizeBody), place.bench()
        resize(bench, asked.width_mm, asked.depth_mm, asked.marker_mm)
        return json_answer({"revision": bench.revision})

    @blueprint.post("/api/evening/lay")
    def laid() -> Response:
        """Finds where the markers lie."""
        asked, bench = body(LayBody), place.bench()
        return json_answer({"warnings": _done(lambda: lay(bench, asked.near))})

    @blueprint.post("/api/evening/tape")
    def taped() -> Response:
        """Checks the table with a length by tape, or scales it to one."""
        asked, bench = body(TapeBody), place.bench()
        ends = asked.between if asked.between is not None else asked.places
        if ends is None:
            raise BadRequest("between: expected two markers, or places: two places of the picture")
        if asked.scale:
            if asked.between is None:
                raise BadRequest("between: a table is scaled to a length between two markers")
            between = asked.between
            return json_answer({"warnings": _done(lambda: scale_to_tape(bench, between, asked.mm))})
        return json_answer({"taped": _done(lambda: tape(bench, ends, asked.mm))})

    @blueprint.post("/api/evening/empty")
    def empty() -> Response:
        """Takes the photo of the empty table, or forgets it."""
        asked, bench = body(EmptyBody), place.bench()
        change_empty(bench, asked.do)
        return json_answer({"revision": bench.revision})

    @blueprint.post("/api/evening/ground")
    def ground() -> Response:
        """Accepts, corrects, names or draws terrain."""
        asked, bench = body(GroundWanted), place.bench()
        _done(lambda: change_ground(bench, asked))
        return json_answer({"revision": bench.revision})


def _troops(blueprint: Blueprint, place: _Place) -> None:
    """The routes of the armies and their units."""

    @blueprint.post("/api/evening/point")
    def point() -> Response:
        """Reads the base, or the colour, that is pointed at."""
        asked, bench = body(PointBody), place.bench()
        if asked.what != "base":
            radius = RADIUS_PX[asked.what]
            return json_answer({"colour": _done(lambda: point_at_colour(bench, asked.at, radius))})
        return json_answer({"base": _done(lambda: point_at_base(bench, asked.at))})

    @blueprint.post("/api/evening/army")
    def army() -> Response:
        """Adds an army, or changes one."""
        asked, bench = body(ArmyWanted), place.bench()
        keep_army(bench, asked)
        return json_answer({"revision": bench.revision})

    @blueprint.post("/api/evening/army/remove")
    def no_army() -> Response:
        """Takes an army out."""
        asked, bench = body(_Named), place.bench()
        remove_army(bench, asked.name)
        return json_answer({"revision": bench.revision})

    @blueprint.post("/api/evening/rules")
    def rules() -> Response:
        """Says which rules are played."""
        asked, bench = body(RulesBody), place.bench()
        bench.use_rules(asked.ruleset, anew=asked.anew)
        return json_answer({"revision": bench.revision})

    @blueprint.post("/api/evening/muster")
    def muster() -> Response:
        """Puts bases into a unit."""
        asked, bench = body(MusterBody), place.bench()
        muster_unit(bench, asked.assign, asked.facing_deg if asked.facing is None else asked.facing)
        return json_answer({"revision": bench.revision})

    @blueprint.post("/api/evening/unit")
    def unit() -> Response:
        """Changes a unit's name, weapon and figures of worth, or disbands it."""
        asked, bench = body(UnitWanted), place.bench()
        change_unit(bench, asked)
        return json_answer({"revision": bench.revision})


class _Named(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str


def _done(work: Callable[[], Any]) -> Any:
    """Does something; what calibration or vision refuses is said to whoever asked."""
    try:
        return work()
    except NotReady:
        raise
    except (CalibrationError, VisionError) as error:
        text = str(error)
        raise Refused(text[:1].upper() + text[1:]) from error


def _jpeg() -> bytes:
    if request.mimetype != "image/jpeg":
        raise BadRequest("expected a picture of type image/jpeg")
    return request.get_data(cache=False)

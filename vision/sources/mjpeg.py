"""Pictures over HTTP: a multipart stream of JPEGs as most network cameras and phone apps give, or a single JPEG
that is asked for again and again.
"""

from __future__ import annotations

import base64
import http.client
import re
import time
import urllib.request
from collections.abc import Callable, Iterator
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit, urlunsplit

from calibration.errors import UnusableFile
from calibration.pictures import decode_picture
from vision.errors import CameraLost
from vision.frames.records import Image
from vision.sources.places import Stream

__all__ = ["jpegs_in", "mjpeg_pictures"]

_TIMEOUT_S = 10.0
_CHUNK = 65536
_MOST_BYTES = 50_000_000  # a stream without a picture in so much is none
_SNAPSHOT_EVERY_S = 0.2
_START = b"\xff\xd8\xff"
_END_OF_IMAGE, _START_OF_SCAN = 0xD9, 0xDA
#: Markers without a length (JPEG, ITU-T T.81, table B.1): TEM and the restarts.
_BARE = frozenset({0x01, *range(0xD0, 0xD8)})
#: The marker that ends the coded data of a scan: a stuffed zero, a restart and a fill byte do not.
_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")


def mjpeg_pictures(place: Stream, otherwise: Callable[[], Iterator[Image]]) -> Iterator[Image]:
    """The pictures (H, W, 3) at an address; what is neither JPEG nor a stream of them is left to ``otherwise``.

    Raises CameraLost where the address cannot be reached or the stream ends.
    """
    try:
        with _ask(place) as reply:
            kind = reply.headers.get_content_type()
            if kind.startswith("multipart/"):
                yield from _decoded(jpegs_in(reply), place.name)
                raise CameraLost(f"{place.name} ended its stream")
        if kind in ("image/jpeg", "image/jpg"):
            yield from _snapshots(place)
    except HTTPError as error:
        raise CameraLost(f"{place.name} answered {error.code} {error.reason}") from error
    except (URLError, http.client.HTTPException, OSError) as error:
        raise CameraLost(f"{place.name} cannot be reached ({getattr(error, 'reason', error)})") from error
    yield from otherwise()


def jpegs_in(stream: IO[bytes]) -> Iterator[bytes]:
    """The JPEGs in a byte stream, whatever stands between them. Ends with the stream; a cut last one is dropped.

    Only the last of several that came together is given: the others are old. Raises
    CameraLost where too much comes in which there is none.
    """
    read = getattr(stream, "read1", stream.read)
    held = b""
    while more := read(_CHUNK):
        held += more
        last, held = _last_whole(held)
        if last is not None:
            yield last
        elif len(held) > _MOST_BYTES:
            raise CameraLost("the stream holds no pictures")


def _last_whole(held: bytes) -> tuple[bytes | None, bytes]:
    """The last whole JPEG in some bytes, and what follows it."""
    whole, at = None, 0
    while (start := held.find(_START, at)) >= 0:
        try:
            at = _end_of_jpeg(held, start)
        except IndexError:
            return whole, held[start:]  # more of it has to come
        except ValueError:
            at = start + 2  # damaged: the next one begins somewhere behind
        else:
            whole = held[start:at]
    return whole, held[at:]


def _end_of_jpeg(held: bytes, start: int) -> int:
    """Where the JPEG that begins at ``start`` ends; its segments are walked, for a thumbnail in one ends, too.

    Raises IndexError where it is not whole yet, ValueError where it is none.
    """
    at = start + 2
    while True:
        if held[at] != 0xFF:
            raise ValueError("expected a marker")
        kind = held[at + 1]
        if kind == _END_OF_IMAGE:
            return at + 2
        if kind == 0xFF or kind in _BARE:
            at += 1 if kind == 0xFF else 2
            continue
        length = held[at + 2] << 8 | held[at + 3]
        if kind in (0x00, 0xD8) or length < 2:
            raise ValueError("expected a segment")
        at += 2 + length
        if kind == _START_OF_SCAN:
            marker = _MARKER.search(held, at)
            at = len(held) if marker is None else marker.start()


def _decoded(jpegs: Iterator[bytes], name: str) -> Iterator[Image]:
    for jpeg in jpegs:
        try:
            yield decode_picture(jpeg, name)
        except UnusableFile:
            continue  # one damaged picture of a stream: the next one comes at once


def _snapshots(place: Stream) -> Iterator[Image]:
    while True:
        began_s = time.monotonic()
        with _ask(place) as reply:
            data = reply.read(_MOST_BYTES)
        yield from _decoded(iter([data]), place.name)
        time.sleep(max(0.0, began_s + _SNAPSHOT_EVERY_S - time.monotonic()))


def _ask(place: Stream) -> http.client.HTTPResponse:
    parts = urlsplit(place.url)
    user, at, host = parts.netloc.rpartition("@")
    request = urllib.request.Request(urlunsplit(parts._replace(netloc=host)))  # noqa: S310 (http or https: find_place)
    request.add_header("User-Agent", "vedette")
    if at:
        request.add_header("Authorization", "Basic " + base64.b64encode(unquote(user).encode()).decode())
    reply: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=_TIMEOUT_S)  # noqa: S310
    return reply

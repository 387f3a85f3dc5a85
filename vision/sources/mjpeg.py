"""Pictures over HTTP: a multipart stream of JPEGs as most network cameras and phone apps give, or a single JPEG
that is asked for again and again.
"""

from __future__ import annotations

import base64
import http.client
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
_START, _END = b"\xff\xd8\xff", b"\xff\xd9"


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
    whole = None
    while (start := held.find(_START)) >= 0 and (end := held.find(_END, start)) >= 0:
        whole, held = held[start : end + 2], held[end + 2 :]
    return whole, held


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

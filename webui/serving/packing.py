"""Large answers go over the wire compressed: phones stand at the edge of the wireless network."""

from __future__ import annotations

import gzip
import hashlib
import struct
import threading
import zlib

from flask import Flask, Response, request

__all__ = ["Begun", "begun_response", "pack_files", "packed"]

#: Smaller answers gain nothing.
_PACK_BYTES = 2048
_TEXTS = frozenset({"text/html", "text/css", "text/javascript", "application/javascript", "image/svg+xml"})


def pack_files(app: Flask) -> None:
    """Packs the page, its styles and its modules, the map library's among them."""

    @app.after_request
    def pack(response: Response) -> Response:
        if response.status_code != 200 or response.mimetype not in _TEXTS or response.content_encoding:
            return response
        response.direct_passthrough = False
        return packed(response)


def packed(response: Response) -> Response:
    """An answer, compressed for whoever takes that."""
    response.vary.add("Accept-Encoding")
    data = response.get_data()
    if len(data) > _PACK_BYTES and _takes_packed():
        response.set_data(gzip.compress(data, compresslevel=1, mtime=0))
        response.content_encoding = "gzip"
    return response


def begun_response(begun: Begun, end: bytes, mimetype: str) -> Response:
    """A beginning that many share and an end as one answer, compressed for whoever takes that."""
    if _takes_packed():
        response = Response(begun.packed_with(end), mimetype=mimetype)
        response.content_encoding = "gzip"
    else:
        response = Response(begun.data + end, mimetype=mimetype)
    response.vary.add("Accept-Encoding")
    return response


def _takes_packed() -> bool:
    return bool(request.accept_encodings["gzip"] > 0)


class Begun:
    """The beginning that many answers share: compressed once, whatever follows it. Its ``mark`` is its own.

    >>> begun = Begun(b"what all are told, " * 200)
    >>> gzip.decompress(begun.packed_with(b"and what one is told")) == begun.data + b"and what one is told"
    True
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.mark = hashlib.blake2b(data, digest_size=8).hexdigest()
        self._lock = threading.Lock()
        self._packed: tuple[bytes, int] | None = None

    def _blocks(self) -> tuple[bytes, int]:
        """Whole blocks of compressed data that refer to nothing but each other, and the checksum so far."""
        with self._lock:  # many ask at the same moment: the first packs for all
            if self._packed is None:
                packer = _packer()
                blocks = packer.compress(self.data) + packer.flush(zlib.Z_FULL_FLUSH)
                self._packed = blocks, zlib.crc32(self.data)
            return self._packed

    def packed_with(self, end: bytes) -> bytes:
        """The beginning and an end as one file of gzip (RFC 1952)."""
        blocks, checksum = self._blocks()
        packer = _packer()
        size = (len(self.data) + len(end)) & 0xFFFFFFFF
        tail = packer.compress(end) + packer.flush() + struct.pack("<II", zlib.crc32(end, checksum), size)
        return b"".join((_GZIP_HEAD, blocks, tail))


#: Deflated, no name, no time, packed fast, from an unknown system.
_GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x04\xff"


def _packer() -> zlib._Compress:
    return zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS)

"""Large answers go over the wire compressed: phones stand at the edge of the wireless network."""

from __future__ import annotations

import gzip

from flask import Flask, Response, request

__all__ = ["pack_files", "packed"]

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
    if len(data) > _PACK_BYTES and request.accept_encodings["gzip"] > 0:
        response.set_data(gzip.compress(data, compresslevel=1, mtime=0))
        response.content_encoding = "gzip"
    return response

"""What the server answers with."""

from __future__ import annotations

import msgspec
from flask import Response

__all__ = ["json_answer"]


def json_answer(value: object, status: int = 200) -> Response:
    """A value as JSON."""
    return Response(msgspec.json.encode(value), status=status, mimetype="application/json")

"""Who may talk to the application, and what a page of it may do in the browser."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from flask import Flask, Request, Response, request

from webui.errors import WebError

__all__ = ["LOOPBACK", "MAX_PICTURE_BYTES", "Forbidden", "guard", "host_is_trusted"]

LOOPBACK = ("localhost", "127.0.0.1", "::1")

#: The largest request that is read: a whole game's figures and an action are a fraction of it …
MAX_BODY_BYTES = 256 * 1024
#: … but for pictures, which are taken at these addresses alone.
PICTURE_PATHS = frozenset({"/api/evening/frame", "/api/evening/photo"})
MAX_PICTURE_BYTES = 12 * 1024 * 1024

_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

_HEADERS = {
    "Content-Security-Policy": _CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
}


class Forbidden(WebError, PermissionError):
    """A request from a page or under a host name that is not ours."""

    status = 403


def guard(app: Flask, hosts: Iterable[str], *, any_address: bool) -> None:
    """Lets only requests for our hosts in, changes only from our own pages, and sets the headers of every answer.

    ``any_address`` lets any bare IP address count as ours: a name can be pointed at us by a stranger's page
    (DNS rebinding), a bare address cannot.
    """
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    names = frozenset(host.casefold() for host in hosts)

    @app.before_request
    def check() -> None:
        if not host_is_trusted(request.host, names, any_address=any_address):
            raise Forbidden("this is not a name of this server: open it by its address or its own name")
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            _demand_own_page(request)
            picture = request.path in PICTURE_PATHS
            if picture:
                request.max_content_length = MAX_PICTURE_BYTES
            wanted = "image/jpeg" if picture else "application/json"
            if request.mimetype != wanted:
                raise Forbidden(f"expected a request of type {wanted}")

    @app.after_request
    def headers(response: Response) -> Response:
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        if request.path.startswith("/api/"):
            response.headers.setdefault("Cache-Control", "no-store")
        return response


def host_is_trusted(host: str, names: frozenset[str], *, any_address: bool) -> bool:
    """Whether a Host header names us; the port does not matter.

    >>> host_is_trusted("localhost:8000", frozenset({"localhost"}), any_address=False)
    True
    >>> host_is_trusted("evil.example", frozenset({"localhost"}), any_address=True)
    False
    """
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return False
    if name is None:
        return False
    if name.casefold() in names:
        return True
    if not any_address:
        return False
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _demand_own_page(asked: Request) -> None:
    origin = asked.headers.get("Origin")
    if origin is not None:
        if origin.casefold() != f"{asked.scheme}://{asked.host}".casefold():
            raise Forbidden("changes are taken only from the pages of this server")
    elif asked.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Forbidden("changes are taken only from the pages of this server")

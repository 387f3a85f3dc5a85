"""The errors of ``webui``: one root, each also the fitting builtin."""

from __future__ import annotations

from collections.abc import Sequence


class WebError(Exception):
    """Anything that ``webui`` refuses.

    ``exit_status`` is what the command line ends with, ``status`` what HTTP says.
    """

    exit_status = 1
    status = 400


class UnusableOption(WebError, ValueError):
    """An option of the command line that cannot be used (a port that is taken, say)."""

    exit_status = 2


class NoPictures(WebError, LookupError):
    """A game of which too few pictures were kept."""

    status = 404


class BadRequest(WebError, ValueError):
    """A request whose body is not what the route expects; the text names the key and what was expected.

    A command that is told the same ends as with any input that cannot be used.
    """

    exit_status = 2


class Refused(WebError, RuntimeError):
    """A request that is well formed but not allowed; carries every reason in plain words."""

    status = 422

    def __init__(self, message: str, reasons: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.reasons = tuple(reasons)


class Outdated(WebError, RuntimeError):
    """A request made from an old page: the game has changed meanwhile."""

    status = 409


class NotReady(WebError, RuntimeError):
    """The table is not there yet: it is still starting, or no game has begun."""

    status = 503

"""Serving the application: the address, the web server, and a clean end."""

from __future__ import annotations

import errno
import gc
import os
import signal
import socket
import sys
import threading
import webbrowser
from types import FrameType
from typing import Any

import click
import waitress

from webui.app import STREAMS, create_app
from webui.errors import UnusableOption
from webui.live import LiveTable
from webui.serving.security import LOOPBACK
from webui.table.keeping import table_key
from webui.views.keeping import LARGEST_FILE_BYTES

__all__ = ["DEFAULT_PORT", "open_server", "serve_until_stopped"]

DEFAULT_PORT = 8765
#: So many ports after the default one are tried.
_FURTHER_PORTS = 20
#: A stream holds a thread for as long as its page is open; as many again are for everything else.
_THREADS = 2 * STREAMS


def open_server(live: LiveTable, host: str, port: int | None) -> tuple[Any, int]:
    """The web server, listening, and its port; without ``port`` the first free one from the default on.

    Raises UnusableOption where the address cannot be had.
    """
    loopback = host in LOOPBACK
    names = LOOPBACK if loopback else (*LOOPBACK, host, *own_names())
    listening = _listening(host, port)
    app = create_app(
        live,
        hosts=names,
        any_address=not loopback,
        key=table_key(live.kept_in.parent),
        address=None if loopback else _network_url(host, int(listening.getsockname()[1])),
    )
    server = waitress.create_server(
        app,
        sockets=[listening],
        threads=_THREADS,
        connection_limit=400,
        channel_timeout=5,  # a stalled socket is let go; a request that is being answered is not
        cleanup_interval=2,
        channel_request_lookahead=1,  # a page that leaves is noticed while its stream is open
        max_request_body_size=LARGEST_FILE_BYTES + (1 << 20),
        ident="vedette",
        clear_untrusted_proxy_headers=False,  # the door sees by them that a request was handed on
    )
    return server, int(listening.getsockname()[1])


def _listening(host: str, port: int | None) -> socket.socket:
    """A socket that listens; without ``port`` on the first free one from the default on."""
    wanted = range(DEFAULT_PORT, DEFAULT_PORT + _FURTHER_PORTS) if port is None else (port,)
    if not host.strip():
        raise UnusableOption("--host: expected an address, such as 127.0.0.1 or 0.0.0.0 for the whole network")
    everywhere = host == "::" and socket.has_dualstack_ipv6()
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in wanted:
        try:
            return socket.create_server((host, number), family=family, backlog=256, dualstack_ipv6=everywhere)
        except OSError as error:
            if error.errno == errno.EADDRINUSE or (error.errno == errno.EACCES and port is None):
                continue  # Windows keeps ranges of ports to itself, and says that they are not permitted
            if error.errno == errno.EACCES:
                told = f"port {number} may not be used ({error.strerror}); choose another with --port"
                raise UnusableOption(told) from error
            raise UnusableOption(f"--host {host}: cannot be listened on ({error.strerror})") from error
    first, last = wanted[0], wanted[-1]
    which = f"port {first} is" if first == last else f"ports {first} to {last} are all"
    raise UnusableOption(f"{which} taken; choose another with --port, or end the program that has it")


def serve_until_stopped(live: LiveTable, host: str, port: int | None, *, browser: bool) -> None:
    """Serves the page until the program is interrupted or told to end. The table is closed in any case."""
    try:
        server, port = open_server(live, host, port)
        try:
            announce(host, port)
            with _ending_streams(live):
                live.start()
                if browser and _has_screen():
                    threading.Timer(0.2, webbrowser.open, [f"http://localhost:{port}/"]).start()
                gc.freeze()  # what is loaded stays: Python would halt the table for a tenth of a second over it
                server.run()
        finally:
            server.close()
    finally:
        live.close()
    click.echo(f"The table is closed; the game is kept in {live.kept_in}", err=True)


def own_names() -> tuple[str, ...]:
    """The names under which others on the network may know this computer."""
    name = socket.gethostname()
    return (name, f"{name.split('.')[0]}.local")


def network_address() -> str | None:
    """This computer's address on its network; None where it is on none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: only the route to it is looked up
            return str(probe.getsockname()[0])
        except OSError:
            return None


def announce(host: str, port: int) -> None:
    click.echo(f"The table is open at http://localhost:{port}/ (Ctrl+C ends it)", err=True)
    if host in LOOPBACK:
        click.echo("Only this computer can open it; --host 0.0.0.0 lets the phones on your network in.", err=True)
        return
    url = _network_url(host, port)
    if url is None:
        click.echo("This computer is on no network: no phone will find it.", err=True)
        return
    click.echo(f"Phones on your network find it at {url}; the page here shows the codes to join with", err=True)
    import segno

    segno.make(url, micro=False).terminal(out=sys.stderr, compact=True)


def _network_url(host: str, port: int) -> str | None:
    """Where others on the network find the page; None where this computer is on none."""
    address = network_address() if host in ("0.0.0.0", "::") else host  # noqa: S104
    return None if address is None else f"http://{f'[{address}]' if ':' in address else address}:{port}/"


def _has_screen() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class _ending_streams:  # noqa: N801  # reads as a word of the with statement
    """Lets Ctrl+C and a polite kill end the open streams first, so that the server does not wait for them."""

    def __init__(self, live: LiveTable) -> None:
        self._live = live
        self._before: dict[int, Any] = {}

    def __enter__(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._stop)

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        click.echo("Ending …", err=True)
        self._live.end_streams()
        raise KeyboardInterrupt

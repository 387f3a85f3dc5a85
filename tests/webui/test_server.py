"""The web server's address: free ports, taken ports, names, and what is said of it."""

from __future__ import annotations

import errno
import gc
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from webui import server
from webui.errors import UnusableOption
from webui.live import LiveTable
from webui.table.desk import Desk


@pytest.fixture
def opened(live: LiveTable) -> Iterator[Callable[..., tuple[Any, int]]]:
    """Opens servers for the table, and closes them."""
    servers: list[Any] = []

    def make(host: str = "127.0.0.1", port: int | None = 0) -> tuple[Any, int]:
        made, number = server.open_server(live, host, port)
        servers.append(made)
        return made, number

    yield make
    for one in servers:
        one.task_dispatcher.shutdown()
        one.asyncore.close_all(one._map)  # itself, and the connections that are open still


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield int(other.getsockname()[1])


def test_a_port_that_is_taken_is_said(live: LiveTable, taken: int) -> None:
    with pytest.raises(UnusableOption, match=f"port {taken} is taken"):
        server.open_server(live, "127.0.0.1", taken)


def test_unless_told_the_next_free_port_is_taken(
    opened: Callable[..., tuple[Any, int]], taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "DEFAULT_PORT", taken)
    _, port = opened(port=None)
    assert taken < port < taken + 20


@pytest.fixture
def reserved(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system keeps the ports below 8770 to itself, as Windows does with whole ranges."""
    listen = socket.create_server

    def create(address: tuple[str, int], **more: Any) -> socket.socket:
        if 0 < address[1] < 8770:
            raise PermissionError(errno.EACCES, "Permission denied")
        return listen((address[0], 0), **more)

    monkeypatch.setattr(socket, "create_server", create)


@pytest.mark.usefixtures("reserved")
def test_a_port_that_may_not_be_used_is_named(live: LiveTable) -> None:
    with pytest.raises(UnusableOption, match=r"^port 80 may not be used \(Permission denied\); choose another"):
        server.open_server(live, "127.0.0.1", 80)


@pytest.mark.usefixtures("reserved")
def test_unless_told_ports_that_may_not_be_used_are_passed_by(opened: Callable[..., tuple[Any, int]]) -> None:
    assert opened(port=None)[1] > 0


@pytest.mark.parametrize("host", ["300.1.1.1", "8.8.8.8", "not a host"])
def test_an_address_that_is_not_ours_is_said(live: LiveTable, host: str) -> None:
    with pytest.raises(UnusableOption, match=host):
        server.open_server(live, host, 0)


def test_the_page_is_served(opened: Callable[..., tuple[Any, int]]) -> None:
    serving, port = opened()
    thread = threading.Thread(target=lambda: serving.asyncore.loop(timeout=0.05, map=serving._map, count=80))
    thread.start()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/state", timeout=10) as answer:
        assert answer.headers["Server"] == "vedette"
        assert b"vedette-game/1" in answer.read()
    for header, value, status in (("Host", "evil.example", 403), ("X-Forwarded-For", "203.0.113.9", 401)):
        strange = urllib.request.Request(f"http://127.0.0.1:{port}/api/state", headers={header: value})
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(strange, timeout=10)
        refused.value.close()
        assert refused.value.code == status
    thread.join()


def test_on_a_network_the_address_is_shown_as_a_code(capsys: pytest.CaptureFixture[str]) -> None:
    server.announce("192.168.7.9", 8765)
    said = capsys.readouterr()
    assert "http://192.168.7.9:8765/" in said.err
    assert "█" in said.err
    assert said.out == ""


def test_on_this_computer_alone_it_says_how_to_let_others_in(capsys: pytest.CaptureFixture[str]) -> None:
    server.announce("127.0.0.1", 8765)
    assert "--host 0.0.0.0" in capsys.readouterr().err


def test_python_looks_for_waste_in_what_the_table_makes_not_in_the_program(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would halt the table for a tenth of a second every few dozen moves."""

    class Served:
        spared = 0

        def run(self) -> None:
            self.spared = gc.get_freeze_count()

        def close(self) -> None: ...

    served = Served()
    monkeypatch.setattr(server, "open_server", lambda *_: (served, 8765))
    gc.unfreeze()
    try:
        table = LiveTable(desk, mode="serve", clock_s=lambda: 100.0)
        server.serve_until_stopped(table, "127.0.0.1", None, browser=False)
    finally:
        gc.unfreeze()
    assert served.spared > 10_000


@pytest.mark.parametrize("broken", ["announce", "start", "run"])
def test_whatever_fails_while_it_is_served_the_table_is_closed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    class Served:
        closed = False

        def run(self) -> None:
            raise RuntimeError("cannot")

        def close(self) -> None:
            self.closed = True

    def fail(*_: object) -> None:
        raise RuntimeError("cannot")

    served = Served()
    monkeypatch.setattr(server, "open_server", lambda *_: (served, 8765))
    table = LiveTable(desk, mode="serve", clock_s=lambda: 100.0)
    if broken == "announce":
        monkeypatch.setattr(server, "announce", fail)
    elif broken == "start":
        monkeypatch.setattr(table, "start", fail)
    with pytest.raises(RuntimeError, match="cannot"):
        server.serve_until_stopped(table, "127.0.0.1", None, browser=False)
    gc.unfreeze()
    assert table.closed
    assert served.closed

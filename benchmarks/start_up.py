"""How long a user waits for the first word: ``vedette --help``, and the demo's first page with options."""

from __future__ import annotations

import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

_RUNS = 7


def _seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def help_against_bare_python() -> str:
    """``vedette --help`` against an interpreter that does nothing, in turn; medians."""
    bare, helped = [], []
    for _ in range(_RUNS):
        bare.append(_seconds([sys.executable, "-c", "pass"]))
        helped.append(_seconds([sys.executable, "-m", "webui", "--help"]))
    ours, theirs = statistics.median(helped), statistics.median(bare)
    return f"{ours:.3f} s, {ours / theirs:.1f} x an empty interpreter ({theirs:.3f} s)"


def demo_until_options() -> str:
    """From the command to a page whose units have options to fire; the median of three starts."""
    return f"{statistics.median(_demo_start() for _ in range(3)):.2f} s from the command to units with options"


def _demo_start() -> float:
    port = free_port()
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "webui", "demo", "--no-browser", "--port", str(port), "--data", data]
        start = time.perf_counter()
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while not has_options(port):
                if time.perf_counter() - start > 60 or server.poll() is not None:
                    raise RuntimeError("the demo did not come up within a minute")
                time.sleep(0.02)
            return time.perf_counter() - start
        finally:
            server.terminate()
            server.wait()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def has_options(port: int) -> bool:
    """Whether a demo on a port shows units that may fire at somebody."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/state", timeout=2) as reply:
            state = json.load(reply)
    except (urllib.error.URLError, OSError):
        return False
    measured = state["camera"]["state"] == "live" and state["picture"] is not None
    return bool(measured and any(unit["fire"] for unit in state["answer"]["units"]))

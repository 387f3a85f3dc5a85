"""``python -m webui`` is ``vedette``."""

from webui.cli import run

run()

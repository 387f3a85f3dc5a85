"""Packages whose rooms are entered when first needed give all that they promise, and load no more than that."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

PACKAGES = ("engine.geometry.sight", "engine.geometry.reach")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_that_a_package_gives_is_there(package):
    module = importlib.import_module(package)
    assert module.__all__
    for name in module.__all__:
        value = getattr(module, name)
        assert getattr(value, "__module__", package).startswith(package) or not callable(value)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_name_that_there_is_not_is_missed_as_in_any_module(package):
    with pytest.raises(AttributeError, match=f"'{package}' has no attribute 'nonsense'"):
        _ = importlib.import_module(package).nonsense


def test_what_is_not_asked_for_is_not_loaded():
    asked = (
        "import sys; from engine.geometry.sight import Lines; print('engine.geometry.sight.mutual' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"

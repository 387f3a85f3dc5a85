"""The examples in the docstrings of the engine's modules give what they say."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

import engine.geometry
import engine.rulesets.muskets_mohawks

MODULES = [
    module.name
    for package in (engine.geometry, engine.rulesets.muskets_mohawks)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not module.ispkg
]


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_hold(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_geometry_has_examples() -> None:
    found = [
        doctest.testmod(import_module(name)).attempted for name in MODULES if name.startswith("engine.geometry.")
    ]
    assert sum(found) >= 20

"""The examples in the docstrings of the ruleset, and of the hexes that it asks, give what they say."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

import engine.geometry.grids
import engine.rulesets.musket_pike

MODULES = [
    module.name
    for package in (engine.rulesets.musket_pike, engine.geometry.grids)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_hold(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0

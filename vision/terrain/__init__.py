"""Terrain: flat patches, bands, strips and blocks of one colour each."""

from vision.terrain.finding import find_terrain

__all__ = ["find_terrain"]

"""Drawn tables as Blender's Cycles traces them, to check the simulated camera: ``python -m benchmarks traced``."""

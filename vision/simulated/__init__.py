"""A camera over a table that is not there: a virtual table rendered frame by frame as a camera would see it."""

from vision.simulated.camera import SimulatedCamera
from vision.simulated.demo import Demo, DemoFigure, DemoUnit, load_demo
from vision.simulated.rendering import Renderer
from vision.simulated.virtual import BasePlaced, Effects, TagPlaced, TerrainPlaced, TreePlaced, VirtualTable

__all__ = [
    "BasePlaced",
    "Demo",
    "DemoFigure",
    "DemoUnit",
    "Effects",
    "Renderer",
    "SimulatedCamera",
    "TagPlaced",
    "TerrainPlaced",
    "TreePlaced",
    "VirtualTable",
    "load_demo",
]

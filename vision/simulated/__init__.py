"""A camera over a table that is not there: a virtual table rendered frame by frame as a camera would see it."""

from vision.simulated.boards import BoardHeld, held_before
from vision.simulated.camera import SimulatedCamera, camera_over
from vision.simulated.demo import Demo, DemoFigure, DemoUnit, demo_names, load_demo
from vision.simulated.rendering import Renderer
from vision.simulated.truth import Truth, truth_of
from vision.simulated.virtual import (
    BasePlaced,
    ClutterPlaced,
    Effects,
    MatPrint,
    TagPlaced,
    TerrainPlaced,
    TreePlaced,
    VirtualTable,
    empty_of,
)

__all__ = [
    "BasePlaced",
    "BoardHeld",
    "ClutterPlaced",
    "Demo",
    "DemoFigure",
    "DemoUnit",
    "Effects",
    "MatPrint",
    "Renderer",
    "SimulatedCamera",
    "TagPlaced",
    "TerrainPlaced",
    "TreePlaced",
    "Truth",
    "VirtualTable",
    "camera_over",
    "demo_names",
    "empty_of",
    "held_before",
    "load_demo",
    "truth_of",
]

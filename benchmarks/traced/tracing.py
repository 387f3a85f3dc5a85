"""Traces the scenes of a folder with Blender's Cycles: ``PYTHON tracing.py FOLDER SAMPLES``.

Runs by itself in a Python that has ``bpy``, which wants another numpy than the rest: it knows nothing of the
project but the folder's ``job.json`` and the ``.npz`` beside it, and writes the light (H, W, 3) BGR that an ideal
lens collects as ``NAME.npy``. Lengths are millimetres; Blender's own are metres.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

_METRES = 0.001
_LAMP_M = 2.6  # how far the lamp hangs from the middle of the table

#: How a grain mottles a colour: noises of so many clumps a metre, by such a share, stretched so.
_NOISES: dict[str, list[tuple[float, float, tuple[float, float, float]]]] = {
    "grass": [(9, 0.32, (1, 1, 1)), (45, 0.18, (1, 1, 1)), (400, 0.3, (1, 1, 1))],
    "felt": [(30, 0.06, (1, 1, 1)), (500, 0.12, (1, 1, 1))],
    "wood": [(6, 0.3, (1, 14, 1)), (30, 0.15, (1, 20, 1))],
    "flock": [(700, 0.35, (1, 1, 1))],
    "leaves": [(150, 0.35, (1, 1, 1))],
}


def main(folder: Path, samples: int) -> None:
    """Traces every scene of a folder with so many samples a pixel."""
    job = json.loads((folder / "job.json").read_text())
    for name in job["scenes"]:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        _load(np.load(folder / f"{name}.npz"), job["stuff"][name], job["prints"][name], folder)
        _hang_camera(job["camera"])
        _light(job["lamp"])
        _trace(job["camera"], samples, folder / f"{name}.exr")
        np.save(folder / f"{name}.npy", _light_of(folder / f"{name}.exr"))
        (folder / f"{name}.exr").unlink()


def _load(meshes: Any, stuff: list[dict[str, Any]], prints: list[str], folder: Path) -> None:
    for number, one in enumerate(stuff):
        sizes = meshes[f"sizes{number}"]
        faces = [list(map(int, face)) for face in np.split(meshes[f"faces{number}"], np.cumsum(sizes)[:-1])]
        _add(meshes[f"vertices{number}"], faces, _material(one))
    for number, picture in enumerate(prints):
        mesh = _add(meshes["prints"][number], [[0, 1, 2, 3]], _printed(folder / picture))
        for corner, at in zip(mesh.uv_layers.new().data, [(0, 0), (1, 0), (1, 1), (0, 1)], strict=True):
            corner.uv = at


def _add(vertices: Any, faces: list[list[int]], material: Any) -> Any:
    mesh = bpy.data.meshes.new("mesh")
    mesh.from_pydata((vertices * _METRES).tolist(), [], faces)
    mesh.materials.append(material)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("thing", mesh))
    return mesh


def _new_material(rough: float) -> tuple[Any, Any, Any]:
    material = bpy.data.materials.new("material")
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = rough
    return material, material.node_tree, shader


def _material(stuff: dict[str, Any]) -> Any:
    material, tree, shader = _new_material(stuff["rough"])
    shader.inputs["Base Color"].default_value = (*stuff["light"], 1.0)
    noises = _NOISES.get(stuff["grain"], [])
    if noises and stuff["grain"] != "wood":
        shader.inputs["Specular IOR Level"].default_value = 0.05
    colour = tree.nodes.new("ShaderNodeVectorMath")
    colour.operation = "SCALE"
    colour.inputs[0].default_value, colour.inputs["Scale"].default_value = stuff["light"], 1.0
    for scale, share, stretch in noises:
        mottled = tree.nodes.new("ShaderNodeVectorMath")
        mottled.operation = "SCALE"
        tree.links.new(colour.outputs["Vector"], mottled.inputs[0])
        tree.links.new(_noise(tree, scale, share, stretch), mottled.inputs["Scale"])
        colour = mottled
    tree.links.new(colour.outputs["Vector"], shader.inputs["Base Color"])
    return material


def _noise(tree: Any, scale: float, share: float, stretch: tuple[float, float, float]) -> Any:
    """A factor about 1 that strays by a share."""
    place, spread = tree.nodes.new("ShaderNodeNewGeometry"), tree.nodes.new("ShaderNodeMapping")
    spread.inputs["Scale"].default_value = stretch
    tree.links.new(place.outputs["Position"], spread.inputs["Vector"])
    noise, factor = tree.nodes.new("ShaderNodeTexNoise"), tree.nodes.new("ShaderNodeMapRange")
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = scale, 4
    tree.links.new(spread.outputs["Vector"], noise.inputs["Vector"])
    for name, value in (("From Min", 0.25), ("From Max", 0.75), ("To Min", 1 - share), ("To Max", 1 + share)):
        factor.inputs[name].default_value = value
    tree.links.new(noise.outputs["Fac"], factor.inputs["Value"])
    return factor.outputs["Result"]


def _printed(picture: Path) -> Any:
    material, tree, shader = _new_material(0.7)
    shader.inputs["Specular IOR Level"].default_value = 0.2
    image = tree.nodes.new("ShaderNodeTexImage")
    image.image, image.interpolation = bpy.data.images.load(str(picture)), "Closest"
    tree.links.new(image.outputs["Color"], shader.inputs["Base Color"])
    return material


def _hang_camera(camera: dict[str, Any]) -> None:
    """An ideal lens at the pose of OpenCV's (which looks along +z, with y down), with its middle at cx, cy."""
    lens = bpy.data.cameras.new("camera")
    thing = bpy.data.objects.new("camera", lens)
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.scene.camera = thing
    rotation = np.array(camera["rotation"])
    turn = rotation.T @ np.diag([1, -1, -1])
    place = -rotation.T @ np.array(camera["tvec_mm"]) * _METRES
    thing.matrix_world = Matrix([[*turn[i], place[i]] for i in range(3)] + [[0, 0, 0, 1]])
    width, height = camera["width_px"], camera["height_px"]
    lens.sensor_fit, lens.sensor_width, lens.clip_end = "HORIZONTAL", 36, 100
    lens.lens = 36 * camera["focal_px"] / width
    lens.shift_x = ((width - 1) / 2 - camera["cx"]) / width
    lens.shift_y = (camera["cy"] - (height - 1) / 2) / width


def _light(lamp: dict[str, Any]) -> None:
    """A round lamp over the table's middle, and light from all around, which together light it by 1."""
    scene, share = bpy.context.scene, lamp["share"]
    scene.world = bpy.data.worlds.new("world")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Strength"].default_value = 1 - share
    toward = Vector((-lamp["cast"][0], -lamp["cast"][1], 1.0)).normalized()
    light = bpy.data.lights.new("lamp", "AREA")
    light.shape, light.size = "DISK", lamp["size_m"]
    light.energy = share * math.pi**2 * _LAMP_M**2 / max(0.3, toward.z)
    thing = bpy.data.objects.new("lamp", light)
    scene.collection.objects.link(thing)
    thing.location = Vector((*lamp["over_mm"], 0.0)) * _METRES + toward * _LAMP_M
    thing.rotation_euler = (-toward).to_track_quat("-Z", "Y").to_euler()


def _trace(camera: dict[str, Any], samples: int, path: Path) -> None:
    scene = bpy.context.scene
    render, cycles = scene.render, scene.cycles
    render.engine, cycles.device, cycles.samples = "CYCLES", "CPU", samples
    cycles.use_denoising = cycles.use_adaptive_sampling = False
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces, cycles.filter_width = 3, 2, 1, 1.0
    render.resolution_x, render.resolution_y = camera["width_px"], camera["height_px"]
    render.image_settings.file_format, render.image_settings.color_depth = "OPEN_EXR", "32"
    scene.view_settings.view_transform = "Raw"
    render.filepath = str(path)
    bpy.ops.render.render(write_still=True)


def _light_of(path: Path) -> Any:
    image = bpy.data.images.load(str(path))
    image.colorspace_settings.name = "Non-Color"
    width, height = image.size
    values = np.empty(width * height * image.channels, np.float32)
    image.pixels.foreach_get(values)
    return values.reshape(height, width, image.channels)[::-1, :, 2::-1].astype(np.float16)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))

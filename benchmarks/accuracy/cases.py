"""A case: a picture, the table file and the lens that go with it, and the truth; as a folder on the disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import msgspec
import numpy as np

from calibration.records import Intrinsics, Table, read_intrinsics, read_table, write_intrinsics, write_table
from vision.frames.records import Image
from vision.simulated.truth import Truth


@dataclass(frozen=True, eq=False)
class Case:
    """One picture with all that is known of it; ``empty`` is the table before any figure was put down.

    ``photo_file`` and ``empty_file`` are the pictures as they were compressed, where that is known.
    """

    name: str
    photo: Image
    table: Table
    intrinsics: Intrinsics
    truth: Truth
    empty: Image | None = None
    photo_file: bytes = b""
    empty_file: bytes = b""


def read_case(folder: Path) -> Case:
    """A case as its folder holds it: photo.jpg, table.toml, camera.json, truth.json and perhaps empty.jpg."""
    empty, file = folder / "empty.jpg", (folder / "photo.jpg").read_bytes()
    empty_file = empty.read_bytes() if empty.exists() else b""
    return Case(
        name=folder.name,
        photo=unpacked(file),
        photo_file=file,
        table=read_table(folder / "table.toml"),
        intrinsics=read_intrinsics(folder / "camera.json"),
        truth=msgspec.json.decode((folder / "truth.json").read_bytes(), type=Truth),
        empty=unpacked(empty_file) if empty_file else None,
        empty_file=empty_file,
    )


def write_case(folder: Path, case: Case) -> None:
    """Writes a case as a folder that `read_case` reads."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "photo.jpg").write_bytes(case.photo_file or packed(case.photo, 95))
    if case.empty is not None:
        (folder / "empty.jpg").write_bytes(case.empty_file or packed(case.empty, 95))
    write_table(folder / "table.toml", case.table)
    write_intrinsics(folder / "camera.json", case.intrinsics)
    (folder / "truth.json").write_bytes(msgspec.json.format(msgspec.json.encode(case.truth), indent=1))


def packed(picture: Image, quality: int) -> bytes:
    """A picture as JPEG."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return bytes(data)


def unpacked(data: bytes) -> Image:
    """The picture that some JPEG holds."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError("not a picture")
    return np.asarray(picture, dtype=np.uint8)

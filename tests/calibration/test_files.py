"""Table and lens files: lossless both ways, and bad ones refused in one line that says where and what."""

from __future__ import annotations

import json
import os
import threading

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from calibration.cli import calibrate, sheets
from calibration.errors import UnusableFile
from calibration.pictures import read_picture
from calibration.reading import each_once, write_whole
from calibration.records import (
    Army,
    Intrinsics,
    MarkerAt,
    Markers,
    RectBase,
    RoundBase,
    Table,
    TableSize,
    Tags,
    TerrainKind,
    read_intrinsics,
    read_table,
    write_intrinsics,
    write_table,
)  # fmt: skip
from engine.errors import UnusableFile as UnusableGame
from engine.records.files import write_file

size = st.floats(0.1, 1e5)
span = st.floats(0.1, 2e4)
place = st.floats(-1e6, 1e6)
name = st.text(min_size=1, max_size=12)
colour = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")


def several(what, key, most):
    """Up to ``most`` of them, each with its own ``key``."""
    return st.lists(what, max_size=most, unique_by=lambda one: getattr(one, key)).map(tuple)


bases = st.one_of(
    st.builds(RoundBase, name=name, diameter_mm=size, height_mm=st.floats(0, 100)),
    st.builds(RectBase, name=name, width_mm=size, depth_mm=size, height_mm=st.floats(0, 100)),
)
armies = st.builds(Army, name=name, base_colour=colour, front_mark=colour, bases=several(bases, "name", 3))
marks = st.builds(MarkerAt, id=st.integers(0, 99), x_mm=place, y_mm=place, z_mm=place, rotation_deg=place)
tables = st.builds(
    Table,
    format=st.just("vedette-table/1"),
    table=st.builds(TableSize, width_mm=span, depth_mm=span),
    markers=st.builds(
        Markers,
        dictionary=st.sampled_from(["DICT_4X4_100", "DICT_6X6_250"]),
        size_mm=size,
        at=several(marks, "id", 4),
    ),
    tags=st.builds(Tags, size_mm=size),
    armies=several(armies, "name", 2),
    terrain_kinds=st.lists(
        st.builds(TerrainKind, kind=name, colour=colour, height_mm=st.floats(0, 150)), max_size=2
    ).map(tuple),
)
number = st.floats(-1e6, 1e6)
lenses = st.builds(
    Intrinsics, width_px=st.integers(1, 9999), height_px=st.integers(1, 9999), fx=size, fy=size, cx=number,
    cy=number, dist=st.tuples(number, number, number, number, number), rms_px=st.floats(0, 100),
)  # fmt: skip


@given(table=tables)
def test_a_table_comes_back_as_it_was_written(tmp_path_factory, table):
    path = tmp_path_factory.mktemp("tables") / "t.toml"
    write_table(path, table)
    assert read_table(path) == table


def test_a_base_is_added_by_hand_to_a_table_that_the_program_wrote_as_the_guide_tells(tmp_path):
    path = tmp_path / "t.toml"
    foot = RoundBase(name="foot", diameter_mm=25.0)
    place = MarkerAt(id=0, x_mm=-60.0, y_mm=-60.0)
    markers = Markers(dictionary="DICT_4X4_100", size_mm=80.0, at=(place,))
    size = TableSize(width_mm=1828.8, depth_mm=1219.2)
    army = Army(name="british", base_colour="#9e2b25", bases=(foot,))
    write_table(path, Table(format="vedette-table/1", table=size, markers=markers, armies=(army,)))
    path.write_text(
        path.read_text()
        + '[[armies.bases]]\nname = "horse"\nshape = "rect"\nwidth_mm = 25.0\ndepth_mm = 50.0\n'
        + "[[markers.at]]\nid = 1\nx_mm = 1888.8\ny_mm = -60.0\n"
    )
    read = read_table(path)
    assert [base.name for base in read.armies[0].bases] == ["foot", "horse"]
    assert [marker.id for marker in read.markers.at] == [0, 1]


@given(lens=lenses)
def test_a_lens_comes_back_as_it_was_written(tmp_path_factory, lens):
    path = tmp_path_factory.mktemp("lenses") / "c.json"
    write_intrinsics(path, lens)
    assert read_intrinsics(path) == lens


GOOD = """format = "vedette-table/1"
[table]
width_mm = 1828.8
depth_mm = 1219.2
[markers]
dictionary = "DICT_4X4_100"
size_mm = 80.0
[[markers.at]]
id = 0
x_mm = -60.0
y_mm = -60.0
"""


@pytest.mark.parametrize(
    ("old", "new", "where", "expected"),
    [
        ("table/1", "table/2", "format", 'expected "vedette-table/1"'),
        ('format = "vedette-table/1"\n', "", "format", "no such key"),
        ("x_mm = -60.0", "x_mm = nan", "markers.at[0].x_mm", "finite"),
        ("x_mm = -60.0", "x_mm = inf", "markers.at[0].x_mm", "finite"),
        ("x_mm = -60.0", 'x_mm = "far"', "markers.at[0].x_mm", "expected a number such as 12.5, got 'far'"),
        ("size_mm = 80.0", "size_mm = 0.0", "markers.size_mm", "above 0, got 0.0"),
        ("size_mm = 80.0", "size_mm = 80.0\nsize_in = 3", "markers.size_in", "unknown key (did you mean size_mm?)"),
        ("id = 0", "id = -1", "markers.at[0].id", "at least 0"),
        ("width_mm = 1828.8\n", "", "table.width_mm", "expected a number such as 12.5, found"),
        ("[markers]", "[markers", "t.toml", "found no well-formed TOML: Expected ']'"),
        ("DICT_4X4_100", "DICT_FOO", "markers.dictionary", "expected one of: DICT_4X4_100"),
        ("id = 0", "id = 100", "markers.at[0].id", "expected 0 to 99, got 100"),
        ("[table]", "[[armies]]\nname='a'\nbase_colour='red'\n[table]", "armies[0].base_colour",
         "expected a colour such as #9e2b25, got 'red'"),
        ("width_mm = 1828.8", "width_mm = 1828800", "table.width_mm", "at most 20000, got 1828800"),
        ("x_mm = -60.0", "x_mm = -1e300", "markers.at[0].x_mm", "at least -1000000"),
        ("[[markers.at]]", "[[markers.at]]\nid = 0\nx_mm = 0\ny_mm = 0\n[[markers.at]]",
         "markers.at[1].id", "0 again"),
        ("[table]", "[[armies]]\nname='a'\nbase_colour='#000000'\n" * 2 + "[table]", "armies[1].name", "'a' again"),
    ],
)  # fmt: skip
def test_a_broken_table_is_refused_with_file_key_and_expectation(tmp_path, old, new, where, expected):
    path = tmp_path / "t.toml"
    path.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(UnusableFile) as refused:
        read_table(path)
    said = str(refused.value)
    assert said.startswith(str(path))
    assert where in said
    assert expected in said
    assert "\n" not in said
    assert refused.value.exit_status == 2


@pytest.mark.parametrize(
    ("change", "where"),
    [({"fx": "wide"}, "fx"), ({"fx": -1.0}, "fx"), ({"dist": [0, 0]}, "dist"), ({"zoom": 2}, "zoom"),
     ({"format": "vedette-camera/9"}, "format"), ({"width_px": 1.5}, "width_px")],
)  # fmt: skip
def test_a_broken_lens_is_refused(tmp_path, change, where):
    good = {"format": "vedette-camera/1", "width_px": 9, "height_px": 9, "fx": 9.0, "fy": 9.0, "cx": 4.0, "cy": 4.0,
            "dist": [0.0, 0.0, 0.0, 0.0, 0.0]}  # fmt: skip
    path = tmp_path / "c.json"
    path.write_text(json.dumps({**good, **change}))
    with pytest.raises(UnusableFile, match=where):
        read_intrinsics(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "expected JSON, found an empty file"),
     ('{"fx": 1.0,\n "fx": 2.0}', 'each key once in an object, got "fx"'),
     ('{"fx": 1.0,\n "fy": }', "line 2 column 8"), ('{"format": "vedette-camera/2"}', "a newer Vedette wrote it")],
)  # fmt: skip
def test_a_lens_file_that_was_edited_by_hand_says_what_is_wrong_with_it(tmp_path, text, said):
    path = tmp_path / "c.json"
    path.write_text(text)
    with pytest.raises(UnusableFile) as refused:
        read_intrinsics(path)
    assert str(refused.value).startswith(str(path))
    assert said in str(refused.value)


class _Key(str):
    """A key that counts how often keys were compared."""

    compared = 0
    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        _Key.compared += 1
        return str.__eq__(self, other)


def test_a_key_that_stands_twice_is_found_without_holding_every_key_against_all_others(monkeypatch):
    """A lens file of 40,000 keys took a minute to be refused."""
    monkeypatch.setattr(_Key, "compared", 0)
    pairs = [(_Key(f"k{number}"), 1) for number in range(2_000)]
    assert len(each_once(pairs)) == 2_000
    with pytest.raises(ValueError, match='got "k1" twice'):
        each_once([*pairs, (_Key("k1"), 2)])
    assert _Key.compared < 2_000


def test_a_lens_file_may_begin_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "c.json"
    lens = Intrinsics(width_px=9, height_px=9, fx=9.0, fy=9.0, cx=4.0, cy=4.0)
    write_intrinsics(path, lens)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_intrinsics(path) == lens


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"", "empty file"), (b"not a picture", "expected a picture"), (b"\xff\xd8\xff\xe0 cut", "cut short"),
     (b"\x89PNG\r\n\x1a\n cut", "cut short")],
)  # fmt: skip
def test_what_is_no_picture_is_said(tmp_path, data, said):
    path = tmp_path / "photo.jpg"
    path.write_bytes(data)
    with pytest.raises(UnusableFile, match=said):
        read_picture(path)
    with pytest.raises(UnusableFile, match="cannot be read"):
        read_picture(tmp_path / "none.jpg")


def test_a_lens_of_a_program_that_writes_whole_numbers_with_a_point_is_read(tmp_path):
    path = tmp_path / "c.json"
    write_intrinsics(path, Intrinsics(width_px=90, height_px=70, fx=9.0, fy=9.0, cx=4.0, cy=4.0))
    path.write_text(path.read_text().replace("90,", "90.0,").replace("70,", "7e1,"))
    assert (read_intrinsics(path).width_px, read_intrinsics(path).height_px) == (90, 70)


@pytest.mark.parametrize("size", [(1, 1), (1080, 3), (15, 1920)])
def test_a_picture_of_too_few_pixels_to_show_a_marker_is_refused(tmp_path, size):
    path = tmp_path / "photo.png"
    path.write_bytes(cv2.imencode(".png", np.zeros((*size, 3), np.uint8))[1].tobytes())
    with pytest.raises(UnusableFile, match=f"expected at least 16 x 16 pixels, got {size[1]} x {size[0]}"):
        read_picture(path)


def test_unusable_options_end_with_status_2_and_write_nothing(tmp_path):
    out = tmp_path / "out.pdf"
    for options in (["--what", "flags"], ["--ids", "x"], ["--tag-size", "0"]):
        assert CliRunner().invoke(sheets, ["-o", str(out), *options]).exit_code == 2
    assert CliRunner().invoke(calibrate, ["photo.jpg"]).exit_code == 2
    assert not out.exists()


@pytest.mark.parametrize(("what", "ids"), [("tags", "0-3"), ("markers", "10-12")])
def test_a_sheet_without_a_page_is_refused(tmp_path, what, ids):
    done = CliRunner().invoke(sheets, ["-o", str(tmp_path / "out.pdf"), "--what", what, "--ids", ids])
    assert done.exit_code == 2
    assert f"expected ids of {what}, got {ids}" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_sheets_are_written(tmp_path):
    out = tmp_path / "out.pdf"
    assert CliRunner().invoke(sheets, ["-o", str(out), "--what", "markers,tags", "--ids", "0-3,10"]).exit_code == 0
    assert out.read_bytes().startswith(b"%PDF")


def test_a_dash_for_the_output_is_standard_output_and_nothing_else_is_written_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(sheets, ["-o", "-", "--what", "ruler"])
    assert (done.exit_code, done.stdout_bytes[:5], done.stdout_bytes[-6:]) == (0, b"%PDF-", b"%%EOF\n")
    assert "print it at 100 %" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_table_in_another_encoding_is_refused_and_a_byte_order_mark_is_no_harm(tmp_path):
    path = tmp_path / "t.toml"
    path.write_bytes(GOOD.encode() + "# f\xfcr".encode("latin-1"))
    with pytest.raises(UnusableFile, match="expected text in UTF-8, found byte 0xfc"):
        read_table(path)
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    assert read_table(path).table.width_mm == 1828.8


@pytest.mark.parametrize("ids", ["5-2", "\u00b2", "-1", "", "a"])
def test_ids_that_are_none_are_refused(tmp_path, ids):
    done = CliRunner().invoke(sheets, ["-o", str(tmp_path / "out.pdf"), "--ids", ids])
    assert done.exit_code == 2
    assert "expected ids such as 0-3,7" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    for path in (folder, folder / "none" / "out"):
        with pytest.raises(UnusableFile, match=str(path)):
            write_whole(path, b"new")
    assert [one.name for one in tmp_path.rglob("*")] == ["folder"]


def test_a_file_that_is_written_again_keeps_its_rights_and_its_link(tmp_path):
    old, link = tmp_path / "old", tmp_path / "link"
    old.write_bytes(b"old")
    old.chmod(0o640)
    link.symlink_to(old)
    write_whole(link, b"new")
    assert (old.read_bytes(), link.is_symlink(), old.stat().st_mode & 0o777) == (b"new", True, 0o640)


def test_a_new_file_has_the_rights_of_any_other(tmp_path):
    (tmp_path / "other").write_bytes(b"")
    write_whole(tmp_path / "new", b"new")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.parametrize("write", [write_whole, write_file])
def test_a_file_is_on_the_disk_before_it_takes_the_place_of_the_old_one(tmp_path, monkeypatch, write):
    path = tmp_path / "old"
    path.write_bytes(b"old")

    def power_cut(_handle):
        assert path.read_bytes() == b"old"
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", power_cut)
    with pytest.raises((UnusableFile, UnusableGame), match="cannot be written"):
        write(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("write", [write_whole, write_file])
def test_writing_a_file_leaves_the_rights_of_what_others_write_at_the_time_alone(tmp_path, monkeypatch, write):
    monkeypatch.setattr(os, "umask", lambda _: pytest.fail("the umask is the whole program's"))
    write(tmp_path / "new", b"new")
    assert (tmp_path / "new").read_bytes() == b"new"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"new")
    reader.join(10)
    assert got == [b"new"]
    assert pipe.is_fifo()

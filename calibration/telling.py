"""What ``vedette calibrate`` and ``vedette survey`` say of what they found: tables, and JSON for programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calibration.reading import STANDARD_OUTPUT

if TYPE_CHECKING:
    from calibration.lenses.lens import Calibration
    from calibration.records import MarkerAt
    from calibration.surveys.survey import Survey
    from calibration.surveys.surveying import Surveyed

__all__ = [
    "calibration_json", "demand_one_on_stdout", "print_calibration", "print_json", "print_survey", "survey_json",
    "warn",
]  # fmt: skip

#: A marker's place surer than this adds little to what a camera misses anyway; less sure than the other, it can
#: decide by itself whether a base is in range.
_GOOD_MM, _FAIR_MM = 1.0, 3.0


def demand_one_on_stdout(output: Path | None, as_json: bool) -> None:
    """Raises UsageError where a file and the figures would both go to standard output."""
    if as_json and output == STANDARD_OUTPUT:
        raise click.UsageError("-o - and --json both write to standard output: give one of them, or -o a file")


def _layout(found: Calibration) -> str:
    if not found.board.layouts_differ:
        return "both ChArUco layouts (they agree for an odd number of rows)"
    return (
        "the older ('legacy') ChArUco layout" if found.board.legacy else "the newer ChArUco layout (OpenCV 4.6 on)"
    )


def calibration_json(found: Calibration) -> dict[str, Any]:
    """A lens with all figures, to be written as JSON."""
    import msgspec

    lens = msgspec.to_builtins(found.intrinsics)
    return {
        "format": "vedette-calibration/1",
        "camera": {"format": "vedette-camera/1", **lens, "dist": list(found.intrinsics.dist)},
        "board": str(found.board),
        "layout": _layout(found),
        "legacy": found.board.legacy if found.board.layouts_differ else None,
        "sigma_px": dict(zip(("fx", "fy", "cx", "cy"), found.sigma, strict=True)),
        "cross_validated_px": None
        if found.cross_validated_px != found.cross_validated_px
        else found.cross_validated_px,
        "doubt_px": None
        if found.doubt_px[0] != found.doubt_px[0]
        else dict(zip(("rms", "worst"), found.doubt_px, strict=True)),
        "views": [{"photo": p.name, "corners": len(p.view.ids), "rms_px": rms} for p, rms in found.views],
        "unused": [{"photo": name, "why": why} for name, why in found.unused],
        "corners_refused": found.corners_refused,
        "warnings": list(found.warnings),
    }


def print_calibration(found: Calibration, output: Path | None) -> None:
    """A lens with its figures, as a table; ``output`` is where it was written."""
    from rich.console import Console
    from rich.table import Table as Grid

    console, lens = Console(markup=False, stderr=output == STANDARD_OUTPUT), found.intrinsics
    grid = Grid("photo", "corners", "rms px")
    for photo, rms in found.views:
        grid.add_row(photo.name, str(len(photo.view.ids)), f"{rms:.3f}")
    for name, why in found.unused:
        grid.add_row(name, "not used", why)
    console.print(grid)
    console.print(f"board {found.board}: {_layout(found)}", highlight=False)
    for name, value, sigma in zip(
        ("fx", "fy", "cx", "cy"), (lens.fx, lens.fy, lens.cx, lens.cy), found.sigma, strict=True
    ):
        console.print(f"  {name} {value:9.2f} ± {sigma:.2f} px", highlight=False)
    console.print("  k1 k2 p1 p2 k3 " + " ".join(f"{k:.5f}" for k in lens.dist), highlight=False)
    foreseen = found.cross_validated_px
    unseen = "" if foreseen != foreseen else f", {foreseen:.3f} px on views that the fit had not seen"
    console.print(f"  rms {lens.rms_px:.3f} px{unseen}", highlight=False)
    if foreseen == foreseen:
        rms, worst = found.doubt_px
        console.print(
            f"  over the whole picture known to {rms:.2f} px rms, {worst:.2f} px where it is known worst"
            " (by leaving out views in turn)",
            highlight=False,
        )
    if output not in (None, STANDARD_OUTPUT):
        console.print(f"written to {output}", highlight=False)


def survey_json(done: Surveyed) -> dict[str, Any]:
    """A survey with all figures and the table with it, to be written as JSON."""
    import msgspec

    found, table = done.survey, done.table
    return {
        "format": "vedette-survey/1",
        "frame": list(found.frame),
        "residual_px": found.residual_px,
        "axis_residual_px": found.axis_residual_px,
        "robust_residual_px": found.robust_residual_px,
        "flat": found.flat,
        "median_sigma_mm": found.median_sigma_mm,
        "scale": {
            "factor": done.scale.factor,
            "lengths": [msgspec.to_builtins(each) for each in done.scale.lengths],
        },
        "markers": [
            {
                **msgspec.to_builtins(marker),
                "x_mm": marker.x_mm,
                "z_mm": marker.z_mm,
                "rotation_deg": marker.rotation_deg,
                "sigma_mm": found.sigma_mm[marker.id],
                "photos": found.seen_in[marker.id],
            }
            for marker in found.markers
        ],
        "table": {"format": table.format, **msgspec.to_builtins(table)},
        "warnings": list(found.warnings),
    }


def print_survey(done: Surveyed, output: Path | None) -> None:
    """A survey with its figures, as a table; ``output`` is where it was written."""
    from rich.console import Console
    from rich.table import Table as Grid

    console, found = Console(markup=False, stderr=output == STANDARD_OUTPUT), done.survey
    grid = Grid("marker", "x mm", "y mm", "z mm", "turned °", "± mm", "photos")
    for marker in found.markers:
        grid.add_row(*_row(marker, found))
    console.print(grid)
    console.print(_how_sure(found), highlight=False)
    for each in done.scale.lengths:
        tape, prints = each.by_tape_mm, each.by_prints_mm
        console.print(
            f"{each.first} to {each.second}: {tape:.1f} mm by tape, {prints:.1f} mm by the size of the prints"
            f" ({100 * (tape / prints - 1):+.2f} %); {tape - done.scale.factor * prints:+.1f} mm from the scale"
            + ("" if each.used else ", left out"),
            highlight=False,
        )
    if output not in (None, STANDARD_OUTPUT):
        console.print(f"written to {output}", highlight=False)


def _how_sure(found: Survey) -> str:
    """How well the places are known, and whether that will do; the residuals behind it stand in the JSON."""
    least_sure = max(found.sigma_mm, key=lambda marker: found.sigma_mm[marker])
    worst = found.sigma_mm[least_sure]
    will_do = "good" if worst <= _GOOD_MM else "fair" if worst <= _FAIR_MM else "poor: take more photos"
    but = ", but for what the warnings tell" if found.warnings else ""
    how = "all markers taken to lie in one plane" if found.flat else "each marker at a height of its own"
    least = f"the least sure, marker {least_sure}, to ± {worst:.1f} mm"
    return f"places known to ± {found.median_sigma_mm:.1f} mm, {least}: {will_do}{but}; {how}"


def _row(marker: MarkerAt, found: Survey) -> list[str]:
    figures = (marker.x_mm, marker.y_mm, marker.z_mm, marker.rotation_deg, found.sigma_mm[marker.id])
    return [str(marker.id), *(f"{value:.2f}" for value in figures), str(found.seen_in[marker.id])]


def print_json(value: dict[str, Any]) -> None:
    """Prints a value as JSON."""
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=1))


def warn(warnings: tuple[str, ...]) -> None:
    """Prints warnings on standard error, one a line."""
    for warning in warnings:
        click.echo(f"warning: {warning}", err=True)

"""Pixel to table point and back, distortion included, at any height."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.camera import CameraModel
from calibration.optics import pixels_of_rays, rays_of_pixels, reach_of_lens
from calibration.records import Intrinsics
from tests.calibration.rendering import LENS, overhead, seen


def camera_at(height=1500.0, tilt=15.0, turn=10.0, lens=LENS, covariance=None):
    rvec, tvec = overhead(height, tilt, (600.0, 500.0), turn)
    return CameraModel(lens, rvec, tvec, np.zeros((6, 6)) if covariance is None else covariance, 0.1, (0, 1, 2))


lenses = st.builds(
    lambda f, ratio, k1, k2, p1, p2: Intrinsics(
        width_px=1280, height_px=720, fx=f, fy=f * ratio, cx=645.0, cy=350.0, dist=(k1, k2, p1, p2, 0.0)
    ),
    st.floats(700, 2500), st.floats(0.98, 1.02), st.floats(-0.3, 0.2), st.floats(-0.05, 0.1),
    st.floats(-0.002, 0.002), st.floats(-0.002, 0.002),
)  # fmt: skip


@given(lens=lenses, x=st.floats(0, 1279), y=st.floats(0, 719))
def test_pixel_to_ray_to_pixel_comes_back(lens, x, y):
    ray = rays_of_pixels([[x, y]], lens)
    if np.isfinite(ray).all():
        assert np.allclose(pixels_of_rays(ray, lens), [[x, y]], atol=1e-6)
    else:
        assert np.isfinite(reach_of_lens(lens))


@given(lens=lenses, z=st.floats(-20, 300), x=st.floats(0.3, 0.7), y=st.floats(0.3, 0.7),
       height=st.floats(800, 3000), tilt=st.floats(-30, 30), turn=st.floats(-180, 180))  # fmt: skip
def test_pixel_to_table_to_pixel_comes_back_at_any_height(lens, z, x, y, height, tilt, turn):
    camera = camera_at(height, tilt, turn, lens)
    pixel = np.array([[x * 1280, y * 720]])
    place = camera.to_plane(pixel, z)
    assert np.allclose(camera.project(np.column_stack([place, [[z]]])), pixel, atol=1e-6)


def test_projection_is_opencvs():
    rvec, tvec = overhead()
    camera = CameraModel(LENS, rvec, tvec, np.zeros((6, 6)), 0.0, ())
    points = np.random.default_rng(1).uniform((0, 0, -5), (1200, 600, 200), (50, 3))
    assert np.allclose(camera.project(points), seen(points, rvec, tvec), atol=1e-9)
    assert np.allclose(camera.position_mm, -np.asarray(cv2.Rodrigues(rvec)[0]).T @ tvec)


def test_each_pixel_may_have_its_own_height():
    camera = camera_at()
    pixels = np.array([[100.0, 100.0], [500.0, 300.0], [800.0, 450.0]])
    heights = np.array([0.0, 3.0, 40.0])
    together = camera.to_plane(pixels, heights)
    apart = np.vstack([camera.to_plane(p[None], h) for p, h in zip(pixels, heights, strict=True)])
    assert np.allclose(together, apart, atol=1e-9)


def test_nothing_is_seen_behind_the_camera_nor_above_the_horizon():
    camera = camera_at(tilt=60.0)
    assert np.isnan(camera.project([[600.0, 500.0, 3000.0]])).all()
    assert np.isnan(camera.to_plane([[480.0, 0.0], [480.0, 270.0]], 1600.0)).all()
    assert np.isnan(camera.to_plane([[480.0, 270.0]], float("nan"))).all()


def test_empty_lists_and_wrong_shapes():
    camera = camera_at()
    assert camera.to_plane(np.zeros((0, 2)), 0.0).shape == (0, 2)
    assert camera.project([]).shape == (0, 2)
    assert camera.plane_covariance([], 0.0).shape == (0, 2, 2)
    assert camera.px_per_mm([]).shape == (0,)
    with pytest.raises(ValueError, match=r"expected shape \(N, 2\)"):
        camera.to_plane([1.0, 2.0], 0.0)
    with pytest.raises(ValueError, match="pose_covariance: expected shape"):
        CameraModel(LENS, np.zeros(3), np.zeros(3), np.zeros((3, 3)), 0.0, ())


def test_covariance_agrees_with_monte_carlo():
    root = np.diag([2e-4, 2e-4, 1e-4, 0.3, 0.3, 0.8])
    root[3, 0] = 0.2
    covariance = root @ root.T
    camera = camera_at(covariance=covariance)
    pixel = np.array([[220.0, 400.0]])
    rng = np.random.default_rng(7)
    tried = []
    for draw in rng.multivariate_normal(np.zeros(6), covariance, 4000):
        shaken = CameraModel(LENS, camera.rvec + draw[:3], camera.tvec_mm + draw[3:], covariance, 0.0, ())
        tried.append(shaken.to_plane(pixel + rng.normal(0, 0.2, (1, 2)), 5.0)[0])
    said = camera.plane_covariance(pixel, 5.0, sigma_px=0.2)[0]
    assert np.allclose(np.cov(np.array(tried).T), said, atol=0.08 * np.trace(said))


def test_scale_is_pixels_per_millimetre():
    camera = camera_at(
        tilt=0.0, turn=0.0, lens=Intrinsics(width_px=960, height_px=540, fx=900, fy=900, cx=480, cy=270)
    )
    assert camera.px_per_mm([[600.0, 500.0, 0.0], [600.0, 500.0, 500.0]]) == pytest.approx([0.6, 0.9])


def test_a_camera_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        camera_at().rvec[0] = 1.0

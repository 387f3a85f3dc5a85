"""Printable sheets, lens calibration, table markers and the camera model; knows nothing of figures."""

import os

#: The largest picture that OpenCV decodes, in pixels: a phone's 100 megapixels, but no bomb of a few kilobytes that
#: unpacks to gigabytes. OpenCV reads this when it is loaded, hence here, before any module of ours can load it.
MOST_PIXELS = 100_000_000
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))

#: The matrices here are small: threads that share them wait for each other, and spin while they do. Three times the
#: processor's time went into that, on two cores. Read when numpy is loaded; who knows better says so himself.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

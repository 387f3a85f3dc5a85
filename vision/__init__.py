"""Camera sources, and tags, bases and terrain found in a frame; knows nothing of rules."""

import calibration  # noqa: F401  (sets OpenCV's limit on the size of pictures before OpenCV is loaded)

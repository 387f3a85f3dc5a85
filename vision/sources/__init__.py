"""Camera sources: a device, a video file, a folder of pictures, or a stream; always the newest frame of it."""

from vision.frames.records import Frame, Source, SourceStatus
from vision.sources.opening import frames, open_source
from vision.sources.places import Mode
from vision.sources.posted import PostedSource

__all__ = ["Frame", "Mode", "PostedSource", "Source", "SourceStatus", "frames", "open_source"]

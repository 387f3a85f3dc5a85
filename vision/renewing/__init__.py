"""From frame to frame: what of the camera, the prints and the bases stands as measured, and where to look again."""

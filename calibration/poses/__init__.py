"""Where the camera hangs, and what the markers and a tape say of it."""

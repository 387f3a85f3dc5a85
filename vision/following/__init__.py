"""From frame to frame: what has changed, what stands as it was, which base is which."""

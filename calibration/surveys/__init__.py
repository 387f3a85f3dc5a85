"""Where table markers lie: laid out, or surveyed from photos, and the length that sets the scale."""

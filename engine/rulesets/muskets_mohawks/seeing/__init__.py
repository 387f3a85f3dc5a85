"""Who sees whom, what stands between, and cover."""

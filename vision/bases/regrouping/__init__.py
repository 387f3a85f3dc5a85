"""Second thoughts about doubtful bases: other ways in which their ground may be filled."""

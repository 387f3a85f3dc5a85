"""Which bases stand there: how well they explain the picture, and of which kind they are."""

"""What holds units together: command, morale, rout, recovery."""

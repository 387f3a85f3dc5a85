"""What players do under a set of rules: what is open now, what is refused, what an umpire may."""

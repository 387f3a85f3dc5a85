"""What players do under a set of rules: the keys of an action, its form, what is refused, what an umpire may."""

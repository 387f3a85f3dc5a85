"""Guns and grenades: loading, moving and firing them, and what shot and shell reach."""

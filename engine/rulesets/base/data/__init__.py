"""The TOML of a set of rules: its tables and words, and packs that put their own in their place."""

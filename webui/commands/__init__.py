"""The subcommands of `webui`: the demo, a real table, the mail, rosters, the reference."""

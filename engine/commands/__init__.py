"""More subcommands of `engine`: the log, campaigns, rulings, the umpire's word."""

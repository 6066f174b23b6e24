"""One file a subcommand: Settings in, exit code out."""

"""The command `statecrawl`: commands, tables, progress."""

"""`python -m statecrawl` is the command `statecrawl`."""

from statecrawl.cli.main import main

main()

"""`python -m statecrawl` is the command `statecrawl`."""

from statecrawl.cli.main import main

if __name__ == "__main__":
    main()

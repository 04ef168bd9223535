"""`python -m statecrawl` is the command `statecrawl`.

Nothing is loaded here: whoever presses Ctrl-C before `run` begins would see a traceback.
"""

import sys

INTERRUPTED = 130  # exit code: `errors.EXIT_INTERRUPTED`


def run() -> None:
    """The command, also for those who press Ctrl-C before it has begun."""
    try:
        from statecrawl.cli.main import main  # noqa: PLC0415 — importing takes a moment in which Ctrl-C may come

        main()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    run()

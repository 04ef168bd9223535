"""`python -m statecrawl` is the command `statecrawl`.

Nothing is loaded before `run` begins: until then, Python answers Ctrl-C with a traceback.
"""

import os
import sys

TYPE_CHECKING = False  # without loading `typing`, for the same reason
if TYPE_CHECKING:
    from types import FrameType

INTERRUPTED = 130  # exit code: `errors.EXIT_INTERRUPTED`


def run() -> None:
    """Run the command; Ctrl-C while it is loaded ends the process at once, since there is nothing to tidy up yet."""
    try:
        import signal  # noqa: PLC0415 — importing takes a moment in which Ctrl-C may come

        usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else the caller wants it to be ignored
        if usual:
            signal.signal(signal.SIGINT, _leave)
        from statecrawl.cli.main import main  # noqa: PLC0415 — likewise

        if usual:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        main()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _leave(_number: int, _frame: "FrameType | None") -> None:
    os._exit(INTERRUPTED)  # an exception would be printed where an import, or a callback, cannot raise it


if __name__ == "__main__":
    run()

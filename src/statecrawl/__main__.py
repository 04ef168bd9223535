"""Entry point of the `statecrawl` command and of `python -m statecrawl`.

Nothing is imported before `run` starts, because Python answers Ctrl-C during an import with a traceback.
"""

import os
import sys

TYPE_CHECKING = False  # avoids importing `typing`, for the same reason
if TYPE_CHECKING:
    from types import FrameType

INTERRUPTED = 130  # exit code: `errors.EXIT_INTERRUPTED`


def run() -> None:
    """Run the command. Ctrl-C while modules are imported exits at once: there is nothing to clean up yet."""
    try:
        import signal  # noqa: PLC0415 — Ctrl-C can arrive during this import

        is_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # otherwise the parent ignores it
        if is_default:
            signal.signal(signal.SIGINT, _exit_now)
        from statecrawl.cli.main import main  # noqa: PLC0415 — Ctrl-C can arrive during this import

        if is_default:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        main()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _exit_now(_number: int, _frame: "FrameType | None") -> None:
    os._exit(INTERRUPTED)  # Python prints an exception that is raised inside a callback of an import


if __name__ == "__main__":
    run()

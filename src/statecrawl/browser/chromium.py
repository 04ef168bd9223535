"""Chromium: found wherever it is installed, started with a profile of its own, and always closed.

Chromium's headless shell is the same engine without windows, tabs and menus: it starts in a third of the time and
resets a page in less than half of it. Where it is installed it is preferred to the full browser.

The sandbox is on unless it cannot work: Chromium refuses to use it for the root user. See `Chromium.sandboxed`.
"""

import asyncio
import contextlib
import fcntl
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from statecrawl.browser.context_targets import PAUSE
from statecrawl.browser.devtools import Connection
from statecrawl.browser.request_gate import Backstop
from statecrawl.errors import BrowserError, BrowserLost, BrowserMissing

NAMES = (
    *("chromium-headless-shell", "chrome-headless-shell"),
    *("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge"),
)
PLACES = (
    "/opt/google/chrome/chrome",
    "/snap/bin/chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
VARIABLE = "STATECRAWL_BROWSER"  # path of the browser's program, preferred to the above
HOW_TO_INSTALL = (
    f"run 'apt-get install chromium-headless-shell' (or chromium), or set {VARIABLE} to the path of a Chromium"
)

FEATURES_OFF = (
    *("BackForwardCache", "Prerender2", "Translate", "MediaRouter", "OptimizationHints", "AcceptCHFrame"),
    "PaintHolding",
    *("FedCm", "Reporting", "NetworkErrorLogging"),  # these send requests that belong to no page, so no gate sees them
)
NO_PREFETCH = "kPrefetchSchedulerTestingActiveSetSizeLimitFor{0}/0"
FEATURES_ON = (  # no prefetch by speculation rules starts: it would pass no gate, and may lead anywhere
    "PrefetchMultipleActiveSetSizeLimitForBase:prefetch_multiple_active_set_size_limit_for_base_value/0",
    f"PrefetchSchedulerTesting:{NO_PREFETCH.format('Base')}/{NO_PREFETCH.format('Burst')}",
)
SHELL_FEATURES_OFF = (
    "RenderDocument",  # without it, a reset takes two thirds of the time
    "BackgroundResourceFetch",  # responses go through another thread, which takes a tenth of a renderer's time
)
SHELL_FLAGS = ("--enable-begin-frame-control", "--run-all-compositor-stages-before-draw")  # frames on demand
HEADLESS = "--headless"
FLAGS = (
    "--remote-debugging-pipe",
    # Regular expressions of users run in the page, too: one that backtracks too long falls back to linear time
    "--js-flags=--enable-experimental-regexp-engine-on-excessive-backtracks",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-hang-monitor",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-ipc-flooding-protection",
    "--disable-field-trial-config",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--accept-lang=en-US,en",
    "--mute-audio",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    "--no-service-autorun",
    "--no-startup-window",
    "--window-size=1280,800",
)
SPARE_DESCRIPTOR = 10  # the lowest descriptor for our copies of the pipes: 3 and 4 are the browser's
END_SECONDS = 5.0  # how long a browser may take to exit by itself
REMOVE_TRIES = 50  # every 20 ms, until no process writes into the profile any more


def find_browser(named: str | None = None, *, headed: bool = False) -> Path:
    """Return the path of a browser; one with windows if `headed`. Raises BrowserMissing with advice."""
    if headed and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform == "darwin"):
        raise BrowserMissing("there is no screen to show a browser on (DISPLAY is not set): omit --headed.")
    program = named or os.environ.get(VARIABLE)
    if program:
        found = shutil.which(program)
        if found is None:
            raise BrowserMissing(f"there is no program {program}: name a Chrome or Chromium, or {HOW_TO_INSTALL}.")
        return Path(found)
    for name in (*NAMES, *PLACES):
        found = shutil.which(name)
        if found is not None and not (headed and is_shell(Path(found))):
            return Path(found)
    if headed:
        raise BrowserMissing("no Chrome or Chromium that can show itself is installed: run 'apt-get install chromium'.")
    raise BrowserMissing(f"no Chrome or Chromium is installed: {HOW_TO_INSTALL}.")


PROFILE = "statecrawl-chromium-"  # prefix of profile directories; the id of the owning process follows


class Chromium:
    """A running browser."""

    def __init__(self, pid: int, connection: Connection, profile: Path, *, sandboxed: bool) -> None:
        self.pid = pid
        self.connection = connection
        self.sandboxed = sandboxed
        self.product = ""  # name and version: "Chrome/130.0.1"
        self.user_agent = ""  # its User-Agent header
        self.is_shell = False  # a headless shell: pages can be drawn on demand
        self._profile = profile
        self._is_closed = False
        self._backstop: Backstop | None = None
        self._lock = asyncio.Lock()

    @classmethod
    async def start(cls, program: Path | None = None, flags: Sequence[str] = (), *, headed: bool = False) -> "Chromium":
        """Start a browser with an empty profile. Raises BrowserMissing or BrowserLost."""
        program = program or find_browser()
        _sweep()
        profile = Path(tempfile.mkdtemp(prefix=f"{PROFILE}{os.getpid()}-"))
        sandboxed = os.geteuid() != 0
        how = [*FLAGS, *_features(program), *flags] if headed else [HEADLESS, *FLAGS, *_features(program), *flags]
        arguments = [str(program), *how, f"--user-data-dir={profile}"]
        if not sandboxed:
            arguments.append("--no-sandbox")
        try:
            pid, read, write = _spawn(arguments, profile / "stderr.txt")
        except BrowserMissing:
            shutil.rmtree(profile, ignore_errors=True)
            raise
        chromium = cls(pid, Connection(read, write), profile, sandboxed=sandboxed)
        started = False
        try:
            version = await asyncio.wait_for(chromium.connection.root.call("Browser.getVersion"), 30)
            chromium.product, chromium.user_agent = str(version["product"]), str(version["userAgent"])
            chromium.is_shell = chromium.product.startswith("Headless") and is_shell(program)
            await chromium._pause_targets()
            started = True
        except (BrowserLost, TimeoutError) as error:
            output = _last_output(profile / "stderr.txt")
            raise BrowserLost(
                f"{program} did not start{output}: is it a Chromium? If not, {HOW_TO_INSTALL}."
            ) from error
        finally:
            if not started:
                await asyncio.shield(chromium.close())
        return chromium

    async def _pause_targets(self) -> None:
        """Pause every new target before its first request, until it has been prepared."""
        root = self.connection.root
        root.on("Target.detachedFromTarget", lambda event: self.connection.forget(event["sessionId"], "it was closed"))
        await root.call("Target.setDiscoverTargets", discover=True)
        await root.call("Target.setAutoAttach", **PAUSE)

    async def backstop(self) -> Backstop:
        """Return the backstop, which sees every request of the browser from now on."""
        async with self._lock:
            if self._backstop is None:
                self._backstop = Backstop(self.connection.root)
                await self._backstop.start()
        return self._backstop

    async def version(self) -> str:
        """Return name and version of the browser: "Chrome/130.0.1"."""
        return str((await self.connection.root.call("Browser.getVersion"))["product"])

    @property
    def is_alive(self) -> bool:
        return self.connection.lost is None

    def resident_bytes(self) -> int:
        """Return the memory of all its processes, without what they share, which is mostly the program itself."""
        return sum(_resident(pid) for pid in self.processes())

    def processes(self) -> list[int]:
        """Return the ids of its process and of all that it started."""
        processes = [self.pid]
        for pid in processes:
            with contextlib.suppress(OSError, ValueError):
                for task in Path(f"/proc/{pid}/task").iterdir():
                    processes += map(int, (task / "children").read_text().split())
        return processes

    async def close(self) -> None:
        """Close the browser, by force if need be, and remove its profile."""
        if self._is_closed:
            return
        self._is_closed = True
        if self.connection.lost is None:
            with contextlib.suppress(BrowserError, TimeoutError):
                await asyncio.wait_for(self.connection.root.call("Browser.close"), 2)
        self.connection.close()
        ended = await self._has_exited(END_SECONDS)
        self.kill()  # including its child processes, which may outlive it and write into the profile
        if not ended:
            await self._has_exited(END_SECONDS)
        _remove_socket(self._profile / "SingletonSocket")
        for _ in range(REMOVE_TRIES):
            await asyncio.to_thread(shutil.rmtree, self._profile, ignore_errors=True)
            if not self._profile.exists():
                break
            await asyncio.sleep(0.02)

    def kill(self) -> None:
        """Kill all its processes."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    async def _has_exited(self, seconds: float) -> bool:
        for _ in range(int(seconds / 0.02)):
            try:
                if os.waitpid(self.pid, os.WNOHANG)[0]:
                    return True
            except ChildProcessError:
                return True
            await asyncio.sleep(0.02)
        return False


def _sweep() -> None:
    """Remove profiles left behind by crawls that were killed."""
    for profile in Path(tempfile.gettempdir()).glob(f"{PROFILE}*-*"):
        owner = profile.name.removeprefix(PROFILE).partition("-")[0]
        with contextlib.suppress(OSError):
            if owner.isdecimal() and profile.stat().st_uid == os.geteuid() and not Path(f"/proc/{owner}").exists():
                shutil.rmtree(profile, ignore_errors=True)


def is_shell(program: Path) -> bool:
    """Return whether a program has the name of a headless shell; it may still be something else."""
    return "headless" in program.name


def _features(program: Path) -> list[str]:
    """Return the flags that differ between headless shells and full browsers."""
    enable = f"--enable-features={','.join(FEATURES_ON)}"
    if not is_shell(program):
        return [enable, f"--disable-features={','.join(FEATURES_OFF)}"]
    return [enable, f"--disable-features={','.join((*FEATURES_OFF, *SHELL_FEATURES_OFF))}", *SHELL_FLAGS]


def _spawn(arguments: list[str], log: Path) -> tuple[int, int, int]:
    """Start a program in a process group of its own. Return its process id and our ends of its pipes."""
    browser_reads, we_write = os.pipe()
    we_read, browser_writes = os.pipe()
    ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, SPARE_DESCRIPTOR) for end in (browser_reads, browser_writes)]
    ours = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, SPARE_DESCRIPTOR) for end in (we_read, we_write)]
    for end in (browser_reads, we_write, we_read, browser_writes):
        os.close(end)
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, str(log), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_DUP2, ends[0], 3),
        (os.POSIX_SPAWN_DUP2, ends[1], 4),
    ]
    try:
        pid = os.posix_spawn(arguments[0], arguments, os.environ, file_actions=actions, setpgroup=0)
    except OSError as error:
        for end in ours:
            os.close(end)
        raise BrowserMissing(f"cannot start {arguments[0]}: {error.strerror}; {HOW_TO_INSTALL}.") from error
    finally:
        for end in ends:
            os.close(end)
    return pid, ours[0], ours[1]


def _remove_socket(link: Path) -> None:
    """Remove what a killed browser leaves elsewhere: the directory of the socket that its profile links to."""
    with contextlib.suppress(OSError):
        folder = link.readlink().parent
        for name in ("SingletonSocket", "SingletonCookie"):
            (folder / name).unlink(missing_ok=True)
        folder.rmdir()


def _resident(pid: int) -> int:
    try:
        resident, shared = Path(f"/proc/{pid}/statm").read_text().split()[1:3]
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def _last_output(log: Path) -> str:
    try:
        lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    except OSError:
        return ""
    return f" ({lines[-1][:200]})" if lines else ""

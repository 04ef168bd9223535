"""Chromium itself: found wherever it is installed, started with a profile of its own, and always ended.

Chromium's headless shell is the same engine without the windows, tabs and menus around it: it starts in a third of the
time and resets a page in less than half of it. Where it is installed it goes before the whole browser.

The sandbox is on unless it cannot work: Chromium refuses to use it for the root user. `Chromium.sandboxed` says so.
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
from statecrawl.errors import BrowserLost, BrowserMissing

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
VARIABLE = "STATECRAWL_BROWSER"  # names the browser's program, before any of the above
GET_ONE = f"run 'apt-get install chromium-headless-shell' (or chromium), or set {VARIABLE} to the path of a Chromium"

FEATURES_OFF = (
    *("BackForwardCache", "Prerender2", "Translate", "MediaRouter", "OptimizationHints", "AcceptCHFrame"),
    "PaintHolding",
    *("FedCm", "Reporting", "NetworkErrorLogging"),  # requests that belong to no page, so no gate sees them
)
NO_PREFETCH = "kPrefetchSchedulerTestingActiveSetSizeLimitFor{0}/0"
FEATURES_ON = (  # no prefetch by speculation rules ever starts: it would pass no gate, and may lead anywhere
    "PrefetchMultipleActiveSetSizeLimitForBase:prefetch_multiple_active_set_size_limit_for_base_value/0",
    f"PrefetchSchedulerTesting:{NO_PREFETCH.format('Base')}/{NO_PREFETCH.format('Burst')}",
)
SHELL_FEATURES_OFF = (
    "RenderDocument",  # a reset takes two thirds of the time then
    "BackgroundResourceFetch",  # answers come by way of another thread, which takes a tenth of a renderer's time
)
SHELL_FLAGS = ("--enable-begin-frame-control", "--run-all-compositor-stages-before-draw")  # frames on demand
HEADLESS = "--headless"
FLAGS = (
    "--remote-debugging-pipe",
    # Expressions of users run in the page, too: one that backtracks too long goes on in linear time
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
SPARE_DESCRIPTOR = 10  # the lowest number our copies of the pipes may have: 3 and 4 are the browser's
END_SECONDS = 5.0  # how long a browser may take to end by itself
REMOVE_TRIES = 50  # times 20 ms: until nobody writes into the profile any more


def find_browser(named: str | None = None, *, headed: bool = False) -> Path:
    """The browser's program; one that can show itself, if `headed`. Raises BrowserMissing with what to do."""
    if headed and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform == "darwin"):
        raise BrowserMissing("there is no screen to show a browser on (DISPLAY is not set): leave out --headed.")
    asked = named or os.environ.get(VARIABLE)
    if asked:
        found = shutil.which(asked)
        if found is None:
            raise BrowserMissing(f"there is no program {asked}: name a Chrome or Chromium, or {GET_ONE}.")
        return Path(found)
    for name in (*NAMES, *PLACES):
        found = shutil.which(name)
        if found is not None and not (headed and is_shell(Path(found))):
            return Path(found)
    if headed:
        raise BrowserMissing("no Chrome or Chromium that can show itself is installed: run 'apt-get install chromium'.")
    raise BrowserMissing(f"no Chrome or Chromium is installed: {GET_ONE}.")


PROFILE = "statecrawl-chromium-"  # how the names of profiles begin; the process whose it is follows


class Chromium:
    """A running browser."""

    def __init__(self, pid: int, connection: Connection, profile: Path, *, sandboxed: bool) -> None:
        self.pid = pid
        self.connection = connection
        self.sandboxed = sandboxed
        self.product = ""  # what it says it is: "Chrome/130.0.1"
        self.user_agent = ""  # what it tells servers that it is
        self.is_shell = False  # without windows: pages can be drawn on demand
        self._profile = profile
        self._closed = False
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
        try:
            told = await asyncio.wait_for(chromium.connection.root.call("Browser.getVersion"), 30)
            chromium.product, chromium.user_agent = str(told["product"]), str(told["userAgent"])
            chromium.is_shell = chromium.product.startswith("Headless") and is_shell(program)
            await chromium._pause_targets()
        except (BrowserLost, TimeoutError) as trouble:
            said = _last_words(profile / "stderr.txt")
            await chromium.close()
            raise BrowserLost(f"{program} did not start{said}: is it a Chromium? If not, {GET_ONE}.") from trouble
        except BaseException:  # somebody does not want it any more
            await asyncio.shield(chromium.close())
            raise
        return chromium

    async def _pause_targets(self) -> None:
        """Have every new target wait before its first request, until somebody has prepared it."""
        root = self.connection.root
        root.on("Target.detachedFromTarget", lambda told: self.connection.forget(told["sessionId"], "it was closed"))
        await root.call("Target.setDiscoverTargets", discover=True)
        await root.call("Target.setAutoAttach", **PAUSE)

    async def backstop(self) -> Backstop:
        """What sees every request of the browser, from now on."""
        async with self._lock:
            if self._backstop is None:
                self._backstop = Backstop(self.connection.root)
                await self._backstop.start()
        return self._backstop

    async def version(self) -> str:
        """What the browser says it is: "Chrome/130.0.1"."""
        return str((await self.connection.root.call("Browser.getVersion"))["product"])

    @property
    def alive(self) -> bool:
        return self.connection.lost is None

    def resident_bytes(self) -> int:
        """Memory of all its processes together, without what they share, which is mostly the program itself."""
        return sum(_resident(pid) for pid in self.processes())

    def processes(self) -> list[int]:
        """Its own process and all that it started."""
        family = [self.pid]
        for pid in family:
            with contextlib.suppress(OSError, ValueError):
                for task in Path(f"/proc/{pid}/task").iterdir():
                    family += map(int, (task / "children").read_text().split())
        return family

    async def close(self) -> None:
        """End the browser, by force if need be, and remove its profile."""
        if self._closed:
            return
        self._closed = True
        if self.connection.lost is None:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self.connection.root.call("Browser.close"), 2)
        self.connection.close()
        ended = await self._ended(END_SECONDS)
        self.kill()  # also what it started, which may outlive it and write into the profile
        if not ended:
            await self._ended(END_SECONDS)
        _remove_socket(self._profile / "SingletonSocket")
        for _ in range(REMOVE_TRIES):
            await asyncio.to_thread(shutil.rmtree, self._profile, ignore_errors=True)
            if not self._profile.exists():
                break
            await asyncio.sleep(0.02)

    def kill(self) -> None:
        """End it and all its processes now."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    async def _ended(self, seconds: float) -> bool:
        for _ in range(int(seconds / 0.02)):
            try:
                if os.waitpid(self.pid, os.WNOHANG)[0]:
                    return True
            except ChildProcessError:
                return True
            await asyncio.sleep(0.02)
        return False


def _sweep() -> None:
    """Remove the profiles that crawls left behind which were killed."""
    for profile in Path(tempfile.gettempdir()).glob(f"{PROFILE}*-*"):
        owner = profile.name.removeprefix(PROFILE).partition("-")[0]
        with contextlib.suppress(OSError):
            if owner.isdecimal() and profile.stat().st_uid == os.geteuid() and not Path(f"/proc/{owner}").exists():
                shutil.rmtree(profile, ignore_errors=True)


def is_shell(program: Path) -> bool:
    """Whether a program is called like a headless shell; it may still be something else."""
    return "headless" in program.name


def _features(program: Path) -> list[str]:
    """Flags that are not the same for headless shells and whole browsers."""
    enable = f"--enable-features={','.join(FEATURES_ON)}"
    if not is_shell(program):
        return [enable, f"--disable-features={','.join(FEATURES_OFF)}"]
    return [enable, f"--disable-features={','.join((*FEATURES_OFF, *SHELL_FEATURES_OFF))}", *SHELL_FLAGS]


def _spawn(arguments: list[str], log: Path) -> tuple[int, int, int]:
    """Start a program in a process group of its own; returns its id and our ends of its pipes."""
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
    except OSError as trouble:
        for end in ours:
            os.close(end)
        raise BrowserMissing(f"cannot start {arguments[0]}: {trouble.strerror}; {GET_ONE}.") from trouble
    finally:
        for end in ends:
            os.close(end)
    return pid, ours[0], ours[1]


def _remove_socket(link: Path) -> None:
    """Remove what a browser that was killed leaves elsewhere: the folder of the socket that its profile links to."""
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


def _last_words(log: Path) -> str:
    try:
        lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    except OSError:
        return ""
    return f" ({lines[-1][:200]})" if lines else ""

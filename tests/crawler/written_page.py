"""Pages of which a test writes the behaviour, for tests without a browser."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from statecrawl.errors import PageLost
from statecrawl.ports.page import FAILED, Ending, Landing, Note, Page, Snapshot, Walked
from statecrawl.ports.traffic import ObservedExchange
from statecrawl.strategies.orders import Step
from tests.crawler.crawl_folder import joined

Lines = tuple[tuple[Any, ...], ...]


async def nothing() -> None:
    """No server has to be reset."""


def normal_form(clock: str, room: str, more: str = "") -> Lines:
    """The normal form of a page with a clock, the name of the room one is in, a button, and perhaps more."""
    place = "/html/body"
    told: list[tuple[Any, ...]] = [("/html", "<", "html"), (place, "<", "body")]
    for number, (step, text) in enumerate(
        (
            ("#clock", clock),
            ("#room", room),
            *((f"#p{n}", "text") for n in range(8)),
            *([("#more", more)] if more else []),
        )
    ):
        told += [(step, "<", "p"), (step, '"', text), (step, ">", "p")]
        if number == 1:
            told += [
                ("#go", "<", "button", 1),
                ("#go", '"', "go"),
                ("", "!", "click button#go"),
                ("#go", ">", "button"),
            ]
    return (*told, (place, ">", "body"), ("/html", ">", "html"))


def snapshot(told: Lines) -> Snapshot:
    return Snapshot(
        state="aa",
        events=("go",),
        labels=("go",),
        url="",
        title="",
        html="",
        normal=joined(told),
        links=(),
        forms=(),
        cut=False,
    )


@dataclass
class WrittenPage:
    """A house of rooms: "go" leads to the next. `clock` is what this world shows."""

    world: int
    clock: str
    walks_to: int = 9  # beyond this room the event is gone
    ending: Ending = Ending.GONE
    is_lost: bool = False
    fails: int = 0  # walks that lead nowhere, because what was asked for does not come
    room: int = -1
    more: str = ""  # content that other pages do not have
    log: list[str] = field(default_factory=list)

    async def reset(self, background: Collection[str] = ()) -> Landing:
        self.room = 0
        self.log.append("reset")
        return Landing(state="aa", url="")

    async def renew(self) -> bool:
        return False

    async def walk(self, start: str | None, steps: Sequence[Step], *, sure: int | None = None) -> Walked:
        assert start is None, "its state has another id in another world"
        assert all(expected is None for _, expected in steps)
        self.log += [event for event, _ in steps]
        if self.fails:
            self.fails -= 1
            failed = Note(FAILED, ["GET", "http://host/room", "no answer"])
            return Walked(why=Ending.END, states=("aa",) * len(steps), notes=(failed,))
        taken = min(len(steps), self.walks_to)
        self.room += taken
        why = Ending.END if taken == len(steps) else self.ending
        return Walked(why=why, states=("bb",) * taken)

    async def describe(self, *, lines: bool = False) -> Snapshot:
        if self.is_lost:
            raise PageLost("the page changed while it was looked at")
        return snapshot(normal_form(self.clock, f"room {self.room}", self.more) if lines else ())

    def obey(self, rules: Collection[tuple[str, str]]) -> None:
        raise AssertionError("its rules do not change")

    async def rehash(self, forms: Sequence[tuple[str, str]]) -> list[str]:
        raise AssertionError("its rules do not change")

    async def rest(self) -> bool:
        raise AssertionError("it is not the pointer that makes worlds differ")

    async def styled(self, attributes: Collection[str]) -> frozenset[str]:
        raise AssertionError("nobody looks at styles here")

    async def picture(self) -> bytes:
        raise AssertionError("nobody needs one")

    async def wait_for_traffic(self) -> None:
        pass

    def take_traffic(self) -> list[ObservedExchange]:
        raise AssertionError("other worlds have none")

    async def close(self) -> None:
        self.log.append("close")


class House:
    """Makes pages in other worlds, and remembers them."""

    def __init__(self, page: Callable[[int], WrittenPage]) -> None:
        self.pages: list[WrittenPage] = []
        self._page = page

    async def make_page(self, world: int) -> Page:
        self.pages.append(self._page(world))
        return self.pages[-1]

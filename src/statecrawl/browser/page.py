"""A page of Chromium with the agent in it: the Page port.

Theory of operation
    One call of the agent walks a whole path inside the page. Three things can end that call from outside:
    * The document goes away, because a step loaded another one. The new document has an agent of its own, which was
      left word how far the walk had come, and the walk goes on there.
    * The page does not answer in time: it is in an endless loop. Nothing inside it can be relied on any more, so
      the page is thrown away with its process, and the event costs one page.
    * The process of the page dies. The same.

    What the page sends (names, texts, notes) is data: it is never evaluated, and taken only in the shape expected.
"""

import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from statecrawl.browser.agent_answers import StateAnswer
from statecrawl.browser.agent_calls import DocumentFarewell, DocumentLeft, is_held, is_lost, notes_of
from statecrawl.browser.awake_clock import PageStuck, within
from statecrawl.browser.fresh_tab import FreshTab
from statecrawl.browser.request_gate import SAFE_METHODS
from statecrawl.browser.trusted_input import TrustedMouse, fire_trusted
from statecrawl.browser.walk_progress import WalkProgress
from statecrawl.errors import BrowserLost, CallRefused, PageLost, SiteUnreachable
from statecrawl.model.event import opened_url
from statecrawl.ports.page import CAPPED, FAILED, UNAVAILABLE, Ending, Landing, Note, Snapshot, Walked
from statecrawl.ports.redaction import sealed_snapshot
from statecrawl.ports.traffic import ObservedExchange
from statecrawl.strategies.orders import Step
from statecrawl.urls.markup import looks_like_url

RESET_TRIES = 5  # somebody may kill pages and browsers
MOST_STUCK = 2  # of these tries may take all their time
NOT_A_PAGE = "net::ERR_ABORTED"  # how the browser says that what came is to be saved, or nothing came
THROUGH = "through"  # kind of a place that has to be hovered before the event's own element can be seen
MOST_TRIGGERS = 20  # that have to be hovered one after the other
LOST = "the log-in form: nobody is logged in there"


class BrowserPage(FreshTab):
    """Implements the Page port."""

    # -- the port --

    async def reset(self, background: Collection[str] = ()) -> Landing:
        used = self._session is not None
        await self._keep_pace()
        stuck, begun = 0, _now()
        for left in reversed(range(RESET_TRIES)):
            missed = self._browsers.clock.missed
            try:
                landing = await self._reset(background)
                if left and missed != self._browsers.clock.missed:
                    continue  # the process was stopped: the page may have waited in vain
            except (PageStuck, DocumentLeft, PageLost, CallRefused, BrowserLost) as trouble:
                await self._discard()
                stuck += isinstance(trouble, PageStuck)
                if left and stuck < MOST_STUCK:
                    continue
                if isinstance(trouble, BrowserLost):
                    raise
                raise SiteUnreachable(
                    f"{self.settings.url} could not be loaded: {str(trouble) or 'the page does not answer'};"
                    " check the address in a browser of your own."
                ) from trouble
            self._clings = self._clings or (used and stuck > 0)
            self._at = landing.state
            landing = replace(landing, notes=(*landing.notes, *self._take_notes()), blocked_url=self._gate.led_out)
            if self._traffic is not None:
                self._traffic.did(begun, landing.state, None)
            return landing
        raise AssertionError  # the last try returns or raises

    async def renew(self) -> bool:
        """See the port. Where there is a cookie, the server may know what was opened."""
        try:
            self._is_renewed = self._traces is not None and await self._left() == self._traces
        except (PageLost, BrowserLost):
            self._is_renewed = False
        return self._is_renewed

    async def walk(self, start: str | None, steps: Sequence[Step], *, sure: int | None = None) -> Walked:
        begun = time.perf_counter()
        sure = len(steps) if sure is None else sure
        given = list(steps if self._goes_on_alone else steps[: sure + 1])
        course = WalkProgress(start, self._unsealed(given), sure, whole=tuple(given))
        clock, reason, browser_gone = _now(), "", False
        missed = self._browsers.clock.missed
        may_be_held = self._held
        self._left_behind = self._farewell = None
        try:
            await self._keep_pace()
            await self._walk(course)
            reason = course.reason
        except PageStuck as stuck:
            course.why, reason = Ending.HUNG, str(stuck)
        except (PageLost, CallRefused, BrowserLost) as trouble:
            course.why, reason = Ending.CRASHED, str(trouble)
            browser_gone = isinstance(trouble, BrowserLost)
        held = may_be_held and is_held(course.notes)
        if course.why in (Ending.HUNG, Ending.CRASHED):
            await self._discard()
        elif held:
            await self._discard_healthy()
        self._held = self._held and not held
        self.fired += len(course.states)
        self._tell_times(clock, start or self._at, course)
        return Walked(
            why=course.why,
            states=tuple(course.states),
            landed=None if course.why.is_fatal else course.landed,
            notes=(*course.notes, *self._take_notes()),
            dialogs=0 if course.why.is_fatal else course.dialogs,
            back=course.back and bool(course.states) and not course.why.is_fatal,
            reason=reason,
            seconds=time.perf_counter() - begun,
            browser_gone=browser_gone,
            logged_out=course.why is Ending.STRAYED and course.landed == self._lost_at,
            held=held,
            paused=missed != self._browsers.clock.missed,
        )

    async def describe(self, *, lines: bool = False) -> Snapshot:
        told: StateAnswer = await self._looked("describe", lines, seconds=self.settings.load_seconds)
        snapshot = Snapshot(
            state=told.state,
            events=told.events,
            labels=told.labels,
            selectors=told.selectors,
            given=told.given,
            url=told.url,
            title=told.title,
            html=told.html,
            normal=told.lines or "",
            links=told.links,
            forms=told.forms,
            cut=told.cut,
            hidden=told.hidden,
            containers=told.containers,
            addresses=told.addresses,
            linked=told.linked,
            submits=told.submits,
            controls=told.controls,
            denied=told.denied,
            strings=tuple(filter(looks_like_url, told.strings)),
        )
        return snapshot if self.settings.sealer is None else sealed_snapshot(snapshot, self.settings.sealer)

    async def rest(self) -> bool:
        cap = self.settings.event_seconds
        return bool(await self._looked("rest", int(cap * 1000), seconds=cap))

    async def styled(self, attributes: Collection[str]) -> frozenset[str]:
        told = await self._looked("styled", sorted(attributes), seconds=self.settings.load_seconds)
        return frozenset(map(str, told)) & frozenset(attributes)

    async def _looked(self, verb: str, *values: Any, seconds: float) -> Any:
        """What the agent says of the page. Raises PageLost."""
        try:
            return await self._ask(verb, *values, seconds=seconds)
        except (DocumentLeft, PageStuck, PageLost, CallRefused, BrowserLost) as trouble:
            await self._discard()
            raise PageLost(str(trouble) or "the page changed while it was looked at") from trouble

    async def rehash(self, forms: Sequence[tuple[str, str]]) -> list[str]:
        told: list[str] = await self._looked("rehash", forms, seconds=self.settings.load_seconds)
        if len(told) != len(forms):
            raise PageLost("the agent tells of other states than it was asked for")
        return told

    def obey(self, rules: Collection[tuple[str, str]]) -> None:
        self.settings = replace(self.settings, agent=replace(self.settings.agent, rules=tuple(sorted(rules))))
        self._is_outdated = True

    async def picture(self) -> bytes:
        return await self._drawer.picture(self.settings.event_seconds)

    def take_traffic(self) -> list[ObservedExchange]:
        return [] if self._traffic is None else self._traffic.take()

    async def wait_for_traffic(self) -> None:
        if self._traffic is not None:
            await self._traffic.wait_until_complete()

    async def close(self) -> None:
        await self._cover()
        await self._discard_healthy()

    # -- walking --

    def _unsealed(self, steps: list[Step]) -> list[Step]:
        """Steps as the page knows them."""
        sealer = self.settings.sealer
        return steps if sealer is None else [(sealer.opened(name), expected) for name, expected in steps]

    def _tell_times(self, begun: float, at: str, course: WalkProgress) -> None:
        """Which event was fired where and when: what was asked for after it belongs to it."""
        states = (at, *course.states)
        self._at = states[-1]
        if self._traffic is None or not course.whole:
            return
        self._traffic.did(begun, at, course.whole[0][0])
        for step, when in course.fired:
            if 0 < step < min(len(states), len(course.whole)):
                self._traffic.did(when, states[step], course.whole[step][0])

    @property
    def _goes_on_alone(self) -> bool:
        """Whether new steps need nobody outside: to wait for modules, to refuse requests, to press buttons."""
        alone = self._imports is None and not self.settings.read_only and not self.settings.trusted
        return alone and not self._is_slow

    @property
    def _is_slow(self) -> bool:
        """Whether there is a pause after each event."""
        return self._browsers.pace is not None and self._browsers.pace.delay > 0

    async def _keep_pace(self) -> None:
        if self._browsers.pace is not None:
            await self._browsers.pace.wait()

    async def _walk(self, course: WalkProgress) -> None:
        """Walk, document after document, until the steps are done or something ends them."""
        going_on = True
        while going_on:
            try:
                told = await (self._opened(course) if _opens(course.steps) == 0 else self._stretch(course))
            except DocumentLeft:
                going_on = await self._came_elsewhere(course)
            else:
                going_on = await self._stayed(course, told)
            if going_on:
                await self._keep_pace()

    def _milliseconds_left(self) -> int | None:
        """How long events may still start; None where there is no limit."""
        until = self.settings.until
        return None if until is None else max(int((until - time.monotonic()) * 1000), 0)

    async def _stretch(self, course: WalkProgress) -> dict[str, Any]:
        """Walk as far as this document lasts. Raises Left when it ended before the steps did."""
        steps = course.steps[: 1 if self._is_slow else _opens(course.steps)]
        if self.settings.trusted:
            return await self._walk_trusted(course.start, steps)
        cap = self.settings.event_seconds
        asked = (course.start, steps, int(cap * 1000), max(course.sure, 0), self._milliseconds_left())
        told = await self._ask("walk", *asked, seconds=cap, steps=len(steps))
        _check_walk(told, steps)
        return await self._departed(told)

    async def _opened(self, course: WalkProgress) -> dict[str, Any]:
        """Open the address that the next step names, from where the page should be. Raises Left once it has left."""
        cap, renewed, self._is_renewed = self.settings.event_seconds, self._is_renewed, False
        start = None if renewed else course.start
        told: dict[str, Any] = await self._ask("walk", start, [], int(cap * 1000), 0, None, seconds=cap)
        told = await self._departed(told)
        if told["why"] != Ending.END.value:
            return told
        if renewed:
            told["state"] = course.start
            await self._forget()
        elif len(course.whole) == len(course.steps):
            self._traces = await self._left()
        if self._milliseconds_left() == 0:
            return {**told, "why": Ending.LATE.value}
        await self._let_go()
        address, opened, self._gate.led_out = opened_url(course.steps[0][0]), _now(), ""
        async with within(self.settings.load_seconds):
            problem = (await self._live.call("Page.navigate", url=address)).get("errorText", "")
        if problem == NOT_A_PAGE:
            course.notes += () if self._gate.led_out else (Note("download", address),)
            return {**told, "states": [told["state"]], "done": 1}
        self._left_behind = DocumentFarewell([], notes_of(told["notes"]), fired=[opened])
        raise DocumentLeft

    async def _came_elsewhere(self, course: WalkProgress) -> bool:
        """A step has loaded another document; whether the walk goes on in it."""
        landing = await self._arrive(self.settings.load_seconds)
        farewell = self._take_farewell(course.steps)
        if farewell is None:
            if len(course.steps) > 1:
                raise PageLost("another document came, and nobody knows after which step")
            farewell = DocumentFarewell()
        course.notes += (*farewell.notes, *landing.notes)
        course.tell_times(farewell.fired)
        if landing.status in UNAVAILABLE:
            course.notes.append(Note(FAILED, ["GET", landing.url.partition("?")[0], str(landing.status)]))
        course.states += farewell.states
        course.landed, course.dialogs, course.back = landing.state, farewell.dialogs, False
        if not self._in_scope(landing.url):
            course.notes.append(Note("boundary", landing.url))
            return await self._strayed(course, landing.url)
        if self._lost or await self._is_logged_out(course, farewell):
            return await self._strayed(course, self._lost_at)
        if course.has_no_page(landing.status, len(farewell.states)):
            return False
        if not landing.quiet:
            course.notes.append(Note(CAPPED, f"not quiet after {self.settings.load_seconds:g} s"))
        if not course.steps:
            course.why = Ending.MOVED
            return False
        course.states.append(landing.state)
        return course.take(min(len(farewell.states), len(course.steps) - 1) + 1, landing.state)

    @property
    def _lost_at(self) -> str:
        """Where nobody is logged in any more, for people."""
        session = self.settings.agent.session
        return f"a page without '{session}', where nobody seems to be logged in" if session else LOST

    async def _is_logged_out(self, course: WalkProgress, farewell: DocumentFarewell) -> bool:
        """Whether the log-in form is back for the first time after this event, and no selector says more.

        The session may have expired, or the event leads there; the second time it does.
        """
        logins = self.settings.logins
        if logins.saved is None or logins.saved.shows_form or self.settings.agent.session or not course.steps:
            return False
        passed = len(farewell.states)
        fired = (farewell.states[-1] if passed else course.start, course.steps[min(passed, len(course.steps) - 1)][0])
        if fired in logins.doubted or not await self._shows_form():
            return False
        logins.doubted.add(fired)
        return True

    async def _stayed(self, course: WalkProgress, told: dict[str, Any]) -> bool:
        """The walk ended in the document where it began; whether it goes on after all."""
        course.notes += self._unrefused(notes_of(told["notes"]))
        course.states += map(str, told["states"])
        course.tell_times(told["fired"])
        course.why, course.landed, course.dialogs = Ending(told["why"]), str(told["state"]), int(told["dialogs"])
        course.back = bool(told["back"])
        done = int(told["done"])
        await self._drawer.heed(draws=told["draws"])
        if await self._imported(told["scripts"]):
            landing = await self._arrive(self.settings.event_seconds)
            course.notes += landing.notes
            course.landed = landing.state
            if done:
                course.states[-1] = landing.state
                if course.why in (Ending.END, Ending.SURPRISE) and course.take(done, landing.state):
                    return True
        if is_lost(told):
            if done:
                course.states.pop()  # the event is blamed, as it would be had it led out of the scope
            return await self._strayed(course, self._lost_at)
        if done and not told["quiet"]:
            course.notes.append(Note(CAPPED, f"not quiet after {self.settings.event_seconds:g} s"))
        if course.why is Ending.END and 0 < done < len(course.steps):  # the next step opens an address
            return course.take(done, course.landed)
        return False

    def _unrefused(self, notes: list[Note]) -> list[Note]:
        """Without what the page calls failures and we refused."""
        if not self.settings.read_only:
            return notes
        return [note for note in notes if note.kind != FAILED or _method(note) in SAFE_METHODS]

    async def _strayed(self, course: WalkProgress, where: str) -> bool:
        await self._discard_healthy()
        course.why, course.landed, course.dialogs = Ending.STRAYED, where, 0
        return False

    async def _walk_trusted(self, start: str | None, steps: list[Step]) -> dict[str, Any]:
        """Like the agent's `walk`, with real input from outside; step by step."""
        cap = self.settings.event_seconds
        told: dict[str, Any] = await self._ask("walk", start, [], int(cap * 1000), 0, None, seconds=cap)
        states: list[str] = []
        fired: list[float] = []
        notes: list[Any] = list(told["notes"])
        for name, expected in steps if told["why"] == "end" else ():
            if self._milliseconds_left() == 0:
                told["why"] = Ending.LATE.value
                break
            place = await self._placed(name, cap)
            if place is None:
                return {**told, "why": "gone", "states": states, "done": len(states), "notes": notes, "fired": fired}
            fired.append(_now())
            try:
                touch = self.settings.access.device.touch
                firing = fire_trusted(self._live, place, lambda verb: self._ask(verb, name, seconds=cap), touch=touch)  # noqa: B023
                async with within(cap):  # keys need no frames, and with a frame the resting pointer may say something
                    await (firing if place["kind"] in ("key", "input") else self._drawer.during(firing))
                landing = await self._departed(await self._ask("arrive", int(cap * 1000), seconds=cap))
            except DocumentLeft:
                self._left_behind = DocumentFarewell(states, notes_of(notes), fired=fired)
                raise
            notes += landing["notes"]
            states.append(landing["state"])
            told = {**told, **landing, "dialogs": landing["dialogs"]}
            if expected is not None and landing["state"] != expected:
                told["why"] = "surprise"
                break
        return {**told, "states": states, "done": len(states), "notes": notes, "fired": fired}

    async def _placed(self, name: str, cap: float) -> dict[str, Any] | None:
        """Where an event's element is, once everything was hovered that reveals it; None when it is gone."""
        for step in range(MOST_TRIGGERS):
            place: dict[str, Any] | None = await self._ask("place", name, step, seconds=cap)
            if place is None or place["kind"] != THROUGH:
                return place
            hovering = TrustedMouse(self._live, float(place["x"]), float(place["y"])).move()
            async with within(cap):
                await self._drawer.during(hovering)
        return None

    async def _departed(self, told: dict[str, Any] | None) -> dict[str, Any]:
        """Where the page is after all, when it was about to leave. Raises Left once it has left."""
        if told is None:
            raise DocumentLeft  # a document without an agent is on its way
        if not told["leaving"]:
            return told
        seconds = self.settings.load_seconds
        states = told.get("states", [])[:-1]
        self._left_behind = DocumentFarewell(states, notes_of(told["notes"]), told["dialogs"], told.get("fired", []))
        try:  # what is asked now may be answered by the next document
            later = await self._ask("arrive", int(seconds * 1000), seconds=seconds)
        except PageStuck:
            later = told
        if later is None or later["born"] != told["born"]:
            raise DocumentLeft
        self._left_behind = None
        if later["leaving"]:
            raise PageStuck(f"the page that it leads to does not come within {seconds:g} s")
        return {**told, **later, "states": [*states, later["state"]], "notes": [*told["notes"], *later["notes"]]}


def _opens(steps: Sequence[Step]) -> int | None:
    """Which of the steps is the first to open an address."""
    return next((place for place, (name, _) in enumerate(steps) if opened_url(name) is not None), None)


def _check_walk(told: dict[str, Any], steps: Sequence[Step]) -> None:
    """Raises CallRefused when no walk of these steps can have gone like that."""
    states = told["states"]
    passed = zip(states[:-1], steps, strict=False)
    if told["done"] != len(states) or len(states) > len(steps) or any(e not in (None, s) for s, (_, e) in passed):
        raise CallRefused("the agent tells of a walk that cannot have been")


def _now() -> float:
    """Milliseconds since 1970."""
    return time.time() * 1000


def _method(failed: Note) -> str:
    return str(failed.what[0]).upper() if isinstance(failed.what, list) and failed.what else ""

"""Walks: firing a path of events in a page, document after document.

Theory of operation
    One call of the agent walks a whole path inside one document. When a step loads another document, the call ends
    with it. The new document has an agent of its own, to which the agent before left a report of how far the walk had
    come, and the walk continues there. A step that opens a URL, and every step with trusted input, is done from here
    instead, so this process knows itself how far the walk had come.
"""

import time
from collections.abc import Sequence

from statecrawl.browser.agent_answers import (
    ARRIVE,
    PLACE,
    WALK,
    AgentLocation,
    Departure,
    InputPlace,
    WalkAnswer,
    notes_of,
)
from statecrawl.browser.agent_calls import DocumentLeft
from statecrawl.browser.awake_clock import PageStuck, within
from statecrawl.browser.fresh_tab import FreshTab
from statecrawl.browser.request_gate import SAFE_METHODS
from statecrawl.browser.trusted_input import TrustedMouse, fire_trusted
from statecrawl.browser.walk_progress import WalkProgress
from statecrawl.errors import CallRefused, PageLost
from statecrawl.model.event import opened_url
from statecrawl.ports.page import CAPPED, FAILED, UNAVAILABLE, Ending, Note
from statecrawl.strategies.orders import Step

NOT_A_PAGE = "net::ERR_ABORTED"  # the browser's error for a download, and for an answer without content
THROUGH = "through"  # kind of a place to hover before the element of the event itself can be seen
MOST_TRIGGERS = 20  # elements to hover one after the other
LOGIN_FORM = "the login form: the user is logged out"


class WalkTab(FreshTab):
    """A tab that walks paths of events."""

    @property
    def _walks_alone(self) -> bool:
        """Whether the agent can fire new steps without this process.

        It cannot when this process has to wait for modules, refuse requests, produce real input or keep a pace.
        """
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
        """Walk, document after document, until the steps are done or something ends the walk."""
        continues = True
        while continues:
            try:
                answer = await (
                    self._open_url(course) if _first_opening(course.steps) == 0 else self._walk_document(course)
                )
            except DocumentLeft:
                continues = await self._continue_elsewhere(course)
            else:
                continues = await self._continue_here(course, answer)
            if continues:
                await self._keep_pace()

    def _milliseconds_left(self) -> int | None:
        """How long events may still start; None without a limit."""
        until = self.settings.until
        return None if until is None else max(int((until - time.monotonic()) * 1000), 0)

    async def _walk_document(self, course: WalkProgress) -> WalkAnswer:
        """Walk as far as this document lasts. Raises DocumentLeft when it ends before the steps do."""
        steps = course.steps[: 1 if self._is_slow else _first_opening(course.steps)]
        if self.settings.trusted:
            return await self._walk_trusted(course.start, steps)
        cap = self.settings.event_seconds
        values = (course.start, steps, int(cap * 1000), max(course.sure, 0), self._milliseconds_left())
        answer = await self._ask(WALK, *values, seconds=cap, steps=len(steps))
        _check_walk(answer, steps)
        return await self._unless_leaving(answer)

    async def _open_url(self, course: WalkProgress) -> WalkAnswer:
        """Open the URL that the next step names, from where the page should be. Raises DocumentLeft when it loads."""
        cap, renewed, self._is_renewed = self.settings.event_seconds, self._is_renewed, False
        start = None if renewed else course.start
        answer = await self._ask(WALK, start, [], int(cap * 1000), 0, None, seconds=cap)
        answer = await self._unless_leaving(answer)
        if answer.why != Ending.END.value:
            return answer
        if renewed:
            answer.state = course.start or answer.state
            await self._stop_document()
        elif len(course.whole) == len(course.steps):
            self._traces = await self._session_traces()
        if self._milliseconds_left() == 0:
            answer.why = "late"
            return answer
        await self._allow_documents()
        url, opened, self._gate.led_out = opened_url(course.steps[0][0]), _now(), ""
        async with within(self.settings.load_seconds):
            problem = (await self._live.call("Page.navigate", url=url)).get("errorText", "")
        if problem == NOT_A_PAGE:
            course.notes += () if self._gate.led_out else (Note("download", url),)
            answer.states, answer.done = [answer.state], 1
            return answer
        self._observed_departure = Departure([], answer.notes, fired=[opened])
        raise DocumentLeft

    async def _continue_elsewhere(self, course: WalkProgress) -> bool:
        """A step has loaded another document. Return whether the walk continues in it."""
        landing = await self._arrive(self.settings.load_seconds)
        departure = self._take_departure(course.steps)
        if departure is None:
            if len(course.steps) > 1:
                raise PageLost("another document was loaded, and it is unknown by which step")
            departure = Departure()
        course.notes += (*departure.notes, *landing.notes)
        course.record_times(departure.fired)
        if landing.status in UNAVAILABLE:
            course.notes.append(Note(FAILED, ["GET", landing.url.partition("?")[0], str(landing.status)]))
        course.states += departure.states
        course.landed, course.dialogs, course.back = landing.state, departure.dialogs, False
        if not self._in_scope(landing.url):
            course.notes.append(Note("boundary", landing.url))
            return await self._stray(course, landing.url)
        if self._is_session_lost or await self._is_logged_out(course, departure):
            return await self._stray(course, self._logged_out_page)
        if course.has_no_page(landing.status, len(departure.states)):
            return False
        if not landing.quiet:
            course.notes.append(Note(CAPPED, f"not quiet after {self.settings.load_seconds:g} s"))
        if not course.steps:
            course.why = Ending.MOVED
            return False
        course.states.append(landing.state)
        return course.take(min(len(departure.states), len(course.steps) - 1) + 1, landing.state)

    @property
    def _logged_out_page(self) -> str:
        """Description of a page that shows that the user is logged out."""
        session = self.settings.agent.session
        return f"a page without '{session}': the user seems to be logged out" if session else LOGIN_FORM

    async def _is_logged_out(self, course: WalkProgress, departure: Departure) -> bool:
        """Whether the login form is back for the first time after this event, and no selector tells more.

        The session may have expired, or the event leads to the form. The second time, the event does.
        """
        logins = self.settings.logins
        if logins.saved is None or logins.saved.shows_form or self.settings.agent.session or not course.steps:
            return False
        passed = len(departure.states)
        fired = (departure.states[-1] if passed else course.start, course.steps[min(passed, len(course.steps) - 1)][0])
        if fired in logins.suspected or not await self._shows_login_form():
            return False
        logins.suspected.add(fired)
        return True

    async def _continue_here(self, course: WalkProgress, answer: WalkAnswer) -> bool:
        """The walk ended in the document where it started. Return whether it continues after all."""
        course.notes += self._without_own_refusals(answer.notes)
        course.states += answer.states
        course.record_times(answer.fired)
        course.why, course.landed, course.dialogs = Ending(answer.why), answer.state, answer.dialogs
        course.back = answer.back
        done = answer.done
        await self._paint.adapt(draws=answer.draws)
        if await self._imported(answer.scripts):
            landing = await self._arrive(self.settings.event_seconds)
            course.notes += landing.notes
            course.landed = landing.state
            if done:
                course.states[-1] = landing.state
                if course.why in (Ending.END, Ending.SURPRISE) and course.take(done, landing.state):
                    return True
        if answer.is_logged_out:
            if done:
                course.states.pop()  # the event is blamed, as if it had led out of the scope
            return await self._stray(course, self._logged_out_page)
        if done and not answer.quiet:
            course.notes.append(Note(CAPPED, f"not quiet after {self.settings.event_seconds:g} s"))
        if course.why is Ending.END and 0 < done < len(course.steps):  # the next step opens a URL
            return course.take(done, course.landed)
        return False

    def _without_own_refusals(self, notes: list[Note]) -> list[Note]:
        """Remove what the page reports as failures but this process refused."""
        if not self.settings.read_only:
            return notes
        return [note for note in notes if note.kind != FAILED or _method(note) in SAFE_METHODS]

    async def _stray(self, course: WalkProgress, where: str) -> bool:
        await self._discard_healthy()
        course.why, course.landed, course.dialogs = Ending.STRAYED, where, 0
        return False

    async def _walk_trusted(self, start: str | None, steps: list[Step]) -> WalkAnswer:
        """Walk like the agent, but step by step and with real input from the browser."""
        cap = self.settings.event_seconds
        answer = await self._ask(WALK, start, [], int(cap * 1000), 0, None, seconds=cap)
        states: list[str] = []
        fired: list[float] = []
        notes = list(answer.raw_notes)
        for name, expected in steps if answer.why == "end" else ():
            if self._milliseconds_left() == 0:
                answer.why = "late"
                break
            place = await self._place_of(name, cap)
            if place is None:
                answer.why = "gone"
                break
            fired.append(_now())
            try:
                landing = await self._fire_trusted(name, place, cap)
            except DocumentLeft:
                self._observed_departure = Departure(states, notes_of(notes), fired=fired)
                raise
            notes += landing.raw_notes
            states.append(landing.state)
            answer = answer.at(landing)
            if expected is not None and landing.state != expected:
                answer.why = "surprise"
                break
        answer.states, answer.done, answer.raw_notes, answer.fired = states, len(states), notes, fired
        return answer

    async def _fire_trusted(self, name: str, place: InputPlace, cap: float) -> AgentLocation:
        """Fire one event by real input. Return where that led; raises DocumentLeft when it loads another document."""
        touch = self.settings.access.device.touch
        firing = fire_trusted(self._live, place, lambda question: self._ask(question, name, seconds=cap), touch=touch)
        async with within(cap):  # keys need no frames, and a frame may fire an event of the resting pointer
            await (firing if place.kind in ("key", "input") else self._paint.during(firing))
        location = await self._ask(ARRIVE, int(cap * 1000), seconds=cap)
        if location is None:
            raise DocumentLeft  # a document without an agent is being loaded
        if not location.leaving:
            return location
        later = await self._after_leaving(location, [], [])
        later.raw_notes = [*location.raw_notes, *later.raw_notes]
        return later

    async def _place_of(self, name: str, cap: float) -> InputPlace | None:
        """Hover everything that reveals the element of an event. Return where the element is; None when it is gone."""
        for step in range(MOST_TRIGGERS):
            place = await self._ask(PLACE, name, step, seconds=cap)
            if place is None or place.kind != THROUGH:
                return place
            hovering = TrustedMouse(self._live, place.x, place.y).move()
            async with within(cap):
                await self._paint.during(hovering)
        return None

    async def _unless_leaving(self, answer: WalkAnswer) -> WalkAnswer:
        """Return where a page that was about to leave is after all. Raises DocumentLeft once it has left."""
        if not answer.leaving:
            return answer
        states = answer.states[:-1]
        later = await self._after_leaving(answer, states, answer.fired)
        return answer.at(later, states=[*states, later.state], raw_notes=[*answer.raw_notes, *later.raw_notes])

    async def _after_leaving(self, location: AgentLocation, states: list[str], fired: list[float]) -> AgentLocation:
        """Wait for a page that is about to leave. Return where it is if it stays, or else raise DocumentLeft."""
        seconds = self.settings.load_seconds
        self._observed_departure = Departure(states, location.notes, location.dialogs, fired)
        later: AgentLocation | None
        try:  # the next document may answer this question
            later = await self._ask(ARRIVE, int(seconds * 1000), seconds=seconds)
        except PageStuck:
            later = location
        if later is None or later.born != location.born:
            raise DocumentLeft
        self._observed_departure = None
        if later.leaving:
            raise PageStuck(f"the next page did not load within {seconds:g} s")
        return later


def _first_opening(steps: Sequence[Step]) -> int | None:
    """Return the position of the first step that opens a URL."""
    return next((place for place, (name, _) in enumerate(steps) if opened_url(name) is not None), None)


def _check_walk(answer: WalkAnswer, steps: Sequence[Step]) -> None:
    """Raise CallRefused when no walk of these steps can have gone like this."""
    states = answer.states
    passed = zip(states[:-1], steps, strict=False)
    if answer.done != len(states) or len(states) > len(steps) or any(e not in (None, s) for s, (_, e) in passed):
        raise CallRefused("the agent reports a walk that is impossible")


def _now() -> float:
    """Return the milliseconds since 1970."""
    return time.time() * 1000


def _method(failed: Note) -> str:
    return str(failed.what[0]).upper() if isinstance(failed.what, list) and failed.what else ""

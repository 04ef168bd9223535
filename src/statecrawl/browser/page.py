"""A page of Chromium with the agent in it: implements the `Page` port.

Theory of operation
    One call of the agent walks a whole path inside the page. Three things can end that call from outside:
    * The document goes away, because a step loaded another one. The walk continues in that one (`browser.walk_tab`).
    * The page does not answer in time: it is in an endless loop. Nothing inside it can be relied on any more, so the
      page is discarded together with its process, and the event costs one page.
    * The process of the page dies. This has the same effect.

    What the page sends (names, texts, notes) is data: it is never evaluated, and accepted only in the expected shape.
"""

import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from statecrawl.browser.agent_answers import DESCRIBE, REHASH, REST, STYLED, Answer, Question, is_held
from statecrawl.browser.agent_calls import DocumentLeft
from statecrawl.browser.awake_clock import PageStuck
from statecrawl.browser.walk_progress import WalkProgress
from statecrawl.browser.walk_tab import WalkTab
from statecrawl.errors import BrowserLost, CallRefused, PageLost, SiteUnreachable
from statecrawl.ports.page import Ending, Landing, Snapshot, Walked
from statecrawl.ports.snapshot_redaction import sealed_snapshot
from statecrawl.ports.traffic import ObservedExchange
from statecrawl.strategies.orders import Step
from statecrawl.urls.markup import looks_like_url

RESET_TRIES = 5  # pages and browsers may be killed from outside
MOST_STUCK = 2  # tries that may take all their time


class BrowserPage(WalkTab):
    """Implements the `Page` port."""

    async def reset(self, background: Collection[str] = ()) -> Landing:
        used = self._session is not None
        await self._keep_pace()
        stuck, started = 0, _now()
        for left in reversed(range(RESET_TRIES)):
            missed = self._browsers.clock.missed
            try:
                landing = await self._reset(background)
                if left and missed != self._browsers.clock.missed:
                    continue  # this process was stopped: requests of the page may have timed out
            except (PageStuck, DocumentLeft, PageLost, CallRefused, BrowserLost) as error:
                await self._discard()
                stuck += isinstance(error, PageStuck)
                if left and stuck < MOST_STUCK:
                    continue
                if isinstance(error, BrowserLost):
                    raise
                raise SiteUnreachable(
                    f"{self.settings.url} could not be loaded: {str(error) or 'the page does not answer'};"
                    " check the URL in your own browser."
                ) from error
            self._needs_new_page = self._needs_new_page or (used and stuck > 0)
            self._last_state = landing.state
            landing = replace(landing, notes=(*landing.notes, *self._take_notes()), blocked_url=self._gate.led_out)
            if self._traffic is not None:
                self._traffic.record_event(started, landing.state, None)
            return landing
        raise AssertionError  # the last try returns or raises

    async def renew(self) -> bool:
        """See the port. After a request with a cookie, the server may know which URLs were opened."""
        try:
            self._is_renewed = self._traces is not None and await self._session_traces() == self._traces
        except (PageLost, BrowserLost):
            self._is_renewed = False
        return self._is_renewed

    async def walk(self, start: str | None, steps: Sequence[Step], *, sure: int | None = None) -> Walked:
        started = time.perf_counter()
        sure = len(steps) if sure is None else sure
        given = list(steps if self._walks_alone else steps[: sure + 1])
        course = WalkProgress(start, self._unsealed(given), sure, whole=tuple(given))
        clock, reason, browser_gone = _now(), "", False
        missed = self._browsers.clock.missed
        may_be_held = self._held
        self._observed_departure = self._reported_departure = None
        try:
            await self._keep_pace()
            await self._walk(course)
            reason = course.reason
        except PageStuck as stuck:
            course.why, reason = Ending.HUNG, str(stuck)
        except (PageLost, CallRefused, BrowserLost) as error:
            course.why, reason = Ending.CRASHED, str(error)
            browser_gone = isinstance(error, BrowserLost)
        held = may_be_held and is_held(course.notes)
        if course.why in (Ending.HUNG, Ending.CRASHED):
            await self._discard()
        elif held:
            await self._discard_healthy()
        self._held = self._held and not held
        self.fired += len(course.states)
        self._record_times(clock, start or self._last_state, course)
        return Walked(
            why=course.why,
            states=tuple(course.states),
            landed=None if course.why.is_fatal else course.landed,
            notes=(*course.notes, *self._take_notes()),
            dialogs=0 if course.why.is_fatal else course.dialogs,
            back=course.back and bool(course.states) and not course.why.is_fatal,
            reason=reason,
            seconds=time.perf_counter() - started,
            browser_gone=browser_gone,
            logged_out=course.why is Ending.STRAYED and course.landed == self._logged_out_page,
            held=held,
            paused=missed != self._browsers.clock.missed,
        )

    async def describe(self, *, lines: bool = False) -> Snapshot:
        answer = await self._inspect(DESCRIBE, lines, seconds=self.settings.load_seconds)
        snapshot = Snapshot(
            state=answer.state,
            events=answer.events,
            labels=answer.labels,
            selectors=answer.selectors,
            given=answer.given,
            url=answer.url,
            title=answer.title,
            html=answer.html,
            normal=answer.lines or "",
            links=answer.links,
            forms=answer.forms,
            cut=answer.cut,
            hidden=answer.hidden,
            containers=answer.containers,
            regions=answer.regions,
            boxes=answer.boxes,
            addresses=answer.addresses,
            linked=answer.linked,
            submits=answer.submits,
            controls=answer.controls,
            denied=answer.denied,
            strings=tuple(filter(looks_like_url, answer.strings)),
        )
        return snapshot if self.settings.sealer is None else sealed_snapshot(snapshot, self.settings.sealer)

    async def rest(self) -> bool:
        cap = self.settings.event_seconds
        return await self._inspect(REST, int(cap * 1000), seconds=cap)

    async def styled(self, attributes: Collection[str]) -> frozenset[str]:
        names = await self._inspect(STYLED, sorted(attributes), seconds=self.settings.load_seconds)
        return frozenset(names) & frozenset(attributes)

    async def rehash(self, forms: Sequence[tuple[str, str]]) -> list[str]:
        ids = await self._inspect(REHASH, forms, seconds=self.settings.load_seconds)
        if len(ids) != len(forms):
            raise PageLost("the agent returned the ids of other states than requested")
        return ids

    async def _inspect(self, question: Question[Answer], *values: Any, seconds: float) -> Answer:
        """Ask about the page without changing it. Raises PageLost."""
        try:
            return await self._ask(question, *values, seconds=seconds)
        except (DocumentLeft, PageStuck, PageLost, CallRefused, BrowserLost) as error:
            await self._discard()
            raise PageLost(str(error) or "the page changed while it was inspected") from error

    def obey(self, rules: Collection[tuple[str, str]]) -> None:
        self.settings = replace(self.settings, agent=replace(self.settings.agent, rules=tuple(sorted(rules))))
        self._is_outdated = True

    async def picture(self) -> bytes:
        return await self._paint.picture(self.settings.event_seconds)

    def take_traffic(self) -> list[ObservedExchange]:
        return [] if self._traffic is None else self._traffic.take()

    async def wait_for_traffic(self) -> None:
        if self._traffic is not None:
            await self._traffic.wait_until_complete()

    async def close(self) -> None:
        await self._take_coverage()
        await self._discard_healthy()

    def _unsealed(self, steps: list[Step]) -> list[Step]:
        """Return the steps with the event names that the page knows."""
        sealer = self.settings.sealer
        return steps if sealer is None else [(sealer.opened(name), expected) for name, expected in steps]

    def _record_times(self, started: float, at: str, course: WalkProgress) -> None:
        """Record where and when each event was fired: requests after it belong to it."""
        states = (at, *course.states)
        self._last_state = states[-1]
        if self._traffic is None or not course.whole:
            return
        self._traffic.record_event(started, at, course.whole[0][0])
        for step, when in course.fired:
            if 0 < step < min(len(states), len(course.whole)):
                self._traffic.record_event(when, states[step], course.whole[step][0])


def _now() -> float:
    """Return the milliseconds since 1970."""
    return time.time() * 1000

"""Leading: coordinate a crawl whose journal is in Redis, or wait to do so when whoever does it is gone.

Theory of operation
    Any number of processes may want to coordinate a crawl. One of them does; the others look every now and then whether
    it still does. Whoever follows reads the journal, and knows everything that there is to know.

    While it leads, a process says so every second, takes evidence to its disk, and tells what is going on to whoever
    wants to know. When it does not lead any more, it copies the journal to its disk, and makes way at once.

    What leading is, is the architecture's business: see `_centre`.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from statecrawl.cluster import member_messages, messages
from statecrawl.cluster.redis.connection import RedisConnection
from statecrawl.cluster.redis.crawls import find_plan, is_coordinated, is_new, list_crawl, named, read_ended, read_plan
from statecrawl.cluster.redis.follower import RedisFollower
from statecrawl.cluster.redis.journal import groups
from statecrawl.cluster.redis.keys import RedisKeys
from statecrawl.cluster.redis.mailbox import RedisMailbox
from statecrawl.config.fleet import CLIENT_SERVER, DIST_RIA, PEER_TO_PEER, FleetSettings
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import keyed_redactor, with_key
from statecrawl.crawler.loop import DEFAULT_RESET_COST
from statecrawl.crawler.outcome import Outcome, outcome_of, qualified
from statecrawl.crawler.resume import check_agreed, check_same
from statecrawl.errors import BadInput, StoreError
from statecrawl.fleet.coordinator import Coordinator
from statecrawl.fleet.dist_ria_coordinator import DistRiaCoordinator
from statecrawl.fleet.evidence_intake import EvidenceIntake
from statecrawl.fleet.invitation import VERSION, Invitation
from statecrawl.fleet.member_coordinator import MemberCoordinator
from statecrawl.fleet.peer_observer import PeerObserver
from statecrawl.fleet.task_coordinator import TaskCoordinator
from statecrawl.fleet.warm_up import learnt
from statecrawl.journal.end_reasons import COMPLETE
from statecrawl.journal.facts import Fact
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.ports.mailbox import Deposed
from statecrawl.ports.recorder import WorkCount
from statecrawl.stores.crawl_key import keep_key
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceWriter
from statecrawl.stores.journal_copy import mirror

STANDBY_SECONDS = 0.5  # between two looks at whether somebody coordinates
SIGN_SECONDS = 1.0  # between two signs of life
PATIENCE = 300.0  # seconds that a coordinator waits for a server that is away
LAST_SECONDS = 30.0  # for the last evidence


COORDINATING = "somebody else coordinates this crawl: waiting to take over"
LOOKING_AFTER = "somebody else takes the evidence of these peers: waiting to take over"
ELSEWHERE = "the pages of {} of {} states are in the folder of whoever coordinated before: copy its states/ to have all"


@dataclass(slots=True)
class Leadership:
    """Where one stands who coordinates, or waits to."""

    store: RedisConnection | None = None  # once it is open
    coordinating: Coordinator | None = None  # while we do


@dataclass(slots=True)
class CoordinatorWatcher:
    """Who is told how it goes."""

    begun: Callable[[Any], None]  # we coordinate
    told: Callable[[Any], None]  # while we do
    waits: Callable[[str], None]  # somebody else coordinates, in words
    says: Callable[[str], None] = lambda _: None  # what else there is to say, as that the store is away
    leaves: asyncio.Event = field(default_factory=asyncio.Event)  # set to make way for somebody else
    standing: Leadership = field(default_factory=Leadership)

    def leave(self) -> None:
        """Make way for somebody else, also when the store is away."""
        self.leaves.set()
        self.hurry()

    def hurry(self) -> None:
        """Do not wait long for a store that is away."""
        if self.standing.store is not None:
            self.standing.store.hurry()


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisEngine:
    """Where a crawl's journal is."""

    url: str  # with the name of the crawl behind #, where there are several
    unsafe: bool = False  # it may forget what it was told

    @property
    def name(self) -> str:
        """Of the crawl, if it is said."""
        return urlsplit(self.url).fragment


@contextlib.asynccontextmanager
async def opened(engine: RedisEngine, watcher: CoordinatorWatcher) -> AsyncIterator[RedisConnection]:
    """A store that keeps what it is told. Raises BadInput and StoreError."""
    store = watcher.standing.store = RedisConnection(engine.url, patience=PATIENCE)
    store.says = watcher.says
    try:
        await store.reach()
        await store.check(unsafe=engine.unsafe)
        yield store
    finally:
        await store.close()


async def begin(
    plan: CrawlPlan, engine: RedisEngine, name: str, watcher: CoordinatorWatcher
) -> tuple[Outcome, list[Fact]]:
    """Begin a crawl, or go on with it, until it is over; how it went, and its journal.

    Raises BadInput and StoreError.
    """
    if plan.resetting.command is not None:
        raise BadInput("nodes run no commands: reset the server by --reset-url instead of --reset-command.")
    async with opened(engine, watcher) as store:
        keys = RedisKeys(engine.name or name)
        if (plan.out / JOURNAL_NAME).exists() and await is_new(store, keys):
            raise BadInput(
                f"{plan.out} holds a crawl of its own, and {store.shown} none called {keys.crawl}: name another folder"
                " with --out, or leave out --engine to go on with it."
            )
        await _check_agreed(plan, store, keys)
        return await _Leader(plan, store, keys, watcher).run(new=True)


async def _check_agreed(plan: CrawlPlan, store: RedisConnection, keys: RedisKeys) -> None:
    """See at once that a crawl of this name that was begun is this one. Raises BadInput with what differs."""
    stored = await find_plan(store, keys)
    if stored is None or stored.get("version") != VERSION:  # of another version the journal tells
        return
    begun: Invitation = messages.typed(stored, Invitation)
    check_agreed(plan, begun.plan, f"{store.shown}#{keys.crawl}", runs=await is_coordinated(store, keys))


async def stand_by(engine: RedisEngine, out: Path | None, watcher: CoordinatorWatcher) -> tuple[Outcome, CrawlPlan]:
    """Coordinate a crawl that was begun elsewhere whenever nobody else does, until it is over or we are to leave.

    How it went, and what was crawled.

    Raises BadInput and StoreError.
    """
    async with opened(engine, watcher) as store:
        keys = await named(store, engine.name)
        invitation: Invitation = messages.typed(await read_plan(store, keys), Invitation)
        invitation.check()
        plan = replace(invitation.plan, out=out or Path(f"crawl-{keys.crawl}"))
        outcome, _ = await _Leader(plan, store, keys, watcher).run(new=False)
        return outcome, plan


class _Leader:
    """One process that wants to coordinate one crawl."""

    def __init__(self, plan: CrawlPlan, store: RedisConnection, keys: RedisKeys, watcher: CoordinatorWatcher) -> None:
        self._plan = plan
        self._store = store
        self._keys = keys
        self._watcher = watcher
        self._architecture = (plan.fleet or FleetSettings()).architecture
        self._follower = RedisFollower(store, keys)
        decoded = member_messages.to_said if self._architecture == DIST_RIA else messages.to_message
        self._post: RedisMailbox[Any, Any] = RedisMailbox(store, keys, decoded)
        if self._architecture == PEER_TO_PEER:
            self._post = self._follower
        self._begun = time.monotonic()
        self._place = f"{store.shown}#{keys.crawl}"
        self._told: dict[str, Any] = {}  # to whoever joins

    async def run(self, *, new: bool) -> tuple[Outcome, list[Fact]]:
        """Until the crawl is over. With `new`, one that was ended before it was complete goes on."""
        with closing(EvidenceWriter(self._plan.out, keyed_redactor(self._plan))) as evidence:
            filing = EvidenceIntake(evidence)
            while not self._watcher.leaves.is_set():
                await self._agree_on_key()
                ended = await read_ended(self._store, self._keys)
                if ended == COMPLETE or (ended is not None and not new):
                    facts = await self._copied()
                    await self._take_rest(filing)
                    if (outcome := self._outcome(facts)).ended_because:  # else the store has lost that meanwhile
                        return _located(outcome, evidence, fold(facts)), facts
                if await self._post.lead():
                    with contextlib.suppress(Deposed):
                        outcome = await self._lead(filing)
                        facts = await self._copied()
                        found = fold(facts)
                        if found.graph.explored >= outcome.transitions or self._watcher.leaves.is_set():
                            return _located(outcome, evidence, found), facts
                        continue  # the store has lost what we saw in it: that is found again
                self._watcher.waits(LOOKING_AFTER if self._architecture == PEER_TO_PEER else COORDINATING)
                new = False
                await asyncio.sleep(STANDBY_SECONDS)
        facts = await self._copied()
        return self._outcome(facts), facts

    async def _agree_on_key(self) -> None:
        """Have the key of whoever began the crawl, also where several begin it at a time. Raises BadInput."""
        stored = await find_plan(self._store, self._keys) or {}
        begun = str(stored.get("plan", {}).get("key", ""))
        self._plan = with_key(replace(self._plan, key=begun or self._plan.key))
        keep_key(self._plan.out, self._plan.key)
        # Nodes that decide for themselves are let in when all is known that they have to know.
        is_open = self._architecture == CLIENT_SERVER
        self._told = messages.plain(replace(Invitation.to(self._plan), is_open=is_open))

    async def _take_rest(self, filing: EvidenceIntake) -> None:
        """Evidence that nobody was there to take when the crawl ended. Somebody else may be about to do so."""
        if await self._post.has_evidence() and await self._post.lead():
            try:
                await self._collect_rest(filing)
            finally:
                await asyncio.shield(self._post.resign())

    async def _lead(self, filing: EvidenceIntake) -> Outcome:
        """Coordinate until the crawl is over, or we are to make way. Raises Deposed."""
        coordinating = self._centre(filing)
        renewing = asyncio.create_task(self._renew())  # from now on: a long journal takes longer than a lead lasts
        try:
            await coordinating.begin(self._place)
            if isinstance(coordinating, PeerObserver) and coordinating.goes_on:
                self._told = self._welcome(coordinating)  # peers let others in meanwhile
            coordinating.spent = await self._post.begin(self._told)
            await list_crawl(self._store, self._keys)
            self._watcher.standing.coordinating = coordinating
            self._watcher.begun(coordinating)
            beside = [
                renewing,
                asyncio.create_task(self._tell(coordinating)),
                asyncio.create_task(self._collect(filing)),
                asyncio.create_task(self._let_in(coordinating)),
            ]
            running = asyncio.create_task(coordinating.run())
            leaving = asyncio.create_task(self._watcher.leaves.wait())
            try:
                await asyncio.wait({running, leaving, *beside}, return_when=asyncio.FIRST_COMPLETED)
                for broken in beside:
                    if broken.done():
                        broken.result()  # raises
                outcome = running.result() if running.done() else coordinating.outcome()
            finally:
                for task in (running, leaving, *beside):
                    task.cancel()
                await asyncio.gather(running, leaving, *beside, return_exceptions=True)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LAST_SECONDS):
                    await self._collect_rest(filing)
            await self._publish(coordinating)
            if coordinating.crawl.ended is not None:
                await self._post.end(coordinating.crawl.ended)
            return outcome
        finally:
            self._watcher.standing.coordinating = None
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)
            await asyncio.shield(self._post.resign())

    def _centre(self, filing: EvidenceIntake) -> Coordinator:
        plan, told = self._plan, self._watcher.told
        learn = partial(learnt, plan)
        if self._architecture == PEER_TO_PEER:
            return PeerObserver(plan, self._follower, learn, filing.keep, told)
        if self._architecture == DIST_RIA:
            return DistRiaCoordinator(plan, self._post, learn, filing.keep, told)
        return TaskCoordinator(plan, self._post, told)

    def _welcome(self, centre: MemberCoordinator) -> dict[str, Any]:
        """To whoever joins, when all is known."""
        told: dict[str, Any] = messages.plain(Invitation.to(replace(self._plan, reset_cost=centre.reset_cost)))
        return told

    async def _let_in(self, centre: Coordinator) -> None:
        """Nodes may come as soon as it is known what a reset costs, and a run has begun. Until cancelled."""
        if isinstance(centre, MemberCoordinator):
            await centre.wait_until_ready()
            self._told = self._welcome(centre)
            await self._post.invite(self._told)
        await asyncio.Event().wait()  # there is nothing else to do

    async def _renew(self) -> None:
        while True:
            await self._post.lead()
            await asyncio.sleep(SIGN_SECONDS)

    async def _tell(self, coordinating: Coordinator) -> None:
        while True:
            with contextlib.suppress(StoreError):
                await self._publish(coordinating)
                await list_crawl(self._store, self._keys)  # a server that has forgotten everything has forgotten that
            await asyncio.sleep(SIGN_SECONDS)

    async def _publish(self, coordinating: Coordinator) -> None:
        await self._post.publish(coordinating.status(), self._told, coordinating.seconds)

    async def _collect(self, filing: EvidenceIntake) -> None:
        while True:
            if not await self._post.collect(filing.keep):
                await asyncio.sleep(SIGN_SECONDS / 5)

    async def _collect_rest(self, filing: EvidenceIntake) -> None:
        while await self._post.collect(filing.keep):
            pass

    async def _copied(self) -> list[Fact]:
        """The journal, which is on this disk as well now. Raises BadInput when it is of another crawl."""
        facts = [fact async for _, group in groups(self._store, self._keys) for fact in group]
        check_same(self._plan, fold(facts), self._place)
        if facts:
            await asyncio.to_thread(mirror, self._plan.out / JOURNAL_NAME, facts)
        return facts

    def _outcome(self, facts: list[Fact]) -> Outcome:
        """How a crawl went that somebody else coordinated."""
        crawl = fold(facts)
        return outcome_of(
            self._plan.url,
            crawl,
            WorkCount(events=crawl.fired, resets=crawl.resets),
            reset_cost=crawl.reset_cost or DEFAULT_RESET_COST,
            seconds=time.monotonic() - self._begun,
            events_before=crawl.fired,
            ended_because=crawl.ended or "",
        )


def _located(outcome: Outcome, evidence: EvidenceWriter, crawl: FoldedCrawl) -> Outcome:
    """The outcome with what the evidence here says, or that some of it is elsewhere."""
    evidence.flush()
    outcome, states = qualified(outcome, crawl, evidence), crawl.graph.ids
    if not (lacking := evidence.lacking(states)):
        return outcome
    return replace(outcome, warnings=(*outcome.warnings, ELSEWHERE.format(len(lacking), len(states))))

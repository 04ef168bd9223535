"""Leading a crawl whose journal is in Redis, or standing by to take over when the leader is gone.

Theory of operation
    Any number of processes may want to coordinate a crawl. One of them leads; the others check every now and then
    whether it still does. A process that takes over reads the journal, which contains everything there is to know.

    While it leads, a process renews its lead every second, moves evidence to its disk, and publishes the status. When
    it does not lead any more, it copies the journal to its disk and makes way at once.

    What the leader does depends on the architecture: see `_make_coordinator`.
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
from statecrawl.cluster.redis.crawls import (
    find_crawl,
    find_plan,
    is_coordinated,
    is_new,
    read_end_reason,
    read_plan,
    register_crawl,
)
from statecrawl.cluster.redis.follower import RedisFollower
from statecrawl.cluster.redis.journal import groups
from statecrawl.cluster.redis.keys import RedisKeys
from statecrawl.cluster.redis.mailbox import RedisMailbox
from statecrawl.config.fleet import CLIENT_SERVER, DIST_RIA, PEER_TO_PEER, FleetSettings
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import keyed_redactor, with_key
from statecrawl.crawler.outcome import Outcome, outcome_of, qualified
from statecrawl.crawler.reset_cost import DEFAULT_RESET_COST
from statecrawl.crawler.resume import check_agreed, check_same
from statecrawl.errors import BadInput, StoreError
from statecrawl.fleet.coordinator import Coordinator
from statecrawl.fleet.dist_ria_coordinator import DistRiaCoordinator
from statecrawl.fleet.evidence_intake import EvidenceIntake
from statecrawl.fleet.invitation import VERSION, Invitation
from statecrawl.fleet.member_coordinator import MemberCoordinator
from statecrawl.fleet.peer_observer import PeerObserver
from statecrawl.fleet.task_coordinator import TaskCoordinator
from statecrawl.fleet.warm_up import run_warm_up
from statecrawl.journal.end_reasons import COMPLETE
from statecrawl.journal.facts import Fact
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.ports.mailbox import Deposed
from statecrawl.ports.recorder import WorkCount
from statecrawl.stores.crawl_key import store_key
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceWriter
from statecrawl.stores.journal_copy import mirror
from statecrawl.strategies.component_summary import summary_of_facts

STANDBY_SECONDS = 0.5  # between two attempts to lead
RENEW_SECONDS = 1.0  # between two renewals of the lead, and two reports of the status
PATIENCE = 300.0  # seconds that a coordinator waits for a Redis that does not answer
LAST_SECONDS = 30.0  # for the last evidence

COORDINATING = "another process coordinates this crawl: waiting to take over"
OBSERVING = "another process stores the evidence of these peers: waiting to take over"
ELSEWHERE = "the pages of {} of {} states are in the folder of an earlier coordinator: copy its states/ to have all"


@dataclass(slots=True)
class Leadership:
    """Whether this process leads."""

    store: RedisConnection | None = None  # once it is open
    coordinator: Coordinator | None = None  # while this process leads


@dataclass(slots=True)
class CoordinatorWatcher:
    """Callbacks of a process that leads or stands by, and its controls."""

    on_lead: Callable[[Any], None]  # called with the coordinator when this process starts to lead
    on_progress: Callable[[Any], None]  # called with the coordinator after every step
    on_standby: Callable[[str], None]  # called with a message when another process leads
    on_message: Callable[[str], None] = lambda _: None  # called with other messages for people
    leaving: asyncio.Event = field(default_factory=asyncio.Event)  # set to make way for another process
    leadership: Leadership = field(default_factory=Leadership)

    def leave(self) -> None:
        """Make way for another process, even if Redis does not answer."""
        self.leaving.set()
        self.hurry()

    def hurry(self) -> None:
        """Do not wait long for a Redis that does not answer."""
        if self.leadership.store is not None:
            self.leadership.store.hurry()


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisEngine:
    """Redis in which a crawl has its journal."""

    url: str  # with the name of the crawl behind #, where there are several
    unsafe: bool = False  # accept a Redis that forgets everything when it is killed

    @property
    def name(self) -> str:
        """The name of the crawl, if the URL contains it."""
        return urlsplit(self.url).fragment


@contextlib.asynccontextmanager
async def open_store(engine: RedisEngine, watcher: CoordinatorWatcher) -> AsyncIterator[RedisConnection]:
    """Connect to a Redis that is persistent. Raises BadInput and StoreError."""
    store = watcher.leadership.store = RedisConnection(engine.url, patience=PATIENCE)
    store.on_message = watcher.on_message
    try:
        await store.reach()
        await store.check(unsafe=engine.unsafe)
        yield store
    finally:
        await store.close()


async def start_crawl(
    plan: CrawlPlan, engine: RedisEngine, name: str, watcher: CoordinatorWatcher
) -> tuple[Outcome, list[Fact]]:
    """Start a crawl, or resume it, and coordinate it until it is over; return its outcome and its journal.

    Raises BadInput and StoreError.
    """
    if plan.resetting.command is not None:
        raise BadInput("nodes run no commands: reset the server by --reset-url instead of --reset-command.")
    async with open_store(engine, watcher) as store:
        keys = RedisKeys(engine.name or name)
        if (plan.out / JOURNAL_NAME).exists() and await is_new(store, keys):
            raise BadInput(
                f"{plan.out} holds another crawl, and {store.display_url} none called {keys.crawl}:"
                " name another directory with --out, or leave out --engine to resume the crawl in the directory."
            )
        await _check_agreed(plan, store, keys)
        return await _Leader(plan, store, keys, watcher).run(new=True)


async def _check_agreed(plan: CrawlPlan, store: RedisConnection, keys: RedisKeys) -> None:
    """Check at once that an existing crawl of this name has the same plan. Raises BadInput with what differs."""
    stored = await find_plan(store, keys)
    if stored is None or stored.get("version") != VERSION:  # crawls of other versions are compared by their journal
        return
    existing: Invitation = messages.typed(stored, Invitation)
    check_agreed(plan, existing.plan, f"{store.display_url}#{keys.crawl}", runs=await is_coordinated(store, keys))


async def stand_by(engine: RedisEngine, out: Path | None, watcher: CoordinatorWatcher) -> tuple[Outcome, CrawlPlan]:
    """Coordinate an existing crawl whenever no other process does, until it is over or this process is to leave.

    Return the outcome and the plan of the crawl. Raises BadInput and StoreError.
    """
    async with open_store(engine, watcher) as store:
        keys = await find_crawl(store, engine.name)
        invitation: Invitation = messages.typed(await read_plan(store, keys), Invitation)
        invitation.check()
        plan = replace(invitation.plan, out=out or Path(f"crawl-{keys.crawl}"))
        outcome, _ = await _Leader(plan, store, keys, watcher).run(new=False)
        return outcome, plan


class _Leader:
    """One process that leads one crawl, or stands by."""

    def __init__(self, plan: CrawlPlan, store: RedisConnection, keys: RedisKeys, watcher: CoordinatorWatcher) -> None:
        self._plan = plan
        self._architecture = (plan.fleet or FleetSettings()).architecture
        self._store = store
        self._keys = keys
        self._follower = RedisFollower(store, keys)
        decode = member_messages.decode_node_message if self._architecture == DIST_RIA else messages.decode_message
        self._mailbox: RedisMailbox[Any, Any] = RedisMailbox(store, keys, decode)
        if self._architecture == PEER_TO_PEER:
            self._mailbox = self._follower
        self._watcher = watcher
        self._started_at = time.monotonic()
        self._place = f"{store.display_url}#{keys.crawl}"
        self._invitation: dict[str, Any] = {}

    async def run(self, *, new: bool) -> tuple[Outcome, list[Fact]]:
        """Lead or stand by until the crawl is over. With `new`, resume a crawl that ended before it was complete."""
        with closing(EvidenceWriter(self._plan.out, keyed_redactor(self._plan))) as evidence:
            intake = EvidenceIntake(evidence)
            while not self._watcher.leaving.is_set():
                await self._agree_on_key()
                ended = await read_end_reason(self._store, self._keys)
                if ended == COMPLETE or (ended is not None and not new):
                    facts = await self._copy_journal()
                    await self._collect_leftovers(intake)
                    if (outcome := self._outcome(facts)).ended_because:  # otherwise Redis has lost the end meanwhile
                        return _located(outcome, evidence, fold(facts)), facts
                if await self._mailbox.lead():
                    with contextlib.suppress(Deposed):
                        outcome = await self._lead(intake)
                        facts = await self._copy_journal()
                        crawl = fold(facts)
                        if crawl.graph.explored >= outcome.transitions or self._watcher.leaving.is_set():
                            return _located(outcome, evidence, crawl), facts
                        continue  # Redis has lost transitions: they are explored again
                self._watcher.on_standby(OBSERVING if self._architecture == PEER_TO_PEER else COORDINATING)
                new = False
                await asyncio.sleep(STANDBY_SECONDS)
        facts = await self._copy_journal()
        return self._outcome(facts), facts

    async def _agree_on_key(self) -> None:
        """Adopt the key of the process that started the crawl, even if several start it at once. Raises BadInput."""
        stored = await find_plan(self._store, self._keys) or {}
        key = str(stored.get("plan", {}).get("key", ""))
        self._plan = with_key(replace(self._plan, key=key or self._plan.key))
        store_key(self._plan.out, self._plan.key)
        # Nodes that decide for themselves may join only after the warm-up.
        is_open = self._architecture == CLIENT_SERVER
        self._invitation = messages.plain(replace(Invitation.to(self._plan), is_open=is_open))

    async def _collect_leftovers(self, intake: EvidenceIntake) -> None:
        """Store evidence for which there was no leader when the crawl ended, unless another process does so."""
        if await self._mailbox.has_evidence() and await self._mailbox.lead():
            try:
                await self._collect_all(intake)
            finally:
                await asyncio.shield(self._mailbox.resign())

    async def _lead(self, intake: EvidenceIntake) -> Outcome:
        """Coordinate until the crawl is over or this process is to leave. Raises Deposed."""
        coordinator = self._make_coordinator(intake)
        renewing = asyncio.create_task(self._renew())  # from now on: reading a long journal takes longer than a lead
        try:
            await coordinator.load(self._place)
            if isinstance(coordinator, PeerObserver) and coordinator.resumes_run:
                self._invitation = self._open_invitation(coordinator)  # peers let others in meanwhile
            coordinator.earlier_seconds = await self._mailbox.begin(self._invitation)
            await register_crawl(self._store, self._keys)
            self._watcher.leadership.coordinator = coordinator
            self._watcher.on_lead(coordinator)
            outcome = await self._run_until_leaving(coordinator, renewing, intake)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LAST_SECONDS):
                    await self._collect_all(intake)
            await self._publish(coordinator)
            if coordinator.crawl.ended is not None:
                await self._mailbox.end(coordinator.crawl.ended)
            return outcome
        finally:
            self._watcher.leadership.coordinator = None
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)
            await asyncio.shield(self._mailbox.resign())

    async def _run_until_leaving(
        self, coordinator: Coordinator, renewing: asyncio.Task[None], intake: EvidenceIntake
    ) -> Outcome:
        """Run the coordinator and the tasks beside it until it is done, one of them fails, or this process leaves."""
        beside = [
            renewing,
            asyncio.create_task(self._publish_repeatedly(coordinator)),
            asyncio.create_task(self._collect(intake)),
            asyncio.create_task(self._invite(coordinator)),
        ]
        running = asyncio.create_task(coordinator.run())
        leaving = asyncio.create_task(self._watcher.leaving.wait())
        try:
            await asyncio.wait({running, leaving, *beside}, return_when=asyncio.FIRST_COMPLETED)
            for failed in beside:
                if failed.done():
                    failed.result()  # raises
            return running.result() if running.done() else coordinator.outcome()
        finally:
            for task in (running, leaving, *beside):
                task.cancel()
            await asyncio.gather(running, leaving, *beside, return_exceptions=True)

    def _make_coordinator(self, intake: EvidenceIntake) -> Coordinator:
        plan, on_progress = self._plan, self._watcher.on_progress
        warm_up = partial(run_warm_up, plan)
        if self._architecture == PEER_TO_PEER:
            return PeerObserver(plan, self._follower, warm_up, intake.store, on_progress)
        if self._architecture == DIST_RIA:
            return DistRiaCoordinator(plan, self._mailbox, warm_up, intake.store, on_progress)
        return TaskCoordinator(plan, self._mailbox, on_progress)

    def _open_invitation(self, coordinator: Coordinator) -> dict[str, Any]:
        """Return the invitation for nodes that may join at once."""
        plan = replace(self._plan, reset_cost=coordinator.reset_cost)
        invitation: dict[str, Any] = messages.plain(Invitation.to(plan))
        return invitation

    # -- tasks beside the coordinator --

    async def _invite(self, coordinator: Coordinator) -> None:
        """Let nodes in as soon as the cost of a reset is known and a run has started. Runs until cancelled."""
        if isinstance(coordinator, MemberCoordinator):
            await coordinator.wait_until_ready()
            self._invitation = self._open_invitation(coordinator)
            await self._mailbox.replace_plan(self._invitation)
        await asyncio.Event().wait()  # nothing else to do

    async def _renew(self) -> None:
        while True:
            await self._mailbox.lead()
            await asyncio.sleep(RENEW_SECONDS)

    async def _publish_repeatedly(self, coordinator: Coordinator) -> None:
        while True:
            with contextlib.suppress(StoreError):
                await self._publish(coordinator)
                await register_crawl(self._store, self._keys)  # a server that has lost everything has lost this, too
            await asyncio.sleep(RENEW_SECONDS)

    async def _publish(self, coordinator: Coordinator) -> None:
        await self._mailbox.publish(coordinator.status(), self._invitation, coordinator.seconds)

    async def _collect(self, intake: EvidenceIntake) -> None:
        while True:
            if not await self._mailbox.collect(intake.store):
                await asyncio.sleep(RENEW_SECONDS / 5)

    async def _collect_all(self, intake: EvidenceIntake) -> None:
        while await self._mailbox.collect(intake.store):
            pass

    # -- results --

    async def _copy_journal(self) -> list[Fact]:
        """Copy the journal to this disk and return it. Raises BadInput when it is of another crawl."""
        facts = [fact async for _, group in groups(self._store, self._keys) for fact in group]
        check_same(self._plan, fold(facts), self._place)
        if facts:
            await asyncio.to_thread(mirror, self._plan.out / JOURNAL_NAME, facts)
        return facts

    def _outcome(self, facts: list[Fact]) -> Outcome:
        """Return the outcome of a crawl that another process coordinated."""
        crawl = fold(facts)
        return outcome_of(
            self._plan.url,
            crawl,
            WorkCount(events=crawl.fired, resets=crawl.resets),
            reset_cost=DEFAULT_RESET_COST if crawl.reset_cost is None else crawl.reset_cost,
            seconds=time.monotonic() - self._started_at,
            events_before=crawl.fired,
            ended_because=crawl.ended or "",
            components=summary_of_facts(facts),
        )


def _located(outcome: Outcome, evidence: EvidenceWriter, crawl: FoldedCrawl) -> Outcome:
    """Return the outcome with what the evidence says, and with a warning if some of it is in another directory."""
    evidence.flush()
    outcome, states = qualified(outcome, crawl, evidence), crawl.graph.ids
    if not (lacking := evidence.states_without_evidence(states)):
        return outcome
    return replace(outcome, warnings=(*outcome.warnings, ELSEWHERE.format(len(lacking), len(states))))

"""Crawls by components under fault schedules: every part is found, and the end is neither early nor missing."""

import pytest

from statecrawl.coordination import peer_to_peer
from statecrawl.coordination.dist_ria import DistRiaMachine
from statecrawl.coordination.termination import Token, TokenVerdict
from statecrawl.lab.fault_trials import ARCHITECTURES, COMPOSITIONS, SECONDS, command, component_trial
from statecrawl.simulation.faults import LEAST_EFFECTS, draw
from statecrawl.strategies.component_frontier import ComponentFrontier
from statecrawl.strategies.registry import STRATEGIES

SCHEDULES = 24
PARTS = 3
every_architecture = pytest.mark.parametrize("architecture", ARCHITECTURES)
members = pytest.mark.parametrize("architecture", ["dist-ria", "peer-to-peer"])


@pytest.mark.parametrize("part", range(PARTS))
@every_architecture
def test_every_fault_schedule_ends_with_all_parts(architecture: str, part: int) -> None:
    effective, seed = 0, part * 1_000_000
    while effective < SCHEDULES // PARTS:
        outcome = component_trial(architecture, seed)
        again = command(architecture, seed, components=True)
        assert outcome.verdict is None, f"{outcome.verdict}; to see it again: {again}"
        effective += len(outcome.effects) >= LEAST_EFFECTS
        seed += 1


@members
def test_the_same_seed_gives_the_same_journal(architecture: str) -> None:
    for seed in range(2):
        one, other = (component_trial(architecture, seed).cluster for _ in range(2))
        assert one.journal.facts == other.journal.facts


def test_every_application_is_tried() -> None:
    drawn = {draw(seed, list(COMPOSITIONS), list(STRATEGIES), SECONDS).application for seed in range(SCHEDULES)}
    assert drawn == set(COMPOSITIONS)


# -- planted bugs: the trials notice what must never happen --


def verdicts(architecture: str) -> set[str]:
    found = [component_trial(architecture, seed).verdict for seed in range(10)]
    return {verdict.partition(":")[0] for verdict in found if verdict is not None}


def test_a_token_that_does_not_count_facts_ends_too_early(monkeypatch: pytest.MonkeyPatch) -> None:
    def visit(token: Token, node: str, facts: int, names: tuple[str, ...]) -> TokenVerdict:
        known = {**token.known, node: facts}
        return TokenVerdict(Token(token.round, token.hop + 1, known=known), set(names) <= known.keys())

    monkeypatch.setattr(peer_to_peer, "visit_reader", visit)
    assert "early" in verdicts("peer-to-peer")


def test_a_coordinator_that_believes_outdated_reports_ends_too_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DistRiaMachine, "_all_done", lambda machine: set(machine.crawl.members) <= machine._done.keys())
    assert "early" in verdicts("dist-ria")


@members
def test_members_that_all_leave_the_checks_to_others_end_too_early(
    architecture: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ComponentFrontier, "is_checker", property(lambda _: False, lambda _, __: None), raising=False)
    assert "early" in verdicts(architecture)

"""Components belong to the present member that was the first to claim them."""

import pytest

from statecrawl.journal.facts import ComponentClaimed, Fact, MemberJoined, MemberLeft
from statecrawl.journal.fold import fold
from statecrawl.journal.novelty import is_redundant


def claimed(member: str, epoch: int, place: str = "ul") -> ComponentClaimed:
    return ComponentClaimed(place=place, member=member, epoch=epoch)


def joined(member: str, epoch: int) -> MemberJoined:
    return MemberJoined(member=member, epoch=epoch)


def left(member: str, epoch: int) -> MemberLeft:
    return MemberLeft(member=member, epoch=epoch)


BOTH: list[Fact] = [joined("a", 1), joined("b", 2)]


@pytest.mark.parametrize(
    ("facts", "claims"),
    [
        ([claimed("a", 2), claimed("b", 2)], {"ul": "a"}),
        ([claimed("b", 2), claimed("a", 2), claimed("a", 2, "ol")], {"ul": "b", "ol": "a"}),
        ([claimed("c", 2)], {}),
        ([claimed("a", 2), left("a", 3)], {}),
        ([claimed("a", 2), left("b", 3)], {"ul": "a"}),
        ([claimed("a", 2), left("a", 3), claimed("b", 2)], {"ul": "b"}),
        ([claimed("a", 2), left("a", 3), claimed("a", 2)], {}),
        ([claimed("a", 2), left("a", 3), joined("a", 4), claimed("a", 2)], {}),
        ([left("a", 3), joined("a", 4), claimed("a", 4)], {"ul": "a"}),
    ],
)
def test_the_first_claim_of_a_present_member_counts(facts: list[Fact], claims: dict[str, str]) -> None:
    assert fold([*BOTH, *facts]).claims == claims
    assert fold([*BOTH, *facts, *BOTH, *facts]).claims == claims


def test_a_claim_that_came_too_late_is_not_recorded() -> None:
    crawl = fold([*BOTH, claimed("a", 2)])
    assert is_redundant(crawl, claimed("b", 2))
    assert is_redundant(crawl, claimed("c", 2, "ol"))
    assert not is_redundant(crawl, claimed("b", 2, "ol"))

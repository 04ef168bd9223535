"""Components: one member is responsible for each, and one member crawls it."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.coordination.components import GateKeeper, GateKeeperAnswer, has_time, responsible

MEMBERS = [f"node{number}" for number in range(6)]


@given(xpath=st.text())
def test_all_members_agree_on_who_is_responsible(xpath: str) -> None:
    assert responsible(xpath, MEMBERS) in MEMBERS
    assert responsible(xpath, MEMBERS) == responsible(xpath, tuple(MEMBERS))


@given(st.text())
def test_the_departure_of_another_member_changes_nothing(xpath: str) -> None:
    owner = responsible(xpath, MEMBERS)
    assert responsible(xpath, [name for name in MEMBERS if name in (owner, MEMBERS[0])]) in (owner, MEMBERS[0])
    for leaver in MEMBERS:
        if leaver != owner:
            assert responsible(xpath, [name for name in MEMBERS if name != leaver]) == owner


@given(
    st.lists(
        st.tuples(st.sampled_from(["ask", "request", "leave"]), st.sampled_from("pq"), st.sampled_from("abc")),
        max_size=60,
    )
)
def test_a_component_has_one_owner_at_a_time(said: list[tuple[str, str, str]]) -> None:
    keeper = GateKeeper()
    owners: dict[str, str] = {}
    for verb, xpath, member in said:
        if verb == "ask":
            expected = (
                GateKeeperAnswer.FREE
                if xpath not in owners
                else GateKeeperAnswer.YOURS
                if owners[xpath] == member
                else GateKeeperAnswer.TAKEN
            )
            assert keeper.ask(xpath, member) is expected
        elif verb == "request":
            owners.setdefault(xpath, member)
            assert keeper.request(xpath, member) is (
                GateKeeperAnswer.YOURS if owners[xpath] == member else GateKeeperAnswer.TAKEN
            )
        else:
            freed = {xpath for xpath, owner in owners.items() if owner == member}
            assert set(keeper.remove(member)) == freed
            owners = {xpath: owner for xpath, owner in owners.items() if owner != member}


def test_a_busy_member_leaves_components_to_others() -> None:
    assert has_time(2, threshold=3)
    assert not has_time(3, threshold=3)

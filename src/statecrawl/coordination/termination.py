"""Termination ring: how peers without a coordinator detect that nothing is left to do.

S. M. Mirtaheri et al., "PDist-RIA Crawler: A Peer-to-Peer Distributed Crawler for Rich Internet Applications", 2014,
§3.2. A token travels around a ring of all nodes while they crawl. It holds the ids of all states known to the nodes it
has passed, the number of states each of them knew, and which of them were idle when it passed. A node that works holds
the token until it is idle. Then it adds its states, its count and its name, and passes the token on, unless the token
lists all nodes as idle and each of them knew as many states as the token lists: in that case the crawl is over.

Correctness. A node is idle when all its own events, in all states it knows, are explored. Suppose the crawl is declared
over although the token does not list all states. Let s be the first missing state to be found, and C the node that
finds it. Had C found s before the token last passed C, C would have listed it; so C finds s later. C was idle when the
token passed, so the event that leads to s belongs to a state that C has learned of since. That state was found before
s, so the token lists it; but C did not count it, and the crawl would not have been declared over. So the token lists
all states. All nodes reported the same count, so each of them knew all states when the token passed, and had explored
all its events in them.

This requires neither fast nor ordered messages. It does require that there is only one token and that no node joins or
leaves. Hence `round`: a change of membership starts a new round with an empty token, and tokens of earlier rounds are
rejected. Within a round each hop increments a counter, so that a late duplicate is recognized by its number. A message
about a state must not be lost for good, or the token circulates forever.

In a crawl by components, a fact that adds no state can also make work: a check that deviates. There everything is
shared in one order, and the token lists how many facts each node had read when it was idle (`visit_reader`). An idle
node does nothing until it reads another fact. So if all nodes were idle after the same number of facts, and there are
no more facts now, then all are idle, and the crawl is over.
"""

from collections.abc import Collection
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Token:
    """The token of the ring. Its states are listed in the order in which it learned them."""

    round: int = 0
    hop: int = 0
    states: tuple[str, ...] = ()
    known: dict[str, int] = field(default_factory=dict)  # idle node -> number of states it knew, or of facts

    def is_older_than(self, other: "Token") -> bool:
        """Whether this token is `other` itself or an earlier version of it."""
        return (self.round, self.hop) <= (other.round, other.hop)


@dataclass(frozen=True, slots=True)
class TokenVerdict:
    """Result of a token's visit to an idle node."""

    token: Token
    over: bool  # the crawl is over; otherwise the token is passed on


def visit(token: Token, node: str, states: Collection[str], members: Collection[str]) -> TokenVerdict:
    """Update the token at an idle node that knows these states. ValueError when the node is no member."""
    if node not in members:
        raise ValueError(f"{node} is not in the ring")
    listed = dict.fromkeys(token.states)
    listed.update(dict.fromkeys(sorted(states)))
    known = {name: count for name, count in token.known.items() if name in members} | {node: len(states)}
    over = len(known) == len(members) and all(count == len(listed) for count in known.values())
    return TokenVerdict(Token(token.round, token.hop + 1, tuple(listed), known), over)


def visit_reader(token: Token, node: str, facts: int, members: Collection[str]) -> TokenVerdict:
    """Update the token at an idle node that has read all facts, which are so many.

    ValueError when the node is no member.
    """
    if node not in members:
        raise ValueError(f"{node} is not in the ring")
    known = {name: count for name, count in token.known.items() if name in members} | {node: facts}
    over = len(known) == len(members) and set(known.values()) == {facts}
    return TokenVerdict(Token(token.round, token.hop + 1, known=known), over)


def next_in_ring(node: str, members: Collection[str]) -> str:
    """Return the successor of a node in the ring. ValueError when the node is no member."""
    ring = sorted(members)
    return ring[(ring.index(node) + 1) % len(ring)]

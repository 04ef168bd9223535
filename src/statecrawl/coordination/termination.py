"""The ring: how peers without a coordinator find out that nothing is left to do.

S. M. Mirtaheri et al., "PDist-RIA Crawler: A Peer-to-Peer Distributed Crawler for Rich Internet Applications", 2014,
§3.2. A token travels around a ring of all nodes while they crawl. It holds the ids of all states that the nodes it
passed know, how many states each of them knew, and who was idle when it passed. A node that works keeps the token
until it is idle. Then it adds its states, its count and its name, and passes the token on, unless all nodes are in it
as idle and each of them knew as many states as the token lists: in that case the crawl is over.

Why that is right. A node is idle when all events that are its own, in all states it knows, are done. Suppose the crawl
is declared over, and states were found that the token does not list. Let s be the first of these to be found, by C.
Had C found it before the token last passed, C would have listed it; so C found it later. C was idle when the token
passed: the event that led to s was in a state that C has learnt of since. That state was found before s, so the token
lists it; but C did not count it, and the crawl would not have been declared over. So the token lists all states there
are. All nodes counted as many, so each knew them all when it was passed, and was done with all its events in them.

This needs neither that messages are fast nor that they come in order. It does need that there is one token and that
nobody joins or leaves. Hence `round`: a change of membership begins a new round with an empty token, and tokens of
earlier rounds are refused; within a round each hop counts up, so that a copy that comes late is known by its number.
And a message about a state must not be lost for good, or the token goes round for ever.
"""

from collections.abc import Collection
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Token:
    """What travels. The states come in the order in which it learnt of them."""

    round: int = 0
    hop: int = 0
    states: tuple[str, ...] = ()
    known: dict[str, int] = field(default_factory=dict)  # node -> states it knew; it was idle then

    def is_older_than(self, other: "Token") -> bool:
        """Whether this is a copy of what somebody has seen already."""
        return (self.round, self.hop) <= (other.round, other.hop)


@dataclass(frozen=True, slots=True)
class TokenVerdict:
    """What a node that is idle makes of the token."""

    token: Token
    over: bool  # the crawl is; otherwise the token goes on


def visit(token: Token, node: str, states: Collection[str], members: Collection[str]) -> TokenVerdict:
    """The token passes a node that is idle and knows these states. ValueError when the node is no member."""
    if node not in members:
        raise ValueError(f"{node} is not in the ring")
    listed = dict.fromkeys(token.states)
    listed.update(dict.fromkeys(sorted(states)))
    known = {name: count for name, count in token.known.items() if name in members} | {node: len(states)}
    over = len(known) == len(members) and all(count == len(listed) for count in known.values())
    return TokenVerdict(Token(token.round, token.hop + 1, tuple(listed), known), over)


def after(node: str, members: Collection[str]) -> str:
    """Who comes next in the ring. ValueError when the node is no member."""
    ring = sorted(members)
    return ring[(ring.index(node) + 1) % len(ring)]

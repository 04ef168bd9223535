"""Symmetric chains of a hypercube, by matching parentheses.

C. Greene and D. J. Kleitman, "Strong versions of Sperner's theorem", 1976.

A vertex is a set of executed events, as the bits of a mask; bit i stands for the i-th event of the base. Read the
bits as parentheses, 0 opening and 1 closing. A chain is followed by executing the event at the leftmost unmatched
0, and a vertex starts a chain when it has no unmatched 1. Used as in Dincturk et al., "A Model-Based Approach for
Crawling Rich Internet Applications", 2014, §6.1.
"""


def successor(mask: int, size: int) -> int | None:
    """Return the event (0-based) that continues the chain; None at its end."""
    unmatched = []
    for event in range(size):
        if not mask >> event & 1:
            unmatched.append(event)
        elif unmatched:
            unmatched.pop()
    return unmatched[0] if unmatched else None


def starts_chain(mask: int, size: int) -> bool:
    """Whether a chain starts at this vertex."""
    if mask.bit_count() * 2 > size:
        return False
    unmatched = seen = 0
    while mask:  # from one 1 to the next
        zeros = (mask & -mask).bit_length() - 1
        unmatched += zeros - 1
        if unmatched < 0:
            return False
        seen += zeros + 1
        mask >>= zeros + 1
    return True

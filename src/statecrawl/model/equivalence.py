"""State equivalences: when two contents of a page are the same state.

The page agent computes the ids of states (`browser/agent/equivalence.js` says what each equivalence keeps). This module
names the equivalences and versions their rules: states can be compared only if the rules were the same.
"""

EQUIVALENCES = ("content", "structure", "exact")
IDENTITY = "identity"  # key in the journal: version of the rules by which the agent computes the ids of states
IDENTITY_VERSION = 2  # 1 had no key: class and style as written, `back` among the events


def is_function(equivalence: str) -> bool:
    """Return whether the equivalence is a JavaScript function."""
    return "=>" in equivalence or equivalence.lstrip().startswith(("function", "async "))

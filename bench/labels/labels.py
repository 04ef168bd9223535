"""Labels: which of the sampled states a person would count as one.

The file of an application is TOML. `states` are the sampled ones in the order in which they were found, as the sheet
numbers them from 1; each group lists the numbers of states that a person would not list separately:

    states = ["38ad5d33add31a8d8bccf362", …]

    [groups]
    "one entry, not ticked" = [2, 5]
"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.labels.recording import DATA


class WrongLabels(Exception):
    """A file of labels does not say for each state which group it belongs to."""


def labels_of(name: str) -> Path:
    """Return the path of the labels of an application."""
    return DATA / f"{name}.toml"


def read(path: Path) -> dict[str, str]:
    """Return the group of each sampled state. Raises WrongLabels."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    return grouped(content["states"], content["groups"])


def grouped(states: Sequence[str], groups: Mapping[str, Sequence[int]]) -> dict[str, str]:
    """Return the group of each state, in their order. Raises WrongLabels unless each has exactly one."""
    numbered = sorted((number, group) for group, numbers in groups.items() for number in numbers)
    if [number for number, _ in numbered] != list(range(1, len(states) + 1)):
        raise WrongLabels(f"{len(states)} states need the numbers 1 to {len(states)} once each")
    return {state: group for state, (_, group) in zip(states, numbered, strict=True)}


def template(states: Sequence[str]) -> str:
    """Return a file of labels without groups, for a person to fill in."""
    ids = "".join(f'    "{state}",\n' for state in states)
    return f"states = [\n{ids}]\n\n[groups]\n"

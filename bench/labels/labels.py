"""Labels: which of the sampled states a person would count as one.

The file of an application is TOML. `states` are the sampled ones in the order in which they were found, as the sheet
numbers them from 1; each group lists the numbers of states that a person would not list separately:

    states = ["38ad5d33add31a8d8bccf362", …]

    [groups]
    "one entry, not ticked" = [2, 5]
    "one entry, not ticked | typed" = [1]
    "item (lamp)" = [3]

Two decisions are matters of taste, so the names of groups leave them open. What follows " | " says that a field is
filled in. What stands in parentheses tells pages of one template apart, of which there is one for each object.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.labels.recording import DATA

FIELD = re.compile(r" \| .*")
OBJECT = re.compile(r" ?\([^)]*\)")


def plainly(group: str) -> str:
    """What is typed into a field does not matter; each object has a page of its own."""
    return FIELD.sub("", group)


def with_fields(group: str) -> str:
    """A filled field is not the same as an empty one."""
    return group


def without_objects(group: str) -> str:
    """Neither what is typed nor which object of several is shown matters."""
    return OBJECT.sub("", plainly(group))


READINGS = {"plain": plainly, "fields": with_fields, "objects": without_objects}


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

"""The labelled controls of real applications, and how often the judgement is wrong about them.

Half of the applications served for tuning; the other half was held out. `controls.jsonl` has one control per line: the
application that it is from, its half, the language, the label that a person gave it, and the evidence.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from statecrawl.politeness.control import Control
from statecrawl.politeness.danger import danger_of

CONTROLS = Path(__file__).with_name("controls.jsonl")
HALVES = ("tuned", "held-out")


@dataclass(slots=True)
class Score:
    """How the judgement did on one half."""

    dangerous: int = 0
    harmless: int = 0
    missed: list[dict[str, Any]] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)  # wrongly


def labelled() -> Iterator[tuple[dict[str, Any], Control]]:
    for line in CONTROLS.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        yield told, msgspec.convert(told["control"], Control)


@lru_cache(maxsize=1)
def scores() -> dict[tuple[str, bool], Score]:
    """By half, and by whether the label is in English."""
    found = {(half, english): Score() for half in HALVES for english in (True, False)}
    for told, control in labelled():
        score = found[told["half"], told["language"] == "en"]
        is_refused = danger_of(control) is not None
        if told["label"] == "refuse":
            score.dangerous += 1
            score.missed += [] if is_refused else [told]
        else:
            score.harmless += 1
            score.refused += [told] if is_refused else []
    return found


def applications() -> Counter[str]:
    return Counter(told["app"] for told, _ in labelled())

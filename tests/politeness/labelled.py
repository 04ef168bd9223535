"""The labelled controls of real applications, and how often the judgement is wrong about them.

Half of the applications in `controls.jsonl` served for tuning, and the other half was held out. The controls of
`unseen.jsonl` were written down and labelled later, by somebody who had not read the rules; those were improved
afterwards.

Each line holds controls that differ only in what they say: the application, its half, the label that a person gave
them, the evidence that they share, and by language what each of them says (words, heading, options).
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

FILES = tuple(Path(__file__).with_name(name) for name in ("controls.jsonl", "unseen.jsonl"))
HALVES = ("tuned", "held-out", "unseen")


@dataclass(slots=True)
class Score:
    """Errors of the judgement on one half."""

    dangerous: int = 0
    harmless: int = 0
    missed: list[dict[str, Any]] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)  # wrongly


def labelled() -> Iterator[tuple[dict[str, Any], Control]]:
    for told in (json.loads(line) for path in FILES for line in path.read_text(encoding="utf-8").splitlines()):
        shared, by_language = told.pop("control"), told.pop("said")
        for language, controls in by_language.items():
            for said in controls:
                control = shared | said
                yield told | {"language": language, "control": control}, msgspec.convert(control, Control)


@lru_cache(maxsize=1)
def scores() -> dict[tuple[str, bool], Score]:
    """Score the judgement by half, and by whether the label is in English."""
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

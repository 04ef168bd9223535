"""Colours of strategies, the same on the whole page.

The style sheet defines the colours as classes s0, s1, ... Colour-blind readers can distinguish them, and the lines of
uninformed strategies are also dashed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from statecrawl.report.page.comparison_facts import ORDER, ordered
from statecrawl.report.page.markup import Markup, tag

COLOURS = 10  # classes in the style sheet; further strategies reuse them


@dataclass(frozen=True, slots=True)
class Palette:
    slots: Mapping[str, int]

    def css(self, strategy: str) -> str:
        return f"s{self.slots[strategy] % COLOURS}"

    def label(self, strategy: str) -> Markup:
        """Return the name with a swatch of its colour."""
        return tag("span", tag("i", class_="swatch"), strategy, class_=f"strategy {self.css(strategy)}")


def palette(strategies: Iterable[str]) -> Palette:
    """Return the palette. Strategies of the paper always have the same colours."""
    others = [name for name in ordered(strategies) if name not in ORDER]
    return Palette({name: slot for slot, name in enumerate([*ORDER, *others])})

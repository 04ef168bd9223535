"""One colour for one strategy, on the whole page.

The colours stand in the style sheet as classes s0, s1, ...; they are chosen to differ for colour-blind eyes, and the
uninformed strategies are dashed as well.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from statecrawl.report.page.comparison_facts import ORDER, ordered
from statecrawl.report.page.markup import Markup, tag

COLOURS = 10  # classes in the style sheet; more strategies than that share


@dataclass(frozen=True, slots=True)
class Palette:
    slots: Mapping[str, int]

    def css(self, strategy: str) -> str:
        return f"s{self.slots[strategy] % COLOURS}"

    def label(self, strategy: str) -> Markup:
        """The name with its swatch."""
        return tag("span", tag("i", class_="swatch"), strategy, class_=f"strategy {self.css(strategy)}")


def palette(strategies: Iterable[str]) -> Palette:
    """The strategies of the paper keep their colours whoever else is there."""
    others = [name for name in ordered(strategies) if name not in ORDER]
    return Palette({name: slot for slot, name in enumerate([*ORDER, *others])})

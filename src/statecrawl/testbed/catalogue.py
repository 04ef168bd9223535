"""Every application of the testbed by name and parameters, as people write them: "periodic-table", "hypercube:10".

A name may be followed by a colon and its parameters: whole numbers separated by commas, or the name of a preset.
`LISTED` is what is shown to people; reading it builds no model.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from statecrawl.errors import BadInput, UnknownName
from statecrawl.testbed.altoro import altoro
from statecrawl.testbed.application import Application
from statecrawl.testbed.bebop import bebop
from statecrawl.testbed.clip_marks import clip_marks
from statecrawl.testbed.company import test_ria
from statecrawl.testbed.dyna_table import dyna_table
from statecrawl.testbed.elfinder import elfinder
from statecrawl.testbed.file_tree import file_tree
from statecrawl.testbed.generated import hypercube, linked, menusite, pager, synthetic, tiny, viol8, widgets
from statecrawl.testbed.periodic_table import periodic_table

WHOLE_NUMBER = re.compile(r"[0-9]{1,12}")  # longer ones are too large for any application


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Entry of the catalogue: how to build an application, and the form of its parameters."""

    build: Callable[..., Application]
    title: str  # one line for people
    numbers: tuple[int, ...] = ()  # example of its whole-number parameters, all required
    presets: tuple[str, ...] = ()  # variants that may be asked for by name

    def forms(self, name: str) -> dict[str, str]:
        """Valid names, each with its title."""
        if self.numbers:
            return {f"{name}:{','.join(map(str, self.numbers))}": self.title}
        return {name: self.title} | {f"{name}:{preset}": f"{self.title}: {preset}" for preset in self.presets}


ENTRIES: dict[str, Entry] = {
    "bebop": Entry(build=bebop, title="bibliography filtered by author, year and type, with details"),
    "elfinder": Entry(build=elfinder, title="file manager with previews"),
    "file-tree": Entry(build=file_tree, title="file browser over a folder tree", presets=("httpd", "cassandra")),
    "periodic-table": Entry(build=periodic_table, title="118 element cells and an information window, in two modes"),
    "clip-marks": Entry(build=clip_marks, title="shared clips with votes, voters' pop-ups and profiles"),
    "altoro": Entry(build=altoro, title="demo bank with log-in, accounts, transfers and panels"),
    "test-ria": Entry(build=test_ria, title="generic company site with a menu, tabs and pop-ups"),
    "dyna-table": Entry(build=dyna_table, title="paged, sorted and filtered table fed by a server"),
    "hypercube": Entry(build=hypercube, title="n buttons, each usable once, in any order", numbers=(10,)),
    "widgets": Entry(build=widgets, title="k independent widgets of m values", numbers=(6, 5)),
    "linked": Entry(build=linked, title="k widgets of m values, two pairs linked", numbers=(4, 4)),
    "menusite": Entry(build=menusite, title="m pages in a menu, k details behind each", numbers=(5, 3)),
    "pager": Entry(build=pager, title="list of n pages", numbers=(20,)),
    "tiny": Entry(build=tiny, title="four states to follow by hand"),
    "viol8": Entry(build=viol8, title="a hypercube that breaks its promises"),
    "synthetic": Entry(build=synthetic, title="large site with t transitions", numbers=(100_000,)),
}

PUBLISHED: tuple[str, ...] = (  # in the order of the published tables, then what has no line in them
    "bebop",
    "elfinder",
    "file-tree",
    "periodic-table",
    "clip-marks",
    "altoro",
    "test-ria",
    "hypercube:10",
    "dyna-table",
    "file-tree:httpd",
    "file-tree:cassandra",
)

LISTED: dict[str, str] = {  # what can be asked for, with example parameters -> title
    form: title for name, entry in ENTRIES.items() for form, title in entry.forms(name).items()
}


def application(spec: str) -> Application:
    """Return the application with this name.

    Raises UnknownName for a name that is not in the catalogue, BadInput for parameters that do not fit.
    """
    name, colon, written = (part.strip() for part in spec.partition(":"))
    if name not in ENTRIES:
        raise UnknownName("application", name, ENTRIES)
    entry = ENTRIES[name]
    if entry.numbers:
        (form,) = entry.forms(name)
        return entry.build(*_numbers(spec, form, written, len(entry.numbers)))
    if not colon:
        return entry.build()
    if not entry.presets:
        raise BadInput(f"'{spec}' cannot be built: {name} takes no parameters, write {name}.")
    if written not in entry.presets:
        raise BadInput(f"'{spec}' cannot be built: write {' or '.join(entry.forms(name))}.")
    return entry.build(written)


def _numbers(spec: str, form: str, written: str, count: int) -> list[int]:
    parts = [part.strip() for part in written.split(",")]
    if len(parts) != count or not all(WHOLE_NUMBER.fullmatch(part) for part in parts):
        wanted = "one whole number" if count == 1 else f"{count} whole numbers"
        raise BadInput(f"'{spec}' cannot be built: it needs {wanted} after the name, as in {form}.")
    return [int(part) for part in parts]

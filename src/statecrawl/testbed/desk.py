"""A page as people build them: eleven parts that hardly know of each other.

The interface
    * A *menu* bar, whose menus exist while they are open. Its items report to the line of *status*.
    * An *accordion*: at most one of three answers is open, and all are in the document.
    * Two tab strips: *agenda* mounts the panel that is chosen, *mail* hides the others.
    * A *table* of twelve files, sorted by either column in both directions, on three pages. Sorting shows the first
      page.
    * A *wizard* in a modal dialog: what, how fast, summary. It starts anew whenever it opens, and reports to the
      status.
    * A tree of three *folders*, one inside another; what is in a folder is loaded when it opens.
    * A *chat* that answers after a moment and repeats what was typed. Its log grows without limit.
    * Two *notices* that arrive by themselves, after one and after four seconds, and can be dismissed.

The truth
    4 menu + 8 status + 4 accordion + 3 agenda + 3 mail + 12 table + 11 wizard + 6 folders + 3 chat log + 2 chat form +
    4 notices = 60 component states.
    17 menu + 12 accordion + 9 agenda + 9 mail + 40 table + 41 wizard + 11 folders + 2 chat form +
    4 notices = 145 tasks.
    The leaves of the tree can be clicked, but nothing happens.
"""

from itertools import product

from statecrawl.testbed.component_truth import ComponentTruth, TrueComponent, TrueState

MENUS = {"File": ("New", "Print"), "View": ("Compact", "Wide"), "Help": ("About",)}
REPORTS = (
    "Ready",
    "A new file",
    "file was printed",
    "compact",
    "wide",
    "This is a desk",
    "order was dropped",
    "order was placed",
)
QUESTIONS = ("Where are my files?", "Who can see them?", "How do I leave?")
AGENDA = ("Today", "Week", "Month")
MAIL = ("Inbox", "Sent", "Drafts")
ORDERS = ("name, ascending", "name, descending", "pages, ascending", "pages, descending")
PAGES = 3
KINDS, SPEEDS = ("Letter", "Parcel"), ("Slow", "Fast")
LEAVES = {
    "letters": ("To the landlord",),
    "answered": ("From Ada", "From Emil"),
    "pictures": ("Garden", "Harbour"),
}
NOTICES = ("backup", "version")


def desk_truth() -> ComponentTruth:
    components = (
        *(_menu(), _status(), _accordion(), _agenda(), _mail(), _table(), _wizard()),
        *(_folder(name, leaves) for name, leaves in LEAVES.items()),
        *(_chat_log(), _chat_form(), _notices()),
    )
    return ComponentTruth(
        application="desk", title="page with a menu, tabs, a table, a wizard, a tree and a chat", components=components
    )


def _menu() -> TrueComponent:
    opened = (
        TrueState(name=f"{name} open", has=(f'[role="menu"][aria-label="{name}"]',), events=(*MENUS, *items))
        for name, items in MENUS.items()
    )
    closed = TrueState(name="closed", lacks=('[role="menu"]',), events=tuple(MENUS))
    return TrueComponent(name="menu", root="#menu", states=(closed, *opened))


def _status() -> TrueComponent:
    return TrueComponent(
        name="status", root="#status", states=tuple(TrueState(name=text, text=text) for text in REPORTS)
    )


def _accordion() -> TrueComponent:
    panels = [f"#answer-{number}" for number in range(len(QUESTIONS))]
    closed = TrueState(name="closed", lacks=tuple(panels), events=QUESTIONS)
    opened = (
        TrueState(
            name=question, has=(panel,), lacks=tuple(other for other in panels if other != panel), events=QUESTIONS
        )
        for question, panel in zip(QUESTIONS, panels, strict=True)
    )
    return TrueComponent(name="accordion", root="#help", states=(closed, *opened))


def _agenda() -> TrueComponent:
    texts = ("Water the plants", "Visit the dentist", "Pay the rent")
    states = (TrueState(name=tab, text=text, events=AGENDA) for tab, text in zip(AGENDA, texts, strict=True))
    return TrueComponent(name="agenda", root="#agenda", states=tuple(states))


def _mail() -> TrueComponent:
    states = (TrueState(name=tab, has=(f"#mail-{tab.lower()}",), events=MAIL) for tab in MAIL)
    return TrueComponent(name="mail", root="#mail", states=tuple(states))


def _table() -> TrueComponent:
    headers = {  # order -> selector of the sorted header, in its place
        f"{column}, {order}": f'th[aria-sort="{order}"] + th' if column == "name" else f'th + th[aria-sort="{order}"]'
        for column, order in product(("name", "pages"), ("ascending", "descending"))
    }

    def state(order: str, page: int) -> TrueState:
        turns = ("Previous",) * (page > 1) + ("Next",) * (page < PAGES)
        events = ("Name", "Pages", *turns)
        return TrueState(
            name=f"{order}, page {page}", has=(headers[order],), text=f"Page {page} of {PAGES}", events=events
        )

    states = (state(order, page) for order, page in product(ORDERS, range(1, PAGES + 1)))
    return TrueComponent(name="table", root="#files", states=tuple(states))


def _wizard() -> TrueComponent:
    def checked(names: tuple[str, ...], chosen: str) -> str:
        """Return a selector of a group of radio buttons of which this one is chosen."""
        return " + ".join(f'[role="radio"][aria-checked="{"true" if name == chosen else "false"}"]' for name in names)

    first = (
        TrueState(name=kind, text="^Step 1", has=(checked(KINDS, kind),), events=(*KINDS, "Continue", "Cancel"))
        for kind in KINDS
    )
    second = (
        TrueState(
            name=f"{kind}, perhaps {speed.lower()}",
            text=f"^Step 2: how fast is the {kind.lower()}",
            has=(checked(SPEEDS, speed),),
            events=(*SPEEDS, "Back", "Continue", "Cancel"),
        )
        for kind, speed in product(KINDS, SPEEDS)
    )
    third = (
        TrueState(name=f"{kind}, {speed.lower()}", text=f"{kind}, {speed.lower()}", events=("Back", "Finish", "Cancel"))
        for kind, speed in product(KINDS, SPEEDS)
    )
    closed = TrueState(name="closed", is_absent=True, events=("New order",))
    return TrueComponent(name="wizard", root="#wizard", states=(closed, *first, *second, *third))


def _folder(name: str, leaves: tuple[str, ...]) -> TrueComponent:
    root = f"#folder-{name}"
    closed = TrueState(name="closed", has=(f'{root}[aria-expanded="false"]',), events=("open",))
    opened = TrueState(
        name="open", has=(f'{root}[aria-expanded="true"]',), lacks=(f"{root} [aria-busy]",), events=("close", *leaves)
    )
    return TrueComponent(name=f"folder {name}", root=root, states=(closed, opened))


def _chat_log() -> TrueComponent:
    return TrueComponent(
        name="chat log",
        root='#chat [role="log"]',
        states=(
            TrueState(name="nothing asked", text="What can I do for you", lacks=(".answer",)),
            TrueState(name="one answer", has=(".answer",), lacks=(".answer + p + .answer",)),
            TrueState(name="several answers", has=(".answer + p + .answer",)),
        ),
    )


def _chat_form() -> TrueComponent:
    empty = TrueState(name="empty", has=("button[disabled]",), events=("type",))
    filled = TrueState(name="filled", lacks=("button[disabled]",), events=("Send",))
    return TrueComponent(name="chat form", root="#chat form", states=(empty, filled))


def _notices() -> TrueComponent:
    backup, version = NOTICES
    dismiss = "Dismiss"
    return TrueComponent(
        name="notices",
        root="#notices",
        states=(
            TrueState(name="both", text=f"{backup}.*{version}", events=(f"{dismiss} {backup}", f"{dismiss} {version}")),
            TrueState(name=backup, text=rf"^(?!.*{version}).*{backup}", events=(f"{dismiss} {backup}",)),
            TrueState(name=version, text=rf"^(?!.*{backup}).*{version}", events=(f"{dismiss} {version}",)),
            TrueState(name="none", lacks=(".notice",)),
        ),
    )

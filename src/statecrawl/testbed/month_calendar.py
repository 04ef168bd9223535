"""A calendar without first or last month, whose days open a dialog with tabs.

The interface
    Six weeks are shown of every month, so there are 42 buttons for days; those of other months are paler. *Previous*
    and *Next* go on for ever. A day opens a modal dialog, whose title is the date. It has three tabs; the tab that is
    chosen is mounted, the others do not exist. On workdays nothing is planned, on weekends the office is closed. A
    switch on the third tab is off whenever it appears.

The truth
    Months and dates are open-ended: the first month and its neighbours stand for all. The dialog shows one of two
    plans, the guests, or the reminder, which is off or on. While it is open, the rest of the page cannot be used.

    4 + 6 = 10 component states (month with its days; dialog), and 198 tasks, 176 of which are the 44 events of four
    months.
"""

from statecrawl.testbed.component_truth import ComponentTruth, TrueComponent, TrueState

DAYS = 42  # buttons, of the month and its neighbours
MONTHS = ("December 2029", "January 2030", "February 2030")  # the second one is shown first
OTHER_MONTH = "any other month"
_TABS = ("Plan", "Guests", "Reminder")
_MONTH_EVENTS = ("Previous", "Next", *(f"day {number}" for number in range(1, DAYS + 1)))
_DIALOG_EVENTS = (*_TABS, "Close")


def calendar_truth() -> ComponentTruth:
    return ComponentTruth(
        application="calendar", title="calendar without end, days open a dialog", components=(_MONTH, _DIALOG)
    )


def _chosen(tab: str) -> str:
    """Return a selector of a tab strip in which this tab is chosen."""
    return " + ".join(f'[role="tab"][aria-selected="{"true" if name == tab else "false"}"]' for name in _TABS)


_MONTH = TrueComponent(
    name="month",
    root="main",
    states=(
        *(TrueState(name=month, text=month, events=_MONTH_EVENTS) for month in MONTHS),
        TrueState(name=OTHER_MONTH, text=rf"^(?!.*(?:{'|'.join(MONTHS)}))", events=_MONTH_EVENTS),
    ),
)
_DIALOG = TrueComponent(
    name="dialog",
    root="dialog",
    states=(
        TrueState(name="closed", is_absent=True),
        TrueState(name="plan of a workday", has=(_chosen("Plan"),), text="Nothing is planned", events=_DIALOG_EVENTS),
        TrueState(name="plan of a weekend", has=(_chosen("Plan"),), text="The office is closed", events=_DIALOG_EVENTS),
        TrueState(name="guests", has=(_chosen("Guests"),), text="Nobody is invited", events=_DIALOG_EVENTS),
        TrueState(
            name="reminder off",
            has=(_chosen("Reminder"), '[role="switch"][aria-checked="false"]'),
            events=(*_DIALOG_EVENTS, "Remind me"),
        ),
        TrueState(
            name="reminder on",
            has=(_chosen("Reminder"), '[role="switch"][aria-checked="true"]'),
            events=(*_DIALOG_EVENTS, "Remind me"),
        ),
    ),
)

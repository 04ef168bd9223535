"""The evidence about one control of a page, as text: what a person or a crawler can know before it is used."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """One event of a state: the element that it is fired at, and what the element would do.

    Everything has a default that says nothing, so that evidence from older releases can still be read.
    """

    kind: str = "click"  # of the event: click, submit, key, open…
    key: str = ""  # that is pressed, for events of the kind `key`
    tag: str = ""
    type: str = ""  # of a button or a field
    role: str = ""  # as the page states it
    words: tuple[str, ...] = ()  # text, value, label, title: each as a person reads it
    names: str = ""  # id, name and data-action, which people do not see
    icon: str = ""  # class and name of the picture in a control without words
    target: str = ""  # absolute URL of a link, or where the form is sent to
    method: str = ""  # in small letters; nothing when only a script knows
    is_plain: bool = False  # a link that no script listens to
    fields: tuple[str, ...] = ()  # of the form that would be sent: type, name and autocomplete of each
    options: tuple[str, ...] = ()  # chosen in lists of the form: what they say and their values
    heading: str = ""  # of the dialog, form or section around it
    matches: tuple[str, ...] = ()  # the user's selectors that the element, or one around it, matches

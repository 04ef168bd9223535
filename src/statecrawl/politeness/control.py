"""Textual evidence about a control of a page: what a person or a crawler can know before using it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """Event of a state: the element it is fired at, and what the element would do.

    Every field has a neutral default, so that evidence from older releases can still be read.
    """

    kind: str = "click"  # of the event: click, submit, key, open…
    key: str = ""  # the key pressed, for events of kind `key`
    tag: str = ""
    type: str = ""  # of a button or a field
    role: str = ""  # ARIA role
    words: tuple[str, ...] = ()  # text, value, label, title, each as a person reads it
    names: str = ""  # id, name and data-action, which people do not see
    icon: str = ""  # class and name of the image in a control without words
    target: str = ""  # absolute URL of a link, or of a form's action
    method: str = ""  # in lower case; "" if only a script knows it
    is_plain: bool = False  # a link without a listener
    unfolds: bool = False  # it says that it only shows or hides a part of the page: a tab, a summary, "aria-expanded"
    fields: tuple[str, ...] = ()  # of the form that would be sent: type, name and autocomplete of each
    options: tuple[str, ...] = ()  # labels and values of options selected in the form
    heading: str = ""  # of the dialog, form or section around it
    matches: tuple[str, ...] = ()  # the user's selectors that match the element or an ancestor

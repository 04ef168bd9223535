"""Dangerous controls, recognized by their words, target, method and the form around them.

Theory of operation
    No single word decides. Each kind of evidence is weighed by the kind of the control:

    words     A label is a command if it contains a dangerous phrase used as a command: "Delete", "Yes, delete it". It
              is not a command if it asks or explains ("How to delete a file"), if the verb is negated ("No, don't
              delete"), or if the phrase is part of a noun ("Order history"). Elements that are not controls by nature
              (labels, list items) show texts of users. There, only a complete command counts, so that "buy milk" in a
              to-do list is harmless and "Log out" in a menu is not.
              What says that it only shows or hides a part of the page ("aria-expanded", tabs, summaries) is not judged
              by its words: "Delete" opens a menu, in which the actual command is judged.
    target    The path and query of a URL: /logout, /users/7/delete, ?action=delete. Paths of documents (/docs/delete,
              /delete-help.html) do not count.
    method    Opening a link sends no data. It can end a session or, in careless applications, delete something. It
              cannot pay, publish or change a password, so a link "Change password" is followed, but its form is not
              sent. The method DELETE, if the page states it, deletes whatever the label says.
    form      Fields for an old and a new password, for a new e-mail address or for a bank card, in any language. If the
              button only says "Submit", a recipient and an amount, or a recipient and a message, count as well.
    heading   The dialog around a button decides what "OK" means, and the heading of a form that sends data decides
              what "Execute" means: "Transfer", "New message".

    If two kinds of evidence disagree, the control is refused, and the refusal states why.

    All rules work on text in linear time, so every node of a crawl, and any later reader, comes to the same result.
"""

from dataclasses import dataclass
from functools import lru_cache

from statecrawl.model.event import EVENT_KINDS
from statecrawl.politeness import word_lists
from statecrawl.politeness.command_words import SHORT, command_in, explains
from statecrawl.politeness.control import Control
from statecrawl.politeness.form_structure import danger_of_form, is_written, purpose_of_form
from statecrawl.politeness.lexicon import BY_LINK, Danger
from statecrawl.politeness.phrases import STRONG, is_unspaced, tables, words
from statecrawl.politeness.target_urls import danger_of_target, is_document
from statecrawl.politeness.tokens import name_tokens, tokens_of

ACTING = frozenset(name for name, kind in EVENT_KINDS.items() if kind.acts)
"""Kinds of events that use a control. Hovering over it or typing into it does nothing by itself."""
BY_OPTION = frozenset({Danger.LOGOUT, Danger.DELETE, Danger.SYSTEM})
"""Dangers that a selected option can mean for the button beside it. For other dangers, options are often settings."""
CONTROL_TAGS = frozenset({"a", "area", "button", "summary"})
CONTROL_ROLES = frozenset({"button", "link", "menuitem", "tab"})
MOST_CACHED = 2_000  # characters of evidence; longer evidence is judged anew each time
QUESTION_MARKS = ("?", "？", "؟")
BUTTON_TYPES = frozenset({"submit", "button", "image", "reset"})

_ICONS, _TRANSACTIONS = tables(word_lists.ICONS), tables(word_lists.TRANSACTIONS)
_GENERIC, _ONWARD = words(word_lists.GENERIC | word_lists.EXECUTING), words(word_lists.ONWARD)
_HARMLESS, _MAKING = words(word_lists.HARMLESS), words(word_lists.MAKING)


@dataclass(frozen=True, slots=True)
class DangerVerdict:
    """Reason why a control is not used."""

    danger: Danger
    evidence: str

    def __str__(self) -> str:
        return f"it {self.danger.value} ({self.evidence})"


def danger_of(control: Control) -> DangerVerdict | None:
    """Return why a crawler must not use this control by itself; None if it is harmless."""
    size = len(control.target) + len(control.names) + len(control.heading) + sum(map(len, control.words))
    return _judged_cached(control) if size < MOST_CACHED else _judged(control)


def _judged(control: Control) -> DangerVerdict | None:
    if control.kind not in ACTING or control.type == "reset":
        return None
    if control.kind == "key" and control.key not in ("Enter", " ", ""):
        is_deletion = control.key == "Delete" and not control.type
        return DangerVerdict(Danger.DELETE, "the key is 'Delete'") if is_deletion else None
    if control.method == "delete":
        return DangerVerdict(Danger.DELETE, "its method is DELETE")
    if control.unfolds and control.method in ("", "get"):
        return _by_form(control) or _by_target(control)
    return _by_form(control) or _by_words(control) or _by_target(control) or _by_context(control)


_judged_cached = lru_cache(maxsize=1 << 13)(_judged)  # the states of an application have most controls in common


# -- form --


def _by_form(control: Control) -> DangerVerdict | None:
    found = danger_of_form(control.fields)
    if found is None or _is_harmless(control) or (control.method == "get" and control.tag in ("a", "area")):
        return None
    if control.tag == "summary" or control.type in ("checkbox", "radio"):
        return None
    return DangerVerdict(*found)


# -- words --


def _by_words(control: Control) -> DangerVerdict | None:
    for text in control.words:
        command = command_in(text, is_control=is_control(control))
        if command is not None and not _is_excused(control, command[0], text):
            return DangerVerdict(command[0], f"it says '{command[1]}'")
    for text in control.options:
        command = command_in(text)
        if command is not None and command[0] in BY_OPTION:
            return DangerVerdict(command[0], f"'{command[1]}' is chosen in its form")
    return None


def _is_excused(control: Control, danger: Danger, text: str) -> bool:
    """Whether a command only leads to a document, or to a page with the actual form."""
    if control.is_plain and (_is_fragment(control.target) or is_document(control.target)):
        return True
    if control.method == "get" and control.tag in ("a", "area"):
        return danger not in BY_LINK or (control.is_plain and explains(text))
    return False


# -- target --


def _by_target(control: Control) -> DangerVerdict | None:
    sends = control.method not in ("", "get")
    found = danger_of_target(control.target, sends=sends) if _uses_target(control) else None
    return None if found is None else DangerVerdict(found[0], f"its URL says '{found[1]}'")


def _uses_target(control: Control) -> bool:
    return bool(control.target) and not (control.is_plain and _is_fragment(control.target))


def _is_fragment(target: str) -> bool:
    """Whether a URL leads to an anchor in a page. Routes such as #/users do not."""
    fragment = target.partition("#")[2]
    return "#" in target and not fragment.startswith(("/", "!"))


# -- context --


def _by_context(control: Control) -> DangerVerdict | None:
    """Judge by technical names, icons or headings."""
    if not control.words or not _is_harmless(control):
        named = _command_in_name(control.names)
        if named is not None and is_control(control) and (control.method != "get" or named[0] in BY_LINK):
            return DangerVerdict(named[0], f"its name says '{named[1]}'")
    if not any(tokens_of(text) for text in control.words):
        for danger, phrases in _ICONS.items():
            hit = next(phrases.found(name_tokens(control.icon)), None)
            if hit is not None:
                return DangerVerdict(danger, f"its icon says '{hit.phrase}'")
        for glyph, danger in word_lists.GLYPHS.items():
            if any(glyph in text for text in control.words):
                return DangerVerdict(danger, f"its icon is '{glyph}'")
    return _by_heading(control) or _by_purpose(control)


def _command_in_name(names: str) -> tuple[Danger, str] | None:
    tokens = name_tokens(names)
    for danger, phrases in STRONG.items():
        hit = next(phrases.found(tokens), None)
        if hit is not None and len(tokens) <= SHORT:
            return danger, hit.phrase
    return None


def _by_heading(control: Control) -> DangerVerdict | None:
    """Judge a label without a meaning of its own by its heading."""
    if not control.heading or control.method == "get" or control.tag in ("a", "area", "summary"):
        return None
    command = command_in(control.heading) if _means_nothing(control) and is_control(control) else None
    if command is None or not (
        command[0] in BY_LINK | {Danger.CREDENTIALS} or control.heading.rstrip().endswith(QUESTION_MARKS)
    ):
        return None  # "Checkout" and "Publish" may also be names of steps
    return DangerVerdict(command[0], f"its heading says '{command[1]}'")


def _by_purpose(control: Control) -> DangerVerdict | None:
    """Judge a form with a meaningless button by its fields or heading."""
    if control.tag in ("a", "area", "summary") or not is_control(control):
        return None
    if not _means_nothing(control) or any(token in _ONWARD for text in control.words for token in tokens_of(text)):
        return None
    sends = control.method not in ("", "get")
    found = purpose_of_form(control.fields, sends=sends)
    if found is not None:
        return DangerVerdict(*found)
    named = _transaction_in(control.heading) if sends and is_written(control.fields) else None
    return None if named is None else DangerVerdict(named[0], f"its heading says '{named[1]}'")


def _transaction_in(heading: str) -> tuple[Danger, str] | None:
    """Return what is paid or sent if that is all a heading says: "New message", but not "Messages" or "Pay date"."""
    tokens = tokens_of(heading)
    text = "".join(tokens) if is_unspaced(heading) else tokens
    for danger, phrases in _TRANSACTIONS.items():
        for hit in phrases.parts(text) if isinstance(text, str) else phrases.found(text):
            before, after = text[: hit.start], text[hit.end :]
            beside = [*before, *after] if isinstance(text, tuple) else [part for part in (before, after) if part]
            is_clear = danger is Danger.PAY or bool(beside) or " " in hit.phrase
            if is_clear and all(token in _MAKING for token in beside):
                return danger, hit.phrase
    return None


def _means_nothing(control: Control) -> bool:
    """Whether a label is generic ("Submit") or only repeats its heading."""
    labels, heading = [tokens_of(text) for text in control.words], tokens_of(control.heading)
    return all(token in _GENERIC or token in heading for tokens in labels for token in tokens)


def is_control(control: Control) -> bool:
    """Whether an element is a control by nature; other elements show texts of users."""
    if control.kind in ("submit", "key", "open", "select"):
        return True
    if control.tag == "input":
        return control.type in BUTTON_TYPES
    return control.tag in CONTROL_TAGS or control.role.startswith(tuple(CONTROL_ROLES))


def _is_harmless(control: Control) -> bool:
    """Whether the label says that the control does something harmless."""
    first = [tokens[0] for tokens in map(tokens_of, control.words) if tokens]
    return bool(first) and all(token in _HARMLESS for token in first)

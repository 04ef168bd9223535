"""What the fields of a form say about it, in whatever language its labels are."""

from collections.abc import Iterable
from functools import lru_cache

from statecrawl.politeness import lexicon
from statecrawl.politeness.lexicon import Danger
from statecrawl.politeness.phrases import words
from statecrawl.politeness.tokens import name_tokens

FRESH, OLD = words(lexicon.FRESH), words(lexicon.FORMER)
AGAIN = frozenset({"repeat", "confirm", "confirmation", "again", "retype", "verify"})
MAIL, PASSWORDS = words(lexicon.MAIL), words(lexicon.PASSWORDS)
AMBIGUOUS = frozenset({"pass", "clave"})  # a password only if the type of the field says so
GLUE = frozenset({"user", "your", "my", "the", "address", "adresse"})  # what may stand between them
PARTS = sorted(FRESH | OLD | AGAIN | MAIL | PASSWORDS | GLUE, key=len, reverse=True)
LONGEST_GLUED = 40  # letters of a word that is taken apart
IDENTITY = frozenset(
    {"user", "username", "login", "email", "mail", "phone", "mobile", "tel", "account", "nick", "nickname"}
)
IDENTITY_TYPES = frozenset({"text", "email", "tel"})
CARD = frozenset({"cvc", "cvv", "csc", "cardnumber", "ccnumber", "cvc2", "cvv2", "iban"})
CARD_PAIRS = (
    frozenset({"card", "number"}),
    frozenset({"cc", "number"}),
    frozenset({"cc", "csc"}),
    frozenset({"cc", "exp"}),
)


AMOUNTS, RECIPIENTS, MESSAGES = words(lexicon.AMOUNTS), words(lexicon.RECIPIENTS), words(lexicon.MESSAGES)
SEARCHES = frozenset({"q", "query", "search", "filter", "suche", "recherche"})
WRITTEN = frozenset({"text", "textarea", "number", "email", "tel"})  # types of fields that people write into

Field = tuple[str, frozenset[str]]  # type, and words of its name and of what it says about completion


def danger_of_form(fields: Iterable[str]) -> tuple[Danger, str] | None:
    """What sending a form with these fields would do, and how one knows; None when that is not known.

    Each field is its type, its name and what it says about completion, separated by blanks.
    """
    told = _told(fields)
    if _changes_password(told):
        return Danger.CREDENTIALS, "the form has fields for a new password"
    names = [tokens for _, tokens in told]
    if any(tokens & CARD or any(pair <= tokens for pair in CARD_PAIRS) for tokens in names):
        return Danger.PAY, "the form has fields for a bank card or account"
    if any(_is_new_mail(kind, tokens) for kind, tokens in told):
        return Danger.CREDENTIALS, "the form has a field for a new e-mail address"
    return None


def purpose_of_form(fields: Iterable[str], *, sends: bool) -> tuple[Danger, str] | None:
    """What a form with these fields is for, if its button says nothing else: to transfer money, to send a message.

    `sends`: by a method that changes something. Without one, a script may send it, or it searches; but nobody writes
    what to search for into a text area beside a recipient.
    """
    told = _told(fields)
    if not any(_is_recipient(tokens) for kind, tokens in told if kind in WRITTEN or kind == "select"):
        return None
    if sends and any(tokens & AMOUNTS for kind, tokens in told if kind in WRITTEN):
        return Danger.PAY, "the form has fields for a recipient and an amount"
    if any(tokens & MESSAGES for kind, tokens in told if kind == "textarea" or (sends and kind in WRITTEN)):
        return Danger.SEND, "the form has fields for a recipient and a message"
    return None


def _is_recipient(tokens: frozenset[str]) -> bool:
    return bool(tokens & (RECIPIENTS - {"to"})) or ("to" in tokens and tokens <= lexicon.TO_WHOM)


def is_written(fields: Iterable[str]) -> bool:
    """Whether people write something into a form that neither searches nor logs them in."""
    told = _told(fields)
    is_login = any(kind == "password" for kind, _ in told)
    return not is_login and any(kind in WRITTEN and not tokens & SEARCHES for kind, tokens in told)


def _told(fields: Iterable[str]) -> list[Field]:
    return [(field.partition(" ")[0].lower(), _field_tokens(field.partition(" ")[2])) for field in fields]


def _field_tokens(name: str) -> frozenset[str]:
    return frozenset(part for token in name_tokens(name) for part in _unglued(token))


@lru_cache(maxsize=4096)
def _unglued(token: str) -> tuple[str, ...]:
    """The words that a name without separators is made of, if it is of known ones: "newemail", "confirmpassword"."""
    if len(token) > LONGEST_GLUED:
        return (token,)
    ways: dict[int, tuple[str, ...]] = {0: ()}  # letters that are taken apart -> into what
    for end in range(len(token)):
        if end in ways:
            for part in PARTS:
                if token.startswith(part, end):
                    ways.setdefault(end + len(part), (*ways[end], part))
    parts = frozenset(ways.get(len(token), ()))
    is_known = parts & (FRESH | OLD | AGAIN) and parts & (MAIL | PASSWORDS)
    return tuple(parts) if is_known else (token,)


def _is_new_mail(kind: str, tokens: frozenset[str]) -> bool:
    """Whether somebody's new e-mail address is written there. A box to tick may be about new mail."""
    if kind not in ("text", "email"):
        return False
    return bool(tokens & MAIL and tokens & (FRESH | AGAIN)) or (kind == "email" and bool(tokens & FRESH))


def _changes_password(fields: list[Field]) -> bool:
    """Old password and new one; or new ones without anything that says whose account is to be made."""
    passwords = [
        tokens for kind, tokens in fields if kind == "password" or (tokens & FRESH and tokens & (PASSWORDS - AMBIGUOUS))
    ]
    if len(passwords) > 2 or (len(passwords) > 1 and any(tokens & OLD for tokens in passwords)):
        return True
    registers = any(kind in IDENTITY_TYPES and tokens & IDENTITY for kind, tokens in fields)
    is_new = len(passwords) > 1 or any(tokens & FRESH for tokens in passwords)
    return bool(passwords) and is_new and not registers

"""Purpose of a form, recognized by its fields in any language."""

from collections.abc import Iterable
from functools import lru_cache

from statecrawl.politeness import word_lists
from statecrawl.politeness.lexicon import Danger
from statecrawl.politeness.phrases import words
from statecrawl.politeness.tokens import name_tokens

FRESH, OLD = words(word_lists.FRESH), words(word_lists.FORMER)
AGAIN = frozenset({"repeat", "confirm", "confirmation", "again", "retype", "verify"})
MAIL, PASSWORDS = words(word_lists.MAIL), words(word_lists.PASSWORDS)
AMBIGUOUS = frozenset({"pass", "clave"})  # a password only if the field has type password
GLUE = frozenset({"user", "your", "my", "the", "address", "adresse"})  # words that may occur between the others
PARTS = sorted(FRESH | OLD | AGAIN | MAIL | PASSWORDS | GLUE, key=len, reverse=True)
LONGEST_GLUED = 40  # characters of a word that is split
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
AMOUNTS, RECIPIENTS, MESSAGES = words(word_lists.AMOUNTS), words(word_lists.RECIPIENTS), words(word_lists.MESSAGES)
SEARCHES = frozenset({"q", "query", "search", "filter", "suche", "recherche"})
WRITTEN = frozenset({"text", "textarea", "number", "email", "tel"})  # types of fields that people write into

Field = tuple[str, frozenset[str]]  # type, and words of its name and autocomplete attribute


def danger_of_form(fields: Iterable[str]) -> tuple[Danger, str] | None:
    """Return the danger of sending a form with these fields, and the evidence; None if there is none.

    Each field is given as type, name and autocomplete attribute, separated by blanks.
    """
    parsed = _parsed(fields)
    if _changes_password(parsed):
        return Danger.CREDENTIALS, "the form has fields for a new password"
    names = [tokens for _, tokens in parsed]
    if any(tokens & CARD or any(pair <= tokens for pair in CARD_PAIRS) for tokens in names):
        return Danger.PAY, "the form has fields for a bank card or account"
    if any(_is_new_mail(kind, tokens) for kind, tokens in parsed):
        return Danger.CREDENTIALS, "the form has a field for a new e-mail address"
    return None


def purpose_of_form(fields: Iterable[str], *, sends: bool) -> tuple[Danger, str] | None:
    """Return the purpose of a form whose button says nothing else: transferring money, or sending a message.

    `sends`: the method may change data. Otherwise a script may send the form, or it is a search form; but a search form
    has no text area beside a recipient.
    """
    parsed = _parsed(fields)
    if not any(_is_recipient(tokens) for kind, tokens in parsed if kind in WRITTEN or kind == "select"):
        return None
    if sends and any(tokens & AMOUNTS for kind, tokens in parsed if kind in WRITTEN):
        return Danger.PAY, "the form has fields for a recipient and an amount"
    if any(tokens & MESSAGES for kind, tokens in parsed if kind == "textarea" or (sends and kind in WRITTEN)):
        return Danger.SEND, "the form has fields for a recipient and a message"
    return None


def _is_recipient(tokens: frozenset[str]) -> bool:
    return bool(tokens & (RECIPIENTS - {"to"})) or ("to" in tokens and tokens <= word_lists.TO_WHOM)


def is_written(fields: Iterable[str]) -> bool:
    """Whether people enter text into a form that is neither a search nor a login form."""
    parsed = _parsed(fields)
    is_login = any(kind == "password" for kind, _ in parsed)
    return not is_login and any(kind in WRITTEN and not tokens & SEARCHES for kind, tokens in parsed)


def _parsed(fields: Iterable[str]) -> list[Field]:
    return [(field.partition(" ")[0].lower(), _field_tokens(field.partition(" ")[2])) for field in fields]


def _field_tokens(name: str) -> frozenset[str]:
    return frozenset(part for token in name_tokens(name) for part in _unglued(token))


@lru_cache(maxsize=4096)
def _unglued(token: str) -> tuple[str, ...]:
    """Split a name without separators into known words: "newemail", "confirmpassword"."""
    if len(token) > LONGEST_GLUED:
        return (token,)
    splits: dict[int, tuple[str, ...]] = {0: ()}  # length of a prefix -> its words
    for end in range(len(token)):
        if end in splits:
            for part in PARTS:
                if token.startswith(part, end):
                    splits.setdefault(end + len(part), (*splits[end], part))
    parts = frozenset(splits.get(len(token), ()))
    is_known = parts & (FRESH | OLD | AGAIN) and parts & (MAIL | PASSWORDS)
    return tuple(parts) if is_known else (token,)


def _is_new_mail(kind: str, tokens: frozenset[str]) -> bool:
    """Whether a field is for a new e-mail address. A checkbox may be about new mail instead."""
    if kind not in ("text", "email"):
        return False
    return bool(tokens & MAIL and tokens & (FRESH | AGAIN)) or (kind == "email" and bool(tokens & FRESH))


def _changes_password(fields: list[Field]) -> bool:
    """Whether a form has an old and a new password, or new ones without the fields of a registration."""
    passwords = [
        tokens for kind, tokens in fields if kind == "password" or (tokens & FRESH and tokens & (PASSWORDS - AMBIGUOUS))
    ]
    if len(passwords) > 2 or (len(passwords) > 1 and any(tokens & OLD for tokens in passwords)):
        return True
    registers = any(kind in IDENTITY_TYPES and tokens & IDENTITY for kind, tokens in fields)
    is_new = len(passwords) > 1 or any(tokens & FRESH for tokens in passwords)
    return bool(passwords) and is_new and not registers

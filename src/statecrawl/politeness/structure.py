"""What the fields of a form say about it, in whatever language its labels are."""

from collections.abc import Iterable

from statecrawl.politeness.lexicon import Danger
from statecrawl.politeness.tokens import name_tokens

OLD = frozenset({"old", "current", "existing", "previous", "actual", "alt"})
NEW = frozenset({"new", "repeat", "confirm", "confirmation", "again", "retype", "verify"})
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


def danger_of_form(fields: Iterable[str]) -> tuple[Danger, str] | None:
    """What sending a form with these fields would do, and how one knows; None when that is not known.

    Each field is its type, its name and what it says about completion, separated by blanks.
    """
    told = [(field.partition(" ")[0].lower(), frozenset(name_tokens(field.partition(" ")[2]))) for field in fields]
    if _changes_password(told):
        return Danger.CREDENTIALS, "the form has fields for a new password"
    names = [tokens for _, tokens in told]
    if any(tokens & CARD or any(pair <= tokens for pair in CARD_PAIRS) for tokens in names):
        return Danger.PAY, "the form has fields for a bank card or account"
    if sum(bool(tokens & {"email", "mail"} and tokens & NEW) for tokens in names):
        return Danger.CREDENTIALS, "the form has a field for a new e-mail address"
    return None


def _changes_password(fields: list[tuple[str, frozenset[str]]]) -> bool:
    """Old password and new one; or new ones without anything that says whose account is to be made."""
    passwords = [tokens for kind, tokens in fields if kind == "password" or {"new", "password"} <= tokens]
    if len(passwords) > 2 or (len(passwords) > 1 and any(tokens & OLD for tokens in passwords)):
        return True
    registers = any(kind in IDENTITY_TYPES and tokens & IDENTITY for kind, tokens in fields)
    is_new = len(passwords) > 1 or any("new" in tokens for tokens in passwords)
    return bool(passwords) and is_new and not registers

"""Forms: judged by their fields, their heading and their target."""

from dataclasses import replace

import pytest

from statecrawl.politeness.control import Control
from statecrawl.politeness.danger import danger_of
from statecrawl.politeness.lexicon import Danger
from tests.politeness.made_up_controls import button

OLD_AND_NEW = ("password old ", "password new1 ", "password new2 ")


class TestForms:
    @pytest.mark.parametrize("words", ["Change my password", "Guardar", "Kaydet", "保存する", "Futa", ""])
    def test_a_password_change_is_known_by_its_fields(self, words: str) -> None:
        change = Control(tag="input", type="submit", words=(words,), method="post", fields=OLD_AND_NEW)
        verdict = danger_of(change)
        assert verdict is not None
        assert verdict.danger is Danger.CREDENTIALS

    @pytest.mark.parametrize("kind", ["submit", "key"])
    def test_whatever_sends_the_form(self, kind: str) -> None:
        assert danger_of(Control(kind=kind, key="Enter", tag="input", type="password", fields=OLD_AND_NEW)) is not None

    def test_fields_are_typed_into(self) -> None:
        assert danger_of(Control(kind="input", tag="input", type="password", fields=OLD_AND_NEW)) is None

    @pytest.mark.parametrize("words", ["Cancel", "Show", "Abbrechen"])
    def test_what_says_something_else_in_such_a_form(self, words: str) -> None:
        assert danger_of(button(words, fields=OLD_AND_NEW)) is None

    @pytest.mark.parametrize(
        "fields",
        [
            ("text username username", "password password current-password"),
            ("email email ", "password password1 new-password", "password password2 new-password"),
            ("password token ",),
            ("search q ",),
            ("text card_title ", "number order_number "),
        ],
    )
    def test_log_in_and_registration_are_no_change(self, fields: tuple[str, ...]) -> None:
        assert danger_of(Control(tag="button", type="submit", words=("Go",), method="post", fields=fields)) is None

    @pytest.mark.parametrize(
        "fields",
        [
            ("password new_password1 ", "password new_password2 "),
            ("password pass1 new-password",),
            ("text old_password ", "text x new-password", "password current "),
            ("text cardNumber ", "text cvc "),
            ("text a cc-number",),
            ("text iban ", "number amount "),
            ("email new_email email",),
        ],
    )
    def test_credentials_and_payments(self, fields: tuple[str, ...]) -> None:
        assert danger_of(Control(tag="button", type="submit", words=("Go",), method="post", fields=fields)) is not None

    @pytest.mark.parametrize(
        "fields",
        [
            ("email newemail ",),
            ("text newEmailAddress ",),
            ("email emailnew ",),
            ("text neuemail ",),
            ("email nueva_direccion ",),
            ("email nouvelle-adresse ",),
            ("text новый_email ",),
            ("text 新邮箱 ",),
            ("text confirmnewemail ",),
            ("text oldpassword ", "text newpassword "),
            ("password currentpass ", "password secret "),
            ("password neuespasswort ",),
            ("password nieuw_wachtwoord ",),
        ],
    )
    def test_new_ones_in_any_language_and_without_separators(self, fields: tuple[str, ...]) -> None:
        update = Control(tag="button", type="submit", words=("Update",), method="post", fields=fields)
        verdict = danger_of(update)
        assert verdict is not None
        assert verdict.danger is Danger.CREDENTIALS

    @pytest.mark.parametrize(
        "fields",
        [
            ("checkbox newmail ",),  # whether to be told of it
            ("textarea newmail ",),
            ("text newsletter ", "email email "),
            ("text news ", "text renewal ", "text newark "),
            ("text new_boarding_pass ",),
            ("text mailnews ",),
        ],
    )
    def test_words_that_only_begin_like_it(self, fields: tuple[str, ...]) -> None:
        update = Control(tag="button", type="submit", words=("Update",), method="post", fields=fields)
        assert danger_of(update) is None

    def test_what_is_chosen_counts(self) -> None:
        go = {"tag": "button", "type": "submit", "words": ("Go",), "method": "post"}
        assert danger_of(Control(**go, options=("Delete selected users", "delete_selected"))) is not None  # type: ignore[arg-type]
        for harmless in ("---------", "Disable", "Order by name", "Published"):
            assert danger_of(Control(**go, options=(harmless,))) is None  # type: ignore[arg-type]

    def test_the_target_of_a_form(self) -> None:
        go = {"tag": "button", "type": "submit", "words": ("Yes, I'm sure",), "method": "post"}
        assert danger_of(Control(**go, target="http://host/admin/auth/user/7/delete/")) is not None  # type: ignore[arg-type]
        assert danger_of(Control(**go, target="http://host/remove-member")) is not None  # type: ignore[arg-type]
        assert danger_of(Control(**go, target="http://host/basket/vouchers-remove/")) is None  # type: ignore[arg-type]


class TestPurpose:
    """Forms with a meaningless button."""

    MONEY = ("text empfaenger ", "text betrag ")
    MAIL = ("text to ", "textarea body ")

    @pytest.mark.parametrize(
        ("heading", "fields", "danger"),
        [
            ("Überweisung", MONEY, Danger.PAY),
            ("", MONEY, Danger.PAY),
            ("", ("select from_account ", "select to_account ", "number amount "), Danger.PAY),
            ("Virement", ("text x ",), Danger.PAY),
            ("Nuevo pago", ("text x ",), Danger.PAY),
            ("Make a payment", ("number x ",), Danger.PAY),
            ("转账", ("text x ",), Danger.PAY),
            ("New message", MAIL, Danger.SEND),
            ("", MAIL, Danger.SEND),
            ("New message", ("textarea x ",), Danger.SEND),
            ("Neue Nachricht", ("textarea x ",), Danger.SEND),
            ("新しいメッセージ", ("textarea x ",), Danger.SEND),
        ],
    )
    @pytest.mark.parametrize("words", ["Submit", "OK", "Ausführen", "Exécuter", "実行"])
    def test_fields_or_heading_tell(self, heading: str, fields: tuple[str, ...], danger: Danger, words: str) -> None:
        control = button(words, type="submit", method="post", heading=heading, fields=fields)
        verdict = danger_of(control)
        assert verdict is not None
        assert verdict.danger is danger
        assert danger_of(replace(control, kind="key", key="Enter", tag="input", type="text")) == verdict

    @pytest.mark.parametrize(
        "words", ["Continue", "Weiter", "Save", "Save draft", "Preview", "Cancel", "Search", "Attach"]
    )
    @pytest.mark.parametrize(("heading", "fields"), [("Überweisung", MONEY), ("New message", MAIL)])
    def test_buttons_that_lead_on_or_elsewhere(self, words: str, heading: str, fields: tuple[str, ...]) -> None:
        assert danger_of(button(words, type="submit", method="post", heading=heading, fields=fields)) is None

    def test_a_message_that_a_script_sends(self) -> None:
        assert danger_of(button("Submit", type="submit", method="get", fields=self.MAIL)) is not None

    @pytest.mark.parametrize(
        ("heading", "fields"), [("Überweisung", MONEY), ("New message", ("text from ", "text to ", "text subject "))]
    )
    def test_what_is_only_asked_for(self, heading: str, fields: tuple[str, ...]) -> None:
        assert danger_of(button("OK", type="submit", method="get", heading=heading, fields=fields)) is None

    @pytest.mark.parametrize(
        ("heading", "fields"),
        [
            ("Payments", ("text x ",)),
            ("Payment methods", ("text x ",)),
            ("Payment", ("select method ",)),
            ("Payment", ("search x ", "text q ")),
            ("Payment", ("text user ", "password word ")),
            ("Message", ("textarea x ",)),
            ("Messages", ("text x ",)),
            ("Neuer Bericht", ("text x ",)),
            ("", ("text date_from ", "text date_to ", "number amount_from ", "number amount_to ")),
            ("", ("select from ", "select to ", "textarea text ")),
            ("", ("number amount ", "text category ")),
            ("", ("text subject ", "textarea body ")),
        ],
    )
    def test_forms_for_something_else(self, heading: str, fields: tuple[str, ...]) -> None:
        assert danger_of(button("Submit", type="submit", method="post", heading=heading, fields=fields)) is None

"""Danger of controls, judged as a person would."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.politeness.control import Control
from statecrawl.politeness.danger import danger_of
from statecrawl.politeness.lexicon import Danger
from tests.politeness.made_up_controls import button, link, listed


class TestWords:
    @pytest.mark.parametrize("words", ["Delete", "Order", "Post", "Transfer money"])
    def test_what_only_unfolds_a_part_of_the_page_is_harmless(self, words: str) -> None:
        assert danger_of(button(words)) is not None
        assert danger_of(button(words, unfolds=True)) is None
        for method in ("delete", "post"):
            assert danger_of(button(words, unfolds=True, method=method)) is not None

    @pytest.mark.parametrize("words", ["Delete/Remove", "Delete/remove account", "Delete / archive", "delete/share"])
    def test_a_slash_makes_no_title_of_an_operation(self, words: str) -> None:
        assert danger_of(button(words)) is not None

    @pytest.mark.parametrize(
        "words", ["DELETE /pets/{id}", "post \u200b/store\u200b/order", "POST/store/orderPlace an order"]
    )
    def test_titles_of_operations_are_harmless(self, words: str) -> None:
        assert danger_of(button(words)) is None

    @pytest.mark.parametrize(
        "words",
        listed(
            """
            Log out, Logout, LOG OUT, Log-out, log_out, Log off, Sign out, Sign off, Sign me out,
            Log out of all devices, Logout (ann), Ann | Log out, Delete, Delete account, DELETE,
            Permanently delete, Delete 3 files, Erase all, Wipe disk, Purge, Unsubscribe, Deactivate,
            Terminate instance, Destroy, Close account, Close my account, Remove user,
            Cancel subscription, Cancel your order, Cancel booking, Pay, Pay now, Pay 20 €, Pay $5.00,
            Pay by card, Proceed to pay, Pay invoice, Buy, Buy now, Buy 2 items, Purchase,
            Confirm purchase, Checkout, Place order, Place your order, Submit order, Confirm order,
            Order now, Order with obligation to pay, Shut down, Shutdown, Factory reset, Format disk,
            Send, Send message, Publish, Post, Invite, Revoke, Suspend user, Change password,
            Change my e-mail, Disable two-factor authentication, Transfer money, Subscribe, Reboot,
            Restart server, Yes delete it, Empty trash, Abmelden, Konto löschen, Se déconnecter,
            Supprimer le compte, Cerrar sesión, Eliminar cuenta, Esci, Elimina account, Sair,
            Excluir conta, Uitloggen, Account verwijderen, Wyloguj się, Usuń konto, Выйти,
            Удалить аккаунт, Вийти, Видалити, Çıkış yap, Hesabı sil,
            退出, 删除账户, ログアウト, アカウントを削除, 로그아웃,
            계정 삭제, تسجيل الخروج, حذف الحساب, लॉग आउट, हटाएं, Logga ut, Ta bort konto, Odhlásit se,
            Smazat účet, Jetzt kaufen, Passwort ändern, Changer le mot de passe, Cambiar contraseña,
            Alterar senha, Cambia password, Wachtwoord wijzigen, Zmień hasło, Сменить пароль,
            Şifremi değiştir, 修改密码, パスワードを変更, 비밀번호 변경, Senden, Envoyer, Отправить, Gönder, 发送, 送信
            """
        ),
    )
    def test_commands(self, words: str) -> None:
        assert danger_of(button(words)) is not None

    @pytest.mark.parametrize(
        "words",
        listed(
            """
            Display, Payment history, Payments, Payment methods, Payroll, Pay slips, Pay stubs,
            Pay history, PayPal, Repay, How to pay, Ways to pay, Buyer, Where to buy, How to buy,
            Purchases, Purchase history, Purchase orders, Purchase date, Order history, Order details,
            Sort order, Order by name, My orders, Orders, Order status, Reorder columns, In order,
            Border, Order number, Order #1234, Order 4711, Lock layers,
            Tab order, Ascending order, Ordered list, Recorder, Checkout date,
            Checkout branch, Check out our blog, Check, Log in, Login, Sign in, Sign up, Log output,
            Blog, Catalog, Dialog, Sign, Signature, Logs, Open log, Undelete, Deleted items,
            Recently deleted, Eraser, Swipe, Activate, Terminal, Close, Close menu, Remove filter,
            Cancel, Cancel editing, Account, User profile, Subscriptions, Reset, Reset filters,
            Reset zoom, Format, Format painter, Down, Shutter, Save, Home, Next, Clear completed,
            Clear search, Sender, Sent, Posts, New post, Post formats, Show password, Forgot password?, Tue,
            How do I delete my account?, How to delete a file, Why delete?, No don't delete, Don't send,
            Nicht löschen, Anmelden, Speichern, Se connecter, Enregistrer, Iniciar sesión, Guardar,
            Accedi, Salva, 登录, 保存, ログイン, 로그인
            """
        ),
    )
    def test_harmless_ones(self, words: str) -> None:
        verdict = danger_of(button(words))
        if words == "Why delete?":  # two words that disagree
            assert verdict is not None
        else:
            assert verdict is None, verdict

    @pytest.mark.parametrize(
        "words", ["buy milk", "Pay rent", "delete old photos", "Send the invoice to Bob", "order pizza"]
    )
    @pytest.mark.parametrize("tag", ["label", "li", "span", "div", "td"])
    def test_what_people_wrote_is_no_command(self, words: str, tag: str) -> None:
        assert danger_of(Control(tag=tag, kind="dblclick", words=(words,))) is None
        assert danger_of(Control(tag=tag, words=(words,))) is None

    @pytest.mark.parametrize(
        "words", ["Log out", "Delete", "Delete my account", "Pay now", "Sign out", "Löschen", "退出"]
    )
    def test_a_whole_command_is_one_on_any_element(self, words: str) -> None:
        assert danger_of(Control(tag="div", words=(words,))) is not None

    def test_every_label_counts(self) -> None:
        assert danger_of(Control(tag="button", words=("×", "Delete this card"))) is not None

    @pytest.mark.parametrize(
        "words", ["DELETE /pet/{petId} Deletes a pet", "POST /store/order Place an order for a pet"]
    )
    def test_operations_of_an_api_are_titles(self, words: str) -> None:
        assert danger_of(button(words)) is None

    @pytest.mark.parametrize("kind", ["hover", "leave", "focus", "blur", "scroll", "contextmenu", "input"])
    def test_only_what_uses_a_control_is_dangerous(self, kind: str) -> None:
        assert danger_of(button("Delete", kind=kind)) is None

    def test_keys(self) -> None:
        assert danger_of(button("Delete", kind="key", key="Enter")) is not None
        assert danger_of(button("Delete", kind="key", key="ArrowDown")) is None
        assert danger_of(Control(kind="key", tag="body", key="Delete")) is not None
        assert danger_of(Control(kind="key", tag="input", type="text", key="Delete")) is None


class TestLinks:
    @pytest.mark.parametrize(
        "words",
        listed("Change password, Buy tickets, Checkout, Send feedback, Publish your app, Subscribe, Invite friends"),
    )
    def test_a_link_that_only_leads_to_a_form_is_followed(self, words: str) -> None:
        assert danger_of(link(words)) is None
        assert danger_of(button(words)) is not None

    @pytest.mark.parametrize(
        "words", listed("Log out, Delete, Deactivate, Unsubscribe, Cancel subscription, Shut down")
    )
    def test_links_can_end_and_delete(self, words: str) -> None:
        assert danger_of(link(words)) is not None

    @pytest.mark.parametrize(
        "words",
        ["How to delete a file", "Documentation on Erase Personal Data", "Guide: delete files", "Wie lösche ich?"],
    )
    def test_something_to_read(self, words: str) -> None:
        assert danger_of(link(words)) is None

    @pytest.mark.parametrize(
        "url", ["http://host/docs/delete.html", "http://host/delete-help.html", "http://host/a#delete"]
    )
    def test_a_target_to_read(self, url: str) -> None:
        assert danger_of(link("Delete", url)) is None

    def test_conflicting_evidence_is_refused(self) -> None:
        assert danger_of(link("How to delete a file", "http://host/files/7/delete")) is not None
        assert danger_of(link("Delete", "http://host/files/7")) is not None
        assert danger_of(link("Overview", "http://host/account/logout")) is not None

    def test_a_stated_method_counts(self) -> None:
        assert danger_of(link("Send feedback", method="post", is_plain=False)) is not None


class TestContext:
    @pytest.mark.parametrize("words", ["OK", "Yes", "Confirm", "Yes, I'm sure", "Ja", "Oui", "はい", "Continue"])
    def test_a_heading_tells_what_ok_means(self, words: str) -> None:
        assert danger_of(button(words, heading="Delete account?")) is not None
        assert danger_of(button(words, heading="Your account")) is None

    @pytest.mark.parametrize("words", ["Cancel", "No", "Close", "Back", "Show details"])
    def test_the_way_out_is_free(self, words: str) -> None:
        assert danger_of(button(words, heading="Delete account?")) is None

    def test_restart_is_what_its_heading_says(self) -> None:
        assert danger_of(button("Restart")) is None
        assert danger_of(button("Restart", heading="Restart kernel?")) is not None

    @pytest.mark.parametrize("heading", ["Checkout", "Order", "Payment", "Publish"])
    def test_a_step_of_several_is_not_the_last(self, heading: str) -> None:
        assert danger_of(button("Continue", heading=heading)) is None

    @pytest.mark.parametrize(
        "names", ["btnLogout", "logout_link", "signOut", "deleteButton", "btn_delete_2", "delete-item"]
    )
    def test_technical_names(self, names: str) -> None:
        assert danger_of(Control(tag="button", names=names)) is not None
        assert danger_of(button("Futa", names=names)) is not None  # a language that nobody told us about
        assert danger_of(button("Cancel", names=names)) is None

    @pytest.mark.parametrize(
        "names", ["dialogOuter", "blogOutline", "payloadView", "buyersGuide", "order", "catalogOffers"]
    )
    def test_names_that_only_look_like_it(self, names: str) -> None:
        assert danger_of(Control(tag="button", names=names)) is None

    @pytest.mark.parametrize(
        "icon", ["fa fa-trash", "bi bi-box-arrow sign-out", "mdi mdi-delete", "DeleteIcon", "fa-power-off"]
    )
    def test_pictures(self, icon: str) -> None:
        assert danger_of(Control(tag="button", icon=icon)) is not None
        assert danger_of(button("Archive", icon=icon)) is None

    @pytest.mark.parametrize("words", ["\U0001f5d1", "\U0001f5d1\ufe0f", " \U0001f5d1\ufe0e ", "\U0001f6ae"])
    @pytest.mark.parametrize("tag", ["button", "a", "span"])
    def test_pictures_that_are_characters(self, words: str, tag: str) -> None:
        verdict = danger_of(Control(tag=tag, words=(words,)))
        assert verdict is not None
        assert verdict.danger is Danger.DELETE

    @pytest.mark.parametrize("words", ["\U0001f5d1 Archive", "\u274c", "\u2716", "\u00d7"])
    def test_pictures_with_words_and_crosses(self, words: str) -> None:
        assert danger_of(button(words)) is None

    def test_a_reason_is_told(self) -> None:
        assert str(danger_of(button("Konto löschen"))) == "it deletes data (it says 'löschen')"
        assert str(danger_of(link("Go", "http://host/logout"))) == "it ends the session (its URL says 'logout')"


@given(
    st.builds(Control, words=st.tuples(st.text()), names=st.text(), target=st.text(), heading=st.text(), icon=st.text())
)
def test_any_text_can_be_judged(control: Control) -> None:
    danger_of(control)


@pytest.mark.parametrize("words", ["×", "Remove photo", "Save"])
def test_the_method_delete_deletes_whatever_the_label_says(words: str) -> None:
    verdict = danger_of(button(words, target="http://host/photos/3", method="delete"))
    assert verdict is not None
    assert verdict.danger is Danger.DELETE


@pytest.mark.parametrize("part", [" ", "log", "log ", "a-", "?a=", "/", "削除", "delete ", "é", "&amp;", "A", "#/"])
def test_a_page_cannot_keep_it_busy(part: str) -> None:
    """A megabyte is judged at once: anything slower than linear would exceed the time limit of the test."""
    text = part * (1_000_000 // len(part))
    for kind in ("click", "open", "submit"):
        danger_of(
            Control(kind=kind, tag="a", words=(text,), names=text, icon=text, target=text, heading=text, fields=(text,))
        )

"""Native dialogs: each answer to a question is an event, and dangerous questions are answered with no."""

import json

from statecrawl.crawler.dangerous_dialogs import declining
from tests.browser.stage import Stage, noted


async def test_a_question_is_answered_with_yes_and_with_no(stage: Stage) -> None:
    view = await stage.show("<button id=b onclick='log(confirm(\"Really?\"))'>b</button>")
    walked = await view.fire("click button#b")
    assert (noted(walked, "dialog"), walked.dialogs) == ([["confirm", "Really?", True]], 1)
    walked = await view.fire("click button#b (dismissed)")
    assert (noted(walked, "dialog"), walked.dialogs) == ([["confirm", "Really?", False]], 1)
    assert await view.text() == "true false"


async def test_a_question_for_words(stage: Stage) -> None:
    ask = (
        '<button id=b onclick=\'log(String([prompt("Your city?"), prompt("What?"), prompt("How?", "so")]))\'>b</button>'
    )
    view = await stage.show(ask)
    assert await view.log("click button#b") == ["Berlin,test,so"]
    assert await view.log("click button#b (dismissed)") == [",,"]
    assert (await view.fire("click button#b")).dialogs == 3
    own = await stage.show(ask, agent={"values": (("what", ("mine",)),)})
    assert await own.log("click button#b") == ["Berlin,mine,so"]


async def test_a_question_that_names_a_dangerous_action_is_answered_with_no(stage: Stage) -> None:
    view = await stage.show(
        '<button id=b onclick=\'log(confirm("Really DELETE it?"), prompt("Neues Passwort"), confirm("Go on?"))\'>b'
        "</button><script>RegExp.prototype.exec = String.prototype.normalize = () => null</script>",
        agent={"declining": declining()},
    )
    walked = await view.fire("click button#b")
    assert noted(walked, "dialog") == [
        ["confirm", "Really DELETE it?", False, "declined"],
        ["prompt", "Neues Passwort", False, "declined"],
        ["confirm", "Go on?", True],
    ]
    assert (await view.text(), walked.dialogs) == ("falsetrue", 3)
    walked = await view.fire("click button#b (dismissed)")
    assert all(len(told) == 3 and not told[2] for told in noted(walked, "dialog"))


async def test_a_message_that_changes_is_read_once(stage: Stage) -> None:
    changing = "{ n: 0, toString() { this.n += 1; return this.n > 1 ? `Fine` : `Delete it?`; } }"
    view = await stage.show(
        f"<button id=b onclick='log(confirm({changing}))'>b</button>", agent={"declining": declining()}
    )
    assert await view.log("click button#b") == ["false"]


async def test_the_agent_reads_messages_as_their_reasons_are_found(stage: Stage) -> None:
    messages = [
        *("Really delete it?", "Soll er gelöscht werden?", "VOULEZ-VOUS SUPPRIMER ?", "ÇIKIŞ YAPILSIN MI?"),
        *("本当に削除しますか？", "계정을 삭제하시겠습니까?", "ต้องการลบหรือไม่", "هل تريد حذف الحساب؟"),
        *("क्या आप इसे हटाएं?", "Log\xadout?", "ΔΙΑΓΡΑΦΉΣ;", "Gỡ nó?", "Change your e-mail?", "x" * 600 + " delete"),
    ]
    harmless = ["Go on?", "Leave?", "Press OK to go on or Cancel to stay", "Your e-mail?", "Hello Tom", ""]
    view = await stage.show(
        f"<button id=b onclick='for (const m of messages) confirm(m)'>b</button>"
        f"<script>const messages = {json.dumps(messages + harmless)}</script>",
        agent={"declining": declining()},
    )
    told = noted(await view.fire("click button#b"), "dialog")
    assert [answer for _, _, answer, *_ in told] == [False] * len(messages) + [True] * len(harmless)


async def test_a_warning_leaves_no_choice(stage: Stage) -> None:
    view = await stage.show("<button id=b onclick='alert(\"Beware\"); log(1)'>b</button>")
    walked = await view.fire("click button#b")
    assert (noted(walked, "dialog"), walked.dialogs) == ([["alert", "Beware", True]], 0)
    assert await view.text() == "1"

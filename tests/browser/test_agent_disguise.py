"""The disguise: a page does not notice the agent, and calls of the agent do not affect it."""

import pytest

from statecrawl.browser.agent import Ignore
from tests.browser.stage import Stage

HOSTILE = "\"'`</script><!--\\ \n\r\u2028\u2029 ${x} %s \x00 😀"


async def test_settings_are_only_ever_data(stage: Stage) -> None:
    """Whatever stands in them, the script stays what it is."""
    agent = {
        "values": (("anything", (HOSTILE,)),),
        "ignore": Ignore(selectors=("[title='</script>']",), attributes=(HOSTILE,), patterns=("</script>\u2028",)),
        "rules": ((f"#{HOSTILE}", "text"), ("/html/body", f"@{HOSTILE}")),
        "deny": ("</script>",),
        "background": (HOSTILE,),
        "session": "html",
    }
    view = await stage.show("<div id=anything contenteditable></div>", agent=agent)
    (event,) = await view.events()
    assert event.startswith("input div#anything = \"'`</script><!--\\ ")


NATIVE = (
    *(
        "setTimeout",
        "setInterval",
        "clearTimeout",
        "requestAnimationFrame",
        "fetch",
        "Date",
        "Date.now",
        "Math.random",
        "alert",
    ),
    *(
        "confirm",
        "open",
        "performance.now",
        "XMLHttpRequest.prototype.send",
        "history.pushState",
        "WebSocket",
        "Worker",
    ),
    *(
        "addEventListener",
        "EventTarget.prototype.removeEventListener",
        "Element.prototype.attachShadow",
        "crypto.randomUUID",
    ),
    *("Function.prototype.toString", "navigator.sendBeacon", "Response.prototype.json", "IntersectionObserver"),
)


async def test_what_we_replaced_looks_like_the_browsers_own(stage: Stage) -> None:
    shown = ", ".join(f"['{name}', {name}]" for name in NATIVE)
    view = await stage.show(
        f"<script>for (const [name, f] of [{shown}]) if (!/^(?:function|class) \\w*\\(\\) \\{{ \\[native code\\] "
        "\\}$/.test(f + '')"
        " || !/\\[native code\\]/.test(Function.prototype.toString.call(f)) || f.name !== name.split('.').pop()) "
        "log(name, '=', f.name, f)</script>"
    )
    assert await view.text() == ""


LIKE_OURS = {
    "new Date() instanceof Date": "true",
    "new Date(2020, 1, 2).getMonth()": "1",
    "typeof Date()": "string",
    "Object.prototype.toString.call(new Date())": "[object Date]",
    "new (class extends Date { own() { return 1; } })().own()": "1",
    "Date.prototype.constructor === Date": "true",
    "new WebSocket('ws://127.0.0.1:1') instanceof WebSocket": "true",
    "WebSocket.OPEN": "1",
    "new Image().constructor.name": "HTMLImageElement",
    "setTimeout.length + ' ' + fetch.length": "1 1",
    "typeof setTimeout(() => {}, 1)": "number",
    "(() => { try { XMLHttpRequest.prototype.send.call({}); } catch (e) { return e.name; } })()": "TypeError",
    (
        "(() => { try { crypto.getRandomValues(new Float32Array(1)); } catch (e) { return e.name; } })()"
    ): "TypeMismatchError",
    "document.body.addEventListener('x', () => {})": "undefined",
    "(() => { const d = document.createElement('div'); d.onclick = 5; return d.onclick; })()": "null",
    (
        "(() => { for (const name in window) if (name === 'agent') return 'seen';"
        " return Object.hasOwn(window, 'agent'); })()"
    ): "false",
    "Object.keys(window).includes('setTimeout') && Object.keys(window).includes('fetch')": "true",
}


@pytest.mark.parametrize("expression", LIKE_OURS)
async def test_what_we_replaced_works_like_the_browsers_own(stage: Stage, expression: str) -> None:
    view = await stage.show(f"<script>byId('log').textContent = String({expression})</script>")
    assert await view.text() == LIKE_OURS[expression]

"""Trusted input: events that the browser itself produces from a real pointer and keyboard.

For applications that look at `isTrusted`. Several times slower than the agent's own events, and elements that are
covered by others are not hit, as for a person.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from statecrawl.browser.devtools import Session

LONG_PRESS_SECONDS = 0.8
KEYS = {
    "Enter": (13, "\r"),
    "Escape": (27, ""),
    "ArrowLeft": (37, ""),
    "ArrowUp": (38, ""),
    "ArrowRight": (39, ""),
    "ArrowDown": (40, ""),
    "Tab": (9, ""),
    "Backspace": (8, ""),
    "Delete": (46, ""),
    " ": (32, " "),
}


async def fire_trusted(session: Session, place: dict[str, Any], agent: Callable[[str], Awaitable[Any]]) -> None:
    """Fire one event at a place that `agent` has found; kinds without real input are left to it."""
    x, y, kind = float(place["x"]), float(place["y"]), str(place["kind"])

    async def mouse(kind: str, count: int = 0, button: str = "none") -> None:
        await session.call(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=count, pointerType="mouse"
        )

    async def click(count: int = 1, button: str = "left") -> None:
        await mouse("mousePressed", count, button)
        await mouse("mouseReleased", count, button)

    match kind:
        case "click" | "dblclick":
            await mouse("mouseMoved")
            await click()
            if kind == "dblclick":
                await click(2)
        case "contextmenu":
            await mouse("mouseMoved")
            await click(button="right")
        case "hover" | "leave":
            await mouse("mouseMoved")
            x, y = (x, y) if kind == "hover" else (0.0, 0.0)
            await mouse("mouseMoved")
        case "key":
            await press(session, str(place["extra"]))
        case "input":
            await click(3)
            await session.call("Input.insertText", text=str(place["extra"]))
            await agent("letGo")
        case "scroll":
            await session.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=100_000)
        case _:
            await agent("fireOne")


async def press(session: Session, key: str) -> None:
    """Press a key and let it go."""
    code, text = KEYS.get(key, (ord(key.upper()[0]), key if len(key) == 1 else ""))
    pressed = {"key": key, "windowsVirtualKeyCode": code, "code": key if len(key) > 1 else f"Key{key.upper()}"}
    await session.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **pressed)
    await session.call("Input.dispatchKeyEvent", type="keyUp", **pressed)

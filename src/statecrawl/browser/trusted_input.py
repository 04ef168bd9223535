"""Trusted input: events that the browser itself produces from a real pointer and keyboard.

For applications that check `isTrusted`. It is several times slower than the agent's own events. An element that no hit
test finds, because other elements cover it, gets the agent's own events instead.
"""

import asyncio
from collections.abc import Awaitable, Callable
from math import floor
from typing import Any

from statecrawl.browser.agent_answers import FIRE_ONE, LET_GO, PASS_TIME, InputPlace, Question, ViewportPoint
from statecrawl.browser.devtools import Session

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
US_KEYS = (  # code, virtual key, character, character with Shift
    *((f"Digit{digit}", ord(digit), digit, shifted) for digit, shifted in zip("1234567890", "!@#$%^&*()", strict=True)),
    ("Minus", 189, "-", "_"),
    ("Equal", 187, "=", "+"),
    ("BracketLeft", 219, "[", "{"),
    ("BracketRight", 221, "]", "}"),
    ("Backslash", 220, "\\", "|"),
    ("Semicolon", 186, ";", ":"),
    ("Quote", 222, "'", '"'),
    ("Backquote", 192, "`", "~"),
    ("Comma", 188, ",", "<"),
    ("Period", 190, ".", ">"),
    ("Slash", 191, "/", "?"),
)
FORCE = 0.5  # pressure of a mouse button, as all browsers report it
SHIFT = 8  # in the modifiers of an event
DRAG_START = 5.0  # pixels that a pressed mouse moves to start a drag
DRAG_STEPS = 4  # moves on the way
DRAG_SECONDS = 0.5  # for the browser to report the start of a drag, unless the page prevents it


Agent = Callable[[Question[Any]], Awaitable[Any]]  # asks the agent of the page


class TrustedMouse:
    """A real mouse."""

    def __init__(self, session: Session, x: float, y: float) -> None:
        self._session = session
        self._at = {"x": x, "y": y}

    async def move(self, x: float | None = None, y: float | None = None, *, held: bool = False) -> None:
        """Move to the point of this mouse, or to another one."""
        if x is not None and y is not None:
            self._at = {"x": x, "y": y}
        await self._send("mouseMoved", "left" if held else "none", buttons=int(held), force=FORCE if held else 0)

    async def press(self, count: int = 1, button: str = "left") -> None:
        await self._send("mousePressed", button, clickCount=count, force=FORCE)

    async def release(self, count: int = 1, button: str = "left") -> None:
        await self._send("mouseReleased", button, clickCount=count)

    async def click(self, count: int = 1, button: str = "left") -> None:
        await self.press(count, button)
        await self.release(count, button)

    async def nudge(self) -> None:
        """Move by one pixel."""
        await self.move(self._at["x"] + 1, self._at["y"])

    async def start_drag(self) -> None:
        """Move a little with the button pressed, far enough to start a drag."""
        await self.move(self._at["x"] + DRAG_START, self._at["y"], held=True)

    async def carry(self, to: ViewportPoint, agent: Agent) -> None:
        """Move to a point in steps with the button pressed, and stay there for a moment, as a hand does."""
        x, y = self._at["x"] - DRAG_START, self._at["y"]  # where it was pressed
        for step in range(1, DRAG_STEPS + 1):
            way = step / DRAG_STEPS
            await agent(PASS_TIME)
            await self.move(floor(x + (to.x - x) * way), floor(y + (to.y - y) * way), held=True)
        await agent(PASS_TIME)
        await self.move(to.x, to.y, held=True)
        await agent(PASS_TIME)

    async def wheel(self, down: float) -> None:
        await self._send("mouseWheel", "none", deltaX=0, deltaY=down)

    async def _send(self, kind: str, button: str, **more: Any) -> None:
        event = {"type": kind, "button": button, "pointerType": "mouse"}
        await self._session.call("Input.dispatchMouseEvent", **event, **self._at, **more)


async def tap(session: Session, x: float, y: float) -> None:
    """Touch with a finger and lift it."""
    await session.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    await session.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


async def fire_trusted(session: Session, place: InputPlace, agent: Agent, *, touch: bool = False) -> None:
    """Fire one event at a place that the agent has found. `agent` calls it for kinds without real input.

    With `touch`, the device has no mouse.
    """
    mouse = TrustedMouse(session, place.x, place.y)
    match place.kind:
        case "click" | "hover" if touch:
            await tap(session, place.x, place.y)
        case "click" | "dblclick" | "contextmenu" | "hover" | "leave" as kind if not touch:
            await mouse.move()
            await _point(mouse, kind)
        case "drag" if not touch and place.to is not None:
            await drag(session, mouse, place.to, agent)
        case "key":
            await press(session, str(place.extra))
        case "input":
            for key in str(place.extra):
                await press(session, key)
            await agent(LET_GO)
        case "scroll":
            await mouse.wheel(100_000)
        case _:
            await agent(FIRE_ONE)


async def _point(mouse: TrustedMouse, kind: str) -> None:
    """Use the mouse where it has been moved."""
    match kind:
        case "click":
            await mouse.click()
        case "dblclick":
            await mouse.click()
            await mouse.click(2)
        case "contextmenu":
            await mouse.click(button="right")
        case "leave":
            await mouse.move(0.0, 0.0)
        case _:
            await mouse.nudge()  # some pages believe only the second move


async def drag(session: Session, mouse: TrustedMouse, to: ViewportPoint, agent: Agent) -> None:
    """Drag what is under the mouse to another point and drop it there.

    If the browser starts no drag of its own, the page follows the pointer itself.
    """
    started: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    stop = session.on("Input.dragIntercepted", lambda event: started.put_nowait(event["data"]))
    await session.call("Input.setInterceptDrags", enabled=True)
    try:
        await mouse.move()
        await mouse.press()
        await mouse.start_drag()
        try:
            data = await asyncio.wait_for(started.get(), DRAG_SECONDS)
        except TimeoutError:
            await mouse.carry(to, agent)
            await mouse.release()
            return
        for kind in ("dragEnter", "dragOver", "drop"):
            await agent(PASS_TIME)
            await session.call("Input.dispatchDragEvent", type=kind, x=to.x, y=to.y, data=data)
    finally:
        stop()
        await session.call("Input.setInterceptDrags", enabled=False)


async def press(session: Session, key: str) -> None:
    """Press and release a key."""
    number, text = KEYS.get(key, (0, key if len(key) == 1 else ""))
    code, virtual, shift = key, number, False
    if len(key) == 1:
        code, virtual, shift = key_of(key)
    pressed = {"key": key, "windowsVirtualKeyCode": virtual, "code": code, "modifiers": SHIFT if shift else 0}
    await session.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **pressed)
    await session.call("Input.dispatchKeyEvent", type="keyUp", **pressed)


def key_of(character: str) -> tuple[str, int, bool]:
    """Return the key of a character on a US keyboard: its code, its virtual key, and whether it needs Shift."""
    if character == " ":
        return "Space", 32, False
    if character.isascii() and character.isalpha():
        return f"Key{character.upper()}", ord(character.upper()), character.isupper()
    for code, virtual, plain, shifted in US_KEYS:
        if character in (plain, shifted):
            return code, virtual, character == shifted
    return "", 0, False

"""Devices that a browser can pretend to be: how large they are, whether they are touched, what they say they are."""

import re
from dataclasses import dataclass
from typing import Any

from statecrawl.errors import BadInput, UnknownName

MOST_PIXELS = 10_000  # of a side
SIZE = re.compile(r"([0-9]{2,5})x([0-9]{2,5})")
ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{major}.0.0.0 {kind}Safari/537.36"
)
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/18.5 Mobile/15E148 Safari/604.1"
)
# An iPad says that it is a Macintosh, and is told from one by its touch points.
IPAD = (
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/18.5 Safari/605.1.15"
)
TOUCH_POINTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """One of them. Sizes are in pixels of CSS."""

    width: int = 1280
    height: int = 800
    scale: float = 1.0  # pixels of the screen for each
    mobile: bool = False  # the viewport of the page's meta element counts
    touch: bool = False
    user_agent: str = ""  # nothing: the browser's own; {major} is its version

    def metrics(self) -> dict[str, Any]:
        """As the browser wants to hear it."""
        return {
            "width": self.width,
            "height": self.height,
            "deviceScaleFactor": self.scale,
            "mobile": self.mobile,
        }

    def says(self, product: str) -> str:
        """What it says it is, in a browser that says it is "HeadlessChrome/130.0.1"; nothing: what that one says."""
        return self.user_agent.replace("{major}", product.partition("/")[2].partition(".")[0])


def _phone(width: int, height: int, scale: float, user_agent: str) -> Device:
    return Device(width=width, height=height, scale=scale, mobile=True, touch=True, user_agent=user_agent)


DESKTOP = Device()
DEVICES = {
    "desktop": DESKTOP,
    "desktop-hd": Device(width=1920, height=1080),
    "iphone": _phone(393, 852, 3.0, IPHONE),
    "iphone-se": _phone(375, 667, 2.0, IPHONE),
    "ipad": _phone(820, 1180, 2.0, IPAD),
    "pixel": _phone(412, 915, 2.625, ANDROID.replace("{kind}", "Mobile ")),
    "galaxy": _phone(360, 780, 3.0, ANDROID.replace("{kind}", "Mobile ")),
    "android-tablet": _phone(800, 1280, 2.0, ANDROID.replace("{kind}", "")),
}


def device_named(name: str) -> Device:
    """The device of this name, or of this size. Raises BadInput and UnknownName."""
    size = SIZE.fullmatch(name)
    if size is None:
        if name.lower() not in DEVICES:
            raise UnknownName("device", name, [*DEVICES, "WIDTHxHEIGHT"])
        return DEVICES[name.lower()]
    width, height = int(size[1]), int(size[2])
    if not (0 < width <= MOST_PIXELS and 0 < height <= MOST_PIXELS):
        raise BadInput(f"--device {name} is no size: write up to {MOST_PIXELS}x{MOST_PIXELS}, as in 1024x768.")
    return Device(width=width, height=height)

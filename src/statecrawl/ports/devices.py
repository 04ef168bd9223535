"""Devices that a browser can emulate: viewport, touch input and user agent."""

import re
from dataclasses import dataclass
from typing import Any

from statecrawl.errors import BadInput, UnknownName

MOST_PIXELS = 10_000  # of each side of a viewport
SIZE = re.compile(r"([0-9]{2,5})x([0-9]{2,5})")
ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{major}.0.0.0 {kind}Safari/537.36"
)
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/18.5 Mobile/15E148 Safari/604.1"
)
# An iPad identifies itself as a Macintosh; only its touch points distinguish it.
IPAD = (
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/18.5 Safari/605.1.15"
)
TOUCH_POINTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """Device to emulate. Sizes are in CSS pixels."""

    width: int = 1280
    height: int = 800
    scale: float = 1.0  # screen pixels per CSS pixel
    mobile: bool = False  # honor the page's viewport meta element
    touch: bool = False
    user_agent: str = ""  # empty: the browser's own; {major} stands for the browser's major version

    def metrics(self) -> dict[str, Any]:
        """Parameters of `Emulation.setDeviceMetricsOverride`."""
        return {"width": self.width, "height": self.height, "deviceScaleFactor": self.scale, "mobile": self.mobile}

    def user_agent_in(self, product: str) -> str:
        """User agent in a browser of this product, such as "HeadlessChrome/130.0.1"; "" keeps the browser's own."""
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
    """Look up a device by name, or make one from WIDTHxHEIGHT. Raises BadInput and UnknownName."""
    size = SIZE.fullmatch(name)
    if size is None:
        if name.lower() not in DEVICES:
            raise UnknownName("device", name, [*DEVICES, "WIDTHxHEIGHT"])
        return DEVICES[name.lower()]
    width, height = int(size[1]), int(size[2])
    if not (0 < width <= MOST_PIXELS and 0 < height <= MOST_PIXELS):
        raise BadInput(
            f"--device {name} is not a valid size: write 1024x768, for example; at most {MOST_PIXELS}x{MOST_PIXELS}."
        )
    return Device(width=width, height=height)

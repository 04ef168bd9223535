"""Emulation: the same environment for every page, whatever the machine: time zone, language, device, permissions."""

import asyncio

import msgspec

from statecrawl.browser.devtools import Session
from statecrawl.ports.devices import TOUCH_POINTS, Device

DENIED_PERMISSIONS = ("notifications", "geolocation")  # a request for one would wait for a person's answer


def emulate(root: Session, session: Session, context: str, device: Device) -> list[asyncio.Future[msgspec.Raw]]:
    """Set up the environment of a page. Return the answers to wait for."""
    touch = {"enabled": True, "maxTouchPoints": TOUCH_POINTS}
    return [
        session.post("Emulation.setTimezoneOverride", timezoneId="UTC"),
        session.post("Emulation.setLocaleOverride", locale="en-US"),
        session.post("Emulation.setFocusEmulationEnabled", enabled=True),
        session.post("Emulation.setDeviceMetricsOverride", **device.metrics()),
        session.post("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}]),
        root.post("Browser.setDownloadBehavior", behavior="deny", browserContextId=context, eventsEnabled=True),
        *(
            root.post("Browser.setPermission", permission={"name": name}, setting="denied", browserContextId=context)
            for name in DENIED_PERMISSIONS
        ),
        *([session.post("Emulation.setTouchEmulationEnabled", **touch)] if device.touch else []),
    ]

"""Devices by name and by size."""

import pytest

from statecrawl.errors import BadInput, UnknownName
from statecrawl.ports.devices import DESKTOP, DEVICES, device_named


def test_a_size_is_a_device_that_is_otherwise_the_usual_one() -> None:
    device = device_named("1024x768")
    assert device.metrics() == {"width": 1024, "height": 768, "deviceScaleFactor": 1.0, "mobile": False}
    assert (device.touch, device.user_agent_in("Chrome/130.0.1")) == (False, "")


@pytest.mark.parametrize("name", DEVICES)
def test_every_device_says_what_it_is_or_leaves_it_to_the_browser(name: str) -> None:
    device = device_named(name.upper())
    assert device.mobile == device.touch == bool(device.user_agent)
    assert "{" not in device.user_agent_in("HeadlessChrome/156.0.8078.79")


def test_a_device_with_the_same_engine_has_the_version_of_the_browser() -> None:
    assert "Chrome/156.0.0.0 Mobile" in device_named("pixel").user_agent_in("HeadlessChrome/156.0.8078.79")
    assert device_named("desktop") == DESKTOP


@pytest.mark.parametrize("size", ["00x10", "10x99999"])
def test_impossible_sizes(size: str) -> None:
    with pytest.raises(BadInput, match="is not a valid size"):
        device_named(size)


@pytest.mark.parametrize("name", ["pixle", "10 x 20", "x", "-1x5"])
def test_unknown_devices(name: str) -> None:
    with pytest.raises(UnknownName, match="device"):
        device_named(name)

"""Secret names: a name that is added to one of the lists takes effect everywhere."""

import re

import pytest

from statecrawl.privacy.redaction import SERVICE_KEYS, Redactor
from statecrawl.privacy.secret_names import HARMLESS, PARTS, STEMS, WHOLE, is_secret_name

# The text that each alternative of PARTS matches with its optional groups
SAMPLES = [re.sub(r"\(\?!.*?\)|\(\?:|\)\?|\[_-\]\?", "", each) for each in PARTS.split("|")]


@pytest.mark.parametrize("name", [*SAMPLES, *WHOLE.split("|")])
def test_every_secret_name_is_found_in_a_text(name: str) -> None:
    assert name.isalpha(), "the pattern of this sample needs to be written out by hand"
    assert is_secret_name(name)
    assert re.search(STEMS, name), "the scanner of texts never stops at this name: add a stem"
    assert Redactor().text(f"http://shop.test/?{name}=f00ba4&page=2") == f"http://shop.test/?{name}=REDACTED&page=2"


@pytest.mark.parametrize("name", [f"token_{word}" for word in HARMLESS.split("|")])
def test_a_property_of_a_secret_is_not_secret(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize("prefix", SERVICE_KEYS)
def test_every_service_key_is_found_in_a_text(prefix: str) -> None:
    sample = re.sub(r"\(\?:(\w+)\|.*?\)|\[(\w)\w*\]", r"\1\2", prefix) + 16 * "0A"
    text = f"let key = {sample[: len(sample) - 32 + 16] if prefix == 'AKIA' else sample};"
    assert Redactor().text(text) == "let key = REDACTED;"

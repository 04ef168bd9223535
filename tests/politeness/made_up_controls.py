"""Controls made up for tests."""

from statecrawl.politeness.control import Control


def listed(text: str) -> list[str]:
    return [words.strip() for words in text.replace("\n", ",").split(",") if words.strip()]


def button(words: str, **more: object) -> Control:
    return Control(**{"tag": "button", "type": "button", "words": (words,), **more})  # type: ignore[arg-type]


def link(words: str, url: str = "http://host/page/7", **more: object) -> Control:
    given = {"tag": "a", "words": (words,), "target": url, "method": "get", "is_plain": True, **more}
    return Control(**given)  # type: ignore[arg-type]

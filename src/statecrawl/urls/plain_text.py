"""URLs in text for people: visible text and comments.

Sentences contain many texts that look like paths (and/or, /usr/bin, </p>). So a path counts only with further evidence:
in visible text, if it starts with ./ or ../ or has the suffix of a web file; in a comment of a script, also if it has
several segments or a query; in a comment of a page, always, unless the comment only marks the end of an element.
"""

import re
from collections.abc import Iterator
from itertools import dropwhile

from statecrawl.urls.scripts import WHOLE

_RUN = r"[\w.~%/-]"
_PATH = re.compile(rf"(?<![\w.~%/<@:-])\.{{0,2}}/{_RUN}+(?:\?[\w.~%/&=+;:,-]{{1,200}})?")
_FILE = re.compile(
    r"\.(?:html?|xhtml|php\d?|aspx?|jspx?|do|action|cgi|json|xml|txt|csv|pdf|docx?|xlsx?|zip)$", re.IGNORECASE
)
_RELATIVE = re.compile(r"[\w-][\w.~/-]*+")
_LINE = re.compile(r"(?<![:\w\"'`/\\])//([^\n]{1,500})")
_TAGS = "div|span|section|article|header|footer|nav|main|aside|form|ul|ol|table"
_MARK = re.compile(rf"/(?:(?:{_TAGS})(?:[.#][\w-]++)++|[.#]?[\w:-]++)", re.IGNORECASE)  # marks the end of an element
_END = ".,;:!?)]}'\""  # end of a sentence, not part of a URL
MOST_LENGTH = 500  # characters of a path


def in_shown(text: str) -> Iterator[str]:
    """Yield the URLs in visible text."""
    if "/" not in text:
        return
    yield from (found.rstrip(_END) for found in WHOLE.findall(text))
    for path in _paths(text):
        if path.startswith(".") or _FILE.search(path.partition("?")[0]):
            yield path


def in_page_comment(text: str) -> Iterator[str]:
    """Yield the URLs in a comment of a page."""
    if "/" in text and not _is_end(text):
        yield from (found.rstrip(_END) for found in WHOLE.findall(text))
        yield from (path for path in _paths(text) if len(path.strip("/")) > 1 and not path.startswith("/."))


def _is_end(text: str) -> bool:
    """Whether a comment only marks the end of elements: "end of /header", "/.row /#main"."""
    return all(map(_MARK.fullmatch, dropwhile(lambda word: word.lower() in ("end", "of"), text.split())))


def in_comment(text: str) -> Iterator[str]:
    """Yield the URLs in a comment of a script."""
    if "/" not in text:
        return
    yield from (found.rstrip(_END) for found in WHOLE.findall(text))
    for path in _paths(text):
        plain = path.partition("?")[0]
        if path.startswith(".") or plain.strip("/").count("/") or plain != path or _FILE.search(plain):
            yield path


def is_file(text: str) -> bool:
    """Whether a text as a whole is a relative path to a web file, such as help/first.html."""
    path = text.partition("?")[0]
    return _FILE.search(path) is not None and _RELATIVE.fullmatch(path) is not None


def in_program_comments(text: str) -> Iterator[str]:
    """Yield the URLs in the comments of a script. Comments are recognized without parsing the script."""
    for line in _LINE.findall(text):
        yield from in_comment(line)
    at = 0
    while (at := text.find("/*", at)) >= 0:
        end = text.find("*/", at + 2)
        end = len(text) if end < 0 else end
        yield from in_comment(text[at + 2 : end])
        at = end


def _paths(text: str) -> Iterator[str]:
    for found in _PATH.findall(text):
        path = found.rstrip(_END)
        if len(path) <= MOST_LENGTH and not path.startswith("//") and path.strip("./-_~%"):
            yield path

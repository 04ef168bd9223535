"""Kinds of places where URLs are found, by the names that `--follow` uses."""

# The first four are those that a person would follow.
LINK, FORM, FRAME, REDIRECT = "link", "form", "frame", "redirect"
HEADER, CSP, META, RESOURCE, SRCSET, STYLE = "header", "csp", "meta", "resource", "srcset", "css"
SCRIPT, DATA, COMMENT, MANIFEST, ROBOTS, SITEMAP = "script", "data", "comment", "manifest", "robots", "sitemap"
REQUEST = "request"
TEXT, ATTRIBUTE, BASE, DOCTYPE = "text", "attribute", "base", "doctype"
PLACES = (
    *(LINK, FORM, FRAME, REDIRECT, HEADER, CSP, META, RESOURCE, SRCSET, STYLE),
    *(SCRIPT, DATA, COMMENT, MANIFEST, ROBOTS, SITEMAP, REQUEST, TEXT, ATTRIBUTE, BASE, DOCTYPE),
)
REPORTED_ONLY = frozenset({DOCTYPE})  # never opened: it refers to a grammar, not a page
# Places where the application offers pages. URLs from other places are guesses: a text in a script or comment may look
# like a path and be something else.
OFFERED = frozenset({LINK, FORM, FRAME, REDIRECT, SITEMAP})
# Places whose URLs a site crawl opens by default: those that may be pages. Frames are part of their page, forms are
# submitted, and the others are resources of pages.
DEFAULT_PLACES = (LINK, REDIRECT, META, SCRIPT, DATA, COMMENT, TEXT, ATTRIBUTE, BASE, SITEMAP)

WrittenUrl = tuple[str, str]  # URL as written, and kind of place

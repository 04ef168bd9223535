"""Where addresses are found, by the names that people say (`--follow`)."""

# Where something was found. The first four are what a person would follow.
LINK, FORM, FRAME, REDIRECT = "link", "form", "frame", "redirect"
HEADER, CSP, META, RESOURCE, SRCSET, STYLE = "header", "csp", "meta", "resource", "srcset", "css"
SCRIPT, DATA, COMMENT, MANIFEST, ROBOTS, SITEMAP = "script", "data", "comment", "manifest", "robots", "sitemap"
REQUEST = "request"
TEXT, ATTRIBUTE, BASE, DOCTYPE = "text", "attribute", "base", "doctype"
PLACES = (
    *(LINK, FORM, FRAME, REDIRECT, HEADER, CSP, META, RESOURCE, SRCSET, STYLE),
    *(SCRIPT, DATA, COMMENT, MANIFEST, ROBOTS, SITEMAP, REQUEST, TEXT, ATTRIBUTE, BASE, DOCTYPE),
)
REPORTED_ONLY = frozenset({DOCTYPE})  # never opened: it names a grammar, not a page
# What the application offers as a page. URLs from other places are guesses: what looks like a path in a script or in a
# comment may be none.
OFFERED = frozenset({LINK, FORM, FRAME, REDIRECT, SITEMAP})
# What a site crawl opens unless it is told otherwise: whatever may be a page. Frames are shown in their pages, forms
# are submitted, and the rest are parts of pages.
DEFAULT_PLACES = (LINK, REDIRECT, META, SCRIPT, DATA, COMMENT, TEXT, ATTRIBUTE, BASE, SITEMAP)

WrittenUrl = tuple[str, str]  # an address as it is written, and where

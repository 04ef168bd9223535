"""Where addresses are found, by the names that people say (`--follow`)."""

# Where something was found. The first four are what a person would follow.
LINK, FORM, FRAME, REDIRECT = "link", "form", "frame", "redirect"
HEADER, CSP, META, RESOURCE, SRCSET, STYLE = "header", "csp", "meta", "resource", "srcset", "css"
SCRIPT, DATA, COMMENT, MANIFEST, ROBOTS, SITEMAP = "script", "data", "comment", "manifest", "robots", "sitemap"
REQUEST = "request"
PLACES = (
    *(LINK, FORM, FRAME, REDIRECT, HEADER, CSP, META, RESOURCE, SRCSET, STYLE),
    *(SCRIPT, DATA, COMMENT, MANIFEST, ROBOTS, SITEMAP, REQUEST),
)

BASE = "base"  # no address, but what others are relative to
Named = tuple[str, str]  # an address as it is written, and where

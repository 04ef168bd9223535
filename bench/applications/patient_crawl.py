"""`python -m bench.applications.patient_crawl …`: statecrawl, which waits longer for its pages when its time is over.

A crawl that is out of time waits half a second for its pages, and what they have executed since the last reset is lost
if they take longer. On a busy machine they do.
"""

from unittest.mock import patch

from statecrawl.__main__ import run
from statecrawl.crawler import crawl_end

CLOSING_SECONDS = 20.0

if __name__ == "__main__":
    with patch.object(crawl_end, "CLOSING_SECONDS", CLOSING_SECONDS):
        run()

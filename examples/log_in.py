"""What does a login make reachable? Crawl an application as a guest and as a user, and compare.

    statecrawl apps serve office
    OFFICE_USER=bob OFFICE_PASSWORD=by-the-book python examples/log_in.py http://localhost:8000/

The login steps are in log_in.toml beside this file, which names the environment variables and contains no password.
The files of the crawls contain none either. Exits with 1 if the login made nothing reachable.
"""

import sys
from pathlib import Path
from urllib.parse import urlsplit

import statecrawl
from statecrawl.ports.traffic import Exchange

STEPS = Path(__file__).with_name("log_in.toml")


def reached(url: str, out: Path, login: Path | None) -> tuple[statecrawl.Result, set[str]]:
    """Crawl; return the result and the requests that the server did not refuse."""
    answered = set()

    def on_request(exchange: Exchange, _state: str, _event: str | None) -> None:
        if exchange.status < 400:
            answered.add(f"{exchange.method} {urlsplit(exchange.url).path}")

    return statecrawl.crawl(url, out=out, login=login, site=True, on_request=on_request).run(), answered


def main(url: str, out: str = "crawl-log-in") -> int:
    guest, for_all = reached(url, Path(out) / "guest", None)
    member, for_members = reached(url, Path(out) / "member", STEPS)
    known = {state.id for state in guest.states}
    only = [state for state in member.states if state.id not in known]
    print(f"{len(guest.states)} states for a guest, {len(member.states)} after login")
    for state in only:
        print(f"  {state.title}: {' → '.join(state.path) or 'at once'}")
    print("answered only after login:")
    for request in sorted(for_members - for_all):
        print(f"  {request}")
    return 0 if only else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

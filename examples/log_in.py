"""What does a log-in make reachable? Crawl an application as a guest and as somebody, and compare.

    statecrawl apps serve office
    OFFICE_USER=bob OFFICE_PASSWORD=by-the-book python examples/log_in.py http://localhost:8000/

The steps of the log-in are in log_in.toml beside this file, which names the variables and holds no password. What is
written of the crawls holds none either. Exits with 1 when the log-in made nothing reachable.
"""

import sys
from pathlib import Path
from urllib.parse import urlsplit

import statecrawl
from statecrawl.ports.traffic import Exchange

STEPS = Path(__file__).with_name("log_in.toml")


def reached(url: str, out: Path, login: Path | None) -> tuple[statecrawl.Result, set[str]]:
    """What was found, and what the server answered to without refusing."""
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
    print(f"{len(guest.states)} states for a guest, {len(member.states)} after the log-in")
    for state in only:
        print(f"  {state.title}: {' → '.join(state.way) or 'at once'}")
    print("answered only after the log-in:")
    for address in sorted(for_members - for_all):
        print(f"  {address}")
    return 0 if only else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

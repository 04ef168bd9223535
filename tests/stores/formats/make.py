"""Writes `format-N.journal`: the beginning of a crawl of `tiny`, with every kind of fact that format version N knows.

    python tests/stores/formats/make.py N

Each was written by the release that brought its version, before that knew of any later one, and is never written again:
what is out there cannot be changed any more. A new version gets its lines below, and its own file.
"""

import sys
from contextlib import closing
from pathlib import Path

from statecrawl.journal.encoding import decode
from statecrawl.stores.sqlite_journal import open_journal

HOME, A, B = "9291918f8ad294cf277bc48c", "7e231e571a4ee9cc5f0a6b41", "43c9eb70de4e1683e90264e1"
EVENTS = r'"click li \"a\" in ul#menu","click li \"b\" in ul#menu","click button \"x\""'
C = r'"click span \"c\" in div#room"'
TO_A, TO_B, TO_C = r'"event":"click li \"a\" in ul#menu"', r'"event":"click li \"b\" in ul#menu"', f'"event":{C}'
LINES = (
    '{"kind":"started","v":1,"application":"tiny","configuration":{"strategy":"greedy","seed":0},"reset_cost":2.0}',
    '{"kind":"revised","v":2,"revision":1,"rules":[]}',
    '{"kind":"joined","v":3,"member":"node-1","epoch":1}',
    '{"kind":"joined","v":3,"member":"node-2","epoch":2}',
    f'{{"kind":"state","v":1,"state":"{HOME}","events":[{EVENTS}],"url":"http://127.0.0.1/","title":"Tiny"}}',
    f'{{"kind":"dealt","v":4,"state":"{HOME}","first":0,"shares":[["node-1",2],["node-2",1]]}}',
    '{"kind":"claimed","v":5,"place":"ul#menu","member":"node-1","epoch":2}',
    f'{{"kind":"state","v":1,"state":"{A}","events":[{EVENTS}],"url":"http://127.0.0.1/","title":"Tiny"}}',
    f'{{"kind":"explored","v":1,"state":"{HOME}",{TO_A},"target":"{A}","fired":1,"resets":1}}',
    f'{{"kind":"explored","v":1,"state":"{A}",{TO_A},"target":"{A}","fired":2,"resets":1}}',
    f'{{"kind":"state","v":1,"state":"{B}","events":[{EVENTS},[{C},{C}]]}}',
    f'{{"kind":"hung","v":1,"state":"{A}",{TO_B},"reason":"not quiet after 10 s"}}',
    f'{{"kind":"crashed","v":1,"state":"{A}",{TO_B},"reason":"the page went away"}}',
    f'{{"kind":"explored","v":1,"state":"{A}",{TO_B},"target":"{B}","fired":4,"resets":2}}',
    f'{{"kind":"diverged","v":1,"state":"{HOME}",{TO_A},"expected":"{A}","landed":"{HOME}","incident":1}}',
    f'{{"kind":"external","v":2,"state":"{B}","target":"{A}","incident":1}}',
    f'{{"kind":"boundary","v":2,"state":"{B}",{TO_B},"what":"scope","url":"http://help.test/"}}',
    f'{{"kind":"event","v":2,"state":"{A}","event":"click button \\"x\\" (dismissed)"}}',
    f'{{"kind":"refused","v":1,"state":"{B}",{TO_C},"reason":"the element is covered"}}',
    '{"kind":"cost","v":2,"reset_cost":3.75}',
    '{"kind":"left","v":3,"member":"node-2","epoch":3}',
    '{"kind":"ended","v":1,"reason":"max-events"}',
)


def make(version: int, path: Path) -> None:
    """Two groups, as a crawl would write them."""
    known = [f"{line}\n".encode() for line in LINES if int(line.partition('"v":')[2][0]) <= version]
    with closing(open_journal(path)) as journal:
        for group in (known[:3], known[3:]):
            journal.append(decode(b"".join(group)))
    path.with_name(f"{path.name}-lock").unlink()


if __name__ == "__main__":
    make(int(sys.argv[1]), Path(__file__).parent / f"format-{sys.argv[1]}.journal")

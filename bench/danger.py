"""How often the judgement of dangerous controls is wrong, on labelled controls of real applications.

`python -m bench danger` prints the figures of docs/safety.md; `python -m bench.danger --list` also every mistake.
"""

import sys
from typing import Any

from bench.table import print_table
from tests.politeness.labelled import HALVES, scores
from tests.politeness.test_labelled import BOUNDS


def main() -> bool:
    """True when no figure is worse than the one that is published."""
    found = scores()
    rows = []
    held = True
    for half in HALVES:
        for english in (True, False):
            score = found[half, english]
            _, missed, _, refused = BOUNDS[half, english]
            held = held and len(score.missed) <= missed and len(score.refused) <= refused
            language = "English" if english else "other languages"
            missed_share, refused_share = _share(score.missed, score.dangerous), _share(score.refused, score.harmless)
            rows.append((half, language, score.dangerous, missed_share, score.harmless, refused_share))
    print_table(
        "Dangerous controls: judged and labelled",
        ("applications", "labels", "dangerous", "missed", "harmless", "refused"),
        rows,
    )
    return held


def _share(wrong: list[dict[str, Any]], of: int) -> str:
    return f"{len(wrong)} ({100 * len(wrong) / of:.1f} %)"


def list_mistakes() -> None:
    for (half, _), score in scores().items():
        for mistake, told in [("missed", each) for each in score.missed] + [
            ("refused", each) for each in score.refused
        ]:
            print(
                half,
                mistake,
                told["app"],
                told["language"],
                told["control"].get("words"),
                told["control"].get("target", ""),
            )


if __name__ == "__main__":
    main()
    if "--list" in sys.argv:
        list_mistakes()

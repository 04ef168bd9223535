"""What the commands about nodes say when they cannot do what is asked."""

from pathlib import Path

import pytest

from statecrawl.cli.main import main
from tests.cli.command import Done

NOWHERE = "http://127.0.0.1:9"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["node", "--join", "nonsense"], 2, "--join 'nonsense' is no address of a web application"),
        (["node", "--join", NOWHERE, "--pages", "0"], 2, "--pages must be between 1 and 64, not 0."),
        (
            ["node", "--join", NOWHERE, "--patience", "long"],
            2,
            "--patience is a time, as in 90s, 10m or 2h, not 'long'.",
        ),
        (["node", "--join", NOWHERE, "--tls-ca", "missing.pem"], 2, "cannot use missing.pem as a certificate"),
        (["node", "--join", NOWHERE, "--patience", "0.1s"], 6, f"the coordinator at {NOWHERE} is not to be reached"),
        (["status", NOWHERE], 6, f"there is no coordinator at {NOWHERE}"),
        (["crawl", "tiny", "--nodes", "0"], 2, "--nodes must be between 1 and 64, not 0"),
        (["serve", "tiny", "--token", "short"], 2, "--token must have 8 characters or more"),
        (["serve", "tiny", "--tls-cert", "missing.pem"], 2, "cannot use missing.pem as a certificate"),
        (["serve", "tiny", "--host", "203.0.113.1"], 2, "cannot serve at 203.0.113.1:8765"),
        (["serve", "tiny", "--reset-command", "true"], 2, "nodes run no commands"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else "",
)
def test_one_sentence_and_a_code(
    arguments: list[str], code: int, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["statecrawl", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    Done(int(ended.value.code or 0), *capsys.readouterr()).refused(code, said)

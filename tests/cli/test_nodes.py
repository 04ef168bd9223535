"""What the commands about nodes say when they cannot do what is asked."""

from pathlib import Path

import pytest

from statecrawl.cli.main import main
from tests.cli.command import Done

NOWHERE = "http://127.0.0.1:9"
JOIN = ["node", "--join", NOWHERE, "--token", "some token"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (
            ["node", "--join", "nonsense"],
            2,
            "--join 'nonsense' is no address of a coordinator: write it as http://host:port.",
        ),
        (["node", "--join", NOWHERE], 2, "a token is missing: name the one that statecrawl serve shows, by --token or"),
        ([*JOIN, "--pages", "0"], 2, "--pages must be between 1 and 64, not 0."),
        ([*JOIN, "--patience", "long"], 2, "--patience is a time, as in 90s, 10m or 2h, not 'long'."),
        ([*JOIN, "-e", "contant"], 2, "unknown equivalence 'contant': did you mean content?"),
        (
            [*JOIN, "--tls-ca", "missing.pem"],
            2,
            "cannot use missing.pem as a certificate: no such file or directory; check its name",
        ),
        ([*JOIN, "--tls-ca", "empty.pem"], 2, "empty.pem as a certificate: it must be a file in PEM format."),
        (
            [*JOIN, "--patience", "0.1s"],
            6,
            f"the coordinator at {NOWHERE} is not to be reached: connection refused; start the node again",
        ),
        (["status", NOWHERE], 2, "a token is missing"),
        (
            ["status", NOWHERE, "--token", "some token"],
            6,
            f"there is no coordinator at {NOWHERE}: connection refused; take the address that statecrawl serve shows.",
        ),
        (["status", "127.0.0.1:8765"], 2, "'127.0.0.1:8765' is no address of a coordinator: write it as http://host"),
        (["crawl", "tiny", "--nodes", "0"], 2, "--nodes must be between 1 and 64, not 0."),
        (["crawl", "tiny", "--nodes", "65"], 2, "--nodes must be between 1 and 64, not 65; for more, use"),
        (["serve", "tiny", "--token", "short"], 2, "--token must have 8 characters or more"),
        (["serve", "tiny", "--tls-cert", "missing.pem"], 2, "cannot use missing.pem as a certificate: no such file"),
        (
            ["serve", "tiny", "--tls-cert", "empty.pem"],
            2,
            "empty.pem as a certificate: it and its key must be files in PEM format without a password.",
        ),
        (["serve", "tiny", "--tls-key", "empty.pem"], 2, "--tls-key needs a --tls-cert"),
        (
            ["serve", "tiny", "--host", "203.0.113.1"],
            2,
            "cannot serve at 203.0.113.1:8765: cannot assign requested address; name another with --host and --port.",
        ),
        (["serve", "tiny", "--reset-command", "true"], 2, "nodes run no commands"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else "",
)
def test_one_sentence_and_a_code(
    arguments: list[str], code: int, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    (tmp_path / "empty.pem").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["statecrawl", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    Done(int(ended.value.code or 0), *capsys.readouterr()).refused(code, said)

"""The recipes: files that the tools they are for would take, and commands that the command line takes."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]
import pytest
import typer
import yaml

from statecrawl.cli.main import app

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
SCRIPTS = [DEPLOY / "try-in-namespaces", *sorted((DEPLOY / "slurm").glob("*.sbatch"))]
PAGES = [ROOT / "README.md", ROOT / "docs" / "fleets.md", *sorted(DEPLOY.rglob("README.md"))]
ENVIRONMENT = {"STATECRAWL_JOIN": "redis://host/0#crawl", "STATECRAWL_TOKEN": "12345678"}
ADDRESS = {"STATECRAWL_ENGINE", "STATECRAWL_JOIN"}
COMMAND = typer.main.get_command(app)


# -- commands --


def in_units() -> Iterator[list[str]]:
    for unit in UNITS:
        (line,) = re.findall(r"^ExecStart=\S+/statecrawl (.*)$", unit.read_text(), re.MULTILINE)
        yield [word for word in shlex.split(line) if not re.fullmatch(r"\$\w+", word)]  # those may be empty


def services() -> dict[str, Any]:
    told: dict[str, Any] = yaml.safe_load((DEPLOY / "docker" / "compose.yaml").read_text())["services"]
    return told


def in_compose() -> Iterator[list[str]]:
    for service in services().values():
        if service["image"] == "statecrawl":
            yield service["command"]


def documents() -> list[dict[str, Any]]:
    return [document for path in MANIFESTS for document in yaml.safe_load_all(path.read_text())]


def containers() -> Iterator[dict[str, Any]]:
    for document in documents():
        if "template" in document.get("spec", {}):
            yield from document["spec"]["template"]["spec"]["containers"]


def in_manifests() -> Iterator[list[str]]:
    for container in containers():
        if container["image"] == "statecrawl":
            yield container["args"]


def in_scripts() -> Iterator[list[str]]:
    for path in SCRIPTS:
        for line in path.read_text().splitlines():
            found = re.match(r"(?:srun .*?)?statecrawl ((?:serve|node) .*)$|crawler \S+ \S+ (.*)$", line.strip())
            if found:
                words = shlex.split(found[1] or found[2], comments=True)
                yield ["http://shop.test/" if word == "$@" else word for word in words if word != "&"]
    yield ["node"]  # as srun starts it: found above only with arguments


def in_pages() -> Iterator[list[str]]:
    for page in PAGES:
        for block in re.findall(r"^```sh\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL):
            for line in block.splitlines():
                if line.startswith(("statecrawl ", ".venv/bin/statecrawl ")) and not line.endswith("--help"):
                    words = shlex.split(line, comments=True)[1:]
                    yield list(takewhile(lambda word: word != "|", words))


def takes(words: list[str]) -> None:
    """The command line takes these words. Raises a usage error otherwise."""
    words = [re.sub(r"\$\{?\w+\}?|\$\(.*\)", "8000", word) for word in words]
    context = COMMAND.make_context("statecrawl", words)
    name, command, rest = COMMAND.resolve_command(context, [*context._protected_args, *context.args])  # type: ignore[attr-defined]
    if hasattr(command, "resolve_command"):
        context = command.make_context(name, rest, parent=context)
        name, command, rest = command.resolve_command(context, [*context._protected_args, *context.args])
    command.make_context(name, rest, parent=context)


EVERY = [
    pytest.param(words, id=" ".join([source.__name__, *words])[:90])
    for source in (in_units, in_compose, in_manifests, in_scripts, in_pages)
    for words in source()
]


@pytest.mark.parametrize("words", EVERY)
def test_the_command_line_takes_every_command(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    takes(words)


@pytest.mark.parametrize("words", [["node", "--stays"], ["serve", "--port", "1"], ["coordinate", "--metrics"]])
def test_the_command_line_does_not_take_everything(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATECRAWL_JOIN", "redis://host/0")
    with pytest.raises(Exception, match=r"No such option|Missing parameter|requires an argument"):
        takes(words)


def test_there_are_commands_in_every_recipe() -> None:
    for source, least in ((in_units, 2), (in_compose, 4), (in_manifests, 3), (in_scripts, 9), (in_pages, 12)):
        assert len(list(source())) >= least, source.__name__


# -- files --


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.name)
def test_manifests_are_valid(path: Path) -> None:
    for document in yaml.safe_load_all(path.read_text()):
        kubernetes_validate.validate(document, "1.30", strict=True)


def test_manifests_fit_together() -> None:
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for document in documents():
        by_kind.setdefault(document["kind"], []).append(document)
    (secret,), jobs = by_kind["Secret"], by_kind["Job"]
    for container in containers():
        for variable in container["env"]:
            if "valueFrom" in variable:
                reference = variable["valueFrom"]["secretKeyRef"]
                assert (reference["name"], reference["key"] in secret["stringData"]) == ("statecrawl", True)
    first, second = (
        yaml.safe_dump(job).replace(f"-{letter}\n", "-X\n") for job, letter in zip(jobs, "ab", strict=True)
    )
    assert first == second, "both coordinators do the same"
    (scaler,), (deployment,) = by_kind["HorizontalPodAutoscaler"], by_kind["Deployment"]
    assert scaler["spec"]["scaleTargetRef"]["name"] == deployment["metadata"]["name"]
    assert "replicas" not in deployment["spec"], "it would undo what the autoscaler did each time it is applied"
    pods = [job["spec"]["template"] for job in (*jobs, deployment)]
    for budget in by_kind["PodDisruptionBudget"]:
        chosen = budget["spec"]["selector"]["matchLabels"].items()
        assert any(chosen <= pod["metadata"]["labels"].items() for pod in pods)
    for pod in pods:
        mounted = {mount["name"] for each in pod["spec"]["containers"] for mount in each["volumeMounts"]}
        assert mounted == {volume["name"] for volume in pod["spec"]["volumes"]}


def test_compose_fits_together() -> None:
    told = yaml.safe_load((DEPLOY / "docker" / "compose.yaml").read_text())
    first, second = services()["coordinator"], services()["standby"]
    assert {**first, "volumes": 0} == {**second, "volumes": 0}, "both coordinators do the same"
    assert first["volumes"] != second["volumes"], "each writes into a folder of its own"
    used = {volume.partition(":")[0] for each in services().values() for volume in each.get("volumes", ())}
    assert used == set(told["volumes"])
    assert all(set(services()[name]["environment"]) == ADDRESS for name in ("coordinator", "standby", "node"))
    for option in services()["node"]["security_opt"]:
        kind, _, value = option.partition(":")
        if kind == "seccomp":
            profile = json.loads((DEPLOY / "docker" / value).read_text())
            denied = profile["syscalls"][0]["names"]
            assert not {"clone", "clone3", "unshare", "chroot"} & set(denied), "the sandbox needs these"
            assert sorted(set(denied)) == denied


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_units_are_valid(path: Path, tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("there is no systemd-analyze here")
    unit = tmp_path / path.name
    unit.write_text(path.read_text().replace("/opt/statecrawl/bin/statecrawl", "/bin/true"))
    done = subprocess.run([program, "verify", unit], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_units_have_their_variables() -> None:
    example = (DEPLOY / "systemd" / "crawl.env.example").read_text()
    given = set(re.findall(r"^(\w+)=", example, re.MULTILINE))
    used = {name for unit in UNITS for name in re.findall(r"\$\{?(\w+)", unit.read_text())}
    assert used | ADDRESS == given


def test_the_settings_of_redis_are_taken(tmp_path: Path) -> None:
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        pytest.skip("there is no redis-server here")
    settings = (DEPLOY / "systemd" / "redis-statecrawl.conf").read_text().replace(" 192.0.2.10", "")
    (tmp_path / "redis.conf").write_text(f"{settings}\nport 0\nunixsocket {tmp_path}/s\ndir {tmp_path}\nnonsense yes\n")
    done = subprocess.run([program, tmp_path / "redis.conf"], capture_output=True, text=True, check=False)
    assert "nonsense" in done.stdout + done.stderr, "everything before that was taken"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_clean(path: Path) -> None:
    program = shutil.which("shellcheck") or shutil.which("shellcheck", path=str(Path(sys.executable).parent))
    assert program, "make install brings it"
    done = subprocess.run([program, "--shell=bash", path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    assert path.stat().st_mode & 0o100 or path.suffix, "it is started by its name"


@pytest.mark.parametrize("page", sorted(DEPLOY.rglob("README.md")), ids=lambda page: page.parent.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page} links to {target}"

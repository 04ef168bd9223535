"""Fault trials: a command repeats the trial of a seed."""

import pytest
import typer
from typer.testing import CliRunner

from statecrawl.lab.fault_trials import ARCHITECTURES, command, main, outcome_lines, trial

app = typer.Typer()
app.command()(main)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_command_of_a_seed_prints_the_trial(architecture: str) -> None:
    *_, name, seed = command(architecture, 7).split()
    result = CliRunner().invoke(app, [name, seed])
    assert result.exit_code == 0
    outcome = trial(architecture, 7)
    assert result.output.splitlines() == outcome_lines(architecture, outcome)
    assert all(
        any(fault.kind in line for line in outcome_lines(architecture, outcome)) for fault in outcome.schedule.faults
    )
    assert result.output.endswith("verdict: correct\n")


def test_an_unknown_architecture_is_refused() -> None:
    result = CliRunner().invoke(app, ["ring", "7"])
    assert result.exit_code == 2
    assert "ring is none of client-server" in result.output

"""Trials: a seed is run again by a command, which says what happened."""

import pytest
import typer
from typer.testing import CliRunner

from statecrawl.lab.fault_trials import ARCHITECTURES, command, main, outcome_lines, trial

app = typer.Typer()
app.command()(main)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_command_of_a_seed_tells_what_the_trial_did(architecture: str) -> None:
    *_, name, seed = command(architecture, 7).split()
    result = CliRunner().invoke(app, [name, seed])
    assert result.exit_code == 0
    outcome = trial(architecture, 7)
    assert result.output.splitlines() == outcome_lines(architecture, outcome)
    assert all(
        any(fault.kind in line for line in outcome_lines(architecture, outcome)) for fault in outcome.schedule.faults
    )
    assert result.output.endswith("verdict: correct\n")


def test_a_name_that_is_none_is_said() -> None:
    result = CliRunner().invoke(app, ["ring", "7"])
    assert result.exit_code == 2
    assert "ring is none of client-server" in result.output

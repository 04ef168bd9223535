"""Crawls without faults end, however the work is shared, and without a heartbeat."""

from dataclasses import replace

import pytest

from statecrawl.lab.calm_trials import calm_trial, name_of, settings
from statecrawl.ports.scale_run import ScaleSetting

SEEDS = (0, 1, 4, 5)


@pytest.mark.parametrize("setting", list(settings()), ids=name_of)
def test_a_crawl_without_faults_ends(setting: ScaleSetting) -> None:
    assert [calm_trial(replace(setting, seed=seed))[0] for seed in SEEDS] == [None] * len(SEEDS)

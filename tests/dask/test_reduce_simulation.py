"""The simulation of the reduce: nothing is counted twice or left out, whatever is lost."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from properties import examples

PATH = Path(__file__).parents[2] / "benchmarks" / "scaling" / "reduce_simulation.py"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reduce_simulation", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


SIMULATION = load()


@examples(50)
@given(
    st.integers(8, 30),
    st.integers(1, 200),
    st.sampled_from([0.0, 5.0, 60.0]),
    st.floats(0, 0.5),
    st.integers(0, 99),
)
def test_every_partition_counts_once(
    n_workers: int, n_partitions: int, losses: float, slow: float, seed: int
) -> None:
    cluster = SIMULATION.Cluster(
        n_workers=n_workers, n_partitions=n_partitions, losses=losses, slow_fraction=slow, restart=1.0
    )
    result = SIMULATION.Play(cluster, seed).run()
    assert result.total == n_partitions * (n_partitions + 1) // 2
    assert result.n_run >= n_partitions


def test_without_losses_a_thousand_workers_take_their_part() -> None:
    cluster = SIMULATION.Cluster(n_workers=1000, n_partitions=8000)
    result = SIMULATION.Play(cluster).run()
    n_merges = 1000 + 125 + 16 + 2 + 1
    assert result.n_run == 8000 + n_merges
    assert result.seconds == pytest.approx(8 * (cluster.task + cluster.latency), rel=0.02)


def test_losses_and_slow_workers_cost_time() -> None:
    calm = SIMULATION.Play(SIMULATION.Cluster()).run()
    slow = SIMULATION.Play(SIMULATION.Cluster(slow_fraction=0.05)).run()
    lossy = SIMULATION.Play(SIMULATION.Cluster(losses=10.0)).run()
    assert slow.seconds > calm.seconds
    assert lossy.n_lost > 10
    assert lossy.seconds > calm.seconds
    assert lossy.n_run > calm.n_run
    assert lossy.seconds < 4.0 * calm.seconds

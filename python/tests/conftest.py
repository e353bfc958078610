"""What tests share: small data of every kind, and the program."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stakes


@pytest.fixture(scope="session")
def storms() -> stakes.Dataset:
    """Generated storms."""
    return stakes.generate("storms", lists=30, rows=1200, networks=60)


@pytest.fixture(scope="session")
def parts(storms: stakes.Dataset) -> tuple[stakes.Dataset, stakes.Dataset]:
    """Storms to train with, and later ones."""
    return storms.hold_out(0.3)


@pytest.fixture(scope="session")
def model(parts: tuple[stakes.Dataset, stakes.Dataset]) -> stakes.Model:
    """A small model of the storms."""
    return stakes.train(parts[0], k=5, learner="two-part", rounds=15, baseline=False)


@pytest.fixture(scope="session")
def arrays() -> dict[str, Any]:
    """Costs that depend on two of five features, in 20 lists of 30 rows."""
    draw = np.random.default_rng(7)
    X = draw.normal(size=(600, 5)).astype(np.float32)
    y = np.maximum(0.0, X[:, 0] + 0.5 * X[:, 1] + 0.3 * draw.normal(size=600)) * 100
    return {"X": X, "y": np.round(y, 2), "qid": np.repeat(np.arange(20), 30)}


@pytest.fixture(scope="session")
def lists() -> stakes.Dataset:
    """A few storms, for trainings that are made many times."""
    return stakes.generate("storms", lists=24, rows=500, networks=30)


@pytest.fixture(scope="session")
def file(lists: stakes.Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same in a file."""
    path = tmp_path_factory.mktemp("data") / "storms.csv"
    lists.save(path)
    return path


def json_of(model: stakes.Model) -> bytes:
    """The bytes of a model's file."""
    return model._model.to_json()


def program(*words: str | os.PathLike[str], code: int = 0) -> str:
    """Runs the program of the package; returns what it prints."""
    ran = subprocess.run(
        [sys.executable, "-m", "stakes", *map(str, words)],
        capture_output=True,
        text=True,
        env={**os.environ, "NO_COLOR": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert ran.returncode == code, ran.stderr
    return ran.stdout + ran.stderr


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The public data sets; tests that need them are skipped without them, and say so."""
    root = Path(__file__).resolve().parents[2]
    folder = Path(os.environ.get("STAKES_DATA", root.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"the public data sets are not in {folder} (STAKES_DATA)")
    return folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests with a cluster come last: it is started once, and is there for nobody else."""
    items.sort(key=lambda item: "cluster" in getattr(item, "fixturenames", ()))


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    """A cluster of one machine, to which others can be added; its CPUs only count."""
    import ray
    import ray_engines
    from ray import cloudpickle
    from ray.cluster_utils import Cluster

    before = dict(os.environ)
    os.environ.update(
        RAY_USAGE_STATS_ENABLED="0",
        # On a busy machine workers would otherwise give way to all other processes, be started again if that takes a
        # minute, and be killed when the others need much memory.
        RAY_worker_niceness="0",
        RAY_worker_register_timeout_seconds="600",
        RAY_memory_monitor_refresh_ms="0",
        PYTHONPATH=os.pathsep.join(sys.path),
    )
    os.environ.pop("RAY_ADDRESS", None)
    cloudpickle.register_pickle_by_value(ray_engines)
    quiet: dict[str, Any] = {"include_dashboard": False, "object_store_memory": 200_000_000}
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": ray_engines.CPUS, **quiet})
    ray.init(address=made.address, logging_level="ERROR", log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()
    cloudpickle.unregister_pickle_by_value(ray_engines)
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Sixty lists for stand-ins, in twelve files of different sizes."""
    names = np.split(np.arange(60), [1, 3, 6, 10, 15, 21, 25, 30, 36, 45, 52])
    for number, part in enumerate(names):
        (tmp_path / f"{number}.txt").write_text(" ".join(map(str, part)))
    return [str(tmp_path / f"{number}.txt") for number in range(12)]


@pytest.fixture(scope="session")
def storm_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """3,000 rows of storms: in one file, in four, and two more files of later storms to validate with."""
    folder = tmp_path_factory.mktemp("storms")
    storms = stakes.generate("storms", lists=36, rows=4500, networks=160)
    paths = [folder / f"{number}.csv" for number in range(6)]
    for number, path in enumerate(paths):
        stakes.Dataset._of(storms._data.take_lists([*range(number * 6, number * 6 + 6)])).save(path)
    whole, later = folder / "whole.csv", folder / "later.csv"
    for target, parts in ((whole, paths[:4]), (later, paths[4:])):
        texts = [part.read_text().split("\n", 1) for part in parts]
        target.write_text(texts[0][0] + "\n" + "".join(rows for _, rows in texts))
    return {"roles": storms.roles, "whole": whole, "later": later, "parts": paths[:4], "valid": paths[4:]}


@pytest.fixture(scope="session")
def storm_options(storm_files: dict[str, Any]) -> dict[str, Any]:
    """A short training of the storms."""
    return {**storm_files["roles"], "k": 5, "learner": "two-part", "rounds": 20, "hold_out": 0.25}


@pytest.fixture(scope="session")
def undisturbed(storm_files: dict[str, Any], storm_options: dict[str, Any]) -> str:
    """The model that it leads to on one machine."""
    return stakes.train(storm_files["whole"], **storm_options, baseline=False, progress=False).to_json()

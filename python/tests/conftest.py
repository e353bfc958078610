"""What tests share: small data of every kind, and the program."""

from __future__ import annotations

import os
import subprocess
import sys
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

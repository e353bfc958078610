"""Optuna, MLflow and shap, where they are installed; the examples; the docstrings' types."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stakes

ROOT = Path(__file__).resolve().parents[2]


def test_optuna_prunes_trials(arrays: dict[str, Any]) -> None:
    optuna = pytest.importorskip("optuna")
    from stakes.optuna import PruningCallback

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    data = stakes.Dataset(arrays["X"], impact=arrays["y"], list=arrays["qid"])

    def objective(trial: Any) -> float:
        rate = trial.suggest_categorical("rate", [0.3, 1e-6])
        model = stakes.train(
            data,
            k=5,
            learner="lambdamart",
            rounds=15,
            patience=0,
            rate=rate,
            hold_out=0.25,
            baseline=False,
            callbacks=[PruningCallback(trial)],
        )
        return max(model.curve["score"])

    pruner = optuna.pruners.MedianPruner(n_startup_trials=2, n_warmup_steps=3)
    sampler = optuna.samplers.GridSampler({"rate": [0.3, 1e-6]}, seed=0)
    study = optuna.create_study(direction="maximize", pruner=pruner, sampler=sampler)
    study.enqueue_trial({"rate": 0.3})
    study.enqueue_trial({"rate": 0.3})
    study.enqueue_trial({"rate": 1e-6})
    study.optimize(objective, n_trials=3)
    states = [trial.state.name for trial in study.trials]
    assert states == ["COMPLETE", "COMPLETE", "PRUNED"]


@pytest.mark.filterwarnings("ignore")
def test_mlflow_logs_rounds_and_models(parts: Any, tmp_path: Path) -> None:
    mlflow = pytest.importorskip("mlflow")
    from stakes.mlflow import MlflowCallback, log_model

    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/runs.db" if _has("sqlalchemy") else tmp_path.as_uri())
    mlflow.create_experiment("storms", artifact_location=(tmp_path / "files").as_uri())
    mlflow.set_experiment("storms")
    with mlflow.start_run() as run:
        model = stakes.train(parts[0], k=5, learner="two-part", rounds=10, callbacks=[MlflowCallback(5)])
        log_model(model)
    logged = mlflow.get_run(run.info.run_id).data
    assert logged.params["learner"] == "two-part" and logged.metrics
    assert list((tmp_path / "files").rglob("model.json"))


def _has(name: str) -> bool:
    try:
        __import__(name)
    except ImportError:
        return False
    return True


@pytest.mark.filterwarnings("ignore")
def test_shap_draws_what_features_add(arrays: dict[str, Any]) -> None:
    shap = pytest.importorskip("shap")
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    data = stakes.Dataset(arrays["X"], impact=arrays["y"], list=arrays["qid"], features=list("abcde"))
    model = stakes.train(data, k=5, learner="two-part", rounds=20, baseline=False)
    found = model.explain(arrays["X"])
    assert isinstance(found, shap.Explanation) and found.feature_names == list("abcde")
    assert np.allclose(found.base_values + found.values.sum(axis=1), model.score(arrays["X"], fitted=True))
    assert np.abs(found.values).mean(axis=0).argmax() == 0
    shap.plots.bar(found, show=False)
    shap.plots.waterfall(found[0], show=False)
    plt.close("all")


EXAMPLES = sorted((ROOT / "python" / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run(example: Path, tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", str(example)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode == 77:
        pytest.skip(ran.stderr.strip())
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert ran.stdout.strip()

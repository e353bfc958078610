"""MLflow: log a training.

``stakes.train(..., callbacks=[MlflowCallback()])`` logs the measured value of each round to the active run;
:func:`log_model` logs parameters, figures and the model itself.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

try:
    import mlflow
except ImportError as error:
    raise ImportError("stakes.mlflow needs MLflow: pip install 'stakes[mlflow]'") from error

from stakes._model import Model


def _key(text: str) -> str:
    """A name that MLflow allows."""
    return re.sub(r"[^\w\-. /]", "_", text)


class MlflowCallback:
    """Logs the measured value after each ``every`` rounds."""

    def __init__(self, every: int = 10) -> None:
        if every < 1:
            raise ValueError(f"every is {every}; it must be 1 or more")
        self.every = every

    def __call__(self, event: dict[str, Any]) -> None:
        if event["event"] == "round" and event["round"] % self.every == 0:
            mlflow.log_metric(_key(f"{event['stage']} {event['measure']}"), event["value"], step=event["round"])


def log_model(model: Model, name: str = "model") -> None:
    """Logs a model to the active run: its parameters, its figures on lists left out, its file."""
    info = model.info
    mlflow.log_params({"learner": model.learner, "seed": info["seed"], **info["changed"]})
    for row in (model.summary if model._summary else {}).get("results", []):
        if row["value"] is not None:
            mlflow.log_metric(_key(f"{row['score']} {row['metric']}"), row["value"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.json"
        model.save(path)
        mlflow.log_artifact(str(path))

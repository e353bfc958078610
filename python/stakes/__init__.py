"""Cost-sensitive learning to rank: act on the few items of each list that save the most cost, and prove it.

>>> import stakes
>>> storms = stakes.generate("storms", lists=40, rows=2000)
>>> past, new = storms.hold_out(0.25)
>>> model = stakes.train(past, k=10, learner="two-part", rounds=30)
>>> ranked = model.rank(new, k=10)
>>> found = stakes.evaluate(new, {"model": model}, k=10)
>>> found.value("model") > found.value("random")
True
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING

from stakes import metrics
from stakes._dataset import Dataset, read
from stakes._errors import StakesNote
from stakes._import import import_model
from stakes._model import Model, plan
from stakes._report import Report, report
from stakes._results import Audit, Backtest, Comparison, Evaluation, Explanation, Monitoring, Plan, Prepared
from stakes._stakes import __version__
from stakes._train import train
from stakes._workflows import (
    audit,
    backtest,
    compare,
    evaluate,
    generate,
    learner_names,
    learners,
    metric_names,
    monitor,
    prepare,
    set_threads,
)

__all__ = [
    "Audit",
    "Backtest",
    "Comparison",
    "Dataset",
    "Evaluation",
    "Explanation",
    "Model",
    "Monitoring",
    "Plan",
    "Prepared",
    "Report",
    "StakesNote",
    "__version__",
    "audit",
    "backtest",
    "compare",
    "evaluate",
    "generate",
    "import_model",
    "load",
    "learner_names",
    "learners",
    "metric_names",
    "metrics",
    "monitor",
    "plan",
    "prepare",
    "read",
    "report",
    "set_threads",
    "train",
]

if TYPE_CHECKING:
    from stakes import mlflow as mlflow
    from stakes import optuna as optuna
    from stakes import sklearn as sklearn
    from stakes._learners import *  # noqa: F403
    from stakes._ranker import StakesRanker as StakesRanker
    from stakes.sklearn import ListKFold as ListKFold
    from stakes.sklearn import TimeListSplit as TimeListSplit
    from stakes.sklearn import make_scorer as make_scorer
else:
    _NEIGHBOURS = ("mlflow", "optuna", "ray", "sklearn")
    _SKLEARN = ("ListKFold", "StakesRanker", "TimeListSplit", "make_scorer")

    def __getattr__(name):
        """What needs other packages is imported when it is asked for."""
        if name in _NEIGHBOURS:
            return importlib.import_module(f"stakes.{name}")
        if name in _SKLEARN or name.endswith("Ranker"):
            return getattr(importlib.import_module("stakes.sklearn"), name)
        raise AttributeError(f"module 'stakes' has no attribute {name!r}")

    def __dir__():
        return sorted([*globals(), *_NEIGHBOURS, *_SKLEARN])


def load(path: str | os.PathLike[str]) -> Model:
    """Reads a model file: :meth:`Model.load`."""
    return Model.load(path)

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

from stakes import metrics
from stakes._dataset import Dataset, read
from stakes._errors import StakesNote
from stakes._model import Model, plan
from stakes._results import Audit, Backtest, Comparison, Evaluation, Explanation, Plan, Prepared
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
    "Plan",
    "Prepared",
    "StakesNote",
    "__version__",
    "audit",
    "backtest",
    "compare",
    "evaluate",
    "generate",
    "learner_names",
    "learners",
    "metric_names",
    "metrics",
    "plan",
    "prepare",
    "read",
    "set_threads",
    "train",
]

_SKLEARN = ("ListKFold", "StakesRanker", "TimeListSplit", "make_scorer")


def __getattr__(name: str) -> object:
    """What needs scikit-learn is imported when it is asked for."""
    if name in _SKLEARN or name.endswith("Ranker"):
        from stakes import sklearn

        return getattr(sklearn, name)
    raise AttributeError(f"module 'stakes' has no attribute {name!r}")

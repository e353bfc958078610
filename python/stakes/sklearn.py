"""scikit-learn's manners: estimators, splitters and scorers.

Lists are given as ``qid`` (an id for each row, as in XGBoost) or ``group`` (the sizes of lists in row order, as in
LightGBM). Without either, all rows are one list.

>>> import numpy as np, stakes
>>> X = np.random.default_rng(0).normal(size=(200, 3)).astype(np.float32)
>>> cost, qid = np.maximum(X[:, 0], 0), np.repeat(np.arange(10), 20)
>>> ranker = stakes.StakesRanker(learner="two-part", k=5, rounds=20).fit(X, cost, qid=qid)
>>> bool(ranker.score(X, cost, qid=qid) > 0.5)
True
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, ClassVar

import numpy as np
from sklearn.metrics import make_scorer as _make_scorer
from sklearn.model_selection import BaseCrossValidator

from stakes import _stakes
from stakes._dataset import Dataset
from stakes._goal import goal
from stakes._learners import *  # noqa: F403
from stakes._learners import __all__ as _learners
from stakes._ranker import StakesRanker
from stakes._workflows import metrics_table

__all__: list[str] = ["ListKFold", "StakesRanker", "TimeListSplit", "make_scorer", *_learners]


class ListKFold(BaseCrossValidator):  # type: ignore[misc]
    """Folds of whole lists: ``cv.split(X, y, groups=qid)``. With ``shuffle`` lists are dealt at random."""

    # Lists are always wanted, so that metadata routing brings them without being asked.
    __metadata_request__split: ClassVar[dict[str, bool]] = {"groups": True}

    def __init__(self, n_splits: int = 5, *, shuffle: bool = False, seed: int = 0) -> None:
        if n_splits < 2:
            raise ValueError(f"n_splits is {n_splits}; it must be 2 or more")
        self.n_splits, self.shuffle, self.seed = n_splits, shuffle, seed

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # pyright: ignore
        """The number of folds."""
        return self.n_splits

    def _iter_test_masks(self, X: Any = None, y: Any = None, groups: Any = None) -> Generator[Any, Any, None]:
        if groups is None:
            raise ValueError("the lists of the rows are needed: give them as groups")
        names, at = np.unique(np.asarray(groups), return_inverse=True)
        if len(names) < self.n_splits:
            raise ValueError(f"there are {len(names)} lists, fewer than {self.n_splits} folds")
        order = np.arange(len(names))
        if self.shuffle:
            np.random.default_rng(self.seed).shuffle(order)
        fold_of = np.empty(len(names), np.int64)
        fold_of[order] = np.arange(len(names)) % self.n_splits
        for fold in range(self.n_splits):
            yield fold_of[at] == fold


class TimeListSplit(BaseCrossValidator):  # type: ignore[misc]
    """Folds of whole lists that look forward: models of earlier lists are tested by later ones.

    Args:
        time: the time of each row; the time of a list is that of its latest row.
        n_splits: the number of periods that are tested; the first period is only trained with.
    """

    # Lists are always wanted, so that metadata routing brings them without being asked.
    __metadata_request__split: ClassVar[dict[str, bool]] = {"groups": True}

    def __init__(self, time: Any, n_splits: int = 5) -> None:
        if n_splits < 1:
            raise ValueError(f"n_splits is {n_splits}; it must be 1 or more")
        self.time, self.n_splits = time, n_splits

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # pyright: ignore
        """The number of folds."""
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Generator[tuple[Any, Any], Any, None]:
        """Rows to train with and rows to test, period after period."""
        if groups is None:
            raise ValueError("the lists of the rows are needed: give them as groups")
        times, groups = np.asarray(self.time), np.asarray(groups)
        if times.shape != groups.shape:
            raise ValueError(f"time has {len(times)} values; there are {len(groups)} rows")
        names, at = np.unique(groups, return_inverse=True)
        order = np.argsort(times, kind="stable")
        latest = np.empty(len(names), times.dtype)
        latest[at[order]] = times[order]
        # Lists of one time stay together: nothing is learnt from the time that is tested.
        moments, moment = np.unique(latest, return_inverse=True)
        if len(moments) <= self.n_splits:
            raise ValueError(f"there are {len(moments)} times of lists; {self.n_splits} periods need more")
        period = moment * (self.n_splits + 1) // len(moments)
        of_row = period[at]
        for tested in range(1, self.n_splits + 1):
            yield np.flatnonzero(of_row < tested), np.flatnonzero(of_row == tested)


class MetricOf:
    """A metric as a function of scikit-learn: ``metric(y, scores, qid=...)``."""

    def __init__(self, metric: str) -> None:
        self.metric, self.__name__ = metric, metric

    def __call__(self, y: Any, scores: Any, *, qid: Any = None, sample_weight: Any = None) -> float:
        matrix = np.zeros((len(y), 1), np.float32)
        data = Dataset(matrix, impact=y, list=qid, weight=sample_weight, name="the arrays")
        value, _ = _stakes.figure(data._data, data._of_rows(scores, "scores"), self.metric, goal())
        return float("nan") if value is None else value


def make_scorer(metric: str) -> Any:
    """A scorer by the name of a metric: ``make_scorer("rcs@10")``; metrics of which lower values are better are
    negated. With metadata routing, ``make_scorer("rcs@10").set_score_request(qid=True)`` knows the lists."""
    # A name that is none, or an option that is none, is said here and not in the middle of a search.
    probe = Dataset(np.zeros((2, 1), np.float32), impact=[1.0, 0.0], price=[1.0, 1.0])
    _stakes.figure(probe._data, np.array([1.0, 0.0]), metric, goal())
    name = metric.split("@")[0].split(":")[0]
    better = next((row["higher_is_better"] for row in metrics_table() if name in (row["name"], *row["aliases"])), True)
    return _make_scorer(MetricOf(metric), greater_is_better=better)

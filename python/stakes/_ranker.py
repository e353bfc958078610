"""The estimator of scikit-learn's manners that all others are."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np

try:
    from sklearn.base import BaseEstimator
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise ImportError("stakes.sklearn needs scikit-learn 1.6 or later: pip install 'stakes[sklearn]'") from error

from stakes import _frames, _stakes
from stakes._dataset import Dataset, Source
from stakes._errors import say
from stakes._goal import goal
from stakes._model import Model
from stakes._train import train


def list_ids(rows: int, qid: Any = None, group: Any = None) -> Any:
    """A list for each row, from ids or from sizes; which one is meant is checked, never guessed."""
    if qid is not None and group is not None:
        raise ValueError("qid and group are both given; give ids of lists (qid) or sizes of lists (group)")
    if group is not None:
        sizes = np.asarray(group)
        if sizes.ndim != 1 or sizes.dtype.kind not in "iu" or (sizes < 1).any():
            raise ValueError("group must be sizes of lists: whole numbers from 1 on. Ids for each row are given as qid")
        if sizes.sum() != rows:
            looks = " (it looks like an id for each row: give it as qid)" if len(sizes) == rows else ""
            raise ValueError(f"the sizes in group sum to {sizes.sum()}, and there are {rows} rows{looks}")
        return np.repeat(np.arange(len(sizes)), sizes)
    if qid is None:
        return None
    ids = np.asarray(qid)
    if ids.shape != (rows,):
        looks = ""
        if ids.ndim == 1 and ids.dtype.kind in "iu" and ids.sum() == rows:
            looks = " (they look like sizes of lists: give them as group)"
        raise ValueError(f"qid has the shape {ids.shape}; it must have an id for each of {rows} rows{looks}")
    return ids


class StakesRanker(BaseEstimator):  # type: ignore[misc]
    """Ranks the items of lists by what acting on them saves.

    Args:
        learner: a name of :func:`stakes.learner_names`; ``auto`` cross-validates several and blends the best.
        k: how many items of each list can be acted on: a number, or a share such as ``"10%"``.
        budget: how much money can be spent in each list instead; rows then need a ``price``.
        metric: what decides when training stops: a name, or a function ``metric(scores, cost, lists)``.
        loss: a function ``loss(scores, cost, lists) -> (grad, hess)`` that boosted trees minimise.
        seed: of all random draws.
        params: parameters of the learner, by their names or those of LightGBM: ``num_leaves=31``.
    """

    _learner: str | None = None
    n_features_in_: int

    def __init__(
        self,
        learner: str = "auto",
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        loss: Any = None,
        seed: int = 0,
        **params: Any,
    ) -> None:
        self.learner = learner
        self.k = k
        self.budget = budget
        self.metric = metric
        self.loss = loss
        self.seed = seed
        self._set_extra(params)

    def _set_extra(self, params: dict[str, Any]) -> None:
        """Keeps what is not a parameter of this class: parameters of the learner, by any of their names."""
        self._extra = params

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """All parameters, those of the learner included."""
        found: dict[str, Any] = super().get_params(deep)
        found.update(self._extra)
        return found

    def set_params(self, **params: Any) -> StakesRanker:
        """Sets parameters; what is not one of this class is one of the learner."""
        known = self._get_param_names()
        for name, value in params.items():
            if name in known:
                setattr(self, name, value)
            else:
                self._extra = {**self._extra, name: value}
        return self

    def _learner_params(self) -> dict[str, Any]:
        """The parameters of the learner that are not as they are by default."""
        found = dict(self._extra)
        if self._learner is not None:
            signature = inspect.signature(type(self).__init__).parameters.values()
            defaults = {of.name: of.default for of in signature if of.kind is of.KEYWORD_ONLY}
            own = {name: getattr(self, name) for name in defaults if name not in ("k", "budget", "metric", "seed")}
            found.update({name: value for name, value in own.items() if value != defaults[name]})
        return {name.removeprefix("learner_"): value for name, value in found.items() if value is not None}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        tags.target_tags.one_d_labels = True
        return tags

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        qid: Any = None,
        group: Any = None,
        sample_weight: Any = None,
        price: Any = None,
        time: Any = None,
        eval_set: Sequence[tuple[Any, Any]] | None = None,
        eval_qid: Sequence[Any] | None = None,
    ) -> StakesRanker:
        """Trains on rows ``X`` with their costs ``y``.

        Args:
            X: a matrix or a frame; a frame may have categories and missing values.
            y: the cost of each row, not negative.
            qid: the list of each row; or ``group``: the sizes of lists in row order.
            sample_weight: an importance of each row beside the cost.
            price: what acting on each row costs.
            time: when each row was observed; later lists then judge models of earlier ones.
            eval_set: one pair of rows and costs to validate with, whose lists are ``eval_qid``.
        """
        roles = {"weight": sample_weight, "price": price, "time": time}
        data = self._data(X, y, qid, group, roles, reset=True)
        valid = None
        if eval_set is not None:
            if isinstance(eval_set, tuple) and len(eval_set) == 2 and not isinstance(eval_set[0], tuple):
                eval_set = [eval_set]
            if eval_qid is None and (qid is not None or group is not None):
                raise ValueError("eval_set is given without eval_qid: the lists of its rows are not known")
            if len(eval_set) != 1:
                raise ValueError(f"eval_set has {len(eval_set)} pairs; one is used for early stopping")
            of_valid = None if eval_qid is None else eval_qid[0]
            valid = self._data(*eval_set[0], of_valid, None, {})
        elif eval_qid is not None:
            raise ValueError("eval_qid is given without eval_set")
        loss = getattr(self, "loss", None) if self._learner is None else None
        if (price is None) != (self.budget is None):
            raise ValueError("a budget needs the price of each row, and prices are for a budget; give both or neither")
        model = train(
            data,
            None if self.budget is not None else self.k,
            None if loss is not None else self._learner or self.learner,
            budget=self.budget,
            metric=self.metric,
            loss=loss,
            seed=self.seed,
            valid=valid,
            baseline=False,
            progress=False,
            # There is no way to answer here.
            _note_leaks=True,
            learner_params=self._learner_params(),
        )
        if model.interrupted:
            # What called this, such as a search, must not go on with a half of a model.
            raise KeyboardInterrupt("the training was interrupted")
        self.model_, self.n_lists_ = model, data.n_lists
        return self

    def _data(
        self,
        X: Any,
        y: Any,
        qid: Any,
        group: Any,
        roles: dict[str, Any],
        *,
        reset: bool = False,
        model: Model | None = None,
    ) -> Dataset:
        """Data of rows, to train with or for a model; ``y`` is None where costs are not known."""
        frame = _frames.kind_of(X) in ("pandas", "polars", "pyarrow")
        if frame and model is not None and not self._knows(X, model):
            # Fitted on a matrix: columns are taken by position, as scikit-learn's own estimators do.
            frame = False
        if y is None and reset:
            raise ValueError(f"This {type(self).__name__} estimator requires y to be passed, but the target y is None.")
        checked = _checked(self, X, y, reset, frame)
        rows = len(X) if frame else checked.shape[0]
        if y is not None:
            y = _target(y, rows)
        lists = list_ids(rows, qid, group)
        given = {role: np.asarray(value) for role, value in roles.items() if value is not None}
        if "weight" in given and len(given["weight"]) and not np.any(given["weight"]):
            raise ValueError("every sample weight is zero: no row counts")
        names = None
        if not frame:
            seen = getattr(self, "feature_names_in_", None)
            # A model of a frame whose names are no text knows them as text.
            names = list(seen) if seen is not None else None if model is None else model.features
        source = Source(X if frame else checked, {"list": lists, "impact": y, **given}, {}, {}, names, "X")
        purpose = "rank" if y is None else "measure"
        of_model = None if model is None or not frame else (model._model, purpose, "price" in given)
        return Dataset._of(source.read(of_model), source)

    def _knows(self, X: Any, model: Model) -> bool:
        """Whether the model was trained on columns of these names."""
        names = set(_frames.names(X, _frames.kind_of(X) or ""))
        return hasattr(self, "feature_names_in_") or names >= set(model.features)

    def predict(self, X: Any) -> Any:
        """The score of each row: within a list, rows with higher scores are to be acted on first."""
        check_is_fitted(self, "model_")
        data = self._data(X, None, None, None, {}, model=self.model_)
        values, _ = self.model_._model.score(data._data, True)
        return data._to_rows(values)

    def rank(self, X: Any, *, qid: Any = None, group: Any = None, k: int | str | None = None) -> Any:
        """The rank of each row in its list, from 1."""
        check_is_fitted(self, "model_")
        data = self._data(X, None, qid, group, {}, model=self.model_)
        columns, _ = _stakes.rank(
            self.model_._model, data._data, k=None if k is None else str(k), budget=None, top=None, reasons=0,
            min_share=[], at_most=[], fitted=True,
        )  # fmt: skip
        ranks = np.empty(len(data), np.int64)
        ranks[data.rows[columns["item"]]] = columns["rank"]
        return ranks

    def score(
        self, X: Any, y: Any, *, qid: Any = None, group: Any = None, sample_weight: Any = None, price: Any = None
    ) -> float:
        """R_CS: the share of all savable cost that is saved by acting on k items, or within the budget."""
        check_is_fitted(self, "model_")
        data = self._data(X, y, qid, group, {"weight": sample_weight, "price": price}, model=self.model_)
        if qid is None and group is None and self.n_lists_ > 1:
            lists = f"fitted on {self.n_lists_} lists, and scored as one"
            say([f"{lists}: give qid (in searches: set_score_request(qid=True))"])
        values, _ = self.model_._model.score(data._data, True)
        reach = goal(self.k) if self.budget is None else goal(budget=self.budget)
        values = self.model_._model.priorities(data._data, values, reach)
        value, _ = _stakes.figure(data._data, values, "rcs", reach)
        # Nothing to save: every order saves all of it.
        return 1.0 if value is None else value

    @property
    def feature_importances_(self) -> Any:
        """The share of each feature in what the model learnt, in the order of the features."""
        check_is_fitted(self, "model_")
        shares = self.model_.importances
        names = getattr(self, "feature_names_in_", None)
        names = [f"f{number}" for number in range(self.n_features_in_)] if names is None else names
        return np.array([shares.get(str(name), 0.0) for name in names])

    @property
    def evals_result_(self) -> dict[str, dict[str, list[float]]]:
        """The measured values after each round: by stage, then by measure."""
        check_is_fitted(self, "model_")
        return {stage["name"]: {stage["measure"]: stage["curve"]} for stage in self.model_.info["stages"]}

    @property
    def best_iteration_(self) -> int:
        """The number of rounds that the model keeps, in its last stage."""
        check_is_fitted(self, "model_")
        stages = self.model_.info["stages"]
        return int(stages[-1]["kept"]) if stages else 0


def _checked(estimator: Any, X: Any, y: Any, reset: bool, frame: bool) -> Any:
    """Rows, checked as scikit-learn's estimators do; frames keep their columns."""
    if frame:
        # Text and categories are for the readers of Stakes; here only names and numbers of columns.
        if reset:
            names = list(X.columns) if hasattr(X, "columns") else list(X.schema.names)
            estimator.n_features_in_ = len(names)
            if all(isinstance(name, str) for name in names):
                estimator.feature_names_in_ = np.asarray(names, dtype=object)
            elif hasattr(estimator, "feature_names_in_"):
                del estimator.feature_names_in_
        elif hasattr(X, "columns") and hasattr(estimator, "feature_names_in_"):
            validate_data(estimator, X, reset=False, skip_check_array=True)
        if len(X) == 0:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
        return X
    rows: Any = validate_data(
        estimator, X, reset=reset, accept_sparse="csr", ensure_all_finite="allow-nan",
        dtype=[np.float32, np.float64], ensure_min_samples=2 if reset else 1,
    )  # fmt: skip
    return rows.toarray() if hasattr(rows, "toarray") else rows


def _target(y: Any, rows: int) -> Any:
    """Costs: one number for each row."""
    from sklearn.utils import column_or_1d

    costs = column_or_1d(y, warn=True)
    if costs.dtype.kind in "OUS":
        try:
            costs = costs.astype(np.float64)
        except (TypeError, ValueError):
            raise ValueError("Unknown label type: y must be numbers") from None
    if costs.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    if len(costs) != rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{rows}, {len(costs)}]")
    costs = costs.astype(np.float64)
    if np.isnan(costs).any():
        raise ValueError(f"Input y contains NaN: row {int(np.argmax(np.isnan(costs)))} has no cost")
    if np.isinf(costs).any():
        raise ValueError(f"Input y contains infinity: the cost of row {int(np.argmax(np.isinf(costs)))}")
    if (costs < 0).any():
        at = int(np.argmax(costs < 0))
        raise ValueError(
            f"Negative values in data passed to y: the cost of row {at} is {costs[at]}; it must be 0 or more"
        )
    return costs

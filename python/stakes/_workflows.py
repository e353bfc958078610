"""The verbs beside training: evaluate, compare, backtest, audit, monitor, prepare, generate."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from stakes import _frames, _stakes
from stakes._dataset import Dataset, as_dataset
from stakes._elsewhere import experiment_elsewhere
from stakes._errors import say
from stakes._goal import goal
from stakes._model import Model
from stakes._progress import Callback, Follower
from stakes._results import Audit, Backtest, Comparison, Evaluation, Monitoring, Prepared

if TYPE_CHECKING:
    from stakes.ray import Tasks


def reach_of(scores: Any, k: int | str | None, budget: float | None) -> tuple[int | str | None, float | None]:
    """How far actions reach: as it is said, or else as a model among the scores was trained for."""
    if k is None and budget is None:
        given = scores.values() if isinstance(scores, Mapping) else [scores]
        for model in given:
            if isinstance(model, Model):
                return model._model.reach
    return k, budget


def scores_of(data: Dataset, scores: Any, of_goal: dict[str, Any]) -> list[tuple[str, Any]]:
    """Scores by name, in the order of the items: arrays, columns or models. What money is spent by is a score per
    price."""
    if not isinstance(scores, Mapping):
        if isinstance(scores, str):
            scores = {scores: scores}
        elif isinstance(scores, Model):
            scores = {scores.learner: scores}
        else:
            scores = {str(getattr(scores, "name", None) or "score"): scores}
    found = []
    for name, given in scores.items():
        if isinstance(given, Model):
            values = given._model.priorities(data._data, given._scores(data, False, figures=True), of_goal)
        elif isinstance(given, str):
            values = data._data.numbers(given)
        elif hasattr(given, "predict"):
            raise TypeError(f"score {name!r} is an estimator; give its scores: .predict(X)")
        else:
            values = data._of_rows(given, f"score {name!r}")
        found.append((str(name), values))
    return found


def _metrics(metrics: str | Sequence[Any] | None) -> tuple[list[str], list[Any]]:
    """Metrics by name, and functions."""
    if metrics is None:
        return [], []
    listed = [metrics] if isinstance(metrics, str) or callable(metrics) else list(metrics)
    return [text for text in listed if not callable(text)], [own for own in listed if callable(own)]


def evaluate(
    data: Any,
    scores: Any,
    *,
    metrics: str | Sequence[Any] | None = None,
    k: int | str | None = None,
    budget: float | None = None,
    cost: str | None = None,
    policy: str | None = None,
    baseline: str | None = None,
    by: str | Sequence[str] | None = None,
    missing_group: str | None = None,
    intervals: bool = True,
    references: bool = True,
    seed: int = 0,
    progress: bool | None = None,
    callbacks: Sequence[Callback] | None = None,
    **roles: Any,
) -> Evaluation:
    """How much cost orders save: figures with intervals, reference orders, paired tests.

    Args:
        data: a :class:`stakes.Dataset`, or what it is made of together with roles.
        scores: names with what they stand for: an array with a score for each row, the name of a column, or a model.
        metrics: names (:func:`stakes.metric_names`), or functions ``metric(scores, cost, lists) -> float``, which have
            no intervals.
        k: how many items can be acted on, where a metric does not say it.
        baseline: the score that the others are compared with.
        by: columns of groups by which all metrics are shown as well.

    >>> import stakes
    >>> columns = {"storm": [1, 1, 1], "customers": [10000, 100, 0], "cable": [5, 4, 3], "wind": [14, 15, 16]}
    >>> data = stakes.Dataset(columns, list="storm", impact="customers")
    >>> found = stakes.evaluate(data, {"ours": "cable", "now": [14, 15, 16]}, metrics="rcs@1")
    >>> found.value("ours"), found.value("now")
    (1.0, 0.0)
    """
    data = as_dataset(data, **roles)
    k, budget = reach_of(scores, k, budget)
    of_goal = goal(k, budget, cost, policy)
    named = scores_of(data, scores, of_goal)
    names, own = _metrics(metrics)
    if own and not names:
        names = ["rcs"]
    with Follower("evaluating", progress, callbacks) as follower:
        text, picture = _stakes.evaluate(
            data._data,
            named,
            of_goal,
            metrics=names,
            baseline=baseline,
            by=_frames.text_list(by),
            missing_group=missing_group,
            tests=baseline is not None,
            references=references,
            intervals=intervals,
            calibration=False,
            seed=seed,
            follow=follower.call,
            every=follower.every,
        )
    found = json.loads(text)
    for metric in own:
        for name, values in named:
            value = float(metric(values.copy(), data._data.impact, data._data.offsets))
            better = bool(getattr(metric, "higher_is_better", True))
            row = {
                "score": name,
                "metric": getattr(metric, "__name__", "metric"),
                "value": value,
                "low": None,
            }
            row.update(high=None, lists=data.n_lists, higher_is_better=better, kind="score")
            found["results"].append(row)
    return Evaluation(found, data._source.frame_kind, picture)


def _asked(
    data: Dataset,
    learners: str | Sequence[str] | None,
    scores: Any,
    current: str | None,
    folds: Any,
    metrics: Any,
    tune: int | None,
    learning_curve: Sequence[float] | None,
    run: str | os.PathLike[str] | None,
    seed: int,
) -> dict[str, Any]:
    return {
        "learners": _frames.text_list(learners),
        "scores": [] if scores is None else scores_of(data, scores, goal()),
        "current": current,
        "folds": None if folds is None else str(folds),
        "metrics": _frames.text_list(metrics),
        "tune": tune,
        "learning_curve": [float(part) for part in learning_curve or []],
        "run": None if run is None else os.fspath(run),
        "seed": seed,
    }


def compare(
    data: Any,
    learners: str | Sequence[str] | None = None,
    *,
    k: int | str | None = None,
    budget: float | None = None,
    cost: str | None = None,
    policy: str | None = None,
    metrics: str | Sequence[str] | None = None,
    scores: Any = None,
    current: str | None = None,
    folds: int | str | None = None,
    tune: int | None = None,
    learning_curve: Sequence[float] | None = None,
    run: str | os.PathLike[str] | None = None,
    ray: str | Tasks | None = None,
    seed: int = 0,
    progress: bool | None = None,
    callbacks: Sequence[Callback] | None = None,
    **roles: Any,
) -> Comparison:
    """Which learner saves most on these data, and how sure that is: every contestant is trained in every fold.

    Args:
        learners: names, with settings after a colon: ``["auto", "cs-mart:leaves=8"]``; by default ``auto``.
        scores: scores from elsewhere, as for :func:`stakes.evaluate`.
        current: the column by which it is decided now.
        folds: a number, or a plan of the program: ``"5"``, ``"time:3"``.
        run: a directory that keeps what is finished, so that an interrupted comparison goes on.
        ray: make the trainings as tasks of Ray: the address of a cluster (``"auto"``, ``"local"``), or
            :class:`stakes.ray.Tasks`; as for :func:`stakes.train`.
    """
    data = as_dataset(data, **roles)
    asked = _asked(data, learners, scores, current, folds, metrics, tune, learning_curve, run, seed)
    first = asked["metrics"][0] if asked["metrics"] else None
    of_goal = goal(k, budget, cost, policy, first)
    with (
        experiment_elsewhere(ray, "compare", data, of_goal, asked) as jobs,
        Follower("comparing", progress, callbacks) as follower,
    ):
        text = _stakes.compare(data._data, of_goal, asked, jobs, follower.call, follower.every)
    return Comparison(json.loads(text), data._source.frame_kind)


def backtest(
    data: Any,
    learners: str | Sequence[str] | None = None,
    *,
    k: int | str | None = None,
    budget: float | None = None,
    cost: str | None = None,
    policy: str | None = None,
    metrics: str | Sequence[str] | None = None,
    scores: Any = None,
    current: str | None = None,
    folds: int | str | None = None,
    tune: int | None = None,
    run: str | os.PathLike[str] | None = None,
    ray: str | Tasks | None = None,
    seed: int = 0,
    progress: bool | None = None,
    callbacks: Sequence[Callback] | None = None,
    **roles: Any,
) -> Backtest:
    """What learners would have saved over past periods: as of each date they are trained on what was known then.

    Arguments as for :func:`stakes.compare`; the data need times.
    """
    data = as_dataset(data, **roles)
    asked = _asked(data, learners, scores, current, folds, metrics, tune, None, run, seed)
    first = asked["metrics"][0] if asked["metrics"] else None
    of_goal = goal(k, budget, cost, policy, first)
    with (
        experiment_elsewhere(ray, "backtest", data, of_goal, asked) as jobs,
        Follower("backtesting", progress, callbacks) as follower,
    ):
        text = _stakes.backtest(data._data, of_goal, asked, jobs, follower.call, follower.every)
    return Backtest(json.loads(text), data._source.frame_kind)


def audit(
    data: Any,
    scores: Any,
    *,
    group: str | Sequence[str] | None = None,
    protected: str | None = None,
    reference: str | None = None,
    measures: str | Sequence[str] | None = None,
    k: int | str | None = None,
    cost: str | None = None,
    policy: str | None = None,
    missing_group: str | None = None,
    resamples: int | None = None,
    draws: int | None = None,
    seed: int = 0,
    **roles: Any,
) -> Audit:
    """How a ranking treats groups: placement and treatment, with intervals and tests.

    Args:
        scores: an array with a score for each row, the name of a column, or a model.
        group: columns of groups; by default the column with that role.
        protected: the group to compare with the rest; by default every group in turn.
        reference: a group that all others are also compared with.
        measures: names; by default all that the data allow.
    """
    groups = _frames.text_list(group)
    if isinstance(data, Dataset):
        data = as_dataset(data, **roles)
    else:
        # A single column of groups has the role; several are categories.
        if len(groups) == 1:
            roles = {"group": groups[0], **roles}
        elif groups:
            roles = {"categorical": groups, **roles}
        data = as_dataset(data, **roles)
    groups = groups or [name for role, name in data.roles.items() if role == "group"]
    if not groups:
        raise TypeError("name the column of the groups (group)")
    k, _ = reach_of(scores, k, None)
    of_goal = goal(k, None, cost, policy)
    named = scores_of(data, scores, of_goal)
    if len(named) != 1:
        raise TypeError(f"an audit is of one score; {len(named)} are given")
    expected = scores._model.expected_costs(named[0][1]) if isinstance(scores, Model) else None
    text, page = _stakes.audit(
        data._data,
        named[0],
        of_goal,
        expected=expected,
        groups=groups,
        measures=_frames.text_list(measures),
        protected=protected,
        reference=reference,
        missing_group=missing_group,
        resamples=resamples,
        draws=draws,
        seed=seed,
    )
    return Audit(json.loads(text), data._source.frame_kind, page)


def monitor(
    model: Model,
    data: Any,
    *,
    reference: Any = None,
    previous: Model | None = None,
    max_psi: float = 0.2,
    max_calibration: float = 1.5,
    max_drop: float = 0.1,
    max_churn: float | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> Monitoring:
    """Whether a model still fits new lists: drift of features and scores, expected and saved costs, churn.

    Args:
        reference: lists to compare with; by default what the model keeps of its training.
        previous: the model that was used before.
        max_psi: the largest population stability index of a feature or the scores.
        max_calibration: the largest ratio of expected and observed cost, either way.
        max_drop: the largest drop of the goal's metric below what training promised.
        max_churn: the largest share of the items to act on that changes; by default there is no limit.
    """
    read = model._read(data, measure=True)
    text, page = model._model.monitor(
        read._data,
        reference=None if reference is None else model._read(reference, measure=True)._data,
        previous=None if previous is None else previous._model,
        limits=(max_psi, max_calibration, max_drop, max_churn),
        resamples=resamples,
        seed=seed,
    )
    return Monitoring(json.loads(text), page, read._source.frame_kind)


def prepare(
    log: str | os.PathLike[str],
    *,
    list: str,
    item: str,
    sum: str | Sequence[str] | None = None,
    max: str | Sequence[str] | None = None,
    count: bool = False,
    fill_zeros: bool = False,
    history: int | Sequence[int] = (),
    region: str | None = None,
    attributes: str | Sequence[str] | None = None,
    join: str | Sequence[str] | None = None,
    keep_outcomes: bool = False,
    max_rows: int | None = None,
    format: str | None = None,
    sheet: str | None = None,
    decimal: str | None = None,
    dates: str | None = None,
) -> Prepared:
    """Makes lists of a log of events, as ``stakes prepare``: with zeros for items to which nothing happened, and
    history from earlier lists alone.

    ``stakes.prepare("outages.xlsx", list="month:START.DATE", item="STATE", sum="CUSTOMERS.AFFECTED",
    fill_zeros=True, history=[1, 3, 12]).data`` is a data set.
    """
    path = os.fspath(log)
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path}: there is no such file")
    data, summary, notes = _stakes.prepare(
        path,
        {"format": format, "sheet": sheet, "decimal": decimal, "dates": dates},
        list=list,
        item=item,
        sum=_frames.text_list(sum),
        max=_frames.text_list(max),
        count=count,
        keep_outcomes=keep_outcomes,
        fill_zeros=fill_zeros,
        max_rows=max_rows,
        history=[history] if isinstance(history, int) else [int(length) for length in history],
        region=region,
        attributes=_frames.text_list(attributes),
        joins=_frames.text_list(join),
    )
    say(notes)
    return Prepared({"summary": json.loads(summary)}, Dataset._of(data))


_GENERATORS = ("storms", "search", "gaussians", "theorem")


def generate(
    what: str = "storms",
    *,
    seed: int = 1,
    lists: int | None = None,
    rows: int | None = None,
    networks: int | None = None,
    tail: str = "hurdle",
    oracle: bool = False,
    mean_length: float | None = None,
    items: int | None = None,
) -> Dataset:
    """Generates data, the same for a seed everywhere: ``storms``, ``search``, ``gaussians`` or ``theorem``.

    >>> import stakes
    >>> stakes.generate("storms", lists=10, rows=300).n_lists
    10
    """
    if what not in _GENERATORS:
        raise ValueError(f"there is no generator {what!r}; there are {', '.join(_GENERATORS)}")
    if tail not in ("hurdle", "compound", "tempered"):
        raise ValueError(f"tail is {tail!r}; allowed are hurdle, compound, tempered")
    taken = {
        "storms": {"lists", "rows", "networks"},
        "search": {"lists", "mean_length"},
        "gaussians": {"items"},
        "theorem": set[str](),
    }
    sizes = {"lists": lists, "rows": rows, "networks": networks, "mean_length": mean_length, "items": items}
    for name, value in sizes.items():
        if value is not None and name not in taken[what]:
            raise TypeError(f"{name} does nothing for {what}")
    data = _stakes.generate(what, seed=seed, tail=tail, oracle=oracle, **sizes)
    return Dataset._of(data)


def learner_names() -> list[str]:
    """The names of all learners."""
    return [entry["name"] for entry in learners()]


def learners() -> list[dict[str, Any]]:
    """All learners with their parameters: ``stakes learners --json``."""
    found: list[dict[str, Any]] = json.loads(_stakes.learners())
    return found


def metric_names() -> list[str]:
    """The names of all metrics."""
    return [entry["name"] for entry in metrics_table()]


def metrics_table() -> list[dict[str, Any]]:
    """All metrics with their options: ``stakes metrics --json``."""
    found: list[dict[str, Any]] = json.loads(_stakes.metrics())
    return found


def set_threads(number: int = 0) -> None:
    """Sets the number of threads; 0 is STAKES_THREADS or all cores. Results never depend on it."""
    if not 0 <= number <= 1024:
        raise ValueError(f"threads are {number}; allowed are 0 to 1024")
    _stakes.set_threads(number)

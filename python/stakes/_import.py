"""Models of other libraries."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stakes import _frames, _stakes
from stakes._errors import say
from stakes._goal import goal
from stakes._model import Model

#: The roles of columns that a model remembers.
_ROLES = ("list", "impact", "id", "price", "time", "weight", "group")


def import_model(
    model: Any,
    *,
    kind: str | None = None,
    features: Sequence[str] | None = None,
    rounds: int | None = None,
    pool: Any = None,
    calibrate: Any = None,
    list: str | None = None,
    impact: str | None = None,
    id: str | None = None,
    price: str | None = None,
    time: str | None = None,
    weight: str | None = None,
    group: str | None = None,
    k: int | str | None = None,
    budget: float | None = None,
    cost: str | None = None,
    policy: str | None = None,
    metric: str | None = None,
) -> Model:
    """A model of LightGBM, XGBoost, CatBoost, scikit-learn, RankLib or fastrank, with which everything works that works
    with a model of :func:`stakes.train`. Its scores are the library's; what a model of stakes cannot hold is refused.

    Args:
        model: a trained model of ``lightgbm``, ``xgboost`` or ``catboost``, a fitted tree, forest, boosting or linear
            model of scikit-learn (which needs ``skl2onnx``), a model of ``fastrank``, a file, or its content as bytes.
        kind: what the file holds, if it should not be found from its content.
        features: the names of the features, in the model's order, in place of those in the model.
        rounds: how many rounds of boosting to keep.
        pool: for a CatBoost model with categories, the ``Pool`` that names them.
        calibrate: data with costs that the model was **not** trained on, to fit expected costs on.
        list, impact, id, price, time, weight, group: the columns that have these roles in data for the model.
        k, budget, cost, policy, metric: what rankings by the model are for, as in :func:`stakes.train`.
    """
    content, name, found = _content(model, pool)
    columns = dict(zip(_ROLES, (list, impact, id, price, time, weight, group), strict=True))
    made, _, notes = _stakes.import_model(
        content,
        name,
        kind=kind,
        features=_frames.text_list(features) if features is not None else found.get("features"),
        rounds=rounds if rounds is not None else found.get("rounds"),
        roles=[(role, column) for role, column in columns.items() if column is not None],
        goal=goal(k, budget, cost, policy, metric),
    )
    say(notes)
    imported = Model(made)
    if calibrate is not None:
        imported = Model(_stakes.calibrate(made, imported._read(calibrate, measure=True)._data))
    return imported


def _content(model: Any, pool: Any) -> tuple[bytes, str, dict[str, Any]]:
    """The file of a model, what to call it in errors, and what the object knows that the file does not."""
    if isinstance(model, (bytes, bytearray, memoryview)):
        return bytes(model), "the model", {}
    if isinstance(model, (str, os.PathLike)):
        return Path(model).read_bytes(), os.fspath(model), {}
    library = type(model).__module__.split(".")[0]
    name = f"the {type(model).__name__}"
    if pool is not None and library != "catboost":
        raise TypeError("pool names the categories of a CatBoost model; leave it out")
    if library == "lightgbm":
        # With early stopping both hold the best rounds alone, by which they predict.
        booster = getattr(model, "booster_", model)
        return booster.model_to_string().encode(), name, {}
    if library == "xgboost":
        if hasattr(model, "get_booster"):
            best = model.get_booster().attr("best_iteration")
            found = {} if best is None else {"rounds": int(best) + 1}
            return bytes(model.get_booster().save_raw("ubj")), name, found
        return bytes(model.save_raw("ubj")), name, {}
    if library == "catboost":
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.json")
            model.save_model(path, format="json", pool=pool)
            return path.read_bytes(), name, {}
    if library == "fastrank" and hasattr(model, "to_dict"):
        import json

        return json.dumps(model.to_dict()).encode(), name, {}
    if hasattr(model, "n_features_in_"):
        return _onnx(model), name, _names(model)
    raise TypeError(
        f"{name} of {library} cannot be imported; models of lightgbm, xgboost, catboost, scikit-learn and fastrank "
        "can, and the files that they and RankLib write"
    )


def _onnx(model: Any) -> bytes:
    """A model of scikit-learn as ONNX, with probabilities as a matrix."""
    try:
        import numpy as np
        from skl2onnx import to_onnx
    except ImportError as error:
        raise ImportError("models of scikit-learn are imported by way of ONNX: pip install skl2onnx") from error
    row = np.zeros((1, model.n_features_in_), dtype=np.float32)
    options = {id(model): {"zipmap": False}} if hasattr(model, "classes_") else None
    return bytes(to_onnx(model, row, options=options).SerializeToString())


def _names(model: Any) -> dict[str, Any]:
    names = getattr(model, "feature_names_in_", None)
    return {} if names is None else {"features": [str(name) for name in names]}

"""The verbs, against the program: the same data and parameters give the same bytes."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import program

import stakes

ROLES = ("--list", "storm", "--impact", "customers_out", "--id", "network", "--time", "date", "--price", "crew_hours")
# Learners that need pairs, a base, or much time.
ELSEWHERE = {"exact-rerank"}
QUICK: dict[str, dict[str, Any]] = {
    "auto": {"effort": "low", "rounds": 5},
    "coordinate-ascent": {"restarts": 1},
    "cr-coordinate-ascent": {"restarts": 1},
    "cs-coordinate-ascent": {"restarts": 1},
}


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small file of storms."""
    path = tmp_path_factory.mktemp("data") / "storms.csv"
    stakes.generate("storms", lists=12, rows=240, networks=30).save(path)
    return path


def settings(learner: str) -> dict[str, Any]:
    """Few rounds for learners that have rounds."""
    if learner in QUICK:
        return QUICK[learner]
    known = next(entry for entry in stakes.learners() if entry["name"] == learner)
    return {"rounds": 5} if any(p["key"] == "rounds" for p in known["parameters"]) else {}


@pytest.mark.parametrize("learner", [name for name in stakes.learner_names() if name not in ELSEWHERE])
def test_models_are_the_bytes_of_the_program(small: Path, tmp_path: Path, learner: str) -> None:
    params = settings(learner)
    words = [word for key, value in params.items() for word in ("-p", f"{key}={value}")]
    program(
        "train",
        small,
        *ROLES,
        "-k",
        "5",
        "--learner",
        learner,
        *words,
        "--no-baseline",
        "-q",
        "-o",
        tmp_path / "m.json",
    )
    data = stakes.read(small, list="storm", impact="customers_out", id="network", time="date", price="crew_hours")
    model = stakes.train(data, k=5, learner=learner, baseline=False, **params)
    assert model.to_json() == (tmp_path / "m.json").read_text()
    # From a frame, too.
    again = stakes.train(
        data.to_frame("pandas"), k=5, learner=learner, baseline=False, list="storm", impact="customers_out",
        id="network", time="date", price="crew_hours", **params,
    )  # fmt: skip
    assert again.score(data, fitted=True).tobytes() == model.score(data, fitted=True).tobytes()


def test_a_ranking_is_that_of_the_program(parts: Any, model: stakes.Model, tmp_path: Path) -> None:
    parts[1].save(tmp_path / "new.csv")
    model.save(tmp_path / "m.json")
    printed = json.loads(program("rank", tmp_path / "m.json", tmp_path / "new.csv", "-k", "3", "--json", "-q"))
    ranked = model.rank(tmp_path / "new.csv", k=3)
    assert ranked["id"].tolist() == [row["id"] for row in printed]
    assert ranked["act"].tolist() == [row["act"] for row in printed]
    assert ranked["expected_cost"].tolist() == [row["expected_cost"] for row in printed]


def test_reasons_and_contributions_add_up(parts: Any, model: stakes.Model) -> None:
    ranked = model.because(parts[1], reasons=2, top=3)
    assert ranked["because"].str.contains("[a-z]").all()
    found = model.explain(parts[1])
    total = found.base_values + found.values.sum(axis=1)
    order = np.argsort(parts[1].rows, kind="stable")
    assert np.allclose(total, model.score(parts[1], fitted=True)[parts[1].rows][order])


def test_models_are_saved_loaded_and_pickled(model: stakes.Model, parts: Any, tmp_path: Path) -> None:
    model.save(tmp_path / "m.json.zst")
    for again in (stakes.Model.load(tmp_path / "m.json.zst"), pickle.loads(pickle.dumps(model))):
        assert again.to_json() == model.to_json()
        assert (again.score(parts[1]) == model.score(parts[1])).all()
    assert pickle.loads(pickle.dumps(model)).summary == model.summary
    with pytest.raises(ValueError, match="json"):
        model.save(tmp_path / "m.txt")
    with pytest.raises(ValueError, match="model"):
        stakes.Model.from_json("{}")


def test_evaluation_compares_scores_by_group(parts: Any, model: stakes.Model) -> None:
    new = parts[1]
    wind = new.to_frame("dict")["wind_gust_ms"]
    found = stakes.evaluate(
        new,
        {"ours": model, "now": "customers", "wind": wind},
        metrics=["rcs@5", "ndcg@5"],
        baseline="now",
        by="settlement",
    )
    table = found.to_frame("pandas")
    assert set(table["metric"]) == {"rcs@5", "ndcg@5"}
    assert found.value("ours", "rcs@5") == pytest.approx(stakes.metrics.value(
        "rcs@5", new.impact, model.score(new), np.asarray(new.to_frame("dict")["storm"])
    ))  # fmt: skip
    assert set(found.comparisons["score"]) >= {"ours", "wind"}
    assert {"group", "value", "n"} <= set(found.by_group.columns)
    assert "<table>" in found._repr_html_() and "<svg" in found._repr_html_()
    assert pickle.loads(pickle.dumps(found)).to_dict() == found.to_dict()


def test_scores_of_training_lists_say_so(parts: Any, model: stakes.Model) -> None:
    with pytest.warns(stakes.StakesNote, match="trained on"):
        model.score(parts[0], fitted=True)


def test_compare_and_backtest(storms: stakes.Dataset, tmp_path: Path) -> None:
    found = stakes.compare(storms, ["two-part:rounds=5"], k=5, current="customers", folds=2, run=tmp_path / "run")
    assert "two-part" in str(found) and found.verdict
    periods = stakes.backtest(storms, "two-part:rounds=5", k=5, folds="time:2").periods
    assert len(periods) == 2


def test_audit_has_the_shape_of_the_contract(storms: stakes.Dataset) -> None:
    found = stakes.audit(storms, "customers", k=5, resamples=50, draws=50)
    rows = found["measures"]
    assert {"group", "measure", "value", "low", "high", "p", "n"} <= set(rows[0])
    assert found.html.startswith("<!") and len(found.by_group) == len(rows)


def test_monitoring_is_that_of_the_program(parts: Any, model: stakes.Model, tmp_path: Path) -> None:
    found = stakes.monitor(model, parts[1])
    assert str(found).splitlines()[0] == found["headline"]
    model.save(str(tmp_path / "model.json"))
    parts[1].save(tmp_path / "new.csv")
    program_found = json.loads(
        program("monitor", tmp_path / "model.json", tmp_path / "new.csv", "--json", "-q", code=2 if found.alarms else 0)
    )
    for part in ("alarms", "limits", "scores", "outcomes", "churn"):
        assert found[part] == program_found[part], part
    assert found.rows() == program_found["features"]
    far = stakes.monitor(model, parts[1], max_psi=0.0, max_churn=0.0, previous=model, reference=parts[0])
    assert far["churn"]["between_models"] == 0 and far["reference"]["source"] is not None
    with pytest.raises(ValueError, match="the limit of `psi`"):
        stakes.monitor(model, parts[1], max_psi=-1)


def test_plans_are_within_the_budget(parts: Any, model: stakes.Model) -> None:
    plan = model.plan(parts[1], budget=20)
    assert (plan.lists["spent"] <= 20).all()
    columns = {"id": ["a", "b", "c"], "saves": [10.0, 7.0, 6.0], "hours": [5, 4, 3]}
    data = stakes.Dataset(columns, id="id", price="hours")
    assert stakes.plan(data, expected=[10.0, 7.0, 6.0], budget=7).chosen() == ["c", "b"]
    with pytest.raises(ValueError, match="limits the plan"):
        stakes.plan(data, expected="saves")


def test_a_log_becomes_lists(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("date,state,customers\n2024-01-03,TX,50\n2024-01-09,OH,20\n2024-02-11,TX,70\n")
    made = stakes.prepare(log, list="month:date", item="state", sum="customers", fill_zeros=True, history=[1])
    assert made.data.n_lists == 2 and len(made.data) == 4
    assert made.data.impact is not None and sorted(made.data.impact) == [0, 20, 50, 70]


def test_the_program_is_in_the_package() -> None:
    assert stakes.__version__ in program("--version")
    assert "there is no learner" in program("train", "x.csv", "--learner", "nonsense", "-o", "m.json", code=2)


def test_a_leak_says_how_to_allow_it(arrays: dict[str, Any]) -> None:
    X = np.column_stack([arrays["X"], 2 * arrays["y"]]).astype(np.float32)
    data = stakes.Dataset(X, impact=arrays["y"], list=arrays["qid"])
    with pytest.raises(ValueError, match=r"f5: leave it out .*allow_leak="):
        stakes.train(data, k=5, learner="ridge")
    assert stakes.train(data, k=5, learner="ridge", allow_leak="f5", baseline=False).learner == "ridge"


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"learner": "cs-matr"}, "cs-mart"),
    ({"learner": "two-part", "leves": 3}, "leaves"),
    ({"learner": "two-part", "leaves": 1}, "leaves"),
    ({"learner": "two-part", "metric": "rsc"}, "rcs"),
    ({"k": 0}, "k is 0"),
    ({"k": 5, "budget": 3.0}, "both"),
    ({"budget": -1.0}, "budget"),
    ({"learner": "two-part", "allow_leak": "wnd"}, "wnd"),
    ({"learner": "two-part", "folds": 1}, "fold"),
    ({"learner": "two-part", "output": "model.txt"}, "json"),
]


@pytest.mark.parametrize(("given", "words"), WRONG)
def test_wrong_wishes_are_refused(storms: stakes.Dataset, given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        stakes.train(storms, **{"k": None, **given})


def test_notes_are_at_the_line_that_called(parts: Any, model: stakes.Model) -> None:
    with pytest.warns(stakes.StakesNote, match="trained on") as heard:
        model.plan(parts[0].to_frame("pandas"), budget=20)
    assert heard[0].filename == __file__


def test_a_report_is_that_of_the_program(parts: Any, model: stakes.Model, tmp_path: Path) -> None:
    model.save(str(tmp_path / "model.json"))
    parts[1].save(tmp_path / "new.csv")
    words = ["report", tmp_path / "model.json", tmp_path / "new.csv", "--current", "customers", "-q"]
    found = json.loads(program(*words, "--json"))
    made = stakes.report(stakes.load(tmp_path / "model.json"), tmp_path / "new.csv", current="customers")
    for part in ("verdict", "slider", "curve", "lists", "words"):
        assert made[part] == found[part] or part == "verdict", part
    assert made["verdict"]["difference"] == found["verdict"]["difference"]
    assert made.verdict.startswith("Acting on") and len(made.rows()) == len(found["slider"]["positions"])
    made.save(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == made.html
    assert made._repr_html_().startswith("<iframe") and "Which networks to act on" in str(made)
    # Results of other workflows, with and without a model; data sets keep groups.
    compared = stakes.compare(parts[0], ["ridge", "mart"], k=5, folds="2")
    both = stakes.report(model, parts[1], compared, group="settlement", plan={"budget": 40})
    titles = [section["title"] for section in both["sections"]]
    assert "Comparison of learners" in titles and "How groups are treated" in titles
    assert [section["title"] for section in stakes.report(None, None, compared)["sections"]] == [
        "Comparison of learners"
    ]
    for mistake, why in [
        (lambda: stakes.report(model), "go together"),
        (lambda: stakes.report(), "nothing to report"),
        (lambda: stakes.report(None, None, compared, k=3), "k goes with a model"),
        (lambda: stakes.report(model, tmp_path / "new.csv", group="settlement"), "stakes.Dataset"),
    ]:
        with pytest.raises(TypeError, match=why):
            mistake()
    with pytest.raises(ValueError, match="number of items"):
        stakes.report(model, parts[1], plan={"k": 1.5})

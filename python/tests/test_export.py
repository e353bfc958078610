"""Exports: random models of every kind, scored by the programs that read them."""

from __future__ import annotations

import contextlib
import csv
import json
import math
import os
import shutil
import sqlite3
import subprocess
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import program
from random_models import GOLDEN, KINDS

import stakes
from stakes import _stakes

FORMATS = {name: ending for name, ending, *_ in _stakes.export_formats()}
#: Formats whose line of code is Python.
IN_PYTHON = ["lightgbm", "xgboost", "onnx", "treelite", "sql"]
#: Which kinds of random models a format holds.
SUMS = {kind for kind in KINDS if kind.startswith(("sum", "exp", "logistic", "product", "constant"))}
LISTS = {kind for kind in KINDS if kind.startswith(("scaled", "re-ranked"))}
HOLDS = {
    "lightgbm": SUMS,
    "xgboost": SUMS,
    "treelite": SUMS,
    "onnx": set(KINDS) - LISTS - {"net with draws"},
    "sql": set(KINDS) - LISTS - {"net", "net with draws"},
    "c": set(KINDS),
    "rust": set(KINDS),
}


def random_model(kind: str, seed: int) -> stakes.Model:
    return stakes.Model.from_json(KINDS[kind](np.random.default_rng([seed, len(kind)])))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which lines of code run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(line: str) -> None:
    """Runs a line of Python as it was printed."""
    exec(line, {})


@pytest.mark.parametrize("to", IN_PYTHON)
@pytest.mark.parametrize("kind", KINDS)
def test_random_models_score_the_same_there(kind: str, to: str, folder: Path) -> None:
    pytest.importorskip({"onnx": "onnxruntime", "sql": "duckdb"}.get(to, to))
    for seed in range(3):
        model = random_model(kind, seed)
        if kind not in HOLDS[to]:
            with pytest.raises(ValueError, match=f"{to} cannot hold this model: .* can"):
                model.export(f"m.{FORMATS[to]}", to)
            return
        exported = model.export(f"m.{FORMATS[to]}", to, seed=seed)
        assert exported.check is not None and exported.rows == 200
        if to in ("lightgbm", "treelite") and kind in ("sum of trees", "exp of a sum", "logistic of a sum"):
            assert exported.precision == {"absolute": 0, "relative": 0}
        run(exported.check)


@pytest.mark.parametrize("kind", KINDS)
def test_c_is_ours_to_the_bit(kind: str, folder: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler (cc)")
    exported = random_model(kind, 1).export("m.c", "c")
    assert exported.precision == {"absolute": 0, "relative": 0} and exported.check is not None
    strict = exported.check.replace("-std=c99", "-std=c99 -Wall -Wextra -Werror -pedantic")
    subprocess.run(strict, shell=True, check=True, stdout=subprocess.DEVNULL)


def test_rust_is_ours_to_the_bit(folder: Path) -> None:
    if shutil.which("rustc") is None:
        pytest.skip("there is no Rust compiler (rustc)")
    for kind in ("two-part", "net with draws", "re-ranked and scaled"):
        exported = random_model(kind, 2).export("m.rs", "rust")
        assert exported.check is not None
        strict = exported.check.replace("rustc -O", "rustc -D warnings")
        subprocess.run(strict, shell=True, check=True, stdout=subprocess.DEVNULL)


def rows_of(parity: str) -> tuple[list[str], list[list[str]]]:
    """A parity pack: the head, and the fields of each row."""
    with open(parity, newline="") as file:
        head, *rows = csv.reader(file)
    return head, rows


def number(field: str) -> float | None:
    return float(field) if field else None


def test_numbers_of_64_bits_go_to_our_side(folder: Path) -> None:
    """Inputs around the middle between a threshold and the next 32-bit number."""
    lightgbm, treelite = pytest.importorskip("lightgbm"), pytest.importorskip("treelite")
    model = random_model("sum of trees, numbers only", 5)
    file = json.loads(model.to_json())
    draw = np.random.default_rng(3)
    cuts: dict[int, list[float]] = {j: [1.0] for j in range(len(file["features"]))}
    for tree in file["scorer"]["factors"][0]["trees"]:
        for feature, cut in zip(tree["feature"], tree["at_most"], strict=True):
            cuts[feature].append(float(np.float32(cut)))
    columns = []
    for j in range(len(file["features"])):
        cut = draw.choice(np.float32(cuts[j]), 400)
        half = (cut.astype(float) + np.nextafter(cut, np.float32(np.inf)).astype(float)) / 2
        columns.append(
            np.choose(draw.integers(0, 3, 400), [half, np.nextafter(half, -np.inf), np.nextafter(half, np.inf)])
        )
    wide = np.stack(columns, axis=1)
    ours = stakes.Dataset(wide.astype(np.float32), features=model.features)
    expected = model.predict(ours)
    model.export("m.txt", "lightgbm", parity_rows=0)
    assert np.array_equal(lightgbm.Booster(model_file="m.txt").predict(wide), expected)
    assert np.array_equal(treelite.gtil.predict(treelite.frontend.load_lightgbm_model("m.txt"), wide).ravel(), expected)


def table_of(connection: Any, parity: str, categorical: set[str], text: str, real: str, mark: str) -> None:
    """Puts a parity pack into a table of a database."""
    head, rows = rows_of(parity)
    kinds = ", ".join(
        f'"{name.replace(chr(34), chr(34) * 2)}" {text if name in categorical else real}' for name in head
    )
    connection.execute(f"CREATE TABLE items ({kinds})")
    values = [
        [(f or None) if name in categorical else number(f) for name, f in zip(head, row, strict=True)] for row in rows
    ]
    connection.executemany(f"INSERT INTO items VALUES ({', '.join([mark] * len(head))})", values)


def sql_model(kind: str, seed: int) -> tuple[stakes.Model, set[str]]:
    model = random_model(kind, seed)
    features = json.loads(model.to_json())["features"]
    return model, {f["name"] for f in features if f["kind"] == "categorical"}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind in HOLDS["sql"]])
def test_sqlite(kind: str, folder: Path) -> None:
    for seed in range(2):
        model, categorical = sql_model(kind, seed)
        exported = model.export("m.sql", "sql", seed=seed)
        with contextlib.closing(sqlite3.connect(":memory:")) as connection:
            table_of(connection, "m.sql.parity.csv", categorical, "TEXT", "REAL", "?")
            try:
                connection.execute("SELECT exp(1)")
            except sqlite3.OperationalError:
                pytest.skip("this SQLite was built without mathematical functions")
            found = connection.execute(f"SELECT ({Path('m.sql').read_text()}), score FROM items").fetchall()
        there, ours = np.array(found, float).T
        within = exported.precision
        np.testing.assert_allclose(there, ours, rtol=within["relative"], atol=within["absolute"])


@pytest.fixture(scope="module")
def postgres() -> Iterator[Callable[[str], str]]:
    """A private PostgreSQL on a socket, as a user without privileges: SQL in, what psql prints out."""
    folders = [*Path("/usr/lib/postgresql").glob("*/bin")]
    bin = max(folders, key=lambda path: float(path.parent.name), default=None)
    if bin is None or not (bin / "initdb").exists():
        pytest.skip("there is no PostgreSQL server in /usr/lib/postgresql")
    with tempfile.TemporaryDirectory() as home:
        # PostgreSQL does not run as root.
        user = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] if os.geteuid() == 0 else []
        os.chmod(home, 0o777)
        data = f"{home}/data"
        quiet = {"check": True, "capture_output": True, "cwd": home}
        subprocess.run([*user, bin / "initdb", "-D", data, "-A", "trust", "-N", "-U", "stakes"], **quiet)
        # Only a socket, and nothing is forced to disk.
        options = f"-c listen_addresses='' -c unix_socket_directories={home} -c fsync=off"
        subprocess.run([*user, bin / "pg_ctl", "-D", data, "-w", "-o", options, "-l", f"{home}/log", "start"], **quiet)
        try:

            def ask(sql: str) -> str:
                words = [bin / "psql", "-h", home, "-U", "stakes", "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-qAt"]
                ran = subprocess.run(words, input=sql, capture_output=True, text=True, check=False)
                assert ran.returncode == 0, ran.stderr[:2000]
                return ran.stdout

            yield ask
        finally:
            subprocess.run([*user, bin / "pg_ctl", "-D", data, "-m", "immediate", "stop"], **quiet)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind in HOLDS["sql"]])
def test_postgres(kind: str, folder: Path, postgres: Callable[[str], str]) -> None:
    model, categorical = sql_model(kind, 3)
    exported = model.export("m.sql", "sql")
    head, rows = rows_of("m.sql.parity.csv")
    quote = lambda name: '"' + name.replace('"', '""') + '"'  # noqa: E731
    kinds = ", ".join(f"{quote(name)} {'text' if name in categorical else 'double precision'}" for name in head)

    def literal(name: str, field: str) -> str:
        # NaN is missing as well; every other empty field is NULL.
        if not field:
            return "'NaN'" if name not in categorical and len(literals) % 2 else "NULL"
        return "'" + field.replace("'", "''") + "'"

    literals: list[str] = []
    for row in rows:
        fields = [literal(name, field) for name, field in zip(head, row, strict=True)]
        literals.append(f"({', '.join(fields)})")
    found = postgres(
        f"CREATE TEMPORARY TABLE items ({kinds});\nINSERT INTO items VALUES {', '.join(literals)};\n"
        f"SELECT ({Path('m.sql').read_text()}), score FROM items;\n"
    )
    there, ours = np.array([line.split("|") for line in found.splitlines()], float).T
    assert len(there) == 200
    if kind.startswith("sum"):
        assert np.array_equal(there, ours)
    within = exported.precision
    np.testing.assert_allclose(there, ours, rtol=within["relative"], atol=within["absolute"])


def test_sql_at_its_limit(folder: Path, postgres: Callable[[str], str]) -> None:
    """As many trees and leaves as are allowed, in every database; one tree more is refused."""
    duckdb = pytest.importorskip("duckdb")
    from random_models import features, model, tree

    draw = np.random.default_rng(0)
    of = features(draw, categorical=False)
    trees = [tree(draw, of, 25, 0.1) for _ in range(200)]
    factor = {"name": "score", "link": "identity", "start": 0.5, "trees": trees}
    large = stakes.Model.from_json(model(draw, of, 1.0, [factor]))
    large.export("m.sql", "sql", parity_rows=20)
    expression = Path("m.sql").read_text()
    head, rows = rows_of("m.sql.parity.csv")
    ours = np.array([float(row[len(of)]) for row in rows])
    for connection in (sqlite3.connect(":memory:"), duckdb.connect()):
        with contextlib.closing(connection):
            table_of(connection, "m.sql.parity.csv", set(), "TEXT", "DOUBLE PRECISION", "?")
            found = connection.execute(f"SELECT ({expression}) FROM items").fetchall()
            np.testing.assert_allclose(np.array(found, float).ravel(), ours, rtol=1e-13, atol=1e-12)
    values = ", ".join("(" + ", ".join(f"'{f}'" if f else "NULL" for f in row) + ")" for row in rows)
    kinds = ", ".join('"' + name.replace('"', '""') + '" double precision' for name in head)
    sql = (
        f"CREATE TEMPORARY TABLE items ({kinds}); INSERT INTO items VALUES {values}; SELECT ({expression}) FROM items;"
    )
    np.testing.assert_array_equal(np.array(postgres(sql).split(), float), ours)
    factor["trees"] = [*trees, trees[0]]
    with pytest.raises(ValueError, match="it has 201 trees, and an expression holds at most 200"):
        stakes.Model.from_json(model(draw, of, 1.0, [factor])).export("m.sql", "sql")


def plugin(node: dict[str, Any], row: dict[str, float], follows_missing: bool) -> np.float32:
    """A tree of the LTR plugins: 32-bit numbers, `<`."""
    while "leaf" not in node:
        x = row[node["split"]]
        if math.isnan(x) and follows_missing:
            side = node["missing"]
        else:
            side = node["yes"] if np.float32(node["split_condition"]) > np.float32(x) else node["no"]
        node = next(child for child in node["children"] if child["nodeid"] == side)
    return np.float32(node["leaf"])


@pytest.mark.parametrize("to", ["opensearch", "es-ltr"])
@pytest.mark.parametrize("kind", ["sum of trees, numbers only", "logistic of a sum, numbers only"])
def test_plugins_for_search(kind: str, to: str, folder: Path) -> None:
    xgboost = pytest.importorskip("xgboost")
    model = random_model(kind, 4)
    if to == "es-ltr":
        with pytest.raises(ValueError, match="missing values go to another side than there"):
            model.export("m.json", to)
    exported = model.export("m.json", to, no_missing=to == "es-ltr")
    file = json.loads(Path("m.json").read_text())
    head, rows = rows_of("m.json.parity.csv")
    width = len(model.features)
    for row in rows:
        values = {name: float(field) if field else math.nan for name, field in zip(head[:width], row, strict=False)}
        total = np.float32(0)
        for tree in file["splits"]:
            total = total + plugin(tree, values, to == "opensearch")
        score = 1 / (1 + math.exp(-float(total))) if file["objective"] == "binary:logistic" else float(total)
        ours, within = float(row[width]), exported.precision
        assert abs(score - ours) <= within["absolute"] + within["relative"] * abs(ours)
    # The same trees as XGBoost's own dump of the same model.
    model.export("x.json", "xgboost")
    dumped = [json.loads(tree) for tree in xgboost.Booster(model_file="x.json").get_dump(dump_format="json")]

    def shape(node: dict[str, Any]) -> Any:
        if "leaf" in node:
            return float(np.float32(node["leaf"]))
        children = {child["nodeid"]: shape(child) for child in node["children"]}
        sides = [children[node[side]] for side in ("yes", "no", "missing")]
        return (node["split"], float(np.float32(node["split_condition"])), *sides)

    names = dict(
        zip(
            [f for f in json.loads(Path("x.json").read_text())["learner"]["feature_names"]], model.features, strict=True
        )
    )
    for ours_tree, theirs in zip(file["splits"], dumped, strict=True):
        assert shape(ours_tree) == _renamed(shape(theirs), names)


def _renamed(shape: Any, names: dict[str, str]) -> Any:
    if not isinstance(shape, tuple):
        return shape
    return (names[shape[0]], shape[1], *(_renamed(side, names) for side in shape[2:]))


def ranklib(split: ET.Element, row: list[float]) -> float:
    """A tree of RankLib: 32-bit numbers, `<=`, features from 1, missing values are 0."""
    while (feature := split.find("feature")) is not None:
        x = row[int(feature.text or "") - 1]
        left = np.float32(0 if math.isnan(x) else x) <= np.float32(split.findtext("threshold", "").strip())
        split = next(s for s in split.findall("split") if s.get("pos") == ("left" if left else "right"))
    return float(np.float32(split.findtext("output", "").strip()))


def test_ranklib(folder: Path) -> None:
    model = random_model("sum of trees, numbers only", 6)
    exported = model.export("m.xml", "ranklib", no_missing=True)
    text = Path("m.xml").read_text()
    assert text.startswith("## LambdaMART\n")
    trees = ET.fromstring(text[text.index("<ensemble>") :]).findall("tree")
    _, rows = rows_of("m.xml.parity.csv")
    width = len(model.features)
    for row in rows:
        values = [float(field) for field in row[:width]]
        total = np.float32(0)
        for tree in trees:
            split = tree.find("split")
            assert split is not None
            total = np.float32(float(total) + ranklib(split, values) * float(tree.get("weight", "")))
        ours, within = float(row[width]), exported.precision
        assert abs(float(total) - ours) <= within["absolute"] + within["relative"] * abs(ours)


def test_the_checker_of_onnx_passes_and_costs_are_the_second_output(folder: Path) -> None:
    onnx = pytest.importorskip("onnx")
    model = stakes.Model.load(GOLDEN / "model-blend.json")
    model.export("m.onnx", "onnx")
    file = onnx.load("m.onnx")
    onnx.checker.check_model(file, full_check=True)
    assert [output.name for output in file.graph.output] == ["score", "expected_cost"]
    features = json.loads(next(entry.value for entry in file.metadata_props if entry.key == "features"))
    assert [f["name"] for f in features] == model.features
    assert features[1]["categories"] == ["wood", "steel", "beton, alt"]


def test_frames_are_recoded_by_name(folder: Path) -> None:
    """Categories in another order, and text with unseen ones, mean what they meant in training."""
    lightgbm, xgboost, pd = (pytest.importorskip(name) for name in ("lightgbm", "xgboost", "pandas"))
    draw = np.random.default_rng(8)
    frame = pd.DataFrame(
        {
            "list": np.repeat(np.arange(20), 20),
            "cost": draw.gamma(1.0, 10.0, 400),
            "wind": draw.normal(20, 5, 400),
            "pole": draw.choice(["wood", "steel", "beton"], 400),
        }
    )
    frame["cost"] *= frame["pole"].map({"wood": 3.0, "steel": 0.1, "beton": 1.0})
    model = stakes.train(frame, list="list", impact="cost", k=3, learner="cs-mart", rounds=10, baseline=False)
    within = model.export("m.txt", "lightgbm").precision
    model.export("m.json", "xgboost")
    new = pd.DataFrame({"wind": [10.0, 20.0, np.nan, 30.0], "pole": ["beton", "wood", "steel", "iron"]})[model.features]
    ours = model.predict(new.assign(list=1))
    known = pd.CategoricalDtype(["iron", "wood", "steel", "beton"])
    there = lightgbm.Booster(model_file="m.txt").predict(new.astype({"pole": known}))
    np.testing.assert_allclose(there, ours, rtol=within["relative"], atol=within["absolute"])
    known = pd.CategoricalDtype(["wood", "steel", "beton"])
    seen = new.assign(pole=new["pole"].where(new["pole"] != "iron"))
    matrix = xgboost.DMatrix(seen.astype({"pole": known}), enable_categorical=True)
    np.testing.assert_allclose(xgboost.Booster(model_file="m.json").predict(matrix), ours, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("learner", ["cs-mart", "two-part", "random-forest", "ridge", "ranknet"])
def test_trained_models_go_where_they_can(learner: str, arrays: dict[str, Any], folder: Path) -> None:
    data = stakes.Dataset(arrays["X"], impact=arrays["y"], list=arrays["qid"])
    model = stakes.train(data, k=5, learner=learner, baseline=False, **({} if learner == "ridge" else {"rounds": 8}))
    able = []
    for to, ending in FORMATS.items():
        try:
            exported = model.export(f"{to}.{ending}", to)
        except ValueError as refused:
            assert "cannot hold this model" in str(refused)
            continue
        able.append(to)
        if to in IN_PYTHON:
            assert exported.check is not None
            run(exported.check)
    assert {"onnx", "c", "rust"} <= set(able)


def test_the_program_and_the_package_write_the_same(folder: Path) -> None:
    golden = str(GOLDEN / "model-trees.json")
    for to in ("lightgbm", "xgboost", "onnx"):
        ending = FORMATS[to]
        said = program("model", "export", golden, "--to", to, "-o", f"program.{ending}")
        exported = stakes.Model.load(golden).export(f"package.{ending}", to)
        assert Path(f"program.{ending}").read_bytes() == Path(f"package.{ending}").read_bytes()
        assert exported.check is not None and exported.check.replace("package", "program") in said
    refused = program(
        "model", "export", str(GOLDEN / "model-two-part.json"), "--to", "lightgbm", "-o", "no.txt", code=1
    )
    assert "onnx, sql, c and rust can" in refused and not Path("no.txt").exists()

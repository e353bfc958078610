"""Random models of every kind, as the JSON of model files, for tests of exports."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden"

#: Names that some formats do not allow, and categories that readers of CSV files like to change.
NUMBERS = ["wind", "age of pole", "a,b", 'say "hi"', "größe"]
CATEGORIES = {
    "pole": ["wood", "steel", "beton, alt", "it's"],
    "zone [new]": ["1", "02", "NA", "nan", "", "None", "2.5", "true"],
    "many": [f"c{i}" for i in range(40)],
    "one": ["only"],
}

Draw = np.random.Generator


def single(x: float) -> float:
    """The nearest 32-bit number that is finite."""
    largest = float(np.finfo(np.float32).max)
    return float(np.float32(np.clip(x, -largest, largest)))


def features(draw: Draw, categorical: bool = True) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"name": name, "kind": "numeric"} for name in NUMBERS[: draw.integers(1, 6)]]
    if categorical:
        for name, known in CATEGORIES.items():
            if draw.random() < 0.5:
                known = [category for category in known if category]
                found.append({"name": name, "kind": "categorical", "categories": known})
    return [found[i] for i in draw.permutation(len(found))]


def threshold(draw: Draw) -> float:
    scale = [lambda: draw.normal(0, 10), lambda: float(draw.integers(-5, 6)), lambda: draw.normal(0, 1e30)]
    return single([*scale, *[scale[0]] * 4][draw.integers(0, 7)]())


def tree(draw: Draw, of: list[dict[str, Any]], leaves: int, size: float) -> dict[str, Any]:
    """A tree that is grown by splitting random leaves; nodes come in an order of parents before children."""
    found: dict[str, Any] = {key: [] for key in ("feature", "at_most", "left", "right", "gain", "rows")}
    found |= {"categories": {}, "missing": ""}
    open_leaves: list[tuple[int, str] | None] = [None]
    while len(open_leaves) < leaves and of:
        parent = open_leaves.pop(draw.integers(0, len(open_leaves)))
        node = len(found["feature"])
        if parent:
            found[parent[1]][parent[0]] = node
        feature = int(draw.integers(0, len(of)))
        known = of[feature].get("categories")
        found["feature"].append(feature)
        found["at_most"].append(None if known is not None else threshold(draw))
        if known is not None:
            codes = [code for code in range(len(known)) if draw.random() < 0.4]
            found["categories"][str(node)] = codes
        found["missing"] += "LR"[draw.integers(0, 2)]
        found["left"].append(0)
        found["right"].append(0)
        found["gain"].append(float(draw.random()))
        found["rows"].append(int(draw.integers(0, 1000)))
        open_leaves += [(node, "left"), (node, "right")]
    for leaf, parent in enumerate(open_leaves):
        if parent:
            found[parent[1]][parent[0]] = -1 - leaf
    count = len(open_leaves)
    found["leaf"] = [float(x) for x in draw.normal(0, size, count)]
    found["leaf_rows"] = [int(x) for x in draw.integers(0, 1000, count)]
    if not found["categories"]:
        del found["categories"]
    return found


def trees(draw: Draw, of: list[dict[str, Any]], size: float = 0.3) -> list[dict[str, Any]]:
    return [tree(draw, of, int(draw.integers(1, 20)), size) for _ in range(draw.integers(1, 12))]


def net(draw: Draw, of: list[dict[str, Any]], hidden: list[int], with_draw: bool = False) -> dict[str, Any]:
    inputs: list[dict[str, Any]] = []
    for number, feature in enumerate(of):
        known = feature.get("categories")
        if known is None:
            mean, deviation = float(draw.normal(0, 5)), float(draw.random() + 0.1) * 1e3
            inputs.append({"number": {"feature": number, "mean": mean, "deviation": deviation}})
        else:
            inputs += [{"category": {"feature": number, "code": code}} for code in range(len(known))]
        inputs.append({"missing": {"feature": number}})
    if with_draw:
        inputs.append({"draw": {"features": len(of), "seed": str(draw.integers(0, 2**63))}})
    width, layers = len(inputs), []
    for outputs, activation in [*((h, ["relu", "tanh"][i % 2]) for i, h in enumerate(hidden)), (1, "identity")]:
        weights = draw.normal(0, 0.3, width * outputs)
        weights[draw.random(len(weights)) < 0.1] = 0.0
        layers.append(
            {"activation": activation, "biases": draw.normal(0, 0.1, outputs).tolist(), "weights": weights.tolist()}
        )
        width = outputs
    return {"inputs": [inputs[i] for i in draw.permutation(len(inputs))], "layers": layers}


def factor(name: str, link: str, draw: Draw, of: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    base = {"name": name, "link": link, "start": float(draw.normal()), "trees": trees(draw, of)}
    return base | more


def model(draw: Draw, of: list[dict[str, Any]], unit: float, factors: list[dict[str, Any]]) -> bytes:
    file = json.loads((GOLDEN / "model-trees.json").read_text())
    file |= {"features": of, "stages": [], "scorer": {"unit": unit, "factors": factors}}
    if draw.random() < 0.5:
        knots = int(draw.integers(1, 20))
        score, mean = np.sort(draw.normal(0, 2, knots)), np.sort(draw.random(knots) * 100)
        file["calibration"] = {"lists": 5, "items": 100, "score": score.tolist()}
        file["calibration"] |= {key: mean.tolist() for key in ("mean", "low", "high")}
    return json.dumps(file).encode()


def one(link: str, unit: float = 1.0, categorical: bool = True) -> Callable[[Draw], bytes]:
    def make(draw: Draw) -> bytes:
        of = features(draw, categorical)
        return model(draw, of, unit, [factor("score", link, draw, of)])

    return make


def constant(draw: Draw) -> bytes:
    of = features(draw)
    leaf = tree(draw, [], 1, 1.0)
    return model(draw, of, 2.5, [factor("score", "exp", draw, of, trees=[leaf, leaf])])


def exps(draw: Draw) -> bytes:
    of = features(draw)
    smearing = {"name": "smearing", "link": "identity", "start": 1.25, "trees": []}
    size = factor("size", "exp", draw, of)
    return model(draw, of, 1000.0, [size, smearing, factor("more", "exp", draw, of, power=0.7)])


def two_part(draw: Draw) -> bytes:
    of = features(draw)
    smearing = {"name": "smearing", "link": "identity", "start": 1.25, "trees": []}
    return model(draw, of, 1000.0, [factor("chance", "logistic", draw, of), factor("size", "exp", draw, of), smearing])


def blend(draw: Draw) -> bytes:
    of = features(draw)
    chance = factor("a.chance", "logistic", draw, of, power=0.4)
    size = factor("a.size", "exp", draw, of, power=0.4)
    line = factor("b", "exp", draw, of, trees=[], net=net(draw, of, []))
    return model(draw, of, 3.0, [chance, size, line])


def linear(link: str = "identity") -> Callable[[Draw], bytes]:
    def make(draw: Draw) -> bytes:
        of = features(draw)
        return model(draw, of, 1.0, [factor("score", link, draw, of, trees=[], net=net(draw, of, []))])

    return make


def net_of(with_draw: bool = False) -> Callable[[Draw], bytes]:
    def make(draw: Draw) -> bytes:
        of = features(draw)
        hidden = [int(h) for h in draw.integers(1, 12, draw.integers(1, 3))]
        own = net(draw, of, hidden, with_draw)
        grown = trees(draw, of) if draw.random() < 0.5 else []
        return model(draw, of, 1.0, [factor("score", "identity", draw, of, trees=grown, net=own)])

    return make


def in_lists(within: str = "", above: Any = None) -> Callable[[Draw], bytes]:
    """A score of whole lists: numbers are scaled, or the first items are put into another order."""

    def make(draw: Draw) -> bytes:
        of = features(draw)
        file = json.loads(model(draw, of, 1.0, [factor("score", "identity", draw, of, net=net(draw, of, []))]))
        if within:
            file["within"] = within
        if above is not None:
            second = json.loads((GOLDEN / "model-rerank.json").read_text())["rerank"]
            file["rerank"] = second | {"above": above, "net": net(draw, of, [])}
        return json.dumps(file).encode()

    return make


#: Every kind of score, by name.
KINDS: dict[str, Callable[[Draw], bytes]] = {
    "sum of trees": one("identity"),
    "sum of trees, numbers only": one("identity", categorical=False),
    "sum of trees with a unit": one("identity", unit=730.5),
    "exp of a sum": one("exp"),
    "exp of a sum with a unit": one("exp", unit=730.5),
    "logistic of a sum": one("logistic"),
    "logistic of a sum, numbers only": one("logistic", categorical=False),
    "product of exp": exps,
    "two-part": two_part,
    "blend with powers": blend,
    "linear": linear(),
    "linear, exp": linear("exp"),
    "linear, logistic": linear("logistic"),
    "net": net_of(),
    "net with draws": net_of(with_draw=True),
    "constant": constant,
    "scaled within lists": in_lists(within="z-score"),
    "scaled within lists, min-max": in_lists(within="min-max"),
    "re-ranked": in_lists(above={"first": 20}),
    "re-ranked above a score": in_lists(above={"score": 0.25}),
    "re-ranked and scaled": in_lists(above="all", within="z-score"),
}

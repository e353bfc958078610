"""Scores of the golden models, computed from docs/model-json.md alone: writes model-scores.json.

`score_models.py --check` recomputes and compares. Needs nothing but Python.
"""
import json, math, struct, sys
from pathlib import Path

HERE = Path(__file__).parent
NAN = math.nan
MASK = 2**64 - 1
STORMS = {
    "lists": ["a", "a", "a", "b", "b", "b", "b"],
    "columns": {
        "age": [40, 0, None, -1, 25, 31, 30.000001],
        "unused": [1, 2, 3, 4, 5, 6, 7],
        "wind": [14.1, 14.100001, 20, 30, None, 33.5, 12],
        "pole": ["wood", "steel", "beton, alt", "wood", "iron", None, "steel"],
    },
}
SIGNS = {"lists": ["1", "1", "2", "2", "3", "3"], "columns": {"x": [0.5, 0.5, 0.6, 0.6, None, None], "sign": ["circle", "wave"] * 3}}
CASES = {f"model-{name}.json": STORMS for name in "trees bound linear net two-part blend rerank".split()} | {"model-classes.json": SIGNS}


def single(x):
    """The nearest 32-bit number."""
    return x if math.isnan(x) else struct.unpack("f", struct.pack("f", x))[0]


def column(feature, values):
    """The values of a feature: numbers, or codes of categories; NaN for missing and unknown ones."""
    codes = {name: code for code, name in enumerate(feature.get("categories", []))}
    if feature["kind"] == "categorical":
        return [codes.get(value, NAN) for value in values]
    return [NAN if value is None else single(value) for value in values]


def scaled(values, lists, how):
    """Numbers scaled within their list."""
    out = list(values)
    for name in set(lists):
        items = [i for i, of in enumerate(lists) if of == name and not math.isnan(values[i])]
        known = [values[i] for i in items]
        if not known:
            continue
        if how == "min-max":
            shift, size = min(known), max(known) - min(known)
        else:
            shift = sum(known) / len(known)
            size = math.sqrt(sum((x - shift) ** 2 for x in known) / len(known))
        for i in items:
            out[i] = single((values[i] - shift) / (size or 1))
    return out


def tree(t, row):
    at = 0 if t["feature"] else -1
    while at >= 0:
        x, codes = row[t["feature"][at]], t.get("categories", {}).get(str(at))
        if math.isnan(x):
            left = t["missing"][at] == "L"
        else:
            left = x in codes if codes is not None else x <= single(t["at_most"][at])
        at = t["left"][at] if left else t["right"][at]
    return t["leaf"][-1 - at]


def mix(z):
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def draw(seed, row):
    gamma, state = 0x9E3779B97F4A7C15, seed
    for x in row:
        bits = 2**32 - 1 if math.isnan(x) else struct.unpack("I", struct.pack("f", x + 0.0))[0]
        state = mix((state + gamma & MASK) ^ bits)
    key = mix(mix(state + gamma & MASK) ^ mix(gamma))
    return 2 * ((mix(key + gamma & MASK) >> 11) / 2**53) - 1


def net(n, row):
    def value(kind, **i):
        if kind == "draw":
            return draw(int(i["seed"]), row[: i["features"]])
        x = row[i["feature"]]
        if kind == "number":
            return 0.0 if math.isnan(x) else (x - i["mean"]) / i["deviation"]
        return float(math.isnan(x) if kind == "missing" else x == i["code"])

    out = [value(kind, **fields) for entry in n["inputs"] for kind, fields in entry.items()]
    activations = {"identity": lambda x: x, "relu": lambda x: max(x, 0.0), "tanh": math.tanh}
    for layer in n["layers"]:
        width, apply = len(out), activations[layer["activation"]]
        rows = [layer["weights"][o * width :][:width] for o in range(len(layer["biases"]))]
        out = [apply(b + sum(w * x for w, x in zip(ws, out))) for b, ws in zip(layer["biases"], rows)]
    return out[0]


def score(scorer, row):
    product = scorer["unit"]
    links = {"identity": lambda x: x, "exp": math.exp, "logistic": lambda x: 1 / (1 + math.exp(-x))}
    for f in scorer["factors"]:
        total = f["start"] + sum(tree(t, row) for t in f["trees"]) + (net(f["net"], row) if "net" in f else 0)
        product *= links[f["link"]](total) ** f.get("power", 1)
    return product


def rerank(stage, lists, rows, scores):
    """The first items of each list in the order of the second score (docs/exact.md)."""
    out, first = list(scores), stage["above"]["first"]
    for name in set(lists):
        items = [i for i, of in enumerate(lists) if of == name]
        floor = sorted((scores[i] for i in items), reverse=True)[:first][-1]
        for i in items:
            if scores[i] >= floor:
                r = net(stage["net"], rows[i]) + stage.get("base_weight", 0) * scores[i]
                out[i] = floor + (abs(floor) or 1) * (1 + r if r >= 0 else 1 / (1 - r))
    return out


def expected_cost(c, x):
    """Mean, low and high at a score."""
    knots = c["score"]
    above = sum(k <= x for k in knots)
    if above in (0, len(knots)):
        at = min(above, len(knots) - 1)
        return [c[key][at] for key in ("mean", "low", "high")]
    share = (x - knots[above - 1]) / (knots[above] - knots[above - 1])
    return [c[key][above - 1] + share * (c[key][above] - c[key][above - 1]) for key in ("mean", "low", "high")]


def case(name, data):
    model, lists = json.loads((HERE / name).read_text()), data["lists"]
    columns = [column(f, data["columns"][f["name"]]) for f in model["features"]]
    if "within" in model:
        numeric = [f["kind"] == "numeric" for f in model["features"]]
        columns = [scaled(c, lists, model["within"]) if n else c for c, n in zip(columns, numeric)]
    rows = list(zip(*columns))
    scores = [score(model["scorer"], row) for row in rows]
    if "rerank" in model:
        scores = rerank(model["rerank"], lists, rows, scores)
    found = {"model": name, "scores": scores}
    if "calibration" in model:
        found["expected_costs"] = [expected_cost(model["calibration"], s) for s in scores]
    return found


def main():
    data = {"storms": STORMS, "signs": SIGNS}
    cases = [case(name, d) | {"data": "signs" if d is SIGNS else "storms"} for name, d in CASES.items()]
    text = json.dumps({"data": data, "cases": cases}, indent=1) + "\n"
    path = HERE / "model-scores.json"
    if "--check" not in sys.argv:
        path.write_text(text)
    elif path.read_text() != text:
        sys.exit(f"{path} differs; run score_models.py")


main()

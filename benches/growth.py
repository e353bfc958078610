"""How training time grows, ours alone on one thread: with rows, features and trees, and with the length
of a list. `speed.py` measures what `steps` gives. One thing doubles and the rest stays: growth that is
linear has ratios of 2 or less. Long and short lists are the same rows.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHAPE = ["cutoff=all", "pairs=30", "leaves=63", "rate=0.1", "min-rows=20", "min-hessian=0.001", "bins=255", "patience=0"]
FEATURES = 136
SIZES = {
    "usual": {"lists": [500, 1000, 2000], "features": [34, 68, 136], "trees": [25, 50, 100]},
    "trial": {"lists": [20, 40], "features": [68, 136], "trees": [2, 4]},
}


def search(programs, lists, features=FEATURES, one_list=False):
    """A file of generated search: some of its features; all rows as one list."""
    part = ("-one" if one_list else "") + (f"-{features}" if features < FEATURES else "")
    file = programs.folder / f"growth-{lists}{part}.parquet"
    if not file.exists():
        if part:
            whole = search(programs, lists)
            programs.call([sys.executable, HERE / "peers/boosting.py", "cut", whole, file, FEATURES // features, int(one_list)], 1)
        else:
            programs.stakes("generate", "search", "--lists", lists, "--mean-length", 100, "--seed", 3, "-o", file)
    return file


def steps(programs):
    """(what grows, its size, how to measure it)."""
    sizes = SIZES.get(programs.a.size, SIZES["usual"])
    lists, trees = sizes["lists"][-1], sizes["trees"][-1]

    def train(file, trees):
        return programs.call([programs.a.bench, "train", file, 1, "lambdamart", f"rounds={trees}", *SHAPE], 1)

    for size in sizes["lists"]:
        yield "lists", size, lambda: train(search(programs, size), trees)
    for size in sizes["features"]:
        yield "features", size, lambda: train(search(programs, lists, size), trees)
    for size in sizes["trees"]:
        yield "trees", size, lambda: train(search(programs, lists), size)
    yield "lists, same rows", lists, lambda: train(search(programs, lists), trees)
    yield "lists, same rows", 1, lambda: train(search(programs, lists, one_list=True), trees)

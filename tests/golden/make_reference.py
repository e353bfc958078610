"""Write reference.json: values of our metrics taken from other people's code.

    python3 -m venv target/golden-venv
    target/golden-venv/bin/pip install -r tests/golden/requirements.txt
    target/golden-venv/bin/python tests/golden/make_reference.py            # write
    target/golden-venv/bin/python tests/golden/make_reference.py --check    # compare only

Each case is one list: labels (what is true) and scores (higher = ranked earlier).
Each expected value names its source; "a; b" means that a gave the value and b agreed
with it to 1e-9 (or this script stops). A value is absent where its source leaves it
undefined, where the source cannot take the input, or where sources would differ in
convention. "By definition" means a slow loop in this file, written from the formula.

Conventions
  order        by score, descending
  relevant     label > 0 (map, mrr, p, recall); grades 0..4 for err
  ndcg, dcg    gain 2^y - 1 (default) or y (gain=linear); discount 1/log2(p + 1);
               ties=expected (default: mean over the orders of a tied block, as
               scikit-learn does), ties=stable (input order), ties=worst (tied items by
               label ascending). No ndcg if nothing is relevant (scikit-learn says 0);
               for one item it comes from trec_eval and gdeval (scikit-learn refuses).
               The exp2 gain is given to scikit-learn as 2^(y-max) - 2^-max, for both
               the actual and the ideal order, so that large labels do not overflow.
  map, mrr, p@k, recall@k, err@k: only where no two scores are equal.
               p@k divides by k even if the list is shorter (trec_eval, ranx).
               err: R = (2^y - 1)/2^4, cascade over the first 20 (gdeval).
               trec_eval keeps scores as float32, so it is used only where they stay distinct.
  tau          1 - 4D/(c(c-1)), kendall = D = inverted pairs, footrule = sum |r - q|,
               spearman = sum (r - q)^2: total orders only (no ties on either side)
  tau:variant=b, spearman-rho: with ties, none if either side is constant
  gamma        (C - D)/(C + D), tied pairs on either side left out
  auc, mann-whitney, wrs: labels 0/1; tied scores 1/2; U and W of the positives, rank 1 =
               lowest score; wrs only without tied scores
  c-index, rankloss, exploss, m-auc: over pairs with label_i > label_j
               c-index: tied scores 1/2; rankloss = 1 - c-index; rankloss:ties=wrong counts
               a tied score as an error; exploss = mean exp(-(s_i - s_j)); m-auc = plain
               mean over pairs of levels of the AUC of the upper against the lower
  jaccard, pref-precision, pref-recall, pref-f1: on the sets of strict preferences
               {(i, j): label_i > label_j} (truth) and {(i, j): score_i > score_j} (predicted);
               only where both sets have members
  rmse, mae    scores as predictions of labels
  a@k, r@k     cost = label; Pr(p) = max(0, 1 - (p - 1)/k); mean over every order of the
               tied blocks (lists with too many such orders are skipped); r = a / ideal,
               none if the ideal is 0
"""

import argparse
import itertools
import json
import math
import pathlib
import pkgutil
import subprocess
import sys
import tempfile
import warnings
from importlib.metadata import version

import numpy as np
import pytrec_eval
import ranx
from lifelines.utils import concordance_index
from lifelines.utils.concordance import _concordance_summary_statistics
from scipy import stats
from sklearn import metrics as skm

OUT = pathlib.Path(__file__).with_name("reference.json")
SEED = 20_240_917
MAX_ORDERS = 50_000

SKLEARN = "scikit-learn " + version("scikit-learn")
SCIPY = "scipy " + version("scipy")
LIFELINES = "lifelines " + version("lifelines")
RANX = "ranx " + version("ranx")
TREC = "pytrec-eval-terrier " + version("pytrec-eval-terrier")
GDEVAL = "gdeval 1.2a in ir_measures " + version("ir_measures")
NUMPY = "by definition, numpy"


# --- cases ------------------------------------------------------------------------------


def make_cases():
    """(name, labels, scores) of every kind; scores follow the labels with some noise."""
    rng = np.random.default_rng(SEED)

    def noisy(y, noise=1.0):
        spread = y.std() or 1.0
        return np.round(y / spread + rng.normal(0, noise, len(y)), 6)

    def grades(n):
        return rng.choice(5, n, p=[0.45, 0.25, 0.15, 0.1, 0.05]).astype(float)

    def binary(n):
        y = (rng.random(n) < 0.3).astype(float)
        y[rng.integers(n)] = 1.0
        return y

    def heavy(n):  # a third nothing, the rest log-normal over several decades
        return np.round(rng.lognormal(3, 2, n) * (rng.random(n) < 0.67), 3)

    for n in (2, 3, 5, 8, 12, 20, 35, 60):
        y = grades(n)
        y[0] = max(y[0], 1.0)
        yield f"graded-{n}", y, noisy(y)
    for n in (4, 10, 25, 60):
        y = grades(n)
        yield f"graded-tied-scores-{n}", y, np.round(noisy(y))
    for n in (2, 6, 15, 30, 60):
        y = binary(n)
        yield f"binary-{n}", y, noisy(y)
    for n in (5, 14, 40):
        y = binary(n)
        yield f"binary-tied-scores-{n}", y, np.round(noisy(y))
    for n in (3, 10, 24, 50):
        y = heavy(n)
        yield f"heavy-tailed-{n}", y, noisy(np.log1p(y))
    y = heavy(12)
    yield "heavy-tailed-tied-scores-12", y, np.round(noisy(np.log1p(y)))
    for n in (2, 5, 9, 16, 30, 60):
        y = rng.permutation(n) + 1.0
        yield f"total-order-{n}", y, noisy(y, 0.6)
    y = np.arange(1.0, 9.0)
    yield "total-order-perfect-8", y, y / 4
    yield "total-order-reversed-8", y, -y / 4
    # target E>B>C>A>D, predicted A>B>E>C>D; items A..E
    yield "total-order-five-letters", np.array([2.0, 4, 3, 1, 5]), np.array([5.0, 4, 2, 1, 3])
    y = np.repeat([3.0, 2, 1, 0], 4)
    yield "tied-labels-16", y, noisy(y)
    yield "tied-both-16", y, np.round(noisy(y))
    yield "tied-some-scores-8", np.array([0.0, 2, 1, 0, 3, 0, 1, 4]), np.array([0.5, 0.5, 0.5, -1, 2, 2, 0.1, -1])
    yield "constant-scores-6", np.array([0.0, 3, 1, 0, 2, 0]), np.full(6, 0.25)
    yield "one-item-relevant", np.array([3.0]), np.array([0.4])
    yield "one-item-zero", np.array([0.0]), np.array([0.4])
    yield "all-labels-equal-7", np.full(7, 2.0), noisy(np.full(7, 2.0))
    yield "all-labels-equal-tied-scores-5", np.full(5, 1.0), np.array([1.0, 0, 0, 1, 0.5])
    yield "all-zero-6", np.zeros(6), noisy(np.zeros(6))


# --- collecting -------------------------------------------------------------------------


class Expected:
    """Values of one case; a second source for a metric must agree with the first."""

    def __init__(self, case):
        self.case, self.rows = case, {}

    def add(self, metric, value, source):
        value = float(value)
        if not math.isfinite(value):
            return
        if metric not in self.rows:
            self.rows[metric] = (value, source)
            return
        first, sources = self.rows[metric]
        if not math.isclose(first, value, rel_tol=1e-9, abs_tol=1e-9):
            sys.exit(f"{self.case} {metric}: {first} ({sources}) but {value} ({source})")
        self.rows[metric] = (first, f"{sources}; {source}")


# --- sources ----------------------------------------------------------------------------


def distinct(x):
    return len(np.unique(x)) == len(x)


def scores_from_order(order):
    """Distinct scores that rank the items in the given order."""
    s = np.empty(len(order))
    s[order] = np.arange(len(order), 0, -1)
    return s


def gain_metrics(y, s, out):
    """DCG and NDCG from scikit-learn."""
    if len(y) < 2 or y.max() <= 0:
        return
    orders = {
        "expected": s,
        "stable": scores_from_order(np.argsort(-s, kind="stable")),
        "worst": scores_from_order(np.lexsort((y, -s))),
    }
    scaled = np.exp2(y - y.max()) - np.exp2(-y.max())
    for k in (None, 10, 5):
        at = "" if k is None else f"@{k}"
        out.add(f"ndcg{at}", skm.ndcg_score([scaled], [s], k=k), f"{SKLEARN} ndcg_score on 2^y-1")
        for ties, order in orders.items():
            option = "" if ties == "expected" else f",ties={ties}"
            note = "" if ties == "expected" else f", ties ordered {ties}"
            spec = f"{at}:gain=linear{option}"
            out.add(f"ndcg{spec}", skm.ndcg_score([y], [order], k=k), f"{SKLEARN} ndcg_score{note}")
            out.add(f"dcg{spec}", skm.dcg_score([y], [order], k=k), f"{SKLEARN} dcg_score{note}")
    if y.max() <= 30:
        gains = np.exp2(y) - 1
        out.add("dcg@10", skm.dcg_score([gains], [s], k=10), f"{SKLEARN} dcg_score on 2^y-1")


def retrieval_metrics(y, s, out):
    """MAP, MRR, precision, recall from ranx and trec_eval; both again for linear NDCG."""
    if y.max() <= 0 or not distinct(s):
        return
    graded = np.all(y == np.round(y))
    rel = y.astype(int) if graded else (y > 0).astype(int)
    qrels = {"1": {f"d{i}": int(v) for i, v in enumerate(rel)}}
    run = {"1": {f"d{i}": float(v) for i, v in enumerate(s)}}
    names = {"map": "map", "mrr": "mrr", "precision@5": "p@5", "recall@5": "recall@5"}
    if graded:
        names |= {"ndcg": "ndcg:gain=linear", "ndcg@10": "ndcg@10:gain=linear", "ndcg_burges@10": "ndcg@10"}
    got = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), list(names))
    for theirs, ours in names.items():
        out.add(ours, got[theirs], f"{RANX} {theirs}")
    if not distinct(s.astype(np.float32)):
        return
    names = {"map": "map", "recip_rank": "mrr", "P_5": "p@5", "recall_5": "recall@5"}
    if graded:
        names |= {"ndcg": "ndcg:gain=linear", "ndcg_cut_10": "ndcg@10:gain=linear"}
    wanted = {"map", "recip_rank", "P.5", "recall.5", "ndcg", "ndcg_cut.10"}
    got = pytrec_eval.RelevanceEvaluator(qrels, wanted).evaluate(run)["1"]
    for theirs, ours in names.items():
        out.add(ours, got[theirs], f"{TREC} {theirs}")


def gdeval(y, s, k):
    """(NDCG@k, ERR@k) from TREC's gdeval.pl, its output format widened from 5 digits."""
    script = pkgutil.get_data("ir_measures", "bin/gdeval.pl").replace(b"%.5f,%.5f", b"%.17g,%.17g")
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder, name) for name in ("gdeval.pl", "qrels", "run")]
        files[0].write_bytes(script)
        files[1].write_text("".join(f"1 0 d{i} {int(v)}\n" for i, v in enumerate(y)))
        files[2].write_text("".join(f"1 Q0 d{i} 1 {float(v)!r} x\n" for i, v in enumerate(s)))
        text = subprocess.check_output(["perl", *map(str, files), str(k)], text=True)
    return map(float, text.splitlines()[1].split(",")[2:])


def gdeval_metrics(y, s, out):
    if y.max() <= 0 or y.max() > 4 or np.any(y != np.round(y)) or not distinct(s):
        return
    _, err = gdeval(y, s, 20)
    out.add("err@20:max=4", err, f"{GDEVAL} err@20")
    for k in (5, 10):
        ndcg, _ = gdeval(y, s, k)
        out.add(f"ndcg@{k}", ndcg, f"{GDEVAL} ndcg@{k}")


def rank_correlations(y, s, out):
    n = len(y)
    if n < 2:
        return
    if np.ptp(y) > 0 and np.ptp(s) > 0:
        out.add("tau:variant=b", stats.kendalltau(y, s, variant="b").statistic, f"{SCIPY} kendalltau variant=b")
        out.add("spearman-rho", stats.spearmanr(y, s).statistic, f"{SCIPY} spearmanr")
    if not (distinct(y) and distinct(s)):
        return
    tau = stats.kendalltau(y, s).statistic
    inverted = sum((y[i] - y[j]) * (s[i] - s[j]) < 0 for i, j in itertools.combinations(range(n), 2))
    out.add("tau", tau, f"{SCIPY} kendalltau without ties")
    out.add("tau", 1 - 4 * inverted / (n * (n - 1)), NUMPY)
    out.add("kendall", inverted, NUMPY)
    out.add("kendall", (1 - tau) * n * (n - 1) / 4, f"{SCIPY} kendalltau turned into a count")
    difference = stats.rankdata(-y) - stats.rankdata(-s)
    out.add("footrule", np.abs(difference).sum(), f"{SCIPY} rankdata")
    out.add("spearman", (difference**2).sum(), f"{SCIPY} rankdata")


def pair_metrics(y, s, out):
    """Pairs with different labels: c-index, gamma, rank loss; and sets of preferences."""
    truth = y[:, None] > y[None, :]
    predicted = s[:, None] > s[None, :]
    if truth.any():
        c = concordance_index(y, s)
        right, tied, pairs = _concordance_summary_statistics(y, s, np.ones(len(y)))
        wrong = pairs - right - tied
        out.add("c-index", c, f"{LIFELINES} concordance_index")
        out.add("rankloss", 1 - c, f"1 - {LIFELINES} concordance_index")
        out.add("rankloss:ties=wrong", (wrong + tied) / pairs, f"{LIFELINES} pair counts")
        gaps = (s[:, None] - s[None, :])[truth]
        out.add("rankloss:ties=wrong", np.mean(gaps <= 0), NUMPY)
        out.add("exploss", np.mean(np.exp(-gaps)), NUMPY)
        if right + wrong > 0:
            out.add("gamma", (right - wrong) / (right + wrong), f"{LIFELINES} pair counts")
            signs = np.sign(gaps)
            out.add("gamma", signs.sum() / np.abs(signs).sum(), NUMPY)
    if truth.any() and predicted.any():
        off_diagonal = ~np.eye(len(y), dtype=bool)
        t, p = truth[off_diagonal], predicted[off_diagonal]
        out.add("jaccard", skm.jaccard_score(t, p), f"{SKLEARN} jaccard_score on ordered pairs")
        out.add("pref-precision", skm.precision_score(t, p), f"{SKLEARN} precision_score on ordered pairs")
        out.add("pref-recall", skm.recall_score(t, p), f"{SKLEARN} recall_score on ordered pairs")
        out.add("pref-f1", skm.f1_score(t, p), f"{SKLEARN} f1_score on ordered pairs")


def level_metrics(y, s, out):
    """AUC family."""
    levels = np.unique(y)
    if not 2 <= len(levels) <= 10:
        return
    aucs = []
    for low, high in itertools.combinations(levels, 2):
        of_pair = (y == low) | (y == high)
        aucs.append(skm.roc_auc_score(y[of_pair] == high, s[of_pair]))
    out.add("m-auc", np.mean(aucs), f"{SKLEARN} roc_auc_score, mean over pairs of levels")
    if list(levels) != [0.0, 1.0]:
        return
    positive, negative = s[y == 1], s[y == 0]
    out.add("auc", skm.roc_auc_score(y, s), f"{SKLEARN} roc_auc_score")
    u = stats.mannwhitneyu(positive, negative).statistic
    out.add("mann-whitney", u, f"{SCIPY} mannwhitneyu")
    if distinct(s):
        out.add("wrs", stats.rankdata(s)[y == 1].sum(), f"{SCIPY} rankdata")


def regression_metrics(y, s, out):
    out.add("rmse", skm.root_mean_squared_error(y, s), f"{SKLEARN} root_mean_squared_error")
    out.add("mae", skm.mean_absolute_error(y, s), f"{SKLEARN} mean_absolute_error")


def cost_metrics(y, s, out):
    """A@k and R@k: enumerate every order that the scores allow and take the mean.
    The same for DCG, as a check on scikit-learn's closed form for ties."""
    blocks = [np.flatnonzero(s == v) for v in np.unique(s)[::-1]]
    if math.prod(math.factorial(len(b)) for b in blocks) > MAX_ORDERS:
        return
    choices = [list(itertools.permutations(b)) for b in blocks]
    orders = np.array([sum(c, ()) for c in itertools.product(*choices)])
    for k in (3, 10):
        pr = np.maximum(0, 1 - np.arange(len(y)) / k)
        saved = (y[orders] * pr).sum(axis=1).mean()
        ideal = (np.sort(y)[::-1] * pr).sum()
        out.add(f"a@{k}", saved, NUMPY)
        if ideal > 0:
            out.add(f"r@{k}", saved / ideal, NUMPY)
    discounts = (1 / np.log2(np.arange(len(y)) + 2))[:10]
    out.add("dcg@10:gain=linear", (y[orders][:, :10] * discounts).sum(axis=1).mean(), NUMPY)


SOURCES = (
    gain_metrics,
    retrieval_metrics,
    gdeval_metrics,
    rank_correlations,
    pair_metrics,
    level_metrics,
    regression_metrics,
    cost_metrics,
)


# --- writing ----------------------------------------------------------------------------


def compute():
    cases = []
    for name, labels, scores in make_cases():
        out = Expected(name)
        for source in SOURCES:
            source(labels, scores, out)
        expected = [{"metric": m, "value": v, "source": src} for m, (v, src) in out.rows.items()]
        cases.append({"name": name, "labels": labels.tolist(), "scores": scores.tolist(), "expected": expected})
    return {"cases": cases}


def dump(reference):
    """JSON with one expected value per line, so that a change shows as a line."""
    cases = []
    for case in reference["cases"]:
        head = [f'"{key}": {json.dumps(case[key], allow_nan=False)}' for key in ("name", "labels", "scores")]
        rows = ",\n".join("  " + json.dumps(row, allow_nan=False) for row in case["expected"])
        cases.append("{" + ",\n ".join(head) + ',\n "expected": [\n' + rows + "\n ]}")
    return '{"cases": [\n' + ",\n".join(cases) + "\n]}\n"


def check(reference):
    """Exit with an error unless the file on disk holds these values (to 1e-12)."""
    stored = json.loads(OUT.read_text())["cases"]
    flat = lambda cases: {(c["name"], e["metric"]): e["value"] for c in cases for e in c["expected"]}
    old, new = flat(stored), flat(reference["cases"])
    same = lambda key: math.isclose(old[key], new[key], rel_tol=1e-12, abs_tol=1e-12)
    different = sorted(old.keys() ^ new.keys()) + [key for key in old.keys() & new.keys() if not same(key)]
    if different:
        sys.exit(f"{len(different)} values differ, first: {different[0]}")
    print(f"{len(new)} values agree")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the file, write nothing")
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore", message="unsafe cast from uint64 to int64")  # inside ranx
    reference = compute()
    if arguments.check:
        return check(reference)
    OUT.write_text(dump(reference))
    values = sum(len(case["expected"]) for case in reference["cases"])
    print(f"{len(reference['cases'])} cases, {values} values, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()

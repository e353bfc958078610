"""Training and scoring speed of boosted trees, ours and the peers', in one sitting:
speed.py FOLDER --stakes PATH --bench PATH --hessboost PATH [options]

Run by `benches/speed.sh` in the peers' Python. Every measurement is a process of its own, one at a
time, on as many cores as it has threads; repeats go round over all programs, so that a slow minute of the machine hits all alike. One
JSON line per measurement goes to FOLDER/lines.jsonl, which `speed_table.py` turns into a table.

What is asked of each program, and how it is set to do the same work: `peers/boosting.py`. Ours:
`lambdamart` with cutoff=all, pairs=30, normalise=yes is what LightGBM's lambdarank does by default;
`mart` is squared error. `stakes-avx2` is our program with no wider vectors than AVX2 (STAKES_VECTORS).
Our data sets say which item a row is of, and what never changes of a network is summed up by network; the
peers are not told. `stakes-no-ids` is our program on storms when it is not told either.
The generated data:
- search: 136 features, grades 0 to 4, trained with ranking losses;
- storms: 83 numeric features with missing values (text is left out: peers differ in what they do
  with it), customers without power as they are, trained with squared error: no peer ranks by costs.
Quality is NDCG@10 on lists of another seed, by `stakes evaluate` for all (storms: linear gain).
Scoring is of those lists of search, by models of 100 x 63 and 500 x 63. How our own time grows:
`growth.py`.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import growth

HERE = Path(__file__).resolve().parent
SETS = {
    "search": {"goal": "rank", "roles": ["--list", "query", "--impact", "grade"], "metric": "ndcg@10"},
    "storms": {"goal": "squares", "roles": ["--list", "storm", "--impact", "customers_out"], "metric": "ndcg@10:gain=linear"},
}
SIZES = {  # (training, held out): options of `stakes generate`
    "usual": {"search": (["--lists", 2000], ["--lists", 1000]), "storms": (["--rows", 100_000], ["--rows", 25_000, "--lists", 75])},
    "large": {"search": (["--lists", 10_000], ["--lists", 1000]), "storms": (["--rows", 100_000], ["--rows", 25_000, "--lists", 75])},
    "trial": {"search": (["--lists", 50], ["--lists", 20]), "storms": (["--rows", 2000, "--lists", 20], ["--rows", 1000, "--lists", 10])},
}
SHAPES = {"usual": [(100, 31), (100, 63)], "large": [(100, 31), (100, 63), (500, 63)], "trial": [(5, 31), (5, 63)]}
SCORED = {"usual": [(100, 63), (500, 63)], "large": [(100, 63), (500, 63)], "trial": [(5, 63), (8, 63)]}
COME_AGAIN = ("storms",)  # the sets in which the same items come again
LIGHTGBM = ["lightgbm", "lightgbm-col", "lightgbm-row", "lightgbm-quantised"]
NARROW = "stakes-avx2"  # our program with no wider vectors than AVX2, as on most laptops
WITHOUT_IDS = "stakes-no-ids"  # our program on data without ids of items
OURS_ALL = ("stakes", NARROW, WITHOUT_IDS)
TRAINED = [*OURS_ALL, *LIGHTGBM, "xgboost", "hessboost", "catboost", "catboost-queryrmse"]
SCORERS = ["stakes", NARROW, "lightgbm", "xgboost", "hessboost", "catboost"]
SLOW = ("catboost",)  # YetiRank is several times slower than all others: fewer repeats
OURS = {"rank": ["lambdamart", "cutoff=all", "pairs=30", "normalise=yes"], "squares": ["mart"]}


class Programs:
    """How each program is asked to train and to score."""

    def __init__(self, a):
        self.a, self.folder = a, a.folder

    def call(self, command, threads, peer=""):
        """The JSON of the command's last line."""
        environment = dict(os.environ) | {name: str(threads) for name in ("OMP_NUM_THREADS", "RAYON_NUM_THREADS")}
        if peer == NARROW:
            environment["STAKES_VECTORS"] = "avx2"
        # Threads that wait must not spin: they would take the processor from those that work.
        environment["OMP_WAIT_POLICY"] = "passive"
        # Not every step of every peer heeds the number of threads it is given (CatBoost's binning).
        cores = sorted(os.sched_getaffinity(0))[-threads:]
        pin = lambda: os.sched_setaffinity(0, cores)
        command = [str(part) for part in command]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, preexec_fn=pin)
        if done.returncode:
            sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        return json.loads(done.stdout.splitlines()[-1]) if done.stdout.strip() else {}

    def stakes(self, *arguments):
        done = subprocess.run([str(part) for part in (self.a.stakes, *arguments)], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"stakes {arguments}\n{done.stderr}")
        return done.stdout

    def file(self, name, part):
        return self.folder / f"{name}-{self.a.size}-{part}.parquet"

    def plain(self, name, part):
        return self.folder / f"{name}-{self.a.size}-{part}"

    def prefix(self, peer, name, trees, leaves, threads):
        return self.folder / "models" / f"{name}-{self.a.size}-{trees}x{leaves}-{peer}-{threads}"

    def make_data(self, name):
        for part, seed, sizes in zip(("train", "test"), (1, 2), SIZES[self.a.size][name]):
            file = self.file(name, part)
            if not (self.a.go_on and (self.plain(name, part) / "sizes.u32").exists()):
                self.stakes("generate", name, *sizes, "--seed", seed, "-o", file)
                self.call([sys.executable, HERE / "peers/boosting.py", "prepare", file, self.plain(name, part)], 1)

    def train(self, peer, name, trees, leaves, threads):
        prefix, goal = self.prefix(peer, name, trees, leaves, threads), SETS[name]["goal"]
        plain = [self.plain(name, "train"), self.plain(name, "test"), prefix]
        if peer in OURS_ALL:
            shape = [f"rounds={trees}", f"leaves={leaves}", "rate=0.1", "min-rows=20", "min-hessian=0.001", "bins=255", "patience=0"]
            ends = ["--test", self.file(name, "test"), "--out", prefix]
            if peer == WITHOUT_IDS:
                ends.append("--without-ids")
            return self.call([self.a.bench, "train", self.file(name, "train"), threads, *OURS[goal], *shape, *ends], threads, peer)
        own = [self.a.hessboost, "train"] if peer == "hessboost" else [sys.executable, "-W", "ignore", HERE / "peers/boosting.py", "train", peer]
        return self.call([*own, threads, trees, leaves, goal, *plain], threads)

    def score(self, peer, name, trees, leaves, threads, trained_with):
        prefix = self.prefix(peer, name, trees, leaves, trained_with)
        if peer in OURS_ALL:
            return self.call([self.a.bench, "score", self.file(name, "test"), threads, f"{prefix}.json"], threads, peer)
        own = [self.a.hessboost, "score"] if peer == "hessboost" else [sys.executable, "-W", "ignore", HERE / "peers/boosting.py", "score", peer]
        return self.call([*own, threads, prefix, self.plain(name, "test")], threads)

    def quality(self, peer, name, trees, leaves, threads):
        """NDCG@10 of the held-out lists."""
        scores = f"model={self.prefix(peer, name, trees, leaves, threads)}.scores"
        kind = SETS[name]
        options = ["-m", kind["metric"], "--json", "--no-references", "--no-intervals"]
        found = self.stakes("evaluate", self.file(name, "test"), *kind["roles"], "--score-file", scores, *options)
        return json.loads(found)["results"][0]["value"]


class Lines:
    """What was measured, kept as it comes, so that an interrupted run can continue."""

    KEYS = ("work", "peer", "set", "trees", "leaves", "threads", "repeat")

    def __init__(self, path, go_on):
        self.path, self.known = path, set()
        if go_on and path.exists():
            for text in path.read_text().splitlines():
                line = json.loads(text)
                self.known.add(tuple(line.get(key) for key in self.KEYS))
        else:
            path.write_text("")

    def add(self, key, measure):
        if key in self.known:
            return
        line = measure() | dict(zip(self.KEYS, key))
        with open(self.path, "a") as file:
            file.write(json.dumps(line) + "\n")
        said = " ".join(str(part) for part in key)
        print(f"{said}: {line['seconds']:.3f} s, processor {line['cpu']:.3f} s", file=sys.stderr, flush=True)


def measure(a, programs, lines):
    has_wider = "avx512f" in open("/proc/cpuinfo").read()
    wanted = lambda peers: [
        peer for peer in peers if (not a.only or peer in a.only.split(",")) and (peer != NARROW or has_wider)
    ]
    repeats = lambda peer: a.slow_repeats if peer in SLOW else a.repeats
    for name in a.sets.split(","):
        programs.make_data(name)
        for repeat in range(max(a.repeats, a.slow_repeats)):
            for trees, leaves in SHAPES[a.size]:
                for threads in a.threads:
                    for peer in wanted(TRAINED):
                        if peer == WITHOUT_IDS and name not in COME_AGAIN:
                            continue
                        if repeat < repeats(peer):
                            trained = lambda: train(programs, peer, name, trees, leaves, threads, repeat)
                            lines.add(("train", peer, name, trees, leaves, threads, repeat), trained)
    if "search" not in a.sets.split(","):
        return
    most = max(a.threads)
    for trees, leaves in SCORED[a.size]:
        if (trees, leaves) not in SHAPES[a.size]:
            for peer in wanted(SCORERS):  # only to have a model: one repeat
                trained = lambda: train(programs, peer, "search", trees, leaves, most, 0)
                lines.add(("train-once", peer, "search", trees, leaves, most, 0), trained)
    for repeat in range(a.repeats):
        for trees, leaves in SCORED[a.size]:
            for threads in a.threads:
                for peer in wanted(SCORERS):
                    scored = lambda: programs.score(peer, "search", trees, leaves, threads, most)
                    lines.add(("score", peer, "search", trees, leaves, threads, repeat), scored)


def measure_growth(a, programs, lines):
    for repeat in range(a.repeats):
        for what, size, trained in growth.steps(programs):
            lines.add(("growth", "stakes", what, size, 63, 1, repeat), trained)


def train(programs, peer, name, trees, leaves, threads, repeat):
    line = programs.train(peer, name, trees, leaves, threads)
    if repeat == 0:
        line["quality"] = programs.quality(peer, name, trees, leaves, threads)
    return line


def machine():
    """Processor, cores, and how busy it was before."""
    names = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"warning: the machine is busy (load {load:.1f}); the figures will say little", file=sys.stderr)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return {"processor": names[0], "cores": len(names), "memory_gb": round(memory), "load": load, "system": platform.system()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    for program in ("stakes", "bench", "hessboost"):
        parser.add_argument(f"--{program}", required=True)
    sizes = parser.add_mutually_exclusive_group()
    sizes.add_argument("--large", dest="size", action="store_const", const="large", help="10,000 lists of search, and 500 x 63")
    sizes.add_argument("--trial", dest="size", action="store_const", const="trial", help="tiny: do the scripts work?")
    parser.add_argument("--repeats", type=int, help="3, or 1 in a trial")
    parser.add_argument("--slow-repeats", type=int, default=1, help="of CatBoost with its own ranking loss")
    parser.add_argument("--threads", type=lambda text: [int(part) for part in text.split(",")], default=[1, 2])
    parser.add_argument("--sets", default="search,storms")
    parser.add_argument("--only", help="programs, with commas")
    parser.add_argument("--go-on", action="store_true", help="keep what an interrupted run has measured")
    parser.set_defaults(size="usual")
    a = parser.parse_args()
    a.repeats = a.repeats or (1 if a.size == "trial" else 3)
    (a.folder / "models").mkdir(parents=True, exist_ok=True)
    about = a.folder / "machine.json"
    if not (a.go_on and about.exists()):
        about.write_text(json.dumps(machine() | {"size": a.size, "repeats": a.repeats, "slow_repeats": a.slow_repeats}))
    programs, lines = Programs(a), Lines(a.folder / "lines.jsonl", a.go_on)
    measure(a, programs, lines)
    if not a.only and a.size != "large":
        measure_growth(a, programs, lines)


if __name__ == "__main__":
    main()

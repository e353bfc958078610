"""What `speed.py` measured as Markdown, with the goals at the end: speed_table.py FOLDER
speed_table.py FOLDER PAGE TABLE puts the summary between the marks of PAGE, with a link to TABLE.

Figures are medians of the repeats. `peer / ours` is the peer's seconds of binning and boosting over
ours with as many threads: above 1 ours is faster. `peak` is the largest resident memory of the whole
process while it trained, libraries and features in memory included; `added` is that beyond what it
held when the clock started (features, libraries).
"""

import contextlib
import io
import json
import sys
from pathlib import Path
from statistics import median

NEAR = 0.002
# How many times as fast as the fastest peer, and as our own single thread: by set, with all vectors and with AVX2.
FASTER = {"search": (2.5, 2.2), "storms": (2.0, 2.0)}
SCALES = {"search": 1.8, "storms": 1.6}
SCORES_HESSBOOST, SCORES_LIGHTGBM, ONE_ROW = 2.0, 10.0, 20.0
SCORES_CATBOOST = {100: 2.0, 500: 1.0}
# Twice as much in twice the time, and a tenth for the noise of the machine.
LINEAR, NO_SLOWER = 2.2, 1.1
OURS, NARROW, WITHOUT_IDS = OURS_ALL = "stakes", "stakes-avx2", "stakes-no-ids"


class Runs:
    """The repeats of each measurement, and their medians."""

    def __init__(self, path):
        self.lines = {}
        for text in path.read_text().splitlines():
            line = json.loads(text)
            key = tuple(line[k] for k in ("work", "set", "trees", "leaves", "threads", "peer"))
            self.lines.setdefault(key, []).append(line)

    def of(self, *key):
        """The medians of the measurement as a dict, or None."""
        lines = self.lines.get(key)
        if lines is None:
            return None
        numbers = [name for name, value in lines[0].items() if isinstance(value, (int, float))]
        values = {name: median(line[name] for line in lines if name in line) for name in numbers}
        return lines[0] | values | {"repeats": len(lines)}

    def groups(self, work):
        """(set, trees, leaves, threads) in the order of measuring."""
        return list(dict.fromkeys(key[1:5] for key in self.lines if key[0] == work))

    def peers(self, work, group):
        """name -> medians, ours first."""
        names = [key[5] for key in self.lines if key[0] == work and key[1:5] == group]
        return {name: self.of(work, *group, name) for name in sorted(names, key=lambda name: OURS_ALL.index(name) if name in OURS_ALL else len(OURS_ALL))}


def table(columns):
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")


def row(cells):
    print(f"| {' | '.join(str(cell) for cell in cells)} |")


def label(name, line):
    return f"**{name}**" if name in OURS_ALL else f"{name} {line['version']}"


def ratio(value):
    return "" if value is None else f"{value:.2f} x"


def training(runs):
    shapes = list(dict.fromkeys(group[:3] for group in runs.groups("train")))
    for name, trees, leaves in shapes:
        groups = [group for group in runs.groups("train") if group[:3] == (name, trees, leaves)]
        line = next(iter(runs.peers("train", groups[0]).values()))
        print(f"## Training: {name}, {line['rows']:,} rows x {line['features']} features, {trees} trees x {leaves} leaves\n")
        columns = ["program", "threads", "binning s", "boosting s", "both s", "processor s", "peer / ours"]
        table([*columns, "NDCG@10", "peak MB", "added MB", "repeats"])
        for group in groups:
            peers = runs.peers("train", group)
            ours = peers.get(OURS)
            for peer, m in peers.items():
                times = [f"{m[key]:.3f}" for key in ("binning", "boosting", "seconds", "cpu")]
                versus = ratio(m["seconds"] / ours["seconds"]) if ours and peer != OURS else ""
                memory = [f"{m['peak_rss_mb']:.0f}", f"{m['peak_rss_mb'] - m['rss_before_mb']:.0f}"]
                row([label(peer, m), group[3], *times, versus, f"{m['quality']:.4f}", *memory, m["repeats"]])
        print()


def scoring(runs):
    if not runs.groups("score"):
        return
    print("## Scoring: held-out rows of search\n")
    table(["program", "model", "threads", "million rows / s", "million rows / processor s", "ours / peer", "one row, microseconds"])
    for group in runs.groups("score"):
        peers = runs.peers("score", group)
        ours = peers.get(OURS)
        for peer, m in peers.items():
            versus = ratio(m["cpu"] / ours["cpu"]) if ours and peer != OURS else ""
            rates = [f"{m['rows'] / m[key] / 1e6:.3f}" for key in ("seconds", "cpu")]
            row([label(peer, m), f"{group[1]} x {group[2]}", group[3], *rates, versus, f"{m['one_row_us']:.2f}"])
    print("\n`ours / peer` is of rows per processor second; LightGBM's rows go one by one through its C")
    print("function for that, hessboost's and ours through Rust, the others' through Python.\n")


def growth(runs):
    """what grows -> [(size, seconds)]."""
    found = {}
    for group in runs.groups("growth"):
        found.setdefault(group[0], []).append((group[1], runs.of("growth", *group, OURS)["seconds"]))
    return found


def growing(runs):
    if not growth(runs):
        return
    print("## How our time grows: generated search, 63 leaves, one thread\n")
    table(["what grows", "from", "to", "seconds before", "seconds after", "ratio"])
    for what, steps in growth(runs).items():
        for before, after in zip(steps, steps[1:]):
            row([what, before[0], after[0], f"{before[1]:.3f}", f"{after[1]:.3f}", ratio(after[1] / before[1])])
    print()


def goals(runs):
    """Each goal of the comparison, what was found, and whether it is met."""
    for group in runs.groups("train"):
        peers = runs.peers("train", group)
        ours, narrow, _ = (peers.pop(name, None) for name in OURS_ALL)
        if not ours or not peers:
            continue
        where = f"{group[0]}, {group[1]} x {group[2]}, {group[3]} thread(s)"
        fastest = min(peers, key=lambda peer: peers[peer]["seconds"])
        for own, asked, vectors in zip((ours, narrow), FASTER[group[0]], ("", ", AVX2")):
            if own:
                found = peers[fastest]["seconds"] / own["seconds"]
                yield f"binning + boosting, {where}{vectors}", f"{asked} x the fastest", f"{found:.2f} x {fastest}", found >= asked
        if "lightgbm" in peers:
            found = ours["quality"] - peers["lightgbm"]["quality"]
            yield f"NDCG@10, {where}", f"LightGBM's - {NEAR} at least", f"{found:+.4f}", found >= -NEAR
        least = min(peers, key=lambda peer: peers[peer]["peak_rss_mb"])
        found = f"{ours['peak_rss_mb']:.0f} MB, {least} {peers[least]['peak_rss_mb']:.0f} MB"
        yield f"peak memory, {where}", "below all", found, ours["peak_rss_mb"] < peers[least]["peak_rss_mb"]
        added = lambda m: m["peak_rss_mb"] - m["rss_before_mb"]
        least = min(peers, key=lambda peer: added(peers[peer]))
        found = f"{added(ours):.0f} MB, {least} {added(peers[least]):.0f} MB"
        yield f"memory added by training, {where}", "below all", found, added(ours) < added(peers[least])
    for group in runs.groups("train"):
        one, two = (runs.of("train", *group[:3], threads, OURS) for threads in (1, 2))
        if group[3] == 2 and one and two:
            found = one["seconds"] / two["seconds"]
            asked = SCALES[group[0]]
            yield f"2 threads, {group[0]}, {group[1]} x {group[2]}", f"{asked} x our 1 thread", f"{found:.2f} x", found >= asked
    for group in runs.groups("score"):
        peers = runs.peers("score", group)
        ours = peers.get(OURS)
        where = f"{group[1]} x {group[2]}, {group[3]} thread(s)"
        asked = [("hessboost", SCORES_HESSBOOST), ("lightgbm", SCORES_LIGHTGBM), ("catboost", SCORES_CATBOOST.get(group[1]))]
        for peer, times in asked:
            if ours and times and peer in peers:
                found = peers[peer]["cpu"] / ours["cpu"]
                yield f"rows per processor second, {where}", f"{times:.0f} x {peer}", f"{found:.2f} x", found >= times
    largest = max((group for group in runs.groups("score")), key=lambda group: (group[1], -group[3]), default=None)
    ours = largest and runs.of("score", *largest, OURS)
    if ours:
        found = ours["one_row_us"]
        yield f"one row, {largest[1]} x {largest[2]}", f"below {ONE_ROW:.0f} microseconds", f"{found:.2f}", found < ONE_ROW
    for what, steps in growth(runs).items():
        found = max(after[1] / before[1] for before, after in zip(steps, steps[1:]))
        doubled = steps[-1][0] > 1
        asked, most = ("2 x the time for 2 x as much", LINEAR) if doubled else ("one long list no slower", NO_SLOWER)
        yield f"growth: {what}", asked, f"{found:.2f} x", found <= most


def summary(runs, link):
    """The words of docs/speed.md: how long it takes, and how many times longer the others take."""
    print("`make bench-peers` on two cores: binning and boosting, 255 bins, as many leaves for all (CatBoost's trees")
    print(f"are symmetric); [whole table, with quality and memory]({link}). In brackets: how many times as fast ours is.\n")
    print("With AVX2 only: our program without the wider vectors of this processor. Without ids: our data sets say which")
    print("network a row of storms is of, and what never changes of a network is summed up by network; the peers are not told, and in this column")
    print("neither are we.\n")
    table(["training", "threads", "Stakes", "with AVX2 only", "without ids", "others"])
    for group in runs.groups("train"):
        peers = runs.peers("train", group)
        ours, narrow, without_ids = (peers.pop(name, None) for name in OURS_ALL)
        others = sorted(peers.items(), key=lambda peer: peer[1]["seconds"])
        text = ", ".join(f"{name} {m['seconds']:.1f} s ({m['seconds'] / ours['seconds']:.1f} x)" for name, m in others)
        what = f"{group[0]}, {ours['rows']:,} x {ours['features']}, {group[1]} trees x {group[2]} leaves"
        own = [f"{ours['seconds']:.2f} s, {ours['peak_rss_mb']:.0f} MB", *(f"{m['seconds']:.2f} s" if m else "" for m in (narrow, without_ids))]
        row([what, group[3], *own, text])
    print()
    table(["scoring, one thread", "Stakes", "with AVX2 only", "others"])
    for group in runs.groups("score"):
        if group[3] != 1:
            continue
        peers = runs.peers("score", group)
        rate = lambda m: m["rows"] / m["cpu"]
        speed = lambda m: f"{rate(m) / 1e6:.2f} M rows/s"
        ours, narrow = peers.pop(OURS), peers.pop(NARROW, None)
        others = sorted(peers.items(), key=lambda peer: -rate(peer[1]))
        text = ", ".join(f"{name} {speed(m)} ({rate(ours) / rate(m):.1f} x)" for name, m in others)
        own = [f"{speed(ours)}, one row {ours['one_row_us']:.1f} µs", speed(narrow) if narrow else ""]
        row([f"{group[1]} trees x {group[2]} leaves", *own, text])


BEGIN, END = "<!-- speed: written by make bench-peers -->\n", "<!-- speed ends -->"


def into_page(runs, page, link):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        summary(runs, link)
    before, rest = page.read_text().split(BEGIN)
    after = rest.split(END)[1]
    page.write_text(before + BEGIN + text.getvalue() + END + after)


def main():
    folder = Path(sys.argv[1])
    machine, runs = json.loads((folder / "machine.json").read_text()), Runs(folder / "lines.jsonl")
    if len(sys.argv) > 2:
        return into_page(runs, Path(sys.argv[2]), sys.argv[3])
    print("# Speed of boosted trees beside the peers\n")
    print(f"{machine['processor']}, {machine['cores']} cores, {machine['memory_gb']} GB, {machine['system']}; load before it began:")
    print(f"{machine['load']:.2f}. Size `{machine['size']}`, {machine['repeats']} repeats ({machine['slow_repeats']} of `catboost`), medians. Learning rate 0.1, 255 bins,")
    print("20 rows in a leaf at least. What is measured and how: `benches/speed.py`, `benches/peers/boosting.py`,")
    print("`benches/speed_table.py`.\n")
    if machine["size"] == "trial":
        print("**A trial: tiny data, unoptimised builds. The figures mean nothing.**\n")
    training(runs)
    scoring(runs)
    growing(runs)
    print("## Goals\n")
    table(["goal", "asked", "found", "met"])
    for goal, asked, found, met in goals(runs):
        row([goal, asked, found, "yes" if met else "**no**"])


if __name__ == "__main__":
    main()

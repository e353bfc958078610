"""The JSON lines of one benchmark run as a Markdown table: table.py LINES

A ratio is the peer's median seconds over ours with the same number of threads (ours with 2
where the peer chose its own). `peak` is the process's peak memory beyond what it held before
the clock started, over the size of the float32 matrix.
"""

import collections
import json
import platform
import statistics
import sys

WORKS = {
    "ndcg@10": "NDCG@10, linear gain, 1,000,000 items in 10,000 lists",
    "letor": "LETOR text of 100 MB into memory",
    "parquet": "Parquet table of 100,000 x 136 into memory",
}
# What the peers call ndcg@10 is ours with linear gain.
OURS = {"ndcg@10": "ndcg@10:gain=linear"}


def main():
    runs = collections.defaultdict(list)
    for text in open(sys.argv[1]):
        line = json.loads(text)
        runs[line["peer"], line["work"], str(line.get("threads", 1))].append(line)
    seconds = lambda lines: statistics.median(line["seconds"] for line in lines)
    print(f"# Benchmarks ({platform.machine()}, {platform.system()})\n")
    for work, title in WORKS.items():
        print(f"## {title}\n\n| program | threads | seconds | ours is faster by | peak / matrix |\n|---|---|---|---|---|")
        own = OURS.get(work, work)
        matrix = next((l["matrix_mb"] for ls in runs.values() for l in ls if l["work"] == work and "matrix_mb" in l), None)
        for (peer, of, threads), lines in runs.items():
            is_ours = peer.startswith("stakes")
            if of != (own if is_ours else work):
                continue
            ours = runs["stakes", own, threads if threads in "12" else "2"]
            ratio = "" if is_ours else f"{seconds(lines) / seconds(ours):.1f} x"
            peak = ""
            if matrix and "peak_rss_mb" in lines[0]:
                extra = max(l["peak_rss_mb"] - l["rss_before_mb"] for l in lines)
                peak = f"{extra / matrix:.2f}"
            label = f"**{peer}**" if is_ours else f"{peer} {lines[0].get('version', '')}"
            print(f"| {label} | {threads} | {seconds(lines):.4f} | {ratio} | {peak} |")
        print()
    print("## Other metrics of ours, same items\n\n| metric | threads | million items a second |\n|---|---|---|")
    for (peer, work, threads), lines in runs.items():
        if peer == "stakes" and "rows_per_second" in lines[0]:
            print(f"| {work} | {threads} | {lines[0]['rows_per_second'] / 1e6:.0f} |")


if __name__ == "__main__":
    main()

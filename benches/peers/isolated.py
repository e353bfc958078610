"""Time one call in a process of its own: seconds, rows and peak memory.

A script defines its peers as functions `f(file, threads)` that import what they need, start
the clock themselves (`with Clock() as clock`) and return (clock, rows, package). `run`
starts the script again for each measurement, so that neither memory nor warm caches of one
peer reach the next. The file is read once beforehand: the page cache is warm for all.

Reported: median seconds of the repeats; peak_rss_mb, the largest resident size of the whole
process, interpreter and libraries included; rss_before_mb, the peak when the clock started,
so that the share of the libraries themselves is known. The peak is VmHWM and not ru_maxrss: on
Linux a started process inherits the ru_maxrss of the one that started it.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from importlib.metadata import version


def memory_mb(field):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(field)) * 1024 / 1e6


def peak_rss_mb():
    return memory_mb("VmHWM:")


def restart_peak():
    """Resident memory now, after the peak was set back to it (where that is allowed)."""
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        pass
    return memory_mb("VmRSS:")


class Clock:
    def __enter__(self):
        self.rss_before = peak_rss_mb()
        self.start = time.perf_counter()
        return self

    def __exit__(self, *_):
        self.seconds = time.perf_counter() - self.start


def child(peers, name, file, threads):
    """Measure once and print the raw numbers on the last line."""
    clock, rows, package = peers[name](file, threads)
    numbers = {"rows": rows, "seconds": clock.seconds, "rss_before_mb": round(clock.rss_before)}
    print(json.dumps(numbers | {"peak_rss_mb": round(peak_rss_mb()), "version": version(package)}))


def run(script, peers, name, file, threads, work, repeats):
    """Measure in fresh processes and print one JSON line. threads = 0: the peer's default."""
    with open(file, "rb") as f:
        while f.read(1 << 24):
            pass
    environment = dict(os.environ)
    if threads:
        environment["OMP_NUM_THREADS"] = str(threads)
    command = [sys.executable, "-W", "ignore", script, file, "--one", name, "--threads", str(threads)]
    runs = []
    for _ in range(repeats):
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{name} failed:\n{done.stderr}")
        runs.append(json.loads(done.stdout.splitlines()[-1]))
    seconds, size = statistics.median(r["seconds"] for r in runs), os.path.getsize(file)
    line = {"peer": name, "work": work, "threads": threads or "default", "rows": runs[0]["rows"], "bytes": size}
    line |= {"seconds": seconds, "mb_per_second": size / 1e6 / seconds, "rows_per_second": runs[0]["rows"] / seconds}
    line |= {key: max(r[key] for r in runs) for key in ("peak_rss_mb", "rss_before_mb")}
    print(json.dumps(line | {"version": runs[0]["version"]}), flush=True)

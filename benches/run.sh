#!/usr/bin/env bash
# Our figures and the peers', one after the other in one sitting on the same files; the table
# goes to benches/runs/DATE.md. Give the machine to it alone.
#   benches/run.sh [FOLDER]     FOLDER (default target/peers) holds the data and the peers
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/..
work=${1:-$root/target/peers}
mkdir -p "$work"
cargo build --release --quiet --manifest-path "$root/Cargo.toml" -p stakes-bench
bench=$root/target/release/stakes-bench
lines=$work/lines.jsonl
"$here/peers/run.sh" "$work" | tee "$lines"
for threads in 1 2; do
    "$bench" metrics "$work" $threads
    for repeat in 1 2 3; do
        "$bench" read "$work/letor-100mb.txt" $threads
        "$bench" read "$work/table.parquet" $threads
    done
done | tee -a "$lines"
mkdir -p "$here/runs"
table=$here/runs/$(date +%Y-%m-%d).md
python3 "$here/table.py" "$lines" > "$table"
cat "$table"

#!/usr/bin/env bash
# Every learner on every public data set ($STAKES_DATA) and on generated storms; the table goes
# to benches/runs/DATE-learners.md. Options are those of learners_table.py, such as --only crime
# (then nothing is kept).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cargo build --release --quiet --manifest-path "$here/../Cargo.toml" -p stakes-cli
stakes=$here/../target/release/stakes
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 "$here/../scripts/prepare_data.py" "$folder" --stakes "$stakes" >&2
python3 "$here/learners_table.py" "$folder" --stakes "$stakes" "$@" | tee "$folder/table.md"
[ $# -gt 0 ] || mv "$folder/table.md" "$here/runs/$(date +%Y-%m-%d)-learners.md"

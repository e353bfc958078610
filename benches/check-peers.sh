#!/usr/bin/env bash
# Our tree learners beside LightGBM and scikit-learn with the same settings on the same data
# ($STAKES_DATA); the table goes to benches/runs/DATE-peers.md.
# Fails where ours is neither near the peer nor within the peer's own spread.
# Our linear models beside scikit-learn, liblinear and scipy, into benches/runs/DATE-linear.md.
# Fails where ours is not the same minimum.
# Our nets beside NumPy and scipy, into benches/runs/DATE-nets.md.
# Our coordinate ascent beside RankLib's grid of steps and fastrank, into benches/runs/DATE-search.md.
#   benches/check-peers.sh [FOLDER]     FOLDER (default target/peers) holds the peers
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/..
work=${1:-$root/target/peers}
python=$("$here/peers/venv.sh" "$work")
cargo build --release --quiet --manifest-path "$root/Cargo.toml" -p stakes-cli
stakes=$root/target/release/stakes
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 "$root/scripts/prepare_data.py" "$folder" --stakes "$stakes" >&2
"$python" -W ignore "$here/peers/learners.py" "$folder" --stakes "$stakes" | tee "$folder/table.md" || failed=$?
mv "$folder/table.md" "$here/runs/$(date +%Y-%m-%d)-peers.md"
"$python" -W ignore "$here/check_linear.py" "$folder" --stakes "$stakes" | tee "$folder/linear.md" || failed=$?
mv "$folder/linear.md" "$here/runs/$(date +%Y-%m-%d)-linear.md"
"$python" -W ignore "$here/check_nets.py" "$folder" --stakes "$stakes" | tee "$folder/nets.md" || failed=$?
mv "$folder/nets.md" "$here/runs/$(date +%Y-%m-%d)-nets.md"
"$python" -W ignore "$here/check_search.py" "$folder" --stakes "$stakes" | tee "$folder/search.md" || failed=$?
mv "$folder/search.md" "$here/runs/$(date +%Y-%m-%d)-search.md"
exit "${failed:-0}"

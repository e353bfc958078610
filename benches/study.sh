#!/usr/bin/env bash
# The study: our learners and the peers with equal budgets, by the cost they save, into
# docs/study.md. Options are those of study/study.py, such as --only concrete, --report.
# STAKES_PEERS (default target/peers) is the folder that holds the peers.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/..
python=$("$here/peers/venv.sh" "${STAKES_PEERS:-$root/target/peers}")
cargo build --release --quiet --manifest-path "$root/Cargo.toml" -p stakes-cli
exec "$python" "$here/study/study.py" "$@"

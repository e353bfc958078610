#!/bin/sh
# Set up the peers and run all of them once: run.sh [FOLDER]
# FOLDER (default target/peers) receives the virtual environment and the data, about 300 MB
# of data and 1 GB of packages; JSON lines go to the standard output. Needs python3 >= 3.11.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=${1:-$here/../../target/peers}
python="$("$here/venv.sh" "$work") -W ignore"

[ -e "$work/offsets.u64" ] || $python "$here/metrics.py" "$work" --make >&2
[ -e "$work/letor-100mb.txt" ] || $python "$here/make_letor.py" "$work/letor-100mb.txt" --mb 100 >&2
[ -e "$work/table.parquet" ] || $python "$here/parquet.py" "$work/table.parquet" --make 100000 >&2

$python "$here/metrics.py" "$work"
$python "$here/letor.py" "$work/letor-100mb.txt"
$python "$here/parquet.py" "$work/table.parquet"

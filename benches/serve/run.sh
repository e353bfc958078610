#!/bin/sh
# The service beside LightGBM + FastAPI, by wrk on loopback: run.sh [flags of load.py]
# Installs wrk by apt where it is missing, and the peer into .tools/serve-venv (or the folder STAKES_TOOLS).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
command -v wrk >/dev/null || scripts/apt.sh wrk
venv=${STAKES_TOOLS:-$PWD/.tools}/serve-venv
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: -r "$here/requirements.txt" >&2
exec "$venv/bin/python" "$here/load.py" "$@"

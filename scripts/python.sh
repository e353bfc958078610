#!/usr/bin/env bash
# An environment of Python with what the package is built and tested with (python/requirements.txt), in
# .tools/venv (or the folder STAKES_TOOLS). Does nothing where it is there and up to date.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=${STAKES_TOOLS:-$PWD/.tools}/venv
wanted=$(cat python/requirements.txt)
if [ "$(cat "$venv/installed" 2>/dev/null)" = "$wanted" ]; then
    exit
fi
python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null \
    || scripts/apt.sh python3 python3-venv
echo "installing what the Python package is tested with: once, a minute or two" >&2
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: --no-compile -r python/requirements.txt
echo "$wanted" > "$venv/installed"

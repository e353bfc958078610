#!/bin/sh
# Installs the peers into FOLDER/venv and prints its Python: venv.sh FOLDER
# About 1 GB; needs python3 >= 3.11.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
[ -x "$1/venv/bin/python" ] || python3 -m venv "$1/venv"
"$1/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: \
    -r "$here/requirements.txt" >&2
echo "$1/venv/bin/python"

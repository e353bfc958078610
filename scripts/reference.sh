#!/usr/bin/env bash
# Recomputes tests/golden/reference.json with the pinned independent implementations.
set -euo pipefail
cd "$(dirname "$0")/.."
environment=target/reference-venv
[ -x $environment/bin/python ] || python3 -m venv $environment
$environment/bin/pip install --quiet --disable-pip-version-check -r tests/golden/requirements.txt
$environment/bin/python tests/golden/make_reference.py "$@"

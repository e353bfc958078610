#!/usr/bin/env bash
# A browser to test pages with: Chromium, by apt where it is missing. Prints where it is.
set -euo pipefail
cd "$(dirname "$0")/.."
find_one() { command -v chromium || command -v chromium-browser || command -v google-chrome; }
find_one || { scripts/apt.sh chromium >&2; find_one; }

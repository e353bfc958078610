#!/usr/bin/env bash
# Installs Debian packages, as root or by sudo.
#   scripts/apt.sh PACKAGE...
set -euo pipefail
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
echo "installing $*" >&2
as_root apt-get update -qq
as_root apt-get install -y -qq "$@" >/dev/null

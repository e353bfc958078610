#!/usr/bin/env bash
# What building needs on a fresh Debian or Ubuntu: a C compiler (zstd inside the Parquet
# reader is C) and Rust 1.90 or later. Does nothing where both are there. The solver HiGHS needs
# more: tools.sh.
set -euo pipefail

missing=()
command -v cc >/dev/null || missing+=(gcc libc6-dev)
command -v cargo >/dev/null || command -v curl >/dev/null || missing+=(curl ca-certificates)
[ ${#missing[@]} = 0 ] || "$(dirname "$0")/apt.sh" "${missing[@]}"

if ! command -v cargo >/dev/null; then
    echo "installing Rust by rustup" >&2
    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal -c rustfmt -c clippy
    . "$HOME/.cargo/env"
fi

least=90
minor=$(cargo --version | sed -E 's/^cargo 1\.([0-9]+).*/\1/')
if [ "$minor" -lt "$least" ]; then
    echo "Rust 1.$least or later is needed, 1.$minor is here: run 'rustup update stable'" >&2
    exit 1
fi

for component in fmt clippy; do
    cargo "$component" --version >/dev/null 2>&1 \
        || rustup component add "$([ $component = fmt ] && echo rustfmt || echo clippy)"
done

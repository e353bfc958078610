#!/usr/bin/env bash
# Vector code goes through `pulp`, which has other instructions on other processors (NEON on ARM). The crates that have
# such code are compiled for a 64-bit ARM, too, with lints: nothing is linked, so no compiler of C for it is needed. Rust's standard
# library for it comes by rustup, once. Where it cannot be had, nothing is checked, and that is said.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$HOME/.cargo/bin:$PATH"
target=aarch64-unknown-linux-gnu

there() { compgen -G "$(rustc --print target-libdir --target $target)/libstd-*.rlib" >/dev/null; }

there || timeout 300 rustup --quiet target add $target || true
if ! there; then
    echo "SKIPPED: vector code was not checked for ARM, because Rust's standard library for $target is not here" >&2
    echo "and 'rustup target add $target' did not bring it" >&2
    exit
fi
cargo clippy --target $target -p stakes-core -p stakes-learn -p stakes-model --quiet -- -D warnings

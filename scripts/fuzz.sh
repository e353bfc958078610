#!/usr/bin/env bash
# Fuzzes every text parser for SECONDS_EACH (default 60), one after the other, from the seeds
# in fuzz/seeds. What it learns stays in fuzz/corpus; a failing input is left in
# fuzz/artifacts: copy it to fuzz/seeds/<target> once it is mended, and `make test` keeps it.
#   scripts/fuzz.sh [SECONDS_EACH [TARGET...]]
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$HOME/.cargo/bin:$PATH"
seconds=${1:-60}
shift $(($# > 0 ? 1 : 0))
[[ $seconds =~ ^[0-9]+$ ]] || { echo "error: \`$seconds\` is not a number of seconds" >&2; exit 1; }

if ! cargo +nightly --version >/dev/null 2>&1; then
    echo "error: fuzzing needs a nightly toolchain (coverage is not in stable Rust):" >&2
    echo "  rustup toolchain install nightly --profile minimal" >&2
    echo "the short run on stable is part of make test: cargo test -p stakes-fuzzing" >&2
    exit 1
fi
command -v cargo-fuzz >/dev/null || cargo install cargo-fuzz --locked

targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(cd fuzz/fuzz_targets && ls *.rs | sed 's/\.rs$//')
# Whole words of the languages, so that the fuzzer need not guess them letter by letter.
dictionary() { [ -f "fuzz/dictionaries/$1" ] && echo "-dict=fuzz/dictionaries/$1" || true; }

failed=()
for target in "${targets[@]}"; do
    echo "== $target, $seconds s" >&2
    mkdir -p "fuzz/corpus/$target"
    # Small inputs that ask for much memory or time are findings, too.
    cargo +nightly fuzz run --dev "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
        -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=2048 \
        -malloc_limit_mb=1024 -print_final_stats=1 $(dictionary "$target") \
        || failed+=("$target")
done
if [ ${#failed[@]} -gt 0 ]; then
    echo "failed: ${failed[*]}; the inputs are in fuzz/artifacts" >&2
    exit 1
fi

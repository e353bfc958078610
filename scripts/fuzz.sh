#!/usr/bin/env bash
# Fuzzes parsers (all of them, or those named), one after the other, from the seeds in fuzz/seeds and what
# earlier runs left in fuzz/corpus. A failing input is left in fuzz/artifacts: fuzz/README.md says what then.
#   scripts/fuzz.sh [TARGET...]                 60 seconds each
#   SECONDS_EACH=600 scripts/fuzz.sh parquet    this many seconds each
#   RUNS=1000000 scripts/fuzz.sh                this many inputs each, however long that takes
#   TOOLCHAIN=stable SANITIZER=none ...         instead of nightly and address, where a nightly is installed
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$HOME/.cargo/bin:$PATH"
number() { [[ $2 =~ ^[0-9]+$ ]] || { echo "error: $1 is \`$2\`; it must be a whole number" >&2; exit 1; }; }

limits=()
if [ -n "${RUNS:-}" ]; then number RUNS "$RUNS"; limits+=("-runs=$RUNS"); fi
if [ -n "${SECONDS_EACH:-}" ] || [ -z "${RUNS:-}" ]; then
    number SECONDS_EACH "${SECONDS_EACH:=60}"; limits+=("-max_total_time=$SECONDS_EACH")
fi

mapfile -t known < <(cd fuzz/fuzz_targets && ls -- *.rs | sed 's/\.rs$//')
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=("${known[@]}")
for target in "${targets[@]}"; do
    [ -f "fuzz/fuzz_targets/$target.rs" ] || { echo "error: there is no target \`$target\`; there are: ${known[*]}" >&2; exit 1; }
done

# Coverage is part of every toolchain. So are sanitizers, but stable ones have them only on demand.
if [ -z "${TOOLCHAIN:-}" ] && rustup toolchain list 2>/dev/null | grep -q '^nightly'; then TOOLCHAIN=nightly; fi
: "${TOOLCHAIN:=}" "${SANITIZER:=$([[ $TOOLCHAIN == nightly* ]] && echo address || echo none)}"
export RUSTC_BOOTSTRAP=1
command -v cargo-fuzz >/dev/null || cargo install cargo-fuzz --locked

fuzz() { cargo ${TOOLCHAIN:+"+$TOOLCHAIN"} fuzz "$1" --dev --sanitizer "$SANITIZER" "${@:2}"; }
# A small input that asks for much memory is a finding. The sanitizer counts by itself (and reserves
# terabytes of addresses); without it the system refuses what is beyond this.
max_memory_mb=2048
limited() { ( [ "$SANITIZER" != none ] || ulimit -v $((max_memory_mb * 1024)); "$@" ); }
# Whole words of the languages, so that the fuzzer need not guess them letter by letter.
dictionary() { [ ! -f "fuzz/dictionaries/$1" ] || echo "-dict=fuzz/dictionaries/$1"; }

# One thread: what an input reaches must not depend on the moment.
export RAYON_NUM_THREADS=1
failed=()
for target in "${targets[@]}"; do
    echo "== $target: ${limits[*]}" >&2
    fuzz build "$target"
    mkdir -p "fuzz/corpus/$target"
    limited fuzz run "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- "${limits[@]}" \
        -max_len=4096 -timeout=10 -rss_limit_mb=$max_memory_mb -malloc_limit_mb=$((max_memory_mb / 2)) \
        -print_final_stats=1 $(dictionary "$target") || failed+=("$target")
    # Only inputs that reach something of their own are kept, and of those the shortest.
    fuzz cmin "$target" "fuzz/corpus/$target" -- -timeout=10 -rss_limit_mb=$max_memory_mb || failed+=("$target")
done
if [ ${#failed[@]} -gt 0 ]; then
    echo "failed: ${failed[*]}; the inputs are in fuzz/artifacts" >&2
    exit 1
fi

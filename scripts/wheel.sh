#!/usr/bin/env bash
# The wheel, into target/wheels: for all versions of Python from 3.10 on, and for Linux systems with glibc 2.17 or
# later. The compiler zig (a wheel itself) links against that old library, wherever the build runs; HiGHS, which is
# C++, is built by it once more, so that its C++ library is inside.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=${STAKES_TOOLS:-$PWD/.tools}
venv=$tools/venv
glibc=2.17
old=$tools/zig
mkdir -p "$old/bin" target/wheels
for language in cc c++; do
    printf '#!/bin/sh\nexec "%s" -m ziglang %s -target %s-linux-gnu.%s "$@"\n' \
        "$venv/bin/python" "$language" "$(uname -m)" "$glibc" > "$old/bin/zig-$language"
    chmod +x "$old/bin/zig-$language"
done
ln -sfn "$tools/libclang" "$old/libclang"
PATH="$PATH:$tools/bin" CC="$old/bin/zig-cc" CXX="$old/bin/zig-c++" STAKES_TOOLS="$old" scripts/tools.sh
rm -f target/wheels/stakes-*.whl
# The wheel of libclang has no headers of its own; those of the system do for the bindings.
export BINDGEN_EXTRA_CLANG_ARGS="-I/usr/include -I/usr/include/$(uname -m)-linux-gnu"
PATH="$venv/bin:$PATH" PKG_CONFIG_PATH="$old/highs/lib/pkgconfig" PKG_CONFIG_ALLOW_CROSS=1 HIGHS_STATIC=1 LIBCLANG_PATH="$tools/libclang" \
    maturin build --release --locked --zig --compatibility "manylinux_${glibc/./_}" --out target/wheels
ls -l target/wheels

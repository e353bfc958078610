#!/usr/bin/env bash
# What building with the solver HiGHS needs, into .tools (or the folder STAKES_TOOLS): cmake, libclang and
# pkg-config, as Python wheels where the machine has none, and HiGHS itself, built once from the source that
# comes with the crate highs-sys. cargo finds it by pkg-config; else it would build HiGHS itself, minutes each,
# for every profile and every choice of packages. Does nothing where all is there.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=${STAKES_TOOLS:-$PWD/.tools}
export PATH="$HOME/.cargo/bin:$PATH:$tools/bin"
mkdir -p "$tools/bin"

# The folder of a libclang on this machine, if there is one.
libclang() {
    local folder
    for folder in /usr/lib/llvm-*/lib /usr/lib/*-linux-gnu /usr/lib64 /usr/lib /usr/local/lib; do
        if compgen -G "$folder/libclang.so*" >/dev/null || compgen -G "$folder/libclang-[0-9]*.so*" >/dev/null; then
            echo "$folder"
            return
        fi
    done
}

wheels=()
command -v cmake >/dev/null || wheels+=(cmake)
command -v pkg-config >/dev/null || command -v pkgconf >/dev/null || wheels+=(pkgconf)
if [ ! -e "$tools/libclang" ]; then
    found=$(libclang)
    if [ -n "$found" ]; then ln -sfn "$found" "$tools/libclang"; else wheels+=(libclang); fi
fi

packages=()
command -v c++ >/dev/null || packages+=(g++)
if [ ${#wheels[@]} -gt 0 ]; then
    python3 -c 'import venv, ensurepip' 2>/dev/null || packages+=(python3-venv)
fi
[ ${#packages[@]} = 0 ] || scripts/apt.sh "${packages[@]}"

if [ ${#wheels[@]} -gt 0 ]; then
    echo "installing ${wheels[*]} into $(basename "$tools")" >&2
    python=$tools/python
    [ -x "$python/bin/pip" ] || python3 -m venv "$python"
    for wheel in "${wheels[@]}"; do grep "^$wheel==" scripts/tools.txt; done > "$tools/wheels.txt"
    "$python/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: -r "$tools/wheels.txt"
    for tool in cmake pkgconf; do
        [ ! -e "$python/bin/$tool" ] || ln -sfn "$python/bin/$tool" "$tools/bin/$tool"
    done
    native=$(compgen -G "$python/lib*/python3*/site-packages/clang/native" | head -n 1 || true)
    [ -z "$native" ] || ln -sfn "$native" "$tools/libclang"
fi

manifest=$(cargo metadata --format-version 1 --features stakes-cli/highs \
    | grep -oE '"[^"]*/highs-sys-[0-9.]+/Cargo.toml"' | sort -u | tr -d '"') \
    || { echo "error: cargo does not find the source of HiGHS (crate highs-sys)" >&2; exit 1; }
source=$(dirname "$manifest")
version=${source##*-}
if [ "$(cat "$tools/highs/built" 2>/dev/null)" != "$version" ]; then
    echo "building HiGHS $version into $(basename "$tools"): once, a few minutes" >&2
    build=$tools/highs-build
    rm -rf "$build"
    # Many sources at a time (unity) take half the time.
    options=(-DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DBUILD_SHARED_LIBS=OFF -DBUILD_CXX_EXE=OFF
        -DBUILD_TESTING=OFF -DBUILD_EXAMPLES=OFF -DZLIB=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON
        -DCMAKE_INSTALL_LIBDIR=lib "-DCMAKE_INSTALL_PREFIX=$build/installed")
    log=$tools/highs-build.log
    export CC=${CC:-cc} CXX=${CXX:-c++}
    if ! { cmake -S "$source/HiGHS" -B "$build" "${options[@]}" \
        && cmake --build "$build" --parallel "$(nproc)" && cmake --install "$build"; } > "$log" 2>&1; then
        tail -n 30 "$log" >&2
        echo "error: HiGHS was not built; all of it is in $log" >&2
        exit 1
    fi
    cat > "$build/installed/lib/pkgconfig/highs.pc" <<TEXT
prefix=\${pcfiledir}/../..
Name: HiGHS
Description: Linear and mixed-integer programs
Version: $version
Libs: -L\${prefix}/lib -lhighs -lstdc++
Cflags: -I\${prefix}/include/highs
TEXT
    echo "$version" > "$build/installed/built"
    rm -rf "$tools/highs"
    mv "$build/installed" "$tools/highs"
    rm -rf "$build"
fi

#!/usr/bin/env bash
# Installs what is missing, builds with gcc, and with clang under ASan and UBSan (warnings are errors), and runs
# all tests; slow ones, and those of emitted code, run once, without sanitizers; those that look for leaks (label
# `leaks`) only with them. `scripts/test.sh quick` stops
# after the quick tests of the first build; `scripts/test.sh soak` runs those of many minutes, too, and what clang makes without
# sanitizers; `scripts/test.sh portable`
# builds for machines of 32 bits and of the other byte order and runs tests there: some minutes, with
# `portable --all` much longer (scripts/portable.sh).
# `scripts/test.sh simulated [CTEST OPTION...]` has every plan that the tests make judged by a second checker (tests/simulator/every_plan.py);
# `scripts/test.sh planted [NAME...]` plants faults in the sources and asks which tests notice (tests/planted/plant.py).
# TENURE_MODELS and TENURE_INSTANCES may name folders with more real models and packing instances.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
jobs=$(nproc)

# Python's packages come while others are installed and while the first build runs; `packages` waits for them.
"$top/scripts/setup.sh" python
venv="$top/build/venv"
if ! cmp -s "$top/tests/requirements.txt" "$venv/installed.txt"; then
    python3 -m venv --clear "$venv"
    { "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$top/tests/requirements.txt" &&
        cp "$top/tests/requirements.txt" "$venv/installed.txt"; } >"$venv/pip.log" 2>&1 &
fi
"$top/scripts/setup.sh" test

packages() {
    wait
    [ -e "$venv/installed.txt" ] || { cat "$venv/pip.log"; exit 1; }
}

# What was compiled before, in this folder or another, is not compiled again; the builds inside of tests do the same.
export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR="$top" CCACHE_NOHASHDIR=1

if [ "${1:-}" = portable ]; then
    shift
    packages
    exec "$top/scripts/portable.sh" "$@"
fi

# Stages go on behind one that failed; the end says what failed where, what each took, and how many passed.
results="$top/build/results"
rm -rf "$results"
mkdir -p "$results"

# stage NAME COMMAND...: runs it and writes down whether it failed and its seconds.
stage() {
    local name=$1 start=$SECONDS status=0
    shift
    echo "== $name"
    "$@" || status=$?
    echo "$name|$status|$((SECONDS - start))" >>"$results/stages"
    return "$status"
}

# build NAME [cmake options]: configures and builds build/NAME. Its programs, which are many, are linked by lld, in a third of
# the time.
build() {
    local name=$1
    shift
    cmake -S "$top" -B "$top/build/$name" -G Ninja -DTENURE_WERROR=ON \
        -DPython3_EXECUTABLE="$venv/bin/python" -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld "$@" >"$top/build/$name.configure.log" 2>&1 ||
        { cat "$top/build/$name.configure.log"; return 1; }
    cmake --build "$top/build/$name" -- -k 0 2>&1 | { grep -vE '^\[[0-9]+/[0-9]+\]' || true; }
}

# check NAME [ctest options]: runs the tests of build/NAME.
check() {
    local name=$1
    shift
    packages
    (cd "$top/build/$name" &&
        ctest --output-on-failure -j"$jobs" --output-junit "$results/$name.xml" "$@")
}

# both NAME [cmake options] -- [ctest options]: builds, and where that worked runs the tests.
both() {
    local name=$1 options=()
    shift
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    stage "$name: build" build "$name" "${options[@]}" && stage "$name: tests" check "$name" "$@" || true
}

export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1
gcc=(gcc -DCMAKE_C_COMPILER=gcc)
if [ "${1:-}" = simulated ]; then
    build "${gcc[@]}"
    packages
    exec "$venv/bin/python" -B "$top/tests/simulator/every_plan.py" "$top/build/gcc" -LE 'soak|leaks' "${@:2}"
fi
if [ "${1:-}" = planted ]; then
    build "${gcc[@]}"
    packages
    exec "$venv/bin/python" -B "$top/tests/planted/plant.py" "$top/build/gcc" "${@:2}"
fi
case "${1:-}" in
quick) both "${gcc[@]}" -- -L quick -LE leaks ;;
soak)
    export TENURE_SOAK=1 # what is drawn else is whole then
    both clang -DCMAKE_C_COMPILER=clang -- -L quick -LE leaks
    both "${gcc[@]}" -- -LE leaks
    ;;
*) both "${gcc[@]}" -- -LE 'soak|leaks' ;;
esac
if [ "${1:-}" != quick ]; then
    # -O1: the tests take 520 s instead of 867. -g1: lines of stack traces.
    both sanitized -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-g1 -O1" -DTENURE_SANITIZE=ON -- -LE 'release-only|slow|soak'
fi
python3 "$top/scripts/results.py" "$results"

#!/usr/bin/env bash
# Builds tenure for other machines and tries it there: i386 (32 bits, run as it is) and s390x (big-endian, by qemu-user).
# Unit tests run there that byte order and the width of size_t could break (readers, writers, sizes, digests, limits), and
# every kind of artefact of some models has the same bytes as the one made here: some minutes a machine on two cores, most
# of them for building. With --all every unit test runs, fuzz corpora, random graphs and the text tests: much longer.
# usage: portable.sh [--all] [i386|s390x]...
# The libraries of a machine are taken from Debian into build/MACHINE/root; nothing is added to this system but compilers.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
"$top/scripts/setup.sh" portable
venv_python=$top/build/venv/bin/python
[ -x "$venv_python" ] || venv_python=python3
some=(check digest dim emit limits onnx_load onnx_wire onnx_write ops pack_csv plan_json plan_operands row_expr sets text
      verify width c_header features diff open)

# fetch MACHINE ROOT: the packages of that machine, by an apt that knows no other and has nothing installed.
fetch() {
    local apt=$2.apt
    rm -rf "$2" "$apt"
    mkdir -p "$2" "$apt/state/lists/partial" "$apt/cache/archives/partial"
    : >"$apt/status"
    local own=(-o "APT::Architecture=$1" -o "APT::Architectures::=$1" -o "Dir::State=$apt/state" -o "Dir::Cache=$apt/cache"
               -o "Dir::State::status=$apt/status" -o APT::Sandbox::User=root)
    apt-get "${own[@]}" update -qq || true # sources that do not have that machine
    apt-get "${own[@]}" install -y -qq --download-only --no-install-recommends libjansson-dev nettle-dev libxxhash-dev \
        libprotobuf-c-dev libcmocka-dev >/dev/null
    for package in "$apt"/cache/archives/*.deb; do
        dpkg-deb -x "$package" "$2"
    done
    touch "$2/complete"
}

# configure MACHINE TRIPLE COMPILER EMULATOR...
configure() {
    local build=$top/build/$1 root=$top/build/$1/root triple=$2 compiler=$3
    shift 3
    export PKG_CONFIG_LIBDIR=$root/usr/lib/$triple/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
    cmake -S "$top" -B "$build" -G Ninja -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$triple" \
        -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="-isystem $root/usr/include -isystem $root/usr/include/$triple" \
        -DCMAKE_EXE_LINKER_FLAGS="-L$root/usr/lib/$triple -Wl,-rpath-link,$root/usr/lib/$triple:$root/lib/$triple" \
        -DCMAKE_SHARED_LINKER_FLAGS="-L$root/usr/lib/$triple" \
        -DCMAKE_CROSSCOMPILING_EMULATOR="$(IFS=';'; echo "$*")" -DTENURE_WERROR=ON -DTENURE_OPENCL=OFF >"$build/configure.log"
    unset PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$*" "$build/cli/tenure" >"$build/tenure"
    chmod +x "$build/tenure"
}

# built BUILD TARGET...
built() {
    cmake --build "$1" --target "${@:2}" | { grep -vE '^\[[0-9]+/[0-9]+\]|^ninja: no work' || true; }
}

# tested BUILD REGEX
tested() {
    (cd "$1" && ctest --output-on-failure -j"$(nproc)" -L quick -R "$2" | tail -n 20)
}

# try MACHINE TRIPLE COMPILER EMULATOR...
try() {
    local build=$top/build/$1
    mkdir -p "$build"
    echo "== $1"
    [ -e "$build/root/complete" ] || fetch "$1" "$build/root"
    configure "$@"
    if [ -n "$all" ]; then
        built "$build" all
        tested "$build" '^(unit|fuzz|random)\.'
        "$venv_python" "$(find /usr/lib/llvm-*/build/utils/lit/lit.py | head -1)" -s --param tenure="$build/tenure" \
            --param filecheck="$(find /usr/lib/llvm-*/bin/FileCheck | head -1)" --param python="$venv_python" --param cc=gcc \
            --param work="$build/text" "$top/tests/text"
    else
        built "$build" cli/tenure "${some[@]/#/test_}"
        tested "$build" "^unit\.test_($(IFS='|'; echo "${some[*]}"))$"
    fi
    "$top/tests/same_artefacts.sh" "$top/build/gcc/cli/tenure" "$build/tenure" "$top"/tests/fuzz/corpus/onnx/*.onnx \
        "$top"/tests/fuzz/corpus/tflite/*.tflite "$top"/examples/models/{ds_cnn,lstm,train_cnn,squeezenet1_1}.onnx
}

cmake -S "$top" -B "$top/build/gcc" -G Ninja >/dev/null
built "$top/build/gcc" cli/tenure
all=
[ "${1:-}" != --all ] || { all=yes; shift; }
[ $# -gt 0 ] || set -- i386 s390x
for machine in "$@"; do
    root=$top/build/$machine/root
    case $machine in
    i386) try i386 i386-linux-gnu i686-linux-gnu-gcc "$root/lib/ld-linux.so.2" --library-path \
        "$root/lib/i386-linux-gnu:$root/usr/lib/i386-linux-gnu" ;;
    s390x) try s390x s390x-linux-gnu s390x-linux-gnu-gcc qemu-s390x-static -L "$root" ;;
    *) echo "usage: portable.sh [--all] [i386|s390x]..." >&2; exit 2 ;;
    esac
done

#!/usr/bin/env bash
# Builds tenure for other machines and tries it there. Every kind of artefact of some models has the same bytes as the one
# made here, wherever the command can be run:
#
#   i386, s390x           32 bits, run as it is, and big-endian, by qemu-user; unit tests too that byte order and the
#                         width of size_t could break (readers, writers, sizes, digests, limits)
#   windows               by mingw-w64, run by Wine: the command, and a program over the DLL
#   arm64, glibc, musl    Linux on arm64 (by qemu-user), on x86-64 with the C library of 2012 (2.17), and with musl
#   macos-x86_64, -arm64  compiled and linked, not run
#   page                  WebAssembly in a page (web/), tried by tests/web where a browser is
#
# usage: portable.sh [--all|--build] [MACHINE]...     all of them without a name; --all: every unit test, fuzz corpora,
#                                             random graphs and the text tests: much longer; --build: nothing is tried
# Nothing is added to this system but compilers: libraries are taken from Debian into build/MACHINE/root for the first two,
# their sources into build/bundle for the others (scripts/bundle.sh).
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
"$top/scripts/setup.sh" portable
venv_python=$top/build/venv/bin/python
[ -x "$venv_python" ] || venv_python=python3
some=(check digest dim emit limits onnx_load onnx_wire onnx_write ops pack_csv plan_json plan_operands row_expr sets text
      verify width c_header features diff open)

# built BUILD TARGET...
built() {
    cmake --build "$1" --target "${@:2}" | { grep -vE '^\[[0-9]+/[0-9]+\]|^ninja: (no work|Entering)' || true; }
}

# runs BUILD COMMAND...: build/tenure runs the command that was built, by an emulator if it needs one.
runs() {
    printf '#!/bin/sh\nexec %s "$@"\n' "${*:2}" >"$1/tenure"
    chmod +x "$1/tenure"
}

# same BUILD: artefacts are those made here.
same() {
    "$top/tests/same_artefacts.sh" "$top/build/gcc/cli/tenure" "$1/tenure" "$top"/tests/fuzz/corpus/onnx/*.onnx \
        "$top"/tests/fuzz/corpus/tflite/*.tflite "$top"/examples/models/{ds_cnn,lstm,train_cnn,squeezenet1_1}.onnx
}

# texts BUILD: the text tests, with the command of that build.
texts() {
    "$venv_python" "$(find /usr/lib/llvm-*/build/utils/lit/lit.py | head -1)" -s --param tenure="$1/tenure" \
        --param filecheck="$(find /usr/lib/llvm-*/bin/FileCheck | head -1)" --param python="$venv_python" --param cc=gcc \
        --param work="$1/text" "$top/tests/text"
}

# ---- machines that Debian has packages for ----

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

# tested BUILD REGEX
tested() {
    (cd "$1" && ctest --output-on-failure -j"$(nproc)" -L quick -R "$2" | tail -n 20)
}

# packaged MACHINE TRIPLE COMPILER EMULATOR...
packaged() {
    local build=$top/build/$1 root=$top/build/$1/root triple=$2 compiler=$3
    [ -e "$root/complete" ] || fetch "$1" "$root"
    shift 3
    export PKG_CONFIG_LIBDIR=$root/usr/lib/$triple/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
    cmake -S "$top" -B "$build" -G Ninja -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$triple" \
        -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="-isystem $root/usr/include -isystem $root/usr/include/$triple" \
        -DCMAKE_EXE_LINKER_FLAGS="-L$root/usr/lib/$triple -Wl,-rpath-link,$root/usr/lib/$triple:$root/lib/$triple" \
        -DCMAKE_SHARED_LINKER_FLAGS="-L$root/usr/lib/$triple" \
        -DCMAKE_CROSSCOMPILING_EMULATOR="$(IFS=';'; echo "$*")" -DTENURE_WERROR=ON -DTENURE_OPENCL=OFF >"$build/configure.log"
    unset PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
    runs "$build" "$@" "$build/cli/tenure"
    if [ -n "$all" ]; then
        built "$build" all
        tested "$build" '^(unit|fuzz|random)\.'
    else
        built "$build" cli/tenure "${some[@]/#/test_}"
        tested "$build" "^unit\.test_($(IFS='|'; echo "${some[*]}"))$"
    fi
}

i386() {
    local root=$top/build/i386/root
    packaged i386 i386-linux-gnu i686-linux-gnu-gcc "$root/lib/ld-linux.so.2" --library-path \
        "$root/lib/i386-linux-gnu:$root/usr/lib/i386-linux-gnu"
}

s390x() {
    packaged s390x s390x-linux-gnu s390x-linux-gnu-gcc qemu-s390x-static -L "$top/build/s390x/root"
}

# ---- machines whose libraries are built from their sources ----

sources() {
    [ -e "$top/build/bundle/complete" ] || "$top/scripts/bundle.sh" "$top/build/bundle"
}

# bundled BUILD OPTION...: the command and the library, with what they need inside.
bundled() {
    sources
    cmake -S "$top" -B "$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTENURE_BUNDLE="$top/build/bundle" -DTENURE_WERROR=ON \
        -DTENURE_TESTS=OFF -DTENURE_OPENCL=OFF -DTENURE_INSTALL=OFF "${@:2}" >"$1/configure.log"
    built "$1" all
}

# by_zig BUILD SYSTEM TARGET: clang with the headers and the C library of any target. It writes folders into objects, as what debuggers
# read, unless it is told not to.
by_zig() {
    local zig=$top/build/zig
    if [ ! -x "$zig/bin/python" ]; then
        python3 -m venv "$zig"
        "$zig/bin/pip" install --quiet --disable-pip-version-check ziglang==0.17.1
    fi
    for tool in cc ar ranlib; do
        printf '#!/bin/sh\nexec %s %s "$@"\n' "$("$zig/bin/python" -c 'import os, ziglang; print(os.path.join(*ziglang.__path__, "zig"))')" \
            "$tool $([ $tool != cc ] || echo "-target $3")" >"$1/$tool"
        chmod +x "$1/$tool"
    done
    bundled "$1" -DCMAKE_SYSTEM_NAME="$2" -DCMAKE_C_COMPILER="$1/cc" -DCMAKE_AR="$1/ar" -DCMAKE_RANLIB="$1/ranlib" \
        -DCMAKE_C_FLAGS=-g0 -DCMAKE_SKIP_RPATH=ON -DCMAKE_INSTALL_NAME_DIR=@rpath -DCMAKE_BUILD_WITH_INSTALL_NAME_DIR=ON -DCMAKE_EXE_LINKER_FLAGS=-s -DCMAKE_SHARED_LINKER_FLAGS=-s
}

windows() {
    local build=$top/build/windows
    bundled "$build" -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=x86_64-w64-mingw32-gcc-posix
    runs "$build" env WINEDEBUG=-all WINEPREFIX="$build/wine" /usr/lib/wine/wine64 "$build/cli/tenure.exe"
    [ -n "$tries" ] || return 0
    "$build/tenure" version >"$build/first.log" 2>&1 # makes what Wine keeps
    "$top/tests/install/windows.sh" "$build" "$top/examples/models/ds_cnn.onnx"
}

arm64() {
    by_zig "$top/build/arm64" Linux aarch64-linux-gnu.2.17
    runs "$top/build/arm64" qemu-aarch64-static -L /usr/aarch64-linux-gnu "$top/build/arm64/cli/tenure"
}

glibc() {
    by_zig "$top/build/glibc" Linux x86_64-linux-gnu.2.17
    runs "$top/build/glibc" "$top/build/glibc/cli/tenure"
}

musl() {
    by_zig "$top/build/musl" Linux x86_64-linux-musl
    runs "$top/build/musl" "$top/build/musl/cli/tenure"
}

macos-x86_64() {
    by_zig "$top/build/macos-x86_64" Darwin x86_64-macos.11.0
}

macos-arm64() {
    by_zig "$top/build/macos-arm64" Darwin aarch64-macos.11.0
}

page() {
    sources
    "$top/web/build.sh" "$top/build/bundle" "$top/build/page"
    [ -n "$tries" ] || return 0
    local status=0
    "$top/tests/web/run.sh" "$venv_python" "$top/build/gcc/cli/tenure" || status=$?
    [ "$status" -eq 0 ] || [ "$status" -eq 77 ] # no browser
}

all='' tries=yes
[ "${1:-}" != --all ] || { all=yes; shift; }
[ "${1:-}" != --build ] || { tries=''; shift; }
[ $# -gt 0 ] || set -- i386 s390x windows arm64 glibc musl macos-x86_64 macos-arm64 page
for machine in "$@"; do
    case $machine in
    i386 | s390x | windows | arm64 | glibc | musl | macos-x86_64 | macos-arm64 | page) ;;
    *) echo "usage: portable.sh [--all|--build] [i386|s390x|windows|arm64|glibc|musl|macos-x86_64|macos-arm64|page]..." >&2; exit 2 ;;
    esac
done
if [ -n "$tries" ]; then # what artefacts are compared with
    cmake -S "$top" -B "$top/build/gcc" -G Ninja >/dev/null
    built "$top/build/gcc" cli/tenure
fi
for machine in "$@"; do
    echo "== $machine"
    mkdir -p "$top/build/$machine"
    "$machine"
    [ -n "$tries" ] && [ -x "$top/build/$machine/tenure" ] || continue
    same "$top/build/$machine"
    [ -z "$all" ] || texts "$top/build/$machine"
done

#!/usr/bin/env bash
# Installs into an empty folder, moves the tree, builds outside.c against it by pkg-config (shared and
# static) and by find_package, and holds what each prints against the installed command; builds the command
# itself against it. Then installs and uninstalls.
# Usage: run.sh BUILD_DIR MODEL
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1 model=$2
cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/tree"
libdir=$(dirname "$(find "$work/tree" -name libtenure.a)")
export PKG_CONFIG_PATH=$libdir/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export LD_LIBRARY_PATH=$libdir

"$work/tree/bin/tenure" plan "$model" --quiet --emit=json -o "$work/plan.json"
"$work/tree/bin/tenure" check "$model" "$work/plan.json"
arena_of() { sed -n 's/.*"name": "arena".*"size": \([0-9]*\).*/\1/p' "$1"; }
expected=$(arena_of "$work/plan.json")
[ -n "$expected" ] || { echo "no arena in the plan" >&2; exit 1; }

# check NAME PROGRAM
check() {
    local got
    got=$("$2" "$model")
    if [ "$got" != "$expected" ]; then
        echo "$1: the program says '$got', the command '$expected'" >&2
        exit 1
    fi
    echo "$1: $got bytes"
}

# shellcheck disable=SC2046 # pkg-config prints words
"$cc" "$here/outside.c" -o "$work/by_pc" $(pkg-config --cflags --libs tenure)
check "pkg-config, shared" "$work/by_pc"
# The archive by its name, so that the shared library beside it is not taken.
# shellcheck disable=SC2046
"$cc" "$here/outside.c" -o "$work/by_pc_static" $(pkg-config --cflags tenure) "$libdir/libtenure.a" \
    $(pkg-config --libs nettle jansson libprotobuf-c) -lm
check "pkg-config, static" "$work/by_pc_static"

cmake -G Ninja -S "$here" -B "$work/outside" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$work/tree" >/dev/null
cmake --build "$work/outside" >/dev/null
check "find_package, shared" "$work/outside/outside_shared"
check "find_package, static" "$work/outside/outside_static"

# A manual page for each command, and completion where shells look for it.
share=$work/tree/share
for command in $("$work/tree/bin/tenure" help | sed -n '/^options/q; s/^  \([a-z]*\) .*/\1/p'); do
    [ -s "$share/man/man1/tenure-$command.1" ] || { echo "no manual page for $command" >&2; exit 1; }
done
for file in man/man1/tenure.1 bash-completion/completions/tenure.bash zsh/site-functions/_tenure \
    fish/vendor_completions.d/tenure.fish; do
    [ -s "$share/$file" ] || { echo "$file is not installed" >&2; exit 1; }
done

# The command is such a program, too: its sources need nothing but the installed headers, jansson, and what the system
# is asked for (ir/os).
mkdir -p "$work/command/ir"
cp -r "$here/../../cli" "$work/command/cli"
cp -r "$here/../../ir/os" "$work/command/ir/os"
# shellcheck disable=SC2046
"$cc" -std=c11 -D_POSIX_C_SOURCE=200809L -I"$work/command" "$work/command"/cli/*.c "$work/command/ir/os/os_posix.c" -o "$work/tenure" \
    $(pkg-config --cflags --libs tenure jansson)
"$work/tenure" plan "$model" --quiet --emit=json -o "$work/again.json"
cmp "$work/plan.json" "$work/again.json"
"$work/tenure" --list-ops=md >"$work/ops.md"
cmp "$work/ops.md" "$here/../../docs/generated/OPS.md"
echo "the command, from its sources, ir/os and the installed headers: the same plan"

# The OpenCL runtime, where the build has it.
if [ -f "$libdir/libtenure_cl.a" ]; then
    "$work/tree/bin/tenure" plan "$model" --quiet --emit=opencl -o "$work/net_cl.c" --emit=json -o "$work/cl.json"
    expected=$(arena_of "$work/cl.json") # with the alignment of sub-buffers
    # shellcheck disable=SC2046
    "$cc" "$here/outside_cl.c" "$work/net_cl.c" -o "$work/cl_by_pc" $(pkg-config --cflags --libs tenure_cl)
    cmake -G Ninja -S "$here/opencl" -B "$work/outside_cl" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$work/tree" \
        -DPLAN="$work/net_cl.c" >/dev/null
    cmake --build "$work/outside_cl" >/dev/null
    for program in "$work/cl_by_pc" "$work/outside_cl/outside_cl"; do
        check "OpenCL runtime, $(basename "$program")" "$program"
    done
else
    echo "this build has no OpenCL runtime: not tried"
fi

# The example and a program that runs plans.
source=$here/../..
# shellcheck disable=SC2046
"$cc" "$source/examples/converter/converter.c" -o "$work/converter" $(pkg-config --cflags --libs tenure)
"$source/tests/api/converter.sh" "$work/converter" "$cc"
# shellcheck disable=SC2046
"$cc" "$source/tests/api/interpreter.c" -o "$work/interpreter" $(pkg-config --cflags --libs tenure)
"$work/interpreter"

# shellcheck disable=SC2046
"$source/tests/api/plugin.sh" "$work/tree/bin/tenure" "$cc" $(pkg-config --cflags tenure)

exported=$(nm -D --defined-only "$libdir/libtenure.so" | awk '$2 ~ /[TDBR]/ {print $3}' |
    grep -v '^tenure_' || true)
if [ -n "$exported" ]; then
    echo "libtenure.so exports more than tenure.h: $exported" >&2
    exit 1
fi

# Uninstalling takes away what installing put down, and nothing else. The prefix is the build's own, so the
# files go to a folder that DESTDIR names.
export DESTDIR=$work/staged
cmake --install "$build" >/dev/null
find "$DESTDIR" -type f -name tenure.h | grep -q . || { echo "nothing is installed under DESTDIR" >&2; exit 1; }
touch "$(dirname "$(find "$DESTDIR" -name tenure.pc)")/other.pc"
cmake --build "$build" --target uninstall >/dev/null
left=$(cd "$DESTDIR" && find . ! -type d)
[ "$(basename "$left")" = other.pc ] || { echo "left by uninstall: $left" >&2; exit 1; }
[ -z "$(find "$DESTDIR" -type d -name tenure)" ] || { echo "uninstall leaves folders" >&2; exit 1; }

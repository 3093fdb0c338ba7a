#!/bin/sh
# Compiles generated headers as C99 to C17 and as C++11 and C++17 with all warnings as errors, and runs
# a program that uses them (use.c.in). A header of which values are left out must say so.
# usage: compile.sh HEADER...
# CC_LIST overrides the compilers ("gcc -std=c99;clang -std=c11"); the first one makes the program.
set -eu
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-Wall -Wextra -Wconversion -Wpedantic -Werror -I$work"
list="gcc -std=c99;gcc -std=c11;gcc -std=c17;clang -std=c99;clang -std=c11;clang -std=c17"
list="$list;g++ -std=c++11 -x c++;g++ -std=c++17 -x c++;clang++ -std=c++11 -x c++;clang++ -std=c++17 -x c++"
list=${CC_LIST:-$list}
failed=0
[ $# -gt 0 ] || { echo "usage: compile.sh HEADER..." >&2; exit 2; }

write_sources() { # header
    cp "$1" "$work/plan.h"
    prefix=$(sed -n 's/^#ifndef \([A-Z0-9_]*\)_TENURE_PLAN_H$/\1/p' "$1")
    lower=$(printf %s "$prefix" | tr A-Z a-z)
    arena=$(sed -n "s/^#define ${prefix}_ARENA_POOL //p" "$1")
    tensor=$(sed -n "s/^#define ${prefix}_\(.*\)_POOL ${arena:-none}\$/\1/p" "$1" |
        sed '/^ARENA$/d' | head -n 1)
    placed=$([ -n "$tensor" ] && echo 1 || echo 0)
    # Extents of open dimensions: the smallest, and some further up.
    ends=$(sed -n "s/^    if (dims->[^ ]* < \([A-Z0-9_]*\) .*/\1/p" "$1")
    least=$(printf '%s\n' "$ends" | sed 's/$/, /' | tr -d '\n')
    more=$(printf '%s\n' "$ends" | sed 's/.*/& + i, /' | tr -d '\n')
    partial=$(grep -q "_LEFT_OUT 0\$" "$1" && echo 0 || echo 1)
    sed "s/@M@/$prefix/g; s/@m@/$lower/g; s/@T@/$tensor/g; s/@PLACED@/$placed/g; s/@LEAST@/$least/g; s/@MORE@/$more/g" \
        "$here/use.c.in" > "$work/use.c"
    printf '#include "plan.h"\n#include "plan.h"\n%s\n' \
        "int ${lower}_nothing(void); int ${lower}_nothing(void) { return 0; }" > "$work/plain.c"
    printf '#define %s_ALLOW_PARTIAL\n' "$prefix" | cat - "$work/plain.c" > "$work/alone.c"
}

try() { # compiler and options
    # The header alone, without tables or arrays, twice; then with everything.
    $1 $flags -fsyntax-only "$work/alone.c" && $1 $flags -fsyntax-only "$work/use.c" || return 1
    if [ "$partial" = 1 ] && $1 $flags -fsyntax-only "$work/plain.c" 2> "$work/said"; then
        echo "values are left out, and no assertion says so" >&2
        return 1
    fi
}

for header in "$@"; do
    write_sources "$header"
    rest="$list;"
    while [ -n "$rest" ]; do
        cc=${rest%%;*}
        rest=${rest#*;}
        if ! try "$cc"; then
            echo "FAILED: $header with $cc" >&2
            failed=$((failed + 1))
        fi
    done
    if ! { ${list%%;*} $flags -O0 "$work/use.c" -o "$work/use" && "$work/use"; }; then
        echo "FAILED: $header" >&2
        failed=$((failed + 1))
    fi
done
echo "$# headers, $failed failures"
[ "$failed" -eq 0 ]

#!/bin/sh
# Compiles generated headers as C99, C11 and C++17 with all warnings as errors, and runs a program that
# uses them (use.c.in). usage: compile.sh HEADER...
# CC_LIST overrides the compilers ("gcc -std=c99;clang -std=c11").
set -eu
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-Wall -Wextra -Wpedantic -Werror"
list=${CC_LIST:-"gcc -std=c99;gcc -std=c11;clang -std=c11;g++ -std=c++17 -x c++"}
failed=0
[ $# -gt 0 ] || { echo "usage: compile.sh HEADER..." >&2; exit 2; }

try() { # header, compiler and options; the last one also runs the program
    cp "$1" "$work/plan.h"
    prefix=$(sed -n 's/^#ifndef \([A-Z0-9_]*\)_TENURE_PLAN_H$/\1/p' "$1")
    lower=$(printf %s "$prefix" | tr A-Z a-z)
    arena=$(sed -n "s/^#define ${prefix}_ARENA_POOL //p" "$1")
    tensor=$(sed -n "s/^#define ${prefix}_\(.*\)_POOL ${arena:-none}\$/\1/p" "$1" |
        sed '/^ARENA$/d' | head -n 1)
    placed=$([ -n "$tensor" ] && echo 1 || echo 0)
    sed "s/@M@/$prefix/g; s/@m@/$lower/g; s/@T@/$tensor/g; s/@PLACED@/$placed/g" \
        "$here/use.c.in" > "$work/use.c"
    printf '#include "plan.h"\n#include "plan.h"\n%s\n' \
        "int ${lower}_nothing(void); int ${lower}_nothing(void) { return 0; }" > "$work/alone.c"
    # The header alone, without tables or arrays, twice; then with everything.
    $2 $flags -O0 -c "$work/alone.c" -o "$work/alone.o" &&
        $2 $flags -O0 "$work/use.c" -o "$work/use" && "$work/use"
}

for header in "$@"; do
    rest="$list;"
    while [ -n "$rest" ]; do
        cc=${rest%%;*}
        rest=${rest#*;}
        if ! try "$header" "$cc"; then
            echo "FAILED: $header with $cc" >&2
            failed=$((failed + 1))
        fi
    done
done
echo "$# headers, $failed failures"
[ "$failed" -eq 0 ]

#!/usr/bin/env bash
# Runs examples/converter, and compiles what it writes.
# Usage: converter.sh CONVERTER CC
set -euo pipefail
converter=$1 cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for backend in c-header c-program; do
    mkdir "$work/$backend"
    said=$("$converter" "$backend" "$work/$backend")
    [ "$said" = "arena: 384 bytes, 640 without reuse" ] || { echo "$backend: '$said'" >&2; exit 1; }
done
printf '#define TOY_DEFINE_ARENA\n#define TOY_TABLES\n#include "toy.h"\n' >"$work/c-header/use.c"
"$cc" -std=c11 -Wall -Wextra -Werror -c "$work/c-header/use.c" -o "$work/use.o"
"$cc" -std=c11 -Wall -Wextra -Werror -c "$work/c-program/toy.c" -o "$work/toy.o"
grep -q 'Saturate' "$work/c-program/toy.c" || { echo "no call of the converter's own op" >&2; exit 1; }
status=0
"$converter" c-program /no/such/folder 2>/dev/null || status=$?
[ "$status" -eq 1 ] || { echo "a folder that is not there: exit code $status" >&2; exit 1; }

#!/usr/bin/env bash
# Builds a project that has tenure as a part of it (inside/) and holds what its programs print against the
# command; configures it by FetchContent, too.
# Usage: inside.sh SOURCE_DIR MODEL
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$1 model=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

configure=(cmake -G Ninja -S "$here/inside" "-DTENURE_SOURCE=$source" "-DCMAKE_C_COMPILER=${CC:-cc}"
           -DCMAKE_BUILD_TYPE=Debug) # builds in a third of the time
"${configure[@]}" -B "$work/fetched" -DFETCH=ON >"$work/log" || { cat "$work/log"; exit 1; }
"${configure[@]}" -B "$work/build" >"$work/log" || { cat "$work/log"; exit 1; }
cmake --build "$work/build" --target inside_shared inside_static tenure >"$work/log" || { cat "$work/log"; exit 1; }

"$work/build/tenure/cli/tenure" plan "$model" --quiet --emit=json -o "$work/plan.json"
expected=$(sed -n 's/.*"name": "arena".*"size": \([0-9]*\).*/\1/p' "$work/plan.json")
[ -n "$expected" ] || { echo "no arena in the plan" >&2; exit 1; }
for program in inside_shared inside_static; do
    got=$("$work/build/$program" "$model")
    [ "$got" = "$expected" ] || { echo "$program says '$got', the command '$expected'" >&2; exit 1; }
    echo "$program: $got bytes"
done
# Installing the project installs nothing of tenure's.
cmake --install "$work/build" --prefix "$work/prefix" >/dev/null
[ -z "$(find "$work/prefix" -type f 2>/dev/null)" ] || { echo "files of tenure are installed" >&2; exit 1; }

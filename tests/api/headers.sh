#!/usr/bin/env bash
# Compiles each public header by itself, as C of several standards and as C++.
# Usage: headers.sh CC
set -euo pipefail
include=$(cd "$(dirname "$0")/../../include" && pwd)
cc=$1

strict=(-Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror -fsyntax-only "-I$include")
for header in "$include"/tenure/*.h; do
    line="#include \"tenure/$(basename "$header")\""
    for standard in c99 c11 gnu17; do
        "$cc" -x c "-std=$standard" "${strict[@]}" - <<<"$line"
    done
    if command -v c++ >/dev/null; then
        c++ -x c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only "-I$include" - <<<"$line"
    fi
done

#!/bin/sh
# Compiles and runs the headers of the plan with odd names (tests/unit/odd_plan.h), one for each kind of target.
# usage: odd.sh PATH/OF/odd_header
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" > "$work/default.h"
"$1" target-size-bits 32 prefix Net32 > "$work/bits32.h"
"$1" target-size-bits 16 prefix n16 disjoint 1 > "$work/bits16.h"
"$1" names false max-identifier 48 > "$work/nameless.h"
"$(dirname "$0")/compile.sh" "$work"/*.h
# The checks can fail: a shifted tensor, a wrong alignment and an overlap are all refused.
broken=0
for change in 's/A_B_OFFSET 96ull/A_B_OFFSET 112ull/' 's/T3D_OFFSET 0ull/T3D_OFFSET 8ull/' \
              's/A_B_3_OFFSET 0ull/A_B_3_OFFSET 64ull/'; do
    sed "$change" "$work/default.h" > "$work/broken.h"
    cmp -s "$work/default.h" "$work/broken.h" && { echo "nothing changed: $change" >&2; exit 1; }
    if CC_LIST="gcc -std=c99" "$(dirname "$0")/compile.sh" "$work/broken.h" > /dev/null 2>&1; then
        echo "not refused: $change" >&2
        broken=1
    fi
done
exit $broken

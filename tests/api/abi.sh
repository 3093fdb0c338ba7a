#!/usr/bin/env bash
# Holds the binary interface of libtenure.so against its description, lib/abi.xml: functions, and the layout of
# what the public headers define. A change that old programs do not survive needs a new major version (before
# 1.0: minor); any change needs the description renewed in the same commit, by --write.
# Usage: abi.sh LIBRARY [--write]
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
library=$1 known=$top/lib/abi.xml
found=$(mktemp --suffix=.xml)
trap 'rm -f "$found"' EXIT

abidw --headers-dir "$top/include/tenure" --drop-private-types --exported-interfaces-only --no-show-locs \
    --no-corpus-path --no-comp-dir-path --no-architecture --no-elf-needed --type-id-style hash \
    --out-file "$found" "$library"
sed -i -E "s| path='[^']*/lib/| path='lib/|" "$found" # wherever it was built
if [ "${2:-}" = --write ]; then
    cp "$found" "$known"
    exit 0
fi

# What is exported is what the headers declare, no more and no less.
declared=$(grep -hPzo 'TENURE_API[^;(]*\b\Ktenure_\w+(?=\()' "$top"/include/tenure/*.h | tr '\0' '\n' | sort -u)
exported=$(nm -D --defined-only "$library" | awk '$2 ~ /[TDBR]/ {print $3}' | sed 's/@.*//' | sort -u)
if ! diff <(echo "$declared") <(echo "$exported"); then
    echo "'<': declared in include/tenure and not exported; '>': the reverse" >&2
    exit 1
fi

status=0
abidiff --harmless "$known" "$found" || status=$?
if [ "$status" -ne 0 ]; then
    [ $((status & 8)) -eq 0 ] || echo "programs built before will not work with this library" >&2
    echo "the interface is not the one lib/abi.xml describes; if that is meant: $0 $library --write" >&2
    exit 1
fi

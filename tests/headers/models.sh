#!/bin/sh
# Plans the shipped models, and the light ones of the collection when TENURE_MODELS names it, and compiles
# and runs a header of each. usage: models.sh PATH/OF/tenure [OPTION OF tenure plan]...
set -eu
tenure=$1
shift
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for model in "$here"/../../examples/models/*.onnx "${TENURE_MODELS:-/nonexistent}"/light/*.onnx; do
    [ -e "$model" ] || continue
    header=$work/$(basename "$model" .onnx)
    "$tenure" plan "$model" -q --partial "$@" --emit=c-header -o "$header.h" \
        --emit=c-header,target-size-bits=32,names=off -o "${header}_32.h" ||
        { echo "$model" >&2; exit 1; }
done
# All compilers and standards have their turn in odd.sh.
CC_LIST="clang -std=c99;g++ -std=c++17 -x c++" "$here/compile.sh" "$work"/*.h

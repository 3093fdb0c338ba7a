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
# Each by two compilers, the next by the two others; all compilers and standards have their turn in odd.sh.
mkdir "$work/next"
turn=0
for header in "$work"/*_32.h; do
    [ -e "${header%_32.h}.h" ] || continue
    turn=$((1 - turn))
    [ $turn -eq 1 ] || mv "$header" "${header%_32.h}.h" "$work/next"
done
CC_LIST="gcc -std=c99;clang++ -std=c++17 -x c++" "$here/compile.sh" "$work"/*.h
CC_LIST="clang -std=c17;g++ -std=c++11 -x c++" "$here/compile.sh" "$work"/next/*.h

#!/usr/bin/env bash
# Builds the library with ThreadSanitizer, and threads.c with it, and runs that.
# Usage: races.sh SOURCE_DIR BUILD_DIR MODEL
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$1 build=$2 model=$3
cc=${CC:-cc}

mkdir -p "$build"
cmake -G Ninja -S "$source" -B "$build" "-DCMAKE_C_COMPILER=$cc" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-g1 \
    -DCMAKE_C_FLAGS=-fsanitize=thread -DTENURE_TESTS=OFF -DTENURE_OPENCL=OFF -DTENURE_INSTALL=OFF \
    >"$build/log" 2>&1 || { cat "$build/log"; exit 1; }
cmake --build "$build" --target tenure_static >"$build/log" 2>&1 || { cat "$build/log"; exit 1; }
# shellcheck disable=SC2046 # pkg-config prints words
"$cc" -std=c11 -g -fsanitize=thread -I"$source/include" "$here/threads.c" "$build/lib/libtenure.a" \
    $(pkg-config --libs nettle jansson libprotobuf-c) -lm -pthread -o "$build/threads"
TSAN_OPTIONS=halt_on_error=1 "$build/threads" "$model"

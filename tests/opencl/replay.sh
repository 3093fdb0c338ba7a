#!/usr/bin/env bash
# Emits the OpenCL plan of a model, builds the replay program with it and runs it (tests/opencl/replay.c).
# Usage: replay.sh TENURE LIBTENURE_CL MODEL [options of `tenure plan`]
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
tenure=$1 library=$2 model=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$tenure" plan "$model" --quiet --emit=opencl -o "$work/plan.c" "$@"
${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -O1 -DTENURE_CL_PLAN_NAME=emitted \
    -I"$top/backends/opencl/runtime" "$work/plan.c" "$top/tests/opencl/replay.c" "$library" -lOpenCL \
    -o "$work/replay"
"$work/replay" spoil 2>/dev/null
"$work/replay"
"$work/replay" spoil 2>/dev/null

#!/usr/bin/env bash
# Installs what is missing, builds tenure, plans a model shipped with the project and shows the report.
# Usage: scripts/demo.sh [MODEL.onnx [options of `tenure plan`]]
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)

"$top/scripts/setup.sh" build
cmake -S "$top" -B "$top/build/release" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTENURE_TESTS=OFF \
    -DTENURE_OPENCL=OFF >/dev/null
cmake --build "$top/build/release"

if [ $# -eq 0 ]; then
    set -- "$top/examples/models/squeezenet1_1.onnx"
fi
out="$top/build/demo"
mkdir -p "$out"
"$top/build/release/cli/tenure" plan "$@" --emit=c-header -o "$out/plan.h" --emit=json -o "$out/plan.json"
echo "written: ${out#"$top"/}/plan.h ${out#"$top"/}/plan.json"

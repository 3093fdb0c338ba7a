#!/usr/bin/env bash
# Installs what is missing, builds tenure in build/demo, plans a model shipped with the project and shows the report; then
# makes a C program of it, runs that, and compares what it gives with what is stored.
# Usage: scripts/demo.sh [MODEL.onnx [options of `tenure plan`]]: a model of yours is planned, no more.
# TENURE=FILE: the command, where it is built already.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
build=$top/build/demo
tenure=${TENURE:-$build/cli/tenure}
out=$build/out

if [ -z "${TENURE:-}" ]; then
    "$top/scripts/setup.sh" demo
    # -O1 is built in half the time; what is to be installed has -O3 (README.md).
    cmake -S "$top" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG" \
        -DTENURE_TESTS=OFF -DTENURE_OPENCL=OFF >/dev/null
    ninja -C "$build" tenure | { grep -v '^\[' || true; }
fi
mkdir -p "$out"

if [ $# -gt 0 ]; then
    "$tenure" plan "$@" --emit=c-header -o "$out/plan.h" --emit=json -o "$out/plan.json"
    echo "written: ${out#"$top"/}/plan.h ${out#"$top"/}/plan.json"
    exit 0
fi

# needs OPTION: RAM and flash, as the first lines of the report have them.
needs() {
    "$tenure" plan "$out/ds_cnn.onnx" --preset=mcu "$@" | sed -n 's/^ *RAM *\([^:]*\):.*flash \([^:]*\):.*/RAM \1, flash \2/p'
}

models=$top/examples/models
python3 -B "$models/make.py" --weights "$out" ds_cnn
"$tenure" plan "$out/ds_cnn.onnx" --preset=mcu
rm -rf "$out/net"
make -s -j"$(nproc)" -C "$top/examples/firmware" TENURE="$tenure" MODEL="$out/ds_cnn.onnx" INPUTS="$out/ds_cnn.inputs.bin" \
    BUILD="$out/net" CFLAGS=-O1 run >"$out/outputs.txt"
echo
echo "ran: ${out#"$top"/}/net/net, from the C program ${out#"$top"/}/net/net.c"
same=0
python3 -B "$models/compare.py" "$models/ds_cnn.outputs" <"$out/outputs.txt" || same=$?
echo "as planned:    $(needs)"
echo "without reuse: $(needs -O0)"
[ $same -eq 0 ] || echo "the outputs are NOT those of $models/ds_cnn.outputs" >&2
exit $same

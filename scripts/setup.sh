#!/usr/bin/env bash
# Installs the Debian packages tenure needs that are missing. `setup.sh build` for building and planning, `demo` for scripts/demo.sh,
# `setup.sh test` for the tests as well, `python` for Python and what makes environments of it, `package` for making and trying
# packages, `portable` for other machines, `site` for the documents as web pages. Running it again does nothing.
set -euo pipefail

build=(gcc libc6-dev cmake make ninja-build pkg-config libonnx-dev protobuf-c-compiler libprotobuf-c-dev
       libjansson-dev nettle-dev libxxhash-dev)
test=(ccache valgrind g++ clang lld libclang-rt-14-dev llvm-14-tools libcmocka-dev ocl-icd-opencl-dev opencl-headers
      pocl-opencl-icd abigail-tools chromium chromium-driver python3 python3-venv time gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm
      zsh fish mandoc doxygen cpio)
demo=(python3)
python=(python3 python3-venv)
package=(dpkg-dev file debootstrap)
portable=(gcc-i686-linux-gnu libc6-dev-i386-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user-static libc6-arm64-cross
          gcc-mingw-w64-x86-64-posix wine64 python3-venv emscripten node-acorn)
site=(python3 python3-venv doxygen cpio)

case "${1:-build}" in
build) wanted=("${build[@]}") ;;
test) wanted=("${build[@]}" "${test[@]}") ;;
demo) wanted=("${build[@]}" "${demo[@]}") ;;
python) wanted=("${python[@]}") ;;
package) wanted=("${build[@]}" "${package[@]}") ;;
portable) wanted=("${build[@]}" "${test[@]}" "${portable[@]}") ;;
site) wanted=("${site[@]}") ;;
*) echo "usage: setup.sh [build|demo|test|python|package|portable|site]" >&2; exit 2 ;;
esac

missing=()
for package in "${wanted[@]}"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
        missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "installing: ${missing[*]}"
sudo=""
[ "$(id -u)" -eq 0 ] || sudo="sudo"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}"

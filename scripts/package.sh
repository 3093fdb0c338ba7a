#!/usr/bin/env bash
# Makes the packages of tenure in build/package: tenure, libtenure0 and libtenure-dev for Debian, and a source archive of
# what is committed. `package.sh try` then installs, uses and removes them in an empty Debian system under
# build/package/root, and builds the source archive there; that needs root, debootstrap and the network.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
out=$top/build/package

"$top/scripts/setup.sh" package
cmake -S "$top" -B "$out" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTENURE_TESTS=OFF -DCMAKE_INSTALL_PREFIX=/usr >/dev/null
cmake --build "$out" | { grep -vE '^\[[0-9]+/[0-9]+\]' || true; }
rm -f "$out"/*.deb "$out"/*.tar.gz
(cd "$out" && cpack -G DEB | sed -n 's/.*package: \(.*\) generated./\1/p')
name=tenure-$(sed -n 's/^CPACK_PACKAGE_VERSION:.*=//p; s/^CMAKE_PROJECT_VERSION:.*=//p' "$out/CMakeCache.txt" | head -1)
git -C "$top" archive --prefix="$name/" HEAD | gzip -n >"$out/$name.tar.gz"
echo "$out/$name.tar.gz"
[ "${1:-}" = try ] || exit 0

root=$out/root
umount "$root/proc" 2>/dev/null || true
rm -rf "$root"
debootstrap --variant=minbase bookworm "$root" >"$out/debootstrap.log"
trap 'umount "$root/proc" 2>/dev/null || true' EXIT
mount -t proc proc "$root/proc" 2>/dev/null || true
cp "$out"/*.deb "$out/$name.tar.gz" "$top/tests/install/inside_root.sh" "$top/tests/install/outside.c" \
    "$top/examples/models/squeezenet1_1.onnx" "$root/root/"
chroot "$root" /bin/sh /root/inside_root.sh "$name"

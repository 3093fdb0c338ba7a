#!/usr/bin/env bash
# Puts the sources of the libraries that tenure links into a folder, for builds where no packages of them are: other
# machines, and the source distribution for Python. They are those of Debian, unchanged; of each only the files
# that tenure needs, beside its licence.
#
#   bundle.sh FOLDER      cmake -DTENURE_BUNDLE=FOLDER then builds with what lies there
set -euo pipefail
out=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists/partial,cache/archives/partial,sources}
: >"$work/status"

# An apt of its own that knows the sources of the packages which this system knows.
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list; do
    [ ! -f "$list" ] ||
        sed -e 's/^Types:.*/Types: deb-src/' -e 's/^deb\( \|\t\)/deb-src\1/' "$list" >"$work/sources/$(basename "$list")"
done
own=(-o "Dir::State=$work" -o "Dir::Cache=$work/cache" -o "Dir::State::status=$work/status" -o Dir::Etc::sourcelist=/dev/null
     -o "Dir::Etc::sourceparts=$work/sources" -o APT::Sandbox::User=root)
apt-get "${own[@]}" update -qq
(cd "$work" && apt-get "${own[@]}" source --download-only -qq jansson nettle protobuf-c xxhash >/dev/null)
for archive in "$work"/*.orig.tar.gz; do
    tar -xzf "$archive" -C "$work"
done

rm -rf "$out"
mkdir -p "$out"/{jansson,nettle,protobuf-c,onnx,licences}
cp "$work"/jansson-*/src/*.[ch] "$out/jansson"
sed -e 's/@json_inline@/inline/' -e 's/@json_[a-z_]*@/1/' "$work"/jansson-*/src/jansson_config.h.in >"$out/jansson/jansson_config.h"
: >"$out/jansson/jansson_private_config.h" # what tenure needs is in every C library
for file in sha256.c sha256-compress.c base64-encode.c write-be32.c sha2.h sha2-internal.h base64.h nettle-types.h \
    nettle-write.h macros.h; do
    cp "$work"/nettle-*/$file "$out/nettle"
done
cp "$work"/protobuf-c-*/protobuf-c/protobuf-c.[ch] "$out/protobuf-c"
cp "$work"/xxHash-*/xxhash.h "$out"
cp "$work"/jansson-*/LICENSE "$out/licences/jansson"
cp "$work"/nettle-*/COPYING.LESSERv3 "$out/licences/nettle"
cp "$work"/protobuf-c-*/LICENSE "$out/licences/protobuf-c"
cp "$work"/xxHash-*/LICENSE "$out/licences/xxhash"
schema=$(find /usr/include -path '*/onnx/onnx.proto' | head -1)
protoc-c --proto_path="$(dirname "$schema")" --c_out="$out/onnx" onnx.proto
# What came, for lists of what is inside.
(cd "$work" && ls -d jansson-*/ nettle-*/ protobuf-c-*/ xxHash-*/) | sed -E 's,^(.*)-([^-]*)/$,\L\1\E \2,' >"$out/versions"
echo "onnx $(dpkg-query -W -f '${source:Upstream-Version}' libonnx-dev)" >>"$out/versions"
touch "$out/complete"

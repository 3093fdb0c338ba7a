#!/usr/bin/env bash
# Builds what a release has, of what is committed: twice, each time in a clone in another folder, and gives it out where both
# have the same bytes. FOLDER gets the files, SHA256SUMS, and sbom.cdx.json (CycloneDX), which says what is inside.
#
#   release.sh FOLDER [PART]...     source           the source archive
#                                   deb              packages for Debian
#                                   page             tenure.html
#                                   sdist            the source distribution for Python
#                                   glibc arm64 musl windows macos-x86_64 macos-arm64
#                                                    a wheel, and an archive with command, library and headers
#                                   all of them without a name: some hours on two cores
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 0 ] || { sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
machines='glibc arm64 musl windows macos-x86_64 macos-arm64'
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- source deb page sdist $machines
for part in "$@"; do
    case " source deb page sdist $machines " in
    *" $part "*) ;;
    *) echo "release.sh: there is no part '$part'" >&2; exit 2 ;;
    esac
done
[ -z "$(git -C "$top" status --porcelain)" ] || { echo "release.sh: there are changes that are not committed" >&2; exit 1; }
SOURCE_DATE_EPOCH=$(git -C "$top" log -1 --format=%ct)
export SOURCE_DATE_EPOCH CCACHE_DISABLE=1 LC_ALL=C.UTF-8 TZ=UTC
version=$(sed -n 's/^#define TENURE_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' "$top/include/tenure/tenure.h" | paste -sd.)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# archive TREE MACHINE OUT
archive() {
    local name=tenure-$version-$2 build=$1/build/$2
    mkdir -p "$work/$name"/{bin,lib,include}
    cp "$build"/cli/tenure{,.exe} "$work/$name/bin" 2>/dev/null || true
    find "$build/lib" -maxdepth 1 \( -name 'libtenure*.so*' -o -name 'libtenure*.dylib' -o -name 'libtenure*.dll*' -o -name libtenure.a \) \
        -exec cp -P {} "$work/$name/lib" \;
    cp -r "$1/include/tenure" "$work/$name/include"
    cp -r "$1/build/bundle/licences" "$1/LICENSE" "$1/CHANGELOG.md" "$work/$name"
    [ -n "$(ls "$work/$name/bin")" ] || { echo "release.sh: no command for $2" >&2; return 1; }
    tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw -cf - "$name" |
        gzip -9n >"$3/$name.tar.gz"
    rm -rf "${work:?}/$name"
}

# part TREE PART OUT
part() {
    case $2 in
    source) git -C "$1" archive --prefix="tenure-$version/" HEAD | gzip -9n >"$3/tenure-$version-source.tar.gz" ;;
    deb) "$1/scripts/package.sh" >"$work/log" && cp "$1"/build/package/*.deb "$3" ;;
    page) "$1/scripts/portable.sh" --build page >"$work/log" && cp "$1/build/page/tenure.html" "$3/tenure-$version.html" ;;
    sdist) python3 -B "$1/bindings/python/make_dist.py" sdist "$1/build/bundle" "$3" ;;
    *) "$1/scripts/wheel.sh" "$3" "$2" >"$work/log" && archive "$1" "$2" "$3" ;;
    esac
}

# What comes from elsewhere is fetched once.
[ -e "$top/build/bundle/complete" ] && [ -e "$top/build/bundle/versions" ] || "$top/scripts/bundle.sh" "$top/build/bundle"
for tree in one another/of/these; do
    git clone --quiet --no-hardlinks "$top" "$work/$tree"
    mkdir -p "$work/$tree/build" "$work/out/$tree"
    cp -r "$top/build/bundle" "$work/$tree/build"
    for part in "$@"; do
        echo "== $part, in $tree"
        part "$work/$tree" "$part" "$work/out/$tree" || { cat "$work/log" >&2; exit 1; }
    done
done
if ! diff -rq "$work/out/one" "$work/out/another/of/these" >&2; then
    echo "release.sh: two builds of the same sources differ" >&2
    exit 1
fi
if [ ! -x "$top/build/sbom/bin/python" ]; then
    python3 -m venv "$top/build/sbom"
    "$top/build/sbom/bin/pip" install --quiet --disable-pip-version-check 'cyclonedx-python-lib[json-validation]==11.12.0'
fi
cp "$work/out/one"/* "$out"
"$top/build/sbom/bin/python" -B "$top/scripts/sbom.py" "$version" "$top/build/bundle/versions" "$work/out/one"/* >"$work/sbom"
cp "$work/sbom" "$out/sbom.cdx.json"
(cd "$out" && sha256sum -- $(ls "$work/out/one") sbom.cdx.json >SHA256SUMS)
cat "$out/SHA256SUMS"

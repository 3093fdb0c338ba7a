#!/bin/sh
# Two commands, of two machines, make the same of each model: the bytes of every artefact, messages and exit codes.
# usage: same_artefacts.sh TENURE TENURE MODEL...
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
one=$1 two=$2
shift 2
kinds=$("$one" --list-backends | grep -v '^  [a-z]*-program ' | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p')
compared=0 failed=0

same() {
    "$one" plan "$@" >"$dir/a" 2>"$dir/a.said"
    a=$?
    "$two" plan "$@" >"$dir/b" 2>"$dir/b.said"
    b=$?
    compared=$((compared + 1))
    [ $a -eq $b ] && cmp "$dir/a" "$dir/b" && cmp "$dir/a.said" "$dir/b.said" && return
    echo "differs ($a, $b): $*"
    failed=1
}

for model in "$@"; do
    emit=
    for kind in $kinds; do
        case $model.$kind in
        *.onnx.tflm | *.tflite.onnx) continue ;;
        esac
        same "$model" -q --partial -O2 --align=16 --io=arena --emit="$kind" -o -
        emit="$emit $kind"
    done
    same "$model" -q --partial -O3 --reuse-inputs --memory=slots --emit=json -o -
done
echo "$compared artefacts compared, each by two commands, of kinds:$emit"
[ $compared -gt 0 ] && [ $failed -eq 0 ]

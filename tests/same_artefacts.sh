#!/bin/sh
# Two commands, of two machines, make the same of each model: the bytes of every artefact, messages and exit codes.
# usage: same_artefacts.sh TENURE TENURE MODEL...    (absolute paths)
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
one=$1 two=$2
shift 2
kinds=$("$one" --list-backends | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p')
compared=0 made=0 failed=0

# ran FOLDER COMMAND OPTION...: in a folder of its own, so that all files of an artefact are there
ran() {
    rm -rf "${dir:?}/$1"
    mkdir "$dir/$1"
    (cd "$dir/$1" && shift && "$@" >said 2>&1; echo "exit code $?" >>said)
}

same() {
    ran a "$one" plan "$@"
    ran b "$two" plan "$@"
    compared=$((compared + 1))
    ! grep -qx 'exit code 0' "$dir/a/said" || made=$((made + 1))
    diff -r "$dir/a" "$dir/b" && return
    echo "differs: $*"
    failed=1
}

for model in "$@"; do
    emit=
    for kind in $kinds; do
        case $model.$kind in
        *.onnx.tflm | *.tflite.onnx) continue ;;
        esac
        partial=--partial
        case $kind in *-program) partial= ;; esac
        # shellcheck disable=SC2086
        same "$model" -q $partial -O2 --align=16 --io=arena --emit="$kind" -o net
        emit="$emit $kind"
    done
    same "$model" -q --partial -O3 --reuse-inputs --memory=slots --emit=json -o net
    case $model in
    *.onnx) # all dimensions open, and two programs in one arena
        for kind in json c-header; do
            same "$model" -q --open --emit="$kind" -o net
            same "one=$model" "two=$model" -q --shared-arena --emit="$kind" -o net
        done ;;
    esac
done
echo "$compared artefacts compared, $made of them made and the others refused, of kinds:$emit"
[ $made -gt 0 ] && [ $failed -eq 0 ]

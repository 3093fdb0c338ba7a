#!/bin/sh
# Equal requests give equal bytes: every artefact and every report of every model by the first program as it is, then by
# it and each of the others (other compilers, other hashes) with other address layouts and other contents of fresh memory.
# Each model with a third of the options beside the levels, the next with others, and each artefact at one of two levels; with
# TENURE_SOAK with all.
# usage: determinism.sh TENURE... -- MODEL...
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
programs=
seen=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    file=$(readlink -f "$1")
    # One file under two names is one program.
    case " $seen " in *" $file "*) file= ;; esac
    [ -n "$file" ] && [ -x "$1" ] && programs="$programs $1" && seen="$seen $file"
    shift
done
shift
first=${programs# }
first=${first%% *}
# What is several files has a check of its own.
kinds=$("$first" --list-backends | grep -v '^  [a-z]*-program ' | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p')
[ -n "$kinds" ] || { echo "no backends"; exit 1; }
flat=
setarch -R true 2>/dev/null && flat="setarch -R"
compared=0

# moved PROGRAM ARGUMENTS...: the program where it finds memory elsewhere, with other contents.
moved() {
    MALLOC_PERTURB_=165 $flat "$@"
}

# same ARGUMENTS...: all programs give the same bytes, messages and exit code, each time.
same() {
    "$first" "$@" >"$dir/a" 2>"$dir/a.said"
    code=$?
    [ $code -eq 0 ] || [ $code -eq 1 ] || { echo "exit code $code: $first $*"; exit 1; }
    for program in $programs; do
        moved "$program" "$@" >"$dir/b" 2>"$dir/b.said"
        [ $? -eq $code ] && cmp "$dir/a" "$dir/b" && cmp "$dir/a.said" "$dir/b.said" ||
            { echo "differs from $first: $program $*"; exit 1; }
        compared=$((compared + 1))
    done
    compared=$((compared + 1))
}

# same_program KIND ARGUMENTS...: the same of the files of a program; it makes none of some models.
same_program() {
    kind=$1
    shift
    rm -rf "$dir/a.d"
    mkdir "$dir/a.d"
    "$first" "$@" -q --emit="$kind",weights=none -o "$dir/a.d/net.c" 2>/dev/null
    for program in $programs; do
        rm -rf "$dir/b.d"
        mkdir "$dir/b.d"
        moved "$program" "$@" -q --emit="$kind",weights=none -o "$dir/b.d/net.c" 2>/dev/null
        diff -r "$dir/a.d" "$dir/b.d" || { echo "differs from $first: $program $*"; exit 1; }
        compared=$((compared + 1))
    done
    [ ! -e "$dir/a.d/net.c" ] || programs_made=$((programs_made + 1))
    compared=$((compared + 1))
}

# same_gradients MODEL: the same with a backward part, by the first output of the model that can be differentiated.
same_gradients() {
    for output in $("$first" opt "$1" --passes=infer-shapes -o - 2>/dev/null | sed -n '/^}/q;s/^  return //p' | tr -d "%,\""); do
        for more in "" ",optimizer=adam,accumulate=2" ",indices=keep,train=on,seed=input"; do
            gradients="autodiff{loss=\"mse($output)\"$more}"
            "$first" opt "$1" --passes="$gradients" -o "$dir/gradients" 2>/dev/null || continue 2
            same opt "$1" --passes="$gradients" -o -
            same opt "$1" --passes="$gradients" --emit=onnx -o -
            gradients_made=$((gradients_made + 1))
        done
        return 0
    done
}

# -O1 and -O3 in turn, or both.
levels() {
    [ -z "${TENURE_SOAK:-}" ] || echo -O1 -O3
    [ -n "${TENURE_SOAK:-}" ] || if [ $((at % 2)) -eq 0 ]; then echo -O1; else echo -O3; fi
}

programs_made=0
gradients_made=0
number=0
for model in "$@"; do
    number=$((number + 1))
    at=$number
    for kind in c-program opencl-program; do
        for level in $(levels); do
            same_program $kind plan "$model" "$level"
        done
    done
    same_program c-program,harness=true plan "$model" -O3 --overlap=elements
    same_program c-program plan "one=$model" "two=$model" -O2 --shared-arena
    same_program c-program plan "$model" --open
    for kind in json c-header; do
        same plan "$model" --open --emit="$kind" -o -
    done
    for kind in $kinds; do
        for level in $(levels); do
            same plan "$model" "$level" --emit="$kind" -o -
        done
        at=$((at + 1))
    done
    at=$number
    for more in "--io=arena --double-buffer=all" --schedule=min-peak --schedule=longest-path --memory=slots "--io=arena --reuse-inputs --align=1" \
        --concurrency=dataflow "--queues=2 --memory=slots" --overlap=rows "--layout=nhwc --overlap=pixels" \
        "--queues=2 --pool=fast:4K --pool=slow:cost=4" "--overlap=elements --pool=fast:4K --pool=slow:cost=4"; do
        at=$((at + 1))
        [ -n "${TENURE_SOAK:-}" ] || [ $((at % 3)) -eq 0 ] || continue
        # shellcheck disable=SC2086
        same plan "$model" -O3 $more --emit=json --stats --print-log --remarks -o -
    done
    same plan "one=$model" "two=$model" -O2 --shared-arena --pool=fast:4K --pool=slow:cost=4 --emit=json -o -
    if "$first" plan "$model" -O2 -q --emit=json -o "$dir/old.json" 2>/dev/null; then
        same plan "$model" -O3 --io=arena --overlap=rows --based-on "$dir/old.json" --emit=json -o -
    fi
    case $model in
    *.tflite) same plan "$model" --preset=tflm --emit=tflm -o - ;;
    esac
    same explain "$model" --advice-steps=5000
    same explain "$model" -O3 --json --no-advice --pool=fast:4K --pool=slow:cost=4
    same opt "$model" --passes=O3 --print-changed -o -
    same dims "$model"
    same_gradients "$model"
    "$first" plan "$model" -O3 -q --emit=csv -o "$dir/buffers.csv" 2>/dev/null || continue
    # The search of the packing gives the same with any number of threads.
    for threads in 1 2 5; do
        same pack "$dir/buffers.csv" -q --effort=3 --search-budget=20000 --threads=$threads -o -
        [ -e "$dir/packed" ] || cp "$dir/a" "$dir/packed"
        cmp "$dir/a" "$dir/packed" || { echo "$threads threads pack $model otherwise"; exit 1; }
    done
    rm -f "$dir/packed"
done
[ "$programs_made" -gt 0 ] || { echo "no C program was made"; exit 1; }
[ "$gradients_made" -gt 0 ] || { echo "no gradients were made"; exit 1; }
echo "$compared outputs made and compared, by:$programs"
[ $compared -gt 0 ]

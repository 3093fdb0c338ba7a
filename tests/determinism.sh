#!/bin/sh
# Equal requests give equal bytes: every artefact of every model twice, by each of the given programs,
# with other address layouts and other contents of fresh memory.
# usage: determinism.sh TENURE... -- MODEL...
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
programs=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    [ -x "$1" ] && programs="$programs $1"
    shift
done
shift
first=${programs# }
first=${first%% *}
kinds=$("$first" --list-backends | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p')
[ -n "$kinds" ] || { echo "no backends"; exit 1; }
flat=
setarch -R true 2>/dev/null && flat="setarch -R"
compared=0

# same MODEL ARGUMENTS...: all programs give the same bytes, messages and exit code, each time.
same() {
    model=$1
    shift
    rm -f "$dir/first"
    for program in $programs; do
        "$program" plan "$model" "$@" -o - >"$dir/a" 2>"$dir/a.said"
        code=$?
        MALLOC_PERTURB_=165 $flat "$program" plan "$model" "$@" -o - >"$dir/b" 2>"$dir/b.said"
        [ $? -eq $code ] && cmp "$dir/a" "$dir/b" && cmp "$dir/a.said" "$dir/b.said" || return 1
        [ $code -eq 0 ] || [ $code -eq 1 ] || return 1
        [ -e "$dir/first" ] || cp "$dir/a" "$dir/first"
        cmp "$dir/a" "$dir/first" || return 1
        compared=$((compared + 2))
    done
}

for model in "$@"; do
    for level in -O1 -O3; do
        for kind in $kinds; do
            same "$model" $level --emit="$kind" || { echo "$model $level $kind differs"; exit 1; }
        done
    done
done
echo "$compared artefacts made and compared, by:$programs"
[ $compared -gt 0 ]

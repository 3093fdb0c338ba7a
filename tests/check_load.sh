#!/bin/sh
# Loads every model below $TENURE_MODELS with the program given. Outside malformed/ each must load and
# verify, unless it is no ONNX file at all (a Git LFS pointer); inside, each must end in a load or in
# errors of the user's kind. Skipped (77) without models.
load=$1
[ -d "${TENURE_MODELS:-}" ] || exit 77
bad=0 n=0
for model in $(find "$TENURE_MODELS" -name '*.onnx' | sort); do
    n=$((n + 1))
    out=$(timeout 60 "$load" "$model" 2>&1)
    status=$?
    [ "$status" = 0 ] && continue
    if [ "$status" = 1 ] && [ "$(printf '%s\n' "$out" | grep -c ': error: ')" = 1 ]; then
        case $model in
        */malformed/*) continue ;;
        esac
        case $out in
        *'the pointer that Git LFS keeps'*) continue ;;
        esac
    fi
    printf 'status %s\n%s\n' "$status" "$out"
    bad=$((bad + 1))
done
echo "$n models, $bad of them not as wanted"
[ "$bad" = 0 ]

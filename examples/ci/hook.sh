#!/usr/bin/env bash
# The hook of .pre-commit-hooks.yaml: plans the models and project files that are to be committed.
# usage: hook.sh [OPTION]... FILE...      options are those of `tenure plan`
set -euo pipefail
options=() files=()
for word in "$@"; do
    case $word in
    -*) options+=("$word") ;;
    *) files+=("$word") ;;
    esac
done
worst=0
for file in "${files[@]}"; do
    status=0
    case $file in
    *.json) tenure plan --project "$file" "${options[@]}" -q || status=$? ;;
    *) tenure plan "$file" "${options[@]}" -q || status=$? ;;
    esac
    [ "$status" -le "$worst" ] || worst=$status
done
exit "$worst"

#!/usr/bin/env bash
# Holds the models of a change against their budgets, and says for reviewers what has moved.
#
# usage: budget.sh BASE PROJECT.json...      at the top of a repository; BASE is what is compared with: origin/main
#
# Each project file names a model, options and its capacity (docs/OPTIONS.md). A section for each goes to comment.md, the messages
# to sarif/, the plans to where the project files say. Exit code: 0, or the worst of `tenure plan`: 4 where a budget is exceeded.
set -euo pipefail
base=$1
shift
work=$(mktemp -d)
trap 'git worktree remove --force "$work/base" >/dev/null 2>&1 || true; rm -rf "$work"' EXIT
git worktree add --quiet --detach "$work/base" "$base" # whole: models may have files beside them
rm -rf sarif
mkdir sarif
worst=0

# plan PROJECT OUT: whatever the budget is.
plan() {
    tenure plan --project "$1" --capacity=0 -q --emit=json -o "$2" 2>"$work/said"
}

# block FILE: as Markdown shows text that is not its own.
block() {
    echo
    sed 's/^/    /' "$1"
    echo
}

for project in "$@"; do
    echo "### $project"
    status=0
    tenure plan --project "$project" -q 2>"$work/budget" || status=$?
    tenure plan --project "$project" -q --diagnostics=json 2>"sarif/$(basename "$project" .json).sarif" || true
    [ "$status" -le "$worst" ] || worst=$status
    case $status in
    0) echo "The budget is kept." ;;
    4) echo "**The budget is exceeded:**"; block "$work/budget" ;;
    *) echo "**It cannot be planned:**"; block "$work/budget"; continue ;;
    esac
    if ! [ -f "$work/base/$project" ] || ! (cd "$work/base" && plan "$project" "$work/old.json"); then
        echo "There is no plan of it in $base."
        continue
    fi
    plan "$project" "$work/new.json"
    tenure diff "$work/old.json" "$work/new.json" >"$work/diff"
    block "$work/diff"
done >comment.md
exit "$worst"

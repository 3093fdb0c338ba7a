#!/bin/sh
# Output that cannot be written ends in a message and exit code 1, and leaves what was there before as it
# was, with nothing half-written beside it. usage: write_failures.sh TENURE MODEL
tenure=$1
model=$2
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0

# fails NAME MESSAGE COMMAND...: exit code 1 and a message.
fails() {
    name=$1
    message=$2
    shift 2
    "$@" 2>"$dir/said"
    code=$?
    if [ $code -ne 1 ] || ! grep -q "error: $message" "$dir/said"; then
        echo "$name: exit code $code, and says:"
        cat "$dir/said"
        failed=1
    fi
}

full_disk() { "$tenure" plan "$model" --emit=json -o /dev/full; }
full_stdout() { "$tenure" plan "$model" --emit=json >/dev/full; }
full_help() { "$tenure" help >/dev/full; }
full_text() { "$tenure" opt "$model" --passes=infer-shapes -o - >/dev/full; }
closed_stdout() { "$tenure" plan "$model" --emit=c-header >&-; }
no_folder() { "$tenure" plan "$model" -o "$dir/nowhere/plan.h"; }
file_for_folder() { "$tenure" plan "$model" -o "$dir/kept/plan.h"; }
folder_for_file() { "$tenure" plan "$model" --emit=json -o "$dir/out"; }
# A disk that fills up while the file is written: the limit on file sizes, with its signal ignored.
too_large() { (trap '' XFSZ; ulimit -f 4; "$tenure" plan "$model" --emit=json -o "$dir/out/plan.json"); }

mkdir "$dir/out"
echo kept >"$dir/kept"
echo old >"$dir/out/plan.json"
if [ -e /dev/full ]; then
    fails "full device" "cannot write" full_disk
    fails "full standard output" "cannot write" full_stdout
    fails "full standard output for help" "cannot write" full_help
    fails "full standard output for .tir" "cannot write" full_text
fi
fails "closed standard output" "cannot write" closed_stdout
fails "no such folder" "cannot create" no_folder
fails "a file where a folder should be" "cannot create" file_for_folder
fails "a folder where the file should be" "cannot open" folder_for_file
fails "full disk half-way" "cannot write" too_large
if [ "$(id -u)" -ne 0 ]; then
    chmod 555 "$dir/out"
    fails "folder without permission" "cannot create" too_large
    chmod 755 "$dir/out"
fi
if [ "$(cat "$dir/out/plan.json")" != old ] || [ "$(ls "$dir/out")" != plan.json ] ||
    [ "$(ls "$dir" | tr '\n' ' ')" != "kept out said " ]; then
    echo "left behind, or changed:"
    ls -lR "$dir"
    failed=1
fi
exit $failed

#!/bin/sh
# Output that cannot be written ends in a message and exit code 1, and leaves what was there before as it
# was, with nothing half-written beside it. usage: write_failures.sh TENURE MODEL
tenure=$1
model=$2
dir=$(mktemp -d) || exit 1
mounted=
trap '[ -z "$mounted" ] || umount "$dir/full"; rm -rf "$dir"' EXIT
failed=0
tried=0

# fails NAME MESSAGE COMMAND...: exit code 1 and a message.
fails() {
    name=$1
    message=$2
    shift 2
    "$@" 2>"$dir/said"
    code=$?
    tried=$((tried + 1))
    if [ $code -ne 1 ] || ! grep -q "error: $message" "$dir/said"; then
        echo "$name: exit code $code, and says:"
        cat "$dir/said"
        failed=1
    fi
}

# Everything that writes to standard output: each kind of artefact, and each command.
# A program is several files and needs a name: its kinds are those of one file.
# A plan in a TFLite model needs one.
kinds=$("$tenure" --list-backends | grep -v -e '^  [a-z]*-program ' -e '^  tflm ' | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p')
printf 'id,lower,upper,size\na,0,3,4\nb,1,9,4\n' >"$dir/in.csv"
tflite=$(dirname "$model")/../tflite/late.tflite
layers=$(dirname "$0")/../examples/models/ds_cnn.onnx
autodiff='--passes=autodiff{loss="mse(keywords)",optimizer=sgd}'
"$tenure" plan "$model" --emit=json -q -o "$dir/given.json" || exit 1
stdout_commands() {
    for kind in $kinds; do
        "$@" "plan --emit=$kind" plan "$model" -q --emit="$kind"
    done
    "$@" "plan" plan "$model"
    "$@" "plan --emit=tflm" plan "$tflite" -q --preset=tflm --emit=tflm
    "$@" "opt --print-plan" opt "$model" --passes=O1 --print-plan
    "$@" "opt" opt "$model" --passes=infer-shapes -o -
    "$@" "opt of autodiff" opt "$layers" "$autodiff" --emit=onnx -o -
    "$@" "explain" explain "$model"
    "$@" "explain --json" explain "$model" --json
    "$@" "check" check "$model" "$dir/given.json"
    for format in text json html; do
        "$@" "diff --format=$format" diff "$dir/given.json" "$dir/given.json" --format=$format
    done
    "$@" "pack" pack "$dir/in.csv" -o -
    "$@" "help" help
    "$@" "plan --help" plan --help
    "$@" "version" version
    for list in passes backends ops; do
        "$@" "--list-$list" --list-$list
    done
}
to_full() { name=$1; shift; fails "full standard output, $name" "cannot write" sh -c 'to=$1; shift; "$@" >"$to"' sh "$full" "$tenure" "$@"; }
to_closed() { name=$1; shift; fails "closed standard output, $name" "cannot write" sh -c '"$@" >&-' sh "$tenure" "$@"; }

# Everything that writes files: write_to WHERE MESSAGE NAME tries each in WHERE.
file_commands() {
    for kind in $kinds; do
        fails "$3, $kind" "$2" "$tenure" plan "$model" -q --emit="$kind" -o "$1"
    done
    fails "$3, tflm" "$2" "$tenure" plan "$tflite" -q --preset=tflm --emit=tflm -o "$1"
    fails "$3, opt" "$2" "$tenure" opt "$model" --passes=infer-shapes -o "$1"
    fails "$3, autodiff" "$2" "$tenure" opt "$layers" "$autodiff" --emit=onnx -o "$1"
    fails "$3, diff" "$2" "$tenure" diff "$dir/given.json" "$dir/given.json" -o "$1"
    fails "$3, pack" "$2" "$tenure" pack "$dir/in.csv" -q -o "$1"
}

programs() { "$tenure" plan "one=$model" "two=$model" --shared-arena -q --emit="$2" -o "$1"; }
several() { "$tenure" plan "$model" -q --emit="$2" -o "$1"; }
full_disk() { "$tenure" plan "$model" --emit=json -o "$full"; }
folder_for_file() { "$tenure" plan "$model" --emit=json -o "$dir/out"; }
# A disk that fills up while the file is written: the limit on file sizes, with its signal ignored.
too_large() { (trap '' XFSZ; ulimit -f 4; "$tenure" plan "$model" --emit=json -o "$dir/out/plan.json"); }

mkdir "$dir/out" "$dir/full"
# The device that is always full: one of our own where we may make it, since what is wrong with the program could
# replace that of the system by a file.
full=/dev/full
if [ "$(id -u)" -eq 0 ]; then
    full=$dir/device
    mknod "$full" c 1 7 2>/dev/null && ! sh -c ': >"$1"' sh "$full" 2>/dev/null && rm "$full"
    [ -c "$full" ] || full=/dev/full
fi
echo kept >"$dir/kept"
echo old >"$dir/out/plan.json"
if [ -c "$full" ]; then
    fails "full device" "cannot write" full_disk
    stdout_commands to_full
    if [ ! -c "$full" ]; then
        echo "$full is a device no more"
        failed=1
    fi
fi
[ "$full" = /dev/full ] || rm -f "$full"
stdout_commands to_closed
file_commands "$dir/nowhere/plan.h" "cannot create" "no such folder"
file_commands "$dir/kept/plan.h" "cannot create" "a file where a folder should be"
for kind in c-program opencl-program; do
    fails "no such folder, $kind" "cannot create" several "$dir/nowhere/net.c" $kind
done
for kind in c-header c-program json; do
    fails "no such folder, $kind of two programs" "cannot create" programs "$dir/nowhere/net.c" $kind
done
fails "a folder where the file should be" "cannot open" folder_for_file
fails "full disk half-way" "cannot write" too_large
if [ "$(id -u)" -ne 0 ]; then
    chmod 555 "$dir/out"
    file_commands "$dir/out/plan.json" "cannot create" "folder without permission"
    chmod 755 "$dir/out"
elif mount -t tmpfs -o size=4k tmpfs "$dir/full" 2>/dev/null; then
    # A file system of one page that is full: what was in it stays, nothing else does.
    mounted=yes
    head -c 4096 /dev/zero >"$dir/full/plan.json"
    file_commands "$dir/full/plan.json" "cannot" "full file system"
    if [ "$(wc -c <"$dir/full/plan.json")" -ne 4096 ] || [ "$(ls -A "$dir/full")" != plan.json ]; then
        echo "left behind, or changed:"
        ls -lA "$dir/full"
        failed=1
    fi
fi
if [ "$(cat "$dir/out/plan.json")" != old ] || [ "$(ls -A "$dir/out")" != plan.json ] ||
    [ "$(ls -A "$dir" | tr '\n' ' ')" != "full given.json in.csv kept out said " ]; then
    echo "left behind, or changed:"
    ls -lAR "$dir"
    failed=1
fi
echo "$tried writes failed on purpose"
exit $failed

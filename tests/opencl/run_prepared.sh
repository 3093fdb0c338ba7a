#!/bin/sh
# Builds and runs the programs that tests/programs/prepared.py wrote, on a device: each on a queue in order, on one out of
# order, and on two. Prints a line a program, with the time of a later run; exit code 1 where one is wrong.
#
# usage: run_prepared.sh FOLDER [options of the programs, such as -d 1 for another device]
# environment: CC, CFLAGS; LINKED, objects and flags in front of the libraries; QUEUES; PROGRAMS, names of folders; BUILT, not
# empty where the objects of the runtime are there
folder=$1
shift
CC=${CC:-cc}
CFLAGS=${CFLAGS:--O1}
QUEUES=${QUEUES:-in-order out-of-order 2}
wrong=0
count=0
for runtime in "$folder"/runtime/tenure_cl*.c; do
    [ -n "$BUILT" ] || $CC -std=c99 $CFLAGS -I"$folder/runtime" -c "$runtime" -o "${runtime%.c}.o" || exit 2
done
for main in "$folder"/*/net_main.c; do
    where=${main%/net_main.c}
    name=${where##*/}
    if [ -n "$PROGRAMS" ] && ! echo " $PROGRAMS " | grep -q " $name "; then
        continue
    fi
    count=$((count + 1))
    if ! $CC -std=c99 $CFLAGS -I"$where" -I"$folder/runtime" "$where"/net*.c "$folder"/runtime/*.o $LINKED -lOpenCL -lm \
        -o "$where/net" 2>"$where/errors"; then
        echo "$name: WRONG: not built: $(tail -n 3 "$where/errors")"
        wrong=$((wrong + 1))
        continue
    fi
    said=
    for queues in $QUEUES; do
        if "$where/net" -w "$where/net_weights.bin" -c "$where" -i "$where/inputs.bin" -e "$where/outputs.bin" -n 2 -t runs \
            -q "$queues" "$@" >"$where/said" 2>"$where/errors" || grep -q 'away by' "$where/said"; then
            away=$(sed -n 's/.*: away by \([^ ]*\) of the largest number$/\1/p' "$where/said" |
                awk -v bound="$(cat "$where/bound")" '{ n++; if (!($1 + 0 <= most + 0)) most = $1; if (!($1 + 0 <= bound + 0) || $1 ~ /nan/) bad = 1 }
                     END { printf "%s%s", bad || n == 0 ? "WRONG " : "", most + 0 }')
            said="$said, $queues away by $away, $(sed -n 's/^ *\([0-9.]* ms\)$/\1/p' "$where/said" | tail -n 1)"
        else
            said="$said, $queues WRONG: $(tail -n 1 "$where/errors")"
        fi
    done
    case $said in *WRONG*) wrong=$((wrong + 1)) ;; esac
    echo "$name: ${said#, }"
done
echo "$count programs, $wrong wrong"
[ "$count" -gt 0 ] && [ "$wrong" -eq 0 ]

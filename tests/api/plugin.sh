#!/usr/bin/env bash
# Builds the example plug-in and wrong ones against the public headers alone, and loads them.
# Usage: plugin.sh TENURE CC FLAGS... ; FLAGS find the headers.
set -euo pipefail
tenure=$1 cc=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { echo "$*" >&2; exit 1; }
# expect STATUS TEXT COMMAND...: the exit code, and what standard error holds.
expect() {
    local wanted=$1 text=$2 status=0
    shift 2
    "$@" >out.txt 2>err.txt || status=$?
    [ "$status" -eq "$wanted" ] || fail "$*: exit code $status instead of $wanted: $(cat err.txt)"
    [ -z "$text" ] || grep -qF -- "$text" err.txt out.txt || fail "$*: '$text' is not in '$(cat err.txt)'"
}

"$cc" -std=c11 -Wall -Wextra -Wconversion -Werror -shared -fPIC "$here/../../examples/plugin/plugin.c" "$@" -o example.so
echo "mlp 4 64 128 128 10" >net.mlp
load=(--load-plugin example.so)

# As one of ours: frontend, passes with options, statistics, remarks, lists, backend of two files.
expect 0 "5 steps" "$tenure" "${load[@]}" plan net.mlp
expect 0 "2  fuse-dense.fused" "$tenure" plan net.mlp "${load[@]}" --passes fuse-dense,O2 --stats --emit=rows -o net.rows
grep -q "^arena [0-9]* 2048 __4$" net.rows || fail "net.rows: $(cat net.rows)"
[ "$(cat arena.size)" = 4608 ] || fail "arena.size: $(cat arena.size)"
expect 0 "1  fuse-dense.fused" "$tenure" "${load[@]}" plan net.mlp --passes 'fuse-dense{most=1},O2' --stats
expect 0 "the largest result has 512 elements" "$tenure" "${load[@]}" plan net.mlp --passes infer-shapes,count-ops,O2
expect 2 "did you mean 'fuse-dense'" "$tenure" "${load[@]}" plan net.mlp --passes fuse-dens,O2
expect 2 "must be a number from 0 to 1000000, not '-1'" "$tenure" "${load[@]}" plan net.mlp --passes 'fuse-dense{most=-1},O2'
expect 0 "" "$tenure" --load-plugin=example.so --list-passes
grep -q "fuse-dense" out.txt && grep -q "most=0..1000000" out.txt || fail "passes: $(cat out.txt)"
expect 0 "" "$tenure" --list-backends "${load[@]}"
expect 0 "" "$tenure" --list-frontends "${load[@]}"
grep -q "mlp  *dense layers" out.txt || fail "frontends: $(cat out.txt)"
expect 0 "" "$tenure" --list-backends "${load[@]}"
grep -q "a line a value" out.txt || fail "backends: $(cat out.txt)"
expect 0 "acme::Dense" "$tenure" opt net.mlp "${load[@]}" --passes fuse-dense --print-after=fuse-dense -o fused.tir
expect 0 "3 steps" "$tenure" "${load[@]}" plan fused.tir --emit=json -o fused.json
expect 0 "" "$tenure" "${load[@]}" check fused.tir fused.json
grep -q "the plan is right" out.txt || fail "check: $(cat out.txt)"
echo "mlp 1 2" >given.txt
expect 1 "expected \"mlp BATCH IN OUT" "$tenure" "${load[@]}" plan given.txt
expect 1 "given.txt: note: frontend 'mlp' of a plug-in has read the file" "$tenure" "${load[@]}" plan given.txt

# An op with a view: no bytes of its own.
cat >head.tir <<'TIR'
tir 1
module "head"
ir_version 8
producer "" ""
opset "" 17
opset "acme" 1

graph @0 "head" {
  input %x: f32[8,4]
  %a: f32[8,4] = Relu(%x) #0
  %h = acme::Head(%a) {rows = 2} #1
  %y: f32[2,4] = Sigmoid(%h) #2
  return %y
}
TIR
expect 0 "1 views" "$tenure" "${load[@]}" plan head.tir --views=all
sed 's/rows = 2/rows = 9/; s/f32\[2,4\]/f32[9,4]/' head.tir >given.txt
expect 0 "the operand has fewer rows" "$tenure" "${load[@]}" plan given.txt

# An op with a formula: its kernel stands in the program.
cat >swash.tir <<'TIR'
tir 1
opset "" 17
opset "acme" 1
graph "g" {
  input %x: f32[8,4]
  %a = acme::Swash(%x) {alpha = 2.0}
  %y: f32[8,4] = acme::Swash(%a)
  return %y
}
TIR
mkdir swash
expect 0 "" "$tenure" "${load[@]}" plan swash.tir -q -O3 --emit=c-program,main=true -o swash/swash.c
grep -qF "/* All kernels are in here. */" swash/swash.c && grep -qF "lies on in0" swash/swash.c || fail "a kernel is missing"
"$cc" -std=c99 -Wall -Wextra -Wconversion -Werror swash/*.c -o swash/run -lm
swash/run >out.txt || fail "the program with the formula ended with $?"
expect 0 "" "$tenure" "${load[@]}" plan swash.tir -q --emit=json -o swash.json
expect 0 "the plan is right" "$tenure" "${load[@]}" check swash.tir swash.json

# Planned, emitted, executed.
mkdir programs
"$tenure" "${load[@]}" plan net.mlp -q --emit=c-program,weights=none,kernels=extern -o programs/plain.c
"$tenure" "${load[@]}" plan net.mlp -q --passes fuse-dense,O2 --emit=c-program,weights=none,kernels=extern -o programs/fused.c
for part in plain fused; do
    "$cc" -std=c11 -Wall -Wextra -Werror -c "programs/$part.c" -o "programs/$part.o"
done
"$cc" -std=c11 -Wall -Wextra -Werror -Iprograms -include plain.h -include fused.h "$here/plugin_run.c" \
    programs/plain.o programs/fused.o -o programs/run -lm
[ "$(programs/run)" = equal ] || fail "the fused network computes something else"

# Wrong ones: one message that says so, and nothing is left behind.
bad() { "$cc" -std=c11 -DHOW="$1" -shared -fPIC "$here/bad_plugin.c" "${flags[@]}" -o bad.so; }
flags=("$@")
wrong=(--load-plugin ./bad.so)
plan=(plan head.tir --passes infer-shapes,bad,O2)
bad 1; expect 2 "was built for interface 2 of plug-ins, tenure $("$tenure" --version | cut -d' ' -f2) has interface 1" "$tenure" "${wrong[@]}" plan head.tir
bad 2; expect 2 "has no name, no version or nothing to start" "$tenure" "${wrong[@]}" plan head.tir
bad 3; expect 1 "plug-in 'bad' ended with status 1 and no message" "$tenure" "${wrong[@]}" plan head.tir
bad 4; expect 1 "(Relu, #0): error: I do not like this one" "$tenure" "${wrong[@]}" "${plan[@]}"
bad 5; expect 1 "pass 'bad' of a plug-in ended with status 1 and no message" "$tenure" "${wrong[@]}" "${plan[@]}"
bad 6; expect 1 "pass 'bad' of a plug-in has left the model so" "$tenure" "${wrong[@]}" "${plan[@]}"
bad 7; expect 2 "op 'Odd', inplace: 'Z' is not a result of the op" "$tenure" "${wrong[@]}" plan head.tir
bad 8; expect 2 "the default 'many' of option 'n' is not a number" "$tenure" "${wrong[@]}" plan head.tir
bad 9; expect 2 "there is a pass 'reuse' already" "$tenure" "${wrong[@]}" plan head.tir
sed 's/acme::Head(%a) {rows = 2}/acme::Odd(%a)/' head.tir >given.txt
bad 10; expect 1 "gives 'f32[', which is not a type" "$tenure" "${wrong[@]}" plan given.txt
echo "bad file" >given.txt
bad 11; expect 1 "frontend 'bad' of a plug-in ended with status 1 and no message" "$tenure" "${wrong[@]}" plan given.txt
bad 12; expect 1 "'../elsewhere' cannot name a file" "$tenure" "${wrong[@]}" plan head.tir --emit=bad -o x.bad
bad 13; expect 2 "op 'Odd', compute: 'X * Z', byte 4: the op has no operand or attribute 'Z'; it has X" "$tenure" "${wrong[@]}" plan head.tir
[ ! -e x.bad ] && [ ! -e ../elsewhere ] || fail "an artefact was left behind"
expect 2 "cannot be loaded" "$tenure" --load-plugin no.so plan head.tir
expect 2 "needs a FILE" "$tenure" plan head.tir --load-plugin
expect 2 "is loaded already" "$tenure" "${load[@]}" "${load[@]}" plan head.tir
echo 'int x;' >none.c && "$cc" -shared -fPIC none.c -o none.so
expect 2 "does not define tenure_plugin_info" "$tenure" --load-plugin none.so plan head.tir
echo "plug-ins: the example works, 17 wrong ones are refused"

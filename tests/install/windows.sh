#!/usr/bin/env bash
# The command and the DLL on Windows: names in UTF-16, '\' and drive letters in paths, lines that end in CR LF, files that are
# replaced at once, a plug-in, and a program that is built against the DLL.
# usage: windows.sh BUILD MODEL      BUILD has what scripts/portable.sh windows makes; BUILD/tenure runs the command
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
build=$1 model=$2
export WINEDEBUG=-all WINEPREFIX=$build/wine
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cc=(x86_64-w64-mingw32-gcc-posix -std=c11 -static "-I$top/include")

fail() { echo "windows: $1" >&2; exit 1; }
tenure() { "$build/tenure" "$@"; }
drive=Z:${work//\//\\} # Wine's name of it

# Names that no code page has, below a folder.
name='模型 é ß'
mkdir "$name"
cp "$model" "$name/$name.onnx"
tenure plan "$name\\$name.onnx" -q --emit=json -o "$drive\\$name\\out.json"
[ -s "$name/out.json" ] || fail "no plan where it was asked for"
tenure check "$drive\\$name\\$name.onnx" "$name/out.json" | grep -q 'the plan is right' || fail "the plan is not right"
tenure plan "$name\\$name.onnx" -q --emit=c-header --emit=csv
[ -s "$name.h" ] && [ -s "$name.csv" ] || fail "no files named after the model"

# A path has its folder's files beside it, whichever separator parts them.
printf '{"tenure_project": 1, "model": "%s.onnx",\r\n "options": {"align": 128},\r\n "emit": [{"kind": "json", "file": "of_project.json"}]}\r\n' \
    "$name" >"$name/project.json"
tenure plan --project="$name\\project.json" -q || fail "a project file with CR LF"
[ -s "$name/of_project.json" ] || fail "an artefact of a project goes beside it"
printf 'id,lower,upper,size\r\na,0,3,10\r\nb,2,5,20\r\n' >buffers.csv
[ "$(tenure pack buffers.csv -q | wc -l)" = 3 ] || fail "CSV with CR LF"
tenure opt "$model" | sed 's/$/\r/' >dos.tir
tenure plan dos.tir -q --emit=json -o dos.json || fail "text form with CR LF"
[ "$(tr -d '\r' <"$name/out.json" | cmp - "$name/out.json" && echo same)" = same ] || fail "artefacts have CR"

# What is there is replaced as a whole, or not at all; nothing else stays.
echo old >"$name/out.json"
tenure plan "$model" -q --emit=json -o "$name\\out.json"
[ "$(head -c1 "$name/out.json")" = '{' ] || fail "the old file stays"
echo old >kept.json
! tenure plan "$model" -q --capacity=1K --emit=json -o kept.json 2>/dev/null || fail "too large a plan leaves"
[ "$(cat kept.json)" = old ] || fail "half of an artefact"
! tenure plan "$model" -q --emit=onnx -o "$(echo "Z:$model" | tr / '\\')" 2>/dev/null || fail "the model is replaced"
[ -z "$(find . -name '*.json.*')" ] || fail "temporary files stay"
! tenure plan 'no\such.onnx' 2>said || fail "a file that is not there"
grep -q 'cannot open: No such file' said || fail "what is said of it: $(cat said)"

# A program over the DLL, and one that finds it by name as ctypes does.
cp "$build/lib/libtenure.dll" .
"${cc[@]}" "$here/outside.c" -o outside.exe "$build/lib/libtenure.dll.a"
arena=$("$build/tenure" plan "$model" -q --emit=json -o - | sed -n 's/.*"name": "arena".*"size": \([0-9]*\).*/\1/p' | head -1)
said=$(/usr/lib/wine/wine64 outside.exe "$model" 2>&1 | tr -d '\r')
[ "$said" = "$arena" ] || fail "a program over the DLL says '$said', the command '$arena'"

# A plug-in takes its functions from the program that loads it.
"${cc[@]}" -shared "$top/examples/plugin/plugin.c" -o "$name/plugin.dll" "$build/cli/libtenure.dll.a"
tenure --load-plugin "$name\\plugin.dll" --list-passes | grep -q fuse-dense || fail "a plug-in"
echo "windows: the command, the DLL and a plug-in do what they do elsewhere"

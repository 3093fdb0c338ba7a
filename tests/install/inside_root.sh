#!/bin/sh
# Run by scripts/package.sh in an empty Debian system: installs the packages that lie beside it, uses them as a stranger
# would, takes them away, and builds the source archive. usage: inside_root.sh tenure-VERSION
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
cd /root
echo 'Dpkg::Use-Pty "0";' >/etc/apt/apt.conf.d/no-terminal
apt-get update -qq
left() { find / -xdev -path /proc -prune -o -path /root -prune -o -path /var -prune -o -path '*tenure*' -print; }

apt-get install -y -qq --no-install-recommends ./tenure_*.deb >/dev/null
tenure --version
tenure plan squeezenet1_1.onnx -q --emit=json -o plan.json
tenure check squeezenet1_1.onnx plan.json
test -s /usr/share/doc/tenure/copyright
test -s /usr/share/man/man1/tenure-plan.1.gz
test -s /usr/share/bash-completion/completions/tenure.bash
test -s /usr/share/zsh/vendor-completions/_tenure
test -s /usr/share/fish/vendor_completions.d/tenure.fish
test -s /usr/share/doc/tenure/docs/PLAN.md
test -s /usr/share/tenure/plan.schema.json
echo "the command: installed alone, plans and checks"

apt-get install -y -qq --no-install-recommends man-db bash-completion >/dev/null
man tenure-plan | grep -q -- '--capacity='
# The completion of a shell is loaded when its command is first completed.
bash -c '. /usr/share/bash-completion/bash_completion
         _completion_loader tenure || [ $? -eq 124 ]
         compopt() { :; }
         COMP_LINE="tenure plan --sched" COMP_POINT=19
         _tenure
         [ "${COMPREPLY[*]}" = --schedule= ]'
echo "manual page read by man, an option completed by bash"

apt-get install -y -qq --no-install-recommends ./libtenure*.deb gcc libc6-dev pkg-config >/dev/null
# shellcheck disable=SC2046
gcc outside.c -o shared $(pkg-config --cflags --libs tenure)
# shellcheck disable=SC2046
gcc outside.c -o archive $(pkg-config --cflags tenure) -l:libtenure.a $(pkg-config --libs nettle jansson libprotobuf-c) -lm
ldd shared | grep -q 'libtenure.so.0 => /'
[ "$(./shared squeezenet1_1.onnx)" = "$(./archive squeezenet1_1.onnx)" ]
echo "the library: a program is built against it, shared and static, and says $(./shared squeezenet1_1.onnx)"

apt-get purge -y -qq tenure libtenure0 libtenure-dev >/dev/null
[ -z "$(left)" ] || { echo "left behind:"; left; exit 1; }
echo "removed: nothing is left behind"

apt-get install -y -qq --no-install-recommends cmake make ninja-build libonnx-dev protobuf-c-compiler libprotobuf-c-dev \
    libjansson-dev nettle-dev libxxhash-dev >/dev/null
tar xzf "$1.tar.gz"
cmake -S "$1" -B built -G Ninja -DTENURE_TESTS=OFF >/dev/null
ninja -C built >/dev/null
./built/cli/tenure plan squeezenet1_1.onnx -q --emit=json -o again.json
cmp plan.json again.json
echo "the source archive: builds, and plans the same"

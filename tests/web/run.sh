#!/usr/bin/env bash
# Makes the page (build/page, as scripts/portable.sh does) and tries it. Ends with 77 where something for it is missing.
# usage: run.sh PYTHON TENURE [FOLDER]      screenshots stay in FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
for program in emcmake chromium chromedriver; do
    command -v "$program" >/dev/null || { echo "$program is missing"; exit 77; }
done
[ -e "$top/build/bundle/complete" ] || "$top/scripts/bundle.sh" "$top/build/bundle" || { echo "no sources to be had"; exit 77; }
"$top/web/build.sh" "$top/build/bundle" "$top/build/page"
exec "$1" -B "$here/web.py" "$top/build/page/tenure.html" "${@:2}"

#!/usr/bin/env bash
# Builds the documents as web pages in build/site/pages: README and docs/ with a search that works offline, and under api/ the
# reference of the public headers. A link that leads nowhere is an error. Open build/site/pages/index.html.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
out=$top/build/site
packages=(mkdocs==1.6.1 mkdocs-material==9.6.14)

"$top/scripts/setup.sh" site
mkdir -p "$out"
if [ "$(cat "$out/venv/installed.txt" 2>/dev/null)" != "${packages[*]}" ]; then
    python3 -m venv --clear "$out/venv"
    "$out/venv/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"
    echo "${packages[*]}" >"$out/venv/installed.txt"
fi

# Links go between files as they lie in the repository, so the pages are made of a copy that lies the same.
rm -rf "$out/source" "$out/pages" "$out/api"
mkdir -p "$out/source"
(cd "$top" && git ls-files '*.md' LICENSE bench examples docs scripts include passes ir tests/fuzz/driver.c |
    grep -v '\.onnx$' | cpio -pdm --quiet "$out/source")

cp "$top/scripts/offline_search.js" "$out/source/iframe-worker.js" # a name by which the theme fetches none itself

# Comments of the headers are plain; doxygen is told that they are documentation, but for titles of sections.
cat >"$out/Doxyfile" <<END
PROJECT_NAME = "tenure: the C interface"
INPUT = $top/include/tenure $top/backends/opencl/runtime/tenure_cl.h
STRIP_FROM_PATH = $top/include
OUTPUT_DIRECTORY = $out/api
GENERATE_LATEX = NO
OPTIMIZE_OUTPUT_FOR_C = YES
EXTRACT_ALL = YES
JAVADOC_AUTOBRIEF = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = TENURE_API=
INPUT_FILTER = "sed -e 's,^\( *\)/\* \([^-]\),\1/** \2,' -e 's,\([;\,]\) */\* ,\1 /**< ,'"
HAVE_DOT = NO
QUIET = YES
WARN_IF_UNDOCUMENTED = NO
END
doxygen "$out/Doxyfile" 2>"$out/doxygen.log"

cat >"$out/mkdocs.yml" <<END
site_name: tenure
docs_dir: $out/source
site_dir: $out/pages
use_directory_urls: false
theme: {name: material, font: false, features: [navigation.indexes, toc.follow]}
plugins: [search, offline]
extra: {polyfills: [iframe-worker.js]}
markdown_extensions: [tables, toc: {permalink: true}]
validation: {links: {not_found: warn, anchors: warn, unrecognized_links: ignore}, nav: {omitted_files: ignore}}
nav:
  - tenure: README.md
$(cd "$top" && for page in docs/*.md; do echo "  - '$(sed -n 's/^# //p;T;q' "$page" | tr -d "'")': $page"; done)
  - Generated: [$(cd "$top" && printf '%s, ' docs/generated/*.md)]
  - Decisions: [$(cd "$top" && printf '%s, ' docs/adr/*.md)]
  - Changes: CHANGELOG.md
  - Contributing: CONTRIBUTING.md
END
"$out/venv/bin/mkdocs" build --strict --quiet --config-file "$out/mkdocs.yml"
mv "$out/api/html" "$out/pages/api"
for page in index.html docs/PLAN.html search/search_index.json api/index.html api/tenure_8h.html; do
    [ -s "$out/pages/$page" ] || { echo "$page is missing" >&2; exit 1; }
done
echo "$out/pages/index.html: $(find "$out/pages" -name '*.html' | wc -l) pages"

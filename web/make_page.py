"""Makes the page: one file that holds the library as WebAssembly (packed), the script around it and what stands here.

usage: make_page.py FOLDER OUT      FOLDER has page.js and page.wasm, as Emscripten leaves them
"""

import base64
import gzip
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Nothing is loaded and nothing sent: scripts are those in the file, frames have no origin. A frame of a plan has a
# stricter policy of its own.
POLICY = ("default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; "
          "img-src data: blob:; base-uri 'none'; form-action 'none'")


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as f:
        return f.read()


def inert(kind, text):
    """A text in the page that nobody runs where it stands."""
    if "</script" in text:
        sys.exit(f"{kind} holds the end of a script")
    return f'<script type="text/plain" id="{kind}">{text}</script>\n'


def main():
    folder, out = sys.argv[1:]
    with open(os.path.join(folder, "page.wasm"), "rb") as f:
        packed = gzip.compress(f.read(), 9, mtime=0)
    parts = [
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>tenure</title>\n'
        f'<style>\n{read(HERE, "page.css")}</style></head><body>\n', read(HERE, "page.html"),
        inert("glue", read(folder, "page.js")), inert("worker", read(HERE, "worker.js")),
        inert("wasm", base64.b64encode(packed).decode()), f'<script>\n{read(HERE, "page.js")}</script>\n</body></html>\n',
    ]
    with open(out, "w", encoding="utf-8", newline="\n") as f:
        f.write("".join(parts))
    print(f"{out}: {os.path.getsize(out)} bytes, of which the library packed is {len(packed)}")


if __name__ == "__main__":
    main()

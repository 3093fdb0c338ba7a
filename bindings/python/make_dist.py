"""Puts together what is installed by pip, from what is built: a wheel for any machine, or a source distribution that needs
no libraries of the system.

usage: make_dist.py wheel LIBRARY TAG FOLDER      TAG: manylinux_2_17_x86_64, win_amd64, macosx_11_0_arm64, ...
       make_dist.py sdist BUNDLE FOLDER           BUNDLE: what scripts/bundle.sh makes

The same sources give the same bytes.
"""

import base64
import gzip
import hashlib
import io
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
NAMES = {"win": "libtenure.dll", "macosx": "libtenure.dylib"}
EPOCH = (1980, 1, 1, 0, 0, 0)
SOURCES = ["CMakeLists.txt", "LICENSE", "cmake", "include", "ir", "passes", "lib", "frontends", "backends", "cli", "examples/facts",
           "bindings/python"]


def read(*path):
    with open(os.path.join(*path), "rb") as f:
        return f.read()


def project():
    return tomllib.loads(read(HERE, "pyproject.toml").decode())["project"]


def version():
    found = re.findall(r"#define TENURE_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", read(TOP, "include", "tenure", "tenure.h").decode())
    return ".".join(found)


def metadata():
    about = project()
    lines = ["Metadata-Version: 2.1", f"Name: {about['name']}", f"Version: {version()}", f"Summary: {about['description']}",
             f"License: {about['license']}", f"Requires-Python: {about['requires-python']}", *[f"Classifier: {c}" for c in about["classifiers"]]]
    for extra, needed in about["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *[f'Requires-Dist: {one}; extra == "{extra}"' for one in needed]]
    return ("\n".join([*lines, "Description-Content-Type: text/markdown"]) + "\n\n").encode() + read(HERE, about["readme"])


def wheel(library, tag, folder):
    info = f"tenure-{version()}.dist-info"
    name = next((n for prefix, n in NAMES.items() if tag.startswith(prefix)), "libtenure.so")
    files = {f"tenure/{name}": read(library), "tenure/licences/tenure": read(TOP, "LICENSE")}
    for one in sorted(os.listdir(os.path.join(HERE, "tenure"))):
        if one.endswith((".py", ".typed")):
            files[f"tenure/{one}"] = read(HERE, "tenure", one)
    licences = os.path.join(TOP, "build", "bundle", "licences")
    for one in sorted(os.listdir(licences)):
        files[f"tenure/licences/{one}"] = read(licences, one)
    files[f"{info}/METADATA"] = metadata()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: tenure\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n".encode()
    record = "".join(f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')},{len(data)}\n"
                     for path, data in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    out = os.path.join(folder, f"tenure-{version()}-py3-none-{tag}.whl")
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.external_attr = (0o755 if path.endswith(name) else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            made.writestr(entry, data)
    return out


def sdist(bundle, folder):
    """The tree as it is, the package's description at its top, and the libraries in bundle/, where the build looks."""
    root = f"tenure-{version()}"
    listed = subprocess.run(["git", "-C", TOP, "ls-files", "-z", *SOURCES], capture_output=True, check=True).stdout.decode()
    files = {path: read(TOP, path) for path in filter(None, listed.split("\0"))}
    for where, _, names in sorted(os.walk(bundle)):
        for one in names:
            path = os.path.join(where, one)
            files["bundle/" + os.path.relpath(path, bundle)] = read(path)
    described = read(HERE, "pyproject.toml").decode()
    described = described.replace('readme = "README.md"', 'readme = "bindings/python/README.md"').replace("../../include", "include")
    described = described.replace("[tool.scikit-build]\n", '[tool.scikit-build]\ncmake.source-dir = "bindings/python"\n')
    files["pyproject.toml"] = described.replace('["tenure"]\n', '["bindings/python/tenure"]\n', 1).encode()
    files["PKG-INFO"] = metadata()
    out = os.path.join(folder, root + ".tar.gz")
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as made:
        for path in sorted(files):
            entry = tarfile.TarInfo(f"{root}/{path}")
            entry.size = len(files[path])
            made.addfile(entry, io.BytesIO(files[path]))
    with open(out, "wb") as f:
        f.write(gzip.compress(packed.getvalue(), 9, mtime=0))
    return out


def main():
    kind, *words = sys.argv[1:]
    out = {"wheel": wheel, "sdist": sdist}[kind](*words)
    print(f"{out}: {os.path.getsize(out)} bytes")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""One version: what tenure.h says is what the command, its manual pages, the changelog and the packages say.

usage: check_version.py TENURE BUILD
"""

import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def text(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        return f.read()


def said(command, *arguments):
    return subprocess.run([command, *arguments], capture_output=True, text=True, check=True).stdout


def main(tenure, build):
    header = text(TOP, "include", "tenure", "tenure.h")
    numbers = {what: re.search(rf"^#define TENURE_VERSION_{what} (\d+)$", header, re.M)[1]
               for what in ("MAJOR", "MINOR", "PATCH", "RELEASED")}
    version = ".".join(numbers[what] for what in ("MAJOR", "MINOR", "PATCH"))
    whole = version + ("" if numbers["RELEASED"] == "1" else " (not released)")
    python = re.search(r"^regex = '(.*)'$", text(TOP, "bindings", "python", "pyproject.toml"), re.M)[1]
    cache = text(build, "CMakeCache.txt")
    packages = text(build, "CPackConfig.cmake") if os.path.exists(os.path.join(build, "CPackConfig.cmake")) else None
    configs = [text(folder, name) for folder, _, names in os.walk(build) for name in names
               if name in ("tenure.pc", "tenure_cl.pc", "tenureConfigVersion.cmake")]
    found = {
        "CHANGELOG.md": re.search(r"^## (.*)$", text(TOP, "CHANGELOG.md"), re.M)[1] == whole,
        "tenure version": said(tenure, "version") == f"tenure {whole}\n",
        "tenure man": f'"tenure {version}"' in said(tenure, "man", "plan"),
        "pyproject.toml": ".".join(re.search(python, header).groups()) == version,
        "CMake": f"CMAKE_PROJECT_VERSION:STATIC={version}\n" in cache,
        "pkg-config": bool(configs) and all(version in config for config in configs),
        "CITATION.cff": f"\nversion: {version}\n" in text(TOP, "CITATION.cff"),
        "tenure.h": f'number and text ("{version}")' in header,
    }
    if packages is not None:
        found["packages"] = f'set(CPACK_PACKAGE_VERSION "{version}{"" if whole == version else "~unreleased"}")' in packages
    for where in (w for w, right in found.items() if not right):
        print(f"{where} does not say {whole}")
    return 0 if all(found.values()) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

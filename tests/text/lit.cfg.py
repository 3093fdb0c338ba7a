# Text tests: RUN lines with FileCheck. ctest runs them as `text`; by hand:
#   lit.py -sv --param tenure=build/cli/tenure --param work=build/text tests/text
import os

import lit.formats

here = os.path.dirname(os.path.abspath(__file__))
top = os.path.dirname(os.path.dirname(here))


def param(name, fallback):
    return lit_config.params.get(name, fallback)


config.name = "tenure"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test"]
config.test_exec_root = os.path.abspath(param("work", os.path.join(top, "build", "text")))
config.substitutions += [
    ("%tenure", os.path.abspath(param("tenure", os.path.join(top, "build", "tools", "tenure")))),
    ("%models", os.path.join(top, "examples", "models")),
    ("%top", top),
    (r"\bFileCheck\b", param("filecheck", "FileCheck")),
    (r"\bpython\b", param("python", "python3")),
    (r"\bcc\b", param("cc", "cc")),
]
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TENURE_MODELS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

"""ONNX's node tests, as its package makes them, which takes a dozen seconds: kept in a file for all tests of a build."""

import os
import pickle
import sys
import tempfile

from packages import np, onnx  # ends with 77 where the packages are missing

from onnx.backend.test.case.node import collect_testcases


def cases(folder):
    """Those that have a model. The file stands in the folder, with what it was made by in its name; tests that run at the
    same time may make it twice, and put it there whole."""
    made_by = "-".join([onnx.__version__, np.__version__, *map(str, sys.version_info[:2])])
    path = os.path.join(folder, f"node_tests-{made_by}.pickle")
    try:
        with open(path, "rb") as f:
            return pickle.load(f)
    except FileNotFoundError:
        made = [case for case in collect_testcases(None) if case.model is not None]
    with tempfile.NamedTemporaryFile(dir=folder, delete=False) as f:
        pickle.dump(made, f)
    os.replace(f.name, path)
    return made

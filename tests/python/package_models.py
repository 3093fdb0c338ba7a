"""What tests of the Python package share: models, and plans by the command and by the package. TENURE names the command."""

import glob
import importlib.util
import os
import subprocess

import onnx

import tenure

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
SHIPPED = os.path.join(TOP, "examples", "models")
COMMAND = os.environ["TENURE"]
DIMS = {"bert_base": {"batch": 1, "sequence": 16}, "gpt_decoder": {"batch": 1, "past": 8, "sequence": 1}}


def corpus():
    """The shipped models, those of the fuzzers, networks that the onnx package carries, and what their open dimensions
    are."""
    fuzz, carried = (os.path.join(TOP, "tests", "fuzz", "corpus", "onnx"),
                     os.path.join(os.path.dirname(onnx.__file__), "backend", "test", "data"))
    for folder in (SHIPPED, fuzz, os.path.join(carried, "light"), os.path.join(carried, "pytorch-operator", "*")):
        for path in sorted(glob.glob(os.path.join(folder, "*.onnx"))):
            yield path, DIMS.get(os.path.basename(path)[:-5], {})


def hard_model(folder):
    """One that takes longer than any test waits."""
    spec = importlib.util.spec_from_file_location("check_progress", os.path.join(TOP, "tests", "check_progress.py"))
    progress = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(progress)
    path = os.path.join(folder, "hard.tir")
    progress.hard_model(path)
    return path


def commands_plan(path, options):
    done = subprocess.run([COMMAND, "plan", path, "-q", "--emit=json", "--partial", *options], capture_output=True, check=False)
    return done.returncode, done.stdout.decode("utf-8", "surrogateescape")


def packages_plan(model, **options):
    try:
        return 0, tenure.plan(model, partial=True, **options).json()
    except tenure.TenureError as error:
        return error.status, ""


def same(test, ours, theirs):
    test.assertTrue(ours == theirs, "the package's plan is another one")  # plans are too long to be shown

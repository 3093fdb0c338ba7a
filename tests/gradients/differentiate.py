"""The command that appends gradients, and what it makes of a model."""

import contextlib
import os
import subprocess
import tempfile

import onnx

TIMEOUT_S = 900


class Refused(Exception):
    """What the command said."""


def named(names):
    """A list of names as the value of an option."""
    return ",".join("'" + n.replace("'", "''") + "'" if not n.replace("_", "a").replace(".", "a").isalnum() else n for n in names)


def run(tenure, *arguments):
    done = subprocess.run([tenure, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S,
                          check=False)
    if done.returncode != 0:
        raise Refused(done.stderr.decode(errors="replace").strip() or f"exit code {done.returncode}")
    return done


def differentiate(tenure, model, loss, wrt, options="", more=(), kept=None):
    """The model with its gradients: an onnx.ModelProto. `model` is one, or a path. `kept`: a folder in which in.onnx, if
    `model` is no path, and out.onnx stay."""
    with contextlib.nullcontext(kept) if kept else tempfile.TemporaryDirectory() as folder:
        path, out = model, os.path.join(folder, "out.onnx")
        if not isinstance(model, str):
            path = os.path.join(folder, "in.onnx")
            onnx.save(model, path)
        wrt = wrt if isinstance(wrt, str) else f'"{named(wrt)}"' if len(wrt) > 1 else named(wrt)
        pipeline = f"autodiff{{loss={loss},wrt={wrt}{',' + options if options else ''}}}"
        run(tenure, "opt", path, f"--passes={pipeline}", "-o", out, *more)
        return onnx.load(out)


def plan(tenure, model, *options):
    """Plans the model, which the checker of the command must agree with; the text it prints."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "in.onnx")
        onnx.save(model, path)
        return run(tenure, "plan", path, "--quiet", *options).stdout

"""Packages of the operator tests (tests/requirements.txt). Without them a test ends with 77: skipped."""

import sys
import warnings

warnings.filterwarnings("ignore")
try:
    import numpy as np
    import onnx
except ModuleNotFoundError as missing:
    print(missing)
    sys.exit(77)

__all__ = ["np", "onnx"]

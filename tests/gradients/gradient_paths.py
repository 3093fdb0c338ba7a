"""Imported first by the programs of this folder: where the modules of other tests are, and numpy in one thread, which has
one order of summation. Ends with 77 where packages are missing."""

import os
import sys

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, *(os.path.join(os.path.dirname(HERE), d) for d in ("execution", "operators", "models"))]
from packages import np  # noqa: E402, F401

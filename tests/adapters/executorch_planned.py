"""ExecuTorch with examples/adapters/executorch_memory.py: its own tests of memory planning pass with tenure in place of `greedy`;
networks of torchvision (random weights) planned by both run and give the same outputs bit for bit, and need no more bytes.

usage: executorch_planned.py FOLDER [NETWORK...]

ExecuTorch is installed from PyPI into FOLDER/executorch, with torch: 6 GB. Exit code 77: it cannot be had.
"""

import os
import subprocess
import sys
import unittest

import venvs

NETWORKS = ["squeezenet1_1", "mobilenet_v3_small", "shufflenet_v2_x0_5"]


def network(name):
    import torch
    import torchvision

    torch.manual_seed(0)
    apart = {"init_weights": False, "aux_logits": False} if name in ("googlenet", "inception_v3") else {}
    return torchvision.models.get_model(name, weights=None, **apart).eval(), (torch.randn(1, 3, 224, 224),)


def planned(exported, algorithm, io=True):
    """The program, and the bytes of its arena."""
    from executorch.exir import ExecutorchBackendConfig, to_edge
    from executorch.exir.memory_planning import MemoryPlanningAlgorithmSuite
    from executorch.exir.passes import MemoryPlanningPass

    memory = MemoryPlanningPass(MemoryPlanningAlgorithmSuite([algorithm]), alloc_graph_input=io, alloc_graph_output=io)
    program = to_edge(exported).to_executorch(ExecutorchBackendConfig(memory_planning_pass=memory))
    return program.buffer, program.executorch_program.execution_plan[0].non_const_buffer_sizes[1]


def ran(program, inputs):
    from executorch.runtime import Runtime

    return [out.numpy().tobytes() for out in Runtime.get().load_program(program).load_method("forward").execute(inputs)]


def compare(name):
    from executorch.exir.memory_planning import greedy, naive
    from executorch_memory import packed
    from torch.export import export

    module, inputs = network(name)
    exported = export(module, inputs)
    _, alone = planned(exported, naive)
    theirs, before = planned(exported, greedy)
    ours, after = planned(exported, packed)
    same = ran(theirs, inputs) == ran(ours, inputs)
    print(f"{name:20} {alone:>11} bytes without reuse, {before:>9} by greedy, {after:>9} by tenure", flush=True)
    assert same, f"{name}: other outputs"
    assert after <= before, f"{name}: more bytes"


def own_tests():
    """Theirs, with our function where they name `greedy`, and where nothing is named."""
    import executorch.exir.memory_planning as memory
    from executorch.exir.passes import memory_planning_pass
    from executorch.exir.tests import test_memory_planning as theirs
    from executorch_memory import packed

    class Suite(memory.MemoryPlanningAlgorithmSuite):
        def __init__(self, algo_list=None):
            super().__init__(algo_list or [packed])

    theirs.greedy = packed
    theirs.MemoryPlanningAlgorithmSuite = memory_planning_pass.MemoryPlanningAlgorithmSuite = Suite
    done = unittest.TextTestRunner(verbosity=0).run(unittest.defaultTestLoader.loadTestsFromModule(theirs))
    assert done.testsRun >= 40 and done.wasSuccessful(), "tests of ExecuTorch fail"
    print(f"{done.testsRun} tests of ExecuTorch pass with tenure's plans")


def main():
    if sys.argv[1] == "--inside":
        sys.path.insert(0, os.path.join(venvs.TOP, "examples", "adapters"))
        for name in sys.argv[2:] or NETWORKS:
            compare(name)
        if len(sys.argv) == 2:
            own_tests()
        return 0
    interpreter = venvs.python(os.path.join(os.path.abspath(sys.argv[1]), "executorch"), "executorch==1.5.1", "torchvision")
    return subprocess.run([interpreter, "-B", "-W", "ignore", __file__, "--inside", *sys.argv[2:]], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

"""From a trained estimator to C in one go: scikit-learn, skl2onnx, onnxsim, passes of onnx_ir, tenure. chain.py FOLDER

It needs scikit-learn, skl2onnx, onnxsim and onnx-ir. FOLDER gets net.c and what belongs to it, which want the kernels of
examples/firmware; inputs.bin, one sample; planned.onnx, the model with its plan in it; and expected.txt, what
scikit-learn predicts."""

import os
import sys

import numpy
import onnx_ir
import onnxsim
import skl2onnx
from onnx_ir.passes import Sequential
from onnx_ir.passes.common import RemoveUnusedNodesPass
from sklearn.neural_network import MLPRegressor

import tenure.onnx_ir


def main(folder):
    rng = numpy.random.default_rng(7)
    samples = rng.normal(size=(200, 8)).astype(numpy.float32)
    network = MLPRegressor(hidden_layer_sizes=(32, 16), max_iter=200, random_state=7).fit(samples, numpy.sin(samples.sum(axis=1)))

    exported = skl2onnx.to_onnx(network, samples[:1], target_opset=17)
    simplified, good = onnxsim.simplify(exported, overwrite_input_shapes={"X": [1, 8]})
    if not good:
        sys.exit("onnxsim finds its own result wrong")

    model = onnx_ir.from_proto(simplified)
    memory = tenure.onnx_ir.PlanMemory(preset="mcu")
    Sequential(RemoveUnusedNodesPass(), memory)(model)
    onnx_ir.save(model, os.path.join(folder, "planned.onnx"))

    memory.plan.emit("c-program", os.path.join(folder, "net.c"), target_size_bits=64, weights="c")
    samples[0].tofile(os.path.join(folder, "inputs.bin"))
    numpy.savetxt(os.path.join(folder, "expected.txt"), network.predict(samples[:1]))
    print(memory.plan.report())


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    main(sys.argv[1])

"""Headers and weights of several plans that share pools: a program in C is compiled with them by all compilers, and
reads what it needs to run two programs in turn and to choose among three variants.
usage: sets.py TENURE"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper
except ImportError:
    sys.exit(77)

FLAGS = "-Wall -Wextra -Wconversion -Wpedantic -Werror".split()
COMPILERS = [["gcc", "-std=c99"], ["gcc", "-std=c11"], ["clang", "-std=c99"], ["clang", "-std=c17"],
             ["g++", "-std=c++11", "-x", "c++"], ["clang++", "-std=c++17", "-x", "c++"]]


def model(path, name, extents, names, fill):
    """names: of the input and the output."""
    weight = numpy_helper.from_array(np.full((extents[-1], extents[-1]), fill, np.float32), "w")
    nodes = [helper.make_node("MatMul", [names[0], "w"], ["a"]), helper.make_node("Relu", ["a"], ["b"]),
             helper.make_node("MatMul", ["b", "w"], [names[1]])]
    values = [helper.make_tensor_value_info(n, TensorProto.FLOAT, extents) for n in names]
    graph = helper.make_graph(nodes, name, values[:1], values[1:], [weight])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)


MAIN = r"""
#define NET_DEFINE_ARENA
#define NET_DEFINE_IO
#define NET_DEFINE_BUCKETS
#define NET_DETECTOR_TABLES
#define NET_DECODER_2_TABLES
#include "net.h"
#include "net_weights.h"
#include <stdio.h>
static int bucket(int64_t seq) {
    net_decoder_dims dims;
    dims.seq = seq;
    return net_decoder_bucket(&dims);
}
static float weight(size_t offset) {
    float x;
    unsigned char *to = (unsigned char *)&x;
    size_t i;
    for (i = 0; i < sizeof x; i++) {
        to[i] = NET_WEIGHTS[offset + i];
    }
    return x;
}
int main(void) {
    printf("%d %d %d %d %d\n", NET_DECODER_VARIANTS, bucket(1), bucket(2), bucket(32), bucket(33));
    printf("%d\n", NET_DETECTOR_BOXES_OFFSET == NET_LANDMARK_INPUT_OFFSET);
    printf("%d\n", NET_DECODER_0_W_OFFSET == NET_DECODER_2_W_OFFSET);
    printf("%d\n", NET_BASE_OK(net_arena, NET_ARENA) && NET_BASE_OK(net_io, NET_IO));
    printf("%d\n", sizeof net_arena == NET_ARENA_SIZE && NET_DECODER_2_ARENA_SIZE == NET_ARENA_SIZE);
    printf("%d\n", NET_RAM_BYTES == NET_ARENA_SIZE + NET_IO_SIZE && NET_FLASH_BYTES == NET_WEIGHTS_SIZE);
    printf("%g %g %g\n", (double)weight(NET_DETECTOR_W_OFFSET), (double)weight(NET_LANDMARK_W_OFFSET),
           (double)weight(NET_DECODER_1_W_OFFSET));
    return 0;
}
"""
WANTED = "3 0 1 2 -1\n1\n1\n1\n1\n1\n1 2 3\n"


def main():
    tenure = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        model(work / "detector.onnx", "detector", [1, 16], ["x", "boxes"], 1)
        model(work / "landmark.onnx", "landmark", [1, 16], ["input", "points"], 2)
        model(work / "decoder.onnx", "decoder", ["seq", 16], ["tokens", "y"], 3)
        models = [str(work / f"{name}.onnx") for name in ("detector", "landmark", "decoder")]
        plan = [tenure, "plan", *models, "--shared-arena", "--link=detector/boxes=landmark/input",
                "--dim=decoder/seq=1,8,32", "-q"]
        subprocess.run([*plan, "--emit=c-header", "-o", work / "net.h",
                        "--emit=weights", "-o", work / "net_weights.c"], check=True)
        (work / "main.c").write_text(MAIN)
        for compiler in COMPILERS:
            if shutil.which(compiler[0]) is None:
                continue
            sources = [work / "main.c", work / "net_weights.c"]
            subprocess.run([*compiler, *FLAGS, "-I", work, *sources, "-o", work / "run"], check=True)
            said = subprocess.run([work / "run"], check=True, capture_output=True, text=True).stdout
            assert said == WANTED, f"{compiler}: {said!r} instead of {WANTED!r}"


if __name__ == "__main__":
    main()

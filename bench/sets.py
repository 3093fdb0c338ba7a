"""What programs that never run at once need in one arena, beside an arena each.

Writes bench/sets.csv: for each set of models and level the bytes of the shared arena, the sum and the largest of the arenas
that the models need alone, and the shared one by the sum; the same for arena, inputs, outputs and state together (RAM).
With --check the figures must be those of the file. Rows of sets whose models are not at hand are left as they are.

usage: sets.py COMMAND [--check]; models: examples/models and the folder TENURE_MODELS
"""

import json
import os
import subprocess
import sys

import figures

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "tests", "models"))
import corpus  # noqa: E402

TABLE = os.path.join(HERE, "sets.csv")
COLUMNS = ["set", "programs", "level", "arena", "sum", "largest", "arena/sum", "ram", "ram sum", "ram/sum"]
LEVELS = ["-O2", "-O3"]
# Options of a program stand behind it; those of all behind "".
SETS = {
    "shipped networks": [("shipped/ds_cnn",), ("shipped/lstm",), ("shipped/mobilenet_v2",)],
    "faces": [("cnn/blazeface_back_256",), ("cnn/blazeface_front_128",), ("cnn/face_landmark",), ("cnn/ultraface_rfb320",)],
    "MLPerf Tiny": [("tinyml/mlperf_resnet8",), ("tinyml/onnxflow_kws_float32",), ("tinyml/onnxflow_vww_96_float",),
                    ("tinyml/onnxflow_ad01_int8",)],
    "words and a gesture": [("shipped/ds_cnn",), ("rnn/silero_vad_16k_op15",), ("rnn/gesture_lstm_classifier",)],
    "training and evaluation": [("train/seizureguard_training_model",), ("train/seizureguard_eval_model",),
                                ("train/seizureguard_optimizer_model",)],
    "encoder and decoder": [("shipped/bert_base", "batch=1", "sequence=64"), ("shipped/gpt_decoder", "batch=1", "past=64")],
}


def sizes(command, arguments):
    """Bytes of arenas, and of all that is written; None where there is no plan."""
    made = subprocess.run([command, "plan", *arguments, "-q", "--emit=json"], capture_output=True, text=True)
    if made.returncode != 0:
        print(" ".join(arguments), made.stderr.strip(), file=sys.stderr)
        return None
    pools = json.loads(made.stdout)["pools"]
    return (sum(p["size"] for p in pools if p["kind"] == "arena"), sum(p["size"] for p in pools if p["kind"] != "const"))


def options_of(program, name):
    """The dimensions of a program of that name ("" for a model alone)."""
    given = [f"--dim={name}{dim}" for dim in program[1:]]
    known = corpus.bindings().get(corpus.short(program[0]), []) if not given else []
    for at, word in enumerate(known):
        behind = at > 0 and known[at - 1] in ("--dim", "--input-shape", "--input-value")
        given.append(name + word if behind else word.replace("=", f"={name}", 1) if word.startswith("--dim=") else word)
    return given


def measure(command, programs, found, level):
    alone = [sizes(command, [found[p[0]], level, *options_of(p, "")]) for p in programs]
    arguments = [f"p{i}={found[p[0]]}" for i, p in enumerate(programs)]
    options = [word for i, p in enumerate(programs) for word in options_of(p, f"p{i}/")]
    both = sizes(command, [*arguments, "--shared-arena", level, *options])
    if both is None or None in alone:
        return None
    (arena, ram), (arenas, rams) = both, zip(*alone, strict=True)
    return [level, arena, sum(arenas), max(arenas), f"{arena / sum(arenas):.3f}", ram, sum(rams), f"{ram / sum(rams):.3f}"]


def main():
    command, found = os.path.abspath(sys.argv[1]), dict(corpus.models())
    rows = []
    for name, programs in SETS.items():
        for level in LEVELS if all(p[0] in found for p in programs) else []:
            row = measure(command, programs, found, level)
            if row is None:
                return 1
            rows.append([name, str(len(programs)), *map(str, row)])
            print(*rows[-1])
    status, _ = figures.keep(TABLE, COLUMNS, rows, lambda row: (row[0], row[2]), "--check" in sys.argv)
    return status


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""The models shipped with tenure.

usage: make.py [FOLDER]                   writes them into this folder, or the one given
       make.py --weights FOLDER [NAME]... writes them, or those named, with weights and inputs made up (weights.py)

The graphs follow published architectures; weights are left out (net.py says how). The result is the same
byte for byte on every run, with the versions of tests/requirements.txt for the graphs. Weights need Python alone, and
the models of this folder; those of all nine take 1.2 GB.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# name -> extents of what is open, numbers that integer inputs stay below. Of train_cnn the parameters are inputs.
MODELS = {
    "squeezenet1_1": ({}, {}), "resnet50": ({}, {}), "mobilenet_v2": ({}, {}), "ds_cnn": ({}, {}), "unet_small": ({}, {}),
    "bert_base": ({"batch": 1, "sequence": 16}, {"input_ids": 30522, "attention_mask": 2, "token_type_ids": 2}),
    "gpt_decoder": ({"batch": 1, "past": 8}, {"input_ids": 50257, "position_ids": 1024}),
    "lstm": ({}, {}),
    "train_cnn": ({}, {"labels": 10}),
}


def write_graphs(folder):
    import cnn
    import sequence
    import training

    for name in MODELS:
        module = next(m for m in (cnn, sequence, training) if hasattr(m, name))
        getattr(module, name)().save(folder)


def write_weights(folder, names):
    import weights

    for name in names:
        if name not in MODELS:
            sys.exit(f"make.py: there is no model '{name}'; there are {', '.join(MODELS)}")
        weights.write(os.path.join(HERE, name + ".onnx"), folder, *MODELS[name])


def main(arguments):
    if arguments[:1] == ["--weights"] and len(arguments) > 1:
        write_weights(arguments[1], arguments[2:] or MODELS)
    elif len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        sys.exit("usage: make.py [FOLDER] | make.py --weights FOLDER [NAME]...")
    else:
        write_graphs(arguments[0] if arguments else HERE)


if __name__ == "__main__":
    main(sys.argv[1:])

#!/usr/bin/env python3
"""Writes the models shipped with tenure into this folder (or the folder given).

The graphs follow published architectures; weights are left out (net.py says how). The result is the same
byte for byte on every run with the versions of tests/requirements.txt.
"""

import os
import sys

import cnn
import sequence
import training

MODELS = (cnn.squeezenet1_1, cnn.resnet50, cnn.mobilenet_v2, cnn.ds_cnn, cnn.unet_small,
          sequence.bert_base, sequence.gpt_decoder, sequence.lstm, training.train_cnn)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for model in MODELS:
        model().save(folder)


if __name__ == "__main__":
    main()

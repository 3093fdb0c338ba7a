"""Arenas of training steps of four language models of common size: bench/exports/language.csv.

Configurations of `transformers` with random weights, 8 sequences of 512 positions, single precision, no dropout; the loss is cross entropy
over all positions (T5: of the decoder's, 512 as well). What `torch.onnx.export` (dynamo) writes is planned as arenas.py does it, without the scores as an output,
which PyTorch's step does not give back either. Eager peaks of the same networks are in inductor.csv (inductor.py).

usage: language.py TENURE FOLDER [NET...]   (with torch, transformers, onnx and onnxscript, for what FOLDER does not have yet)
"""

import csv
import os
import sys

import arenas

TABLE = os.path.join(arenas.HERE, "language.csv")
POSITIONS, BATCH = 512, 8
PLANS = {"O3": "O3", "fused_O3": arenas.FUSED, "recompute33": arenas.PLANS["recompute33"][1]}
COLUMNS = ["net", *PLANS]


def bert():
    from transformers import BertConfig, BertForMaskedLM
    c = BertConfig(hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    return BertForMaskedLM(c), lambda m, x: m(x).logits


def gpt2():
    """As GPT-2, but its GELU is one op of PyTorch instead of eight: that spares eager."""
    from transformers import GPT2Config, GPT2LMHeadModel
    c = GPT2Config(activation_function="gelu_pytorch_tanh", resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0)
    return GPT2LMHeadModel(c), lambda m, x: m(x, use_cache=False).logits


def llama():
    from transformers import LlamaConfig, LlamaForCausalLM
    c = LlamaConfig(hidden_size=768, intermediate_size=2048, num_hidden_layers=12, num_attention_heads=12, num_key_value_heads=4)
    return LlamaForCausalLM(c), lambda m, x: m(x, use_cache=False).logits


def t5():
    from transformers import T5Config, T5ForConditionalGeneration
    c = T5Config(dropout_rate=0.0, decoder_start_token_id=0)
    return T5ForConditionalGeneration(c), lambda m, x, y: m(input_ids=x, decoder_input_ids=y, use_cache=False).logits


NETS = {"bert_base": bert, "gpt2": gpt2, "llama_768": llama, "t5_small": t5}


def module(name, exported=False):
    """The network with one output, a row of scores for each position; and how many classes it scores."""
    import torch
    torch.manual_seed(0)
    inner, take = NETS[name]()
    if exported and name == "t5_small":  # the exporter fails on scaled_dot_product_attention with a bias
        inner.set_attn_implementation("eager")

    class Scores(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = inner

        def forward(self, *x):
            return take(self.inner, *x).flatten(0, 1)

    return Scores(), inner.config.vocab_size


def tokens(name, classes, batch):
    import torch
    return tuple(torch.randint(0, classes, (batch, POSITIONS)) for _ in range(2 if name == "t5_small" else 1))


def build(name, batch):
    """As inductor.build."""
    import torch
    net, classes = module(name)
    inputs = tokens(name, classes, batch)
    return net.train(), (*inputs, torch.randint(0, classes, (batch * POSITIONS,))), lambda *x: torch.nn.functional.cross_entropy(net(*x[:-1]), x[-1])


def export(name, folder):
    path = os.path.join(folder, name + ".onnx")
    if not os.path.exists(path):
        import torch
        net, classes = module(name, True)
        inputs = tokens(name, classes, BATCH)
        torch.onnx.export(net.eval(), inputs, path, dynamo=True, external_data=True, input_names=[f"x{i}" for i in range(len(inputs))],
                          output_names=["scores"], verbose=False)
    return path


def main():
    tenure, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    rows = {}
    if os.path.exists(TABLE):
        with open(TABLE, encoding="utf-8") as f:
            rows = {r["net"]: r for r in csv.DictReader(f)}
    for name in sys.argv[3:] or list(NETS):
        row = rows[name] = {"net": name}
        path = export(name, folder)
        for column, level in PLANS.items():
            row[column] = arenas.arena(tenure, path, f"{arenas.STEP % ',outputs=loss'},{level}")
            print(name, column, row[column], flush=True)
            with open(TABLE, "w", newline="", encoding="utf-8") as f:
                w = csv.DictWriter(f, COLUMNS, lineterminator="\n", restval="")
                w.writeheader()
                w.writerows(rows[n] for n in NETS if n in rows)


if __name__ == "__main__":
    main()

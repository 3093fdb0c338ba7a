"""Training inside the plan: real models get a loss, gradients and an optimizer by one pass, are planned, and trained for
some steps by the executor of plans (tests/execution), their state handed on from step to step. The arena is full of poison
before each step. Losses and state must equal, bit for bit, those of the same steps without a plan, and the loss must fall.

usage: training.py TENURE [--steps N] [--models PATTERN] [--verbose]
"""

import argparse
import fnmatch
import os
import sys
import tempfile

from gradient_paths import np  # ends with 77 where packages are missing

import corpus
import onnx
from arena import DTYPES, Arena, Plain
from differentiate import run
from execute import same
from graphs import File, numbers
from interpreter import Run
from kernels import Kernels
from with_loss import float_outputs, with_data

# Models: the options of the pass, with %s for the output. Rates are those at which the loss falls with weights drawn.
MODELS = {
    "shipped/ds_cnn": "loss=mse(%s),optimizer=sgd,rate=0.01",
    "shipped/unet_small": "loss=mse(%s),optimizer=momentum,rate=0.001",
    "shipped/squeezenet1_1": "loss=mse(%s),optimizer=sgd,rate=0.0001",
    "shipped/mobilenet_v2": "loss=mse(%s),optimizer=sgd,rate=0.001",
    "tinyml/mnist_8": "loss=mse(%s),optimizer=sgd,rate=0.0001",
    "tinyml/mlperf_resnet8": "loss=mse(%s),optimizer=sgd,rate=0.001",
    "tinyml/emx_micro_kws_fp32": "loss=mse(%s),optimizer=momentum,rate=0.1",
    "tinyml/onnx2c_atmega_mnist": "loss=mse(%s),optimizer=sgd,rate=0.01",
    "tinyml/onnx2c_tfl_helloworld": "loss=mse(%s),optimizer=adam,rate=0.01",
    "cnn/dory_dronet2": "loss=mse(%s),optimizer=adam,rate=0.001",
    "rnn/gonnx_gru": "loss=mse(%s),optimizer=adam,rate=0.01",
    "tinyml/emx_micro_kws_qdq": "loss=mse(%s),optimizer=adam,rate=0.01,rounding=straight-through",
    "transformer/vespa_dummy_transformer": "loss=mse(%s),optimizer=adam,rate=0.001",
    "transformer/deeploy_cct2_opset20": "loss=mse(%s),optimizer=sgd,rate=0.01",
}
SLOW, FEW_STEPS = ("shipped/mobilenet_v2", "shipped/squeezenet1_1", "shipped/unet_small", "cnn/dory_dronet2"), 4
STEPS, MANY_STEPS = 12, 50  # the plan is the same in each: what a step leaves for later ones is met in the next; many where TENURE_SOAK is set
LEAST = 10  # models that must have been trained where TENURE_MODELS is set
PLAN = ("-O3", "--schedule=min-peak", "--partial")


class Step:
    """A model with its backward part and updates: one step of training, planned."""

    def __init__(self, tenure, path, options, dims, folder):
        model = with_data(onnx.load(path, load_external_data=False))
        self.file_name = os.path.join(folder, "step.onnx")
        source = os.path.join(folder, "model.onnx")
        onnx.save(model, source)
        output = float_outputs(model)[0].name
        run(tenure, "opt", source, f"--passes=autodiff{{{options.replace('%s', output)}}}", "-o", self.file_name, *dims)
        step = onnx.load(self.file_name)
        self.bindings = [(b.key, b.value) for t in step.training_info for b in t.update_binding]
        del step.training_info[:]  # the same is said to the planner by options, which the executor can follow
        onnx.save(step, self.file_name)
        self.file = File(self.file_name)
        self.loss = next(o for o in self.file.main.outputs if o not in {o.name for o in model.graph.output} | {v for _, v in self.bindings})
        updates = [f"--update={state}={value}" for state, value in self.bindings]
        self.naive, self.plan = (self.planned(tenure, [*corpus.unbound(dims), *updates, *level]) for level in (("-O0", "--partial"), PLAN))
        self.kernels = Kernels(fast=True, keep=True)

    def planned(self, tenure, options):
        done, plan = corpus.plan(tenure, self.file_name, options)
        if plan is None:
            raise AssertionError(done.stderr.decode() if done is not None else "planning takes too long")
        return plan

    def start(self):
        """(inputs, state) of the first step."""
        inputs, state = {}, {}
        bound = {s for s, _ in self.bindings}
        for value in self.plan["values"]:
            name = value["name"]
            if value["graph"] != "" or value["role"] not in ("input", "state") or value["step"] is not None:
                continue
            known = self.file.main.initializers
            array = known[name] if name in known else numbers(name, value["dims"], DTYPES[value["dtype"]])
            (state if name in bound else inputs)[name] = np.array(array)
        for name in bound - set(state):
            state[name] = np.array(self.file.main.initializers[name])
        return inputs, state

    def run(self, memory, plan, inputs, state):
        """(loss, state behind the step)."""
        execution = Run(self.file, plan, memory, self.kernels)
        got = execution.run({**inputs, **state})
        after = {s: np.array(execution.value(self.file.main, v)) for s, v in self.bindings}
        return np.array(got[self.loss]), after


def train(step, steps):
    """The losses. Two runs side by side: without a plan, and in the arena, which is new and poisoned each step."""
    inputs, state = step.start()
    other = {k: v.copy() for k, v in state.items()}
    losses = []
    for k in range(steps):
        loss, state = step.run(Plain(step.naive), step.naive, inputs, state)
        planned_loss, other = step.run(Arena(step.plan), step.plan, inputs, other)
        if not same(loss, planned_loss):
            raise AssertionError(f"step {k}: the loss is {planned_loss}, {loss} without a plan")
        for name, value in state.items():
            if not same(value, other[name]):
                raise AssertionError(f"step {k}: '{name}' differs from that without a plan")
        step.kernels.forget()
        losses.append(float(loss.reshape(-1)[0]))
    if step.kernels.stood_in:
        raise AssertionError(f"stand-ins were used: {sorted(step.kernels.stood_in)}")
    if not losses[-1] < losses[0] or not np.isfinite(losses).all():
        raise AssertionError(f"the loss does not fall: {losses[0]:.6g} to {losses[-1]:.6g}")
    return losses


def arena_of(plan):
    return sum(p["size"] for p in plan["pools"] if p["kind"] == "arena")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("--steps", type=int, help="without: see STEPS; few of SLOW models")
    parser.add_argument("--models", default="*")
    args = parser.parse_args()
    np.seterr(all="ignore")
    trained, wrong, bindings = 0, 0, corpus.bindings()
    for name, path in corpus.models():
        if name not in MODELS or not fnmatch.fnmatch(name, args.models):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                step = Step(args.tenure, path, MODELS[name], bindings.get(corpus.short(name), []), folder)
                drawn = MANY_STEPS if os.environ.get("TENURE_SOAK") else FEW_STEPS if name in SLOW else STEPS
                losses = train(step, args.steps or drawn)
                trained += 1
                print(f"{name}: {len(losses)} steps, loss {losses[0]:.6g} to {losses[-1]:.6g}, {len(step.bindings)} states, arena "
                      f"{arena_of(step.plan)} of {arena_of(step.naive)} bytes", flush=True)
            except Exception as error:
                wrong += 1
                print(f"WRONG: {name}: {type(error).__name__}: {str(error)[:300]}", flush=True)
    least = LEAST if os.environ.get("TENURE_MODELS") and args.models == "*" else 1
    print(f"{trained} models trained, {wrong} wrong")
    return 1 if wrong or trained < least else 0


if __name__ == "__main__":
    sys.exit(main())

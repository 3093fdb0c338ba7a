"""Bad values for every option, each by itself: one message, exit code 2 and no artefact; files that
cannot be read, and what the model itself asks for, are exit code 1. The options are those that the
help lists, so a new one is missed here."""
import os
import re
import subprocess
import sys

TENURE, NET, FOLDER = sys.argv[1:4]
BOUND = ["--dim", "batch=4"]

# Values that no model makes right, and some that this model does not.
WRONG = {
    "dim": ["batch", "batch=-1", "batch=4..2", "batch=k+", "batch=1,1", "nope=1", "batch=k+1", "batch=batch+1", "b.1=2..3"],
    "input-shape": ["x", "x=1,-2", "nope=1,2", "w=64,10", "x=1,2,3", "x=1,63", "x=5,64"],
    "input-value": ["x", "x=a", "nope=1", "x=1"],
    "op-facts": [""],
    "graph": ["nope", "initialization"],
    "emit": ["jsn", "svg,nope=1", "svg,width=1", "svg,pool=nope", "c-header,prefix=1x", "c-program"],
    "output": ["", "net.zip"],
    "emit-opt": ["json", "json.nope=1"],
    "O": ["4"],
    "fuse": ["nope", "given"],
    "passes": ["nope", "reuse{level=9}", "reuse{algo=nope}", "reuse{effort=9}", "infer-shapes", "recompute{budget=0},reuse",
               "recompute{flops=x},reuse", "tile{budget=0},reuse", "tile{flops=x},reuse", "tile{stretches=nope},reuse", "autodiff,reuse", "autodiff{loss=nope},reuse", "autodiff{loss=d,wrt=nope},reuse"],
    "schedule": ["nope"],
    "tile": ["x", "0", "0%", "3-0:2/8", "0-3:2/0"],
    "tile-flops": ["x", "-1%"],
    "recompute": ["x", "-1%"],
    "recompute-budget": ["x", "0", "0%"],
    "views": ["nope"],
    "inplace": ["nope"],
    "level": ["2"],
    "memory": ["nope"],
    "algo": ["nope"],
    "overlap": ["nope"],
    "preset": ["nope"],
    "align": ["0", "48", "2G", "x"],
    "capacity": ["x"],
    "pool": ["", "p:x", "p:1K:cost=0", "p:1K:align=48", "p:1K:nope"],
    "fix": ["a=0", "nope=arena@0", "a=nope@0", "a=arena@x", "x=arena@0"],
    "align-value": ["a=48", "a=x", "nope=64"],
    "based-on": [""],
    "based-on-slack": ["x"],
    "exclude": ["nope", "nope*", '"a'],
    "io": ["nope"],
    "double-buffer": ["nope", ""],
    "layout": ["nope"],
    "layout-of": ["a=nope", "nope=nhwc", "a=nhwc"],
    "update": ["x", "nope=a", "x=nope", "a=b", "x=d", "n*=m*", "*=a"],
    "concurrency": ["nope"],
    "queues": ["0", "x", "1000"],
    "queue": ["mm=0", "mm"],
    "largest": ["batch", "nope"],
    "link": ["a", "a/b=c/d"],
    "state": ["x"],
    "loss": ["nope", '"a'],
    "grad-of": ["w", "nope=a", "w=nope"],
    "grad-suffix": ['"a'],
    "metadata": ["nope"],
    "print-before": ["nope"],
    "print-after": ["nope"],
    "opt-bisect-limit": ["x", "-2"],
    "crash-reproducer": [""],
    "project": [NET],
}
FIT_WRONG = {  # options that `fit` alone has
    "ram": ["0", "-1", "x", "64Q", "", "10%", "99999999999999999999"],
    "flash": ["0", "x"],
    "ops": ["x", "-1%", "+", "30", "+-1%"],
    "allow": ["", "nope", "order,", "order,,io", "undo", "ordr"],
    "stack": ["x", "-1"],
    "slow": ["0", "x"],
    "fit-steps": ["-1", "x"],
    "report": ["", NET],
    "save-project": ["", NET],
}
FIT = ["fit", NET, *BOUND, "-q"]
MORE = [  # options that are wrong together, or of other commands
    ["plan", NET, *BOUND, "--dim", "batch=5"],
    ["plan", NET, *BOUND, "--queues=2", "--queue=nope=1"],
    ["plan", NET, *BOUND, "--queues=2", "--queue=mm=2"],
    ["plan", NET, *BOUND, "--queues=2", "--concurrency=dataflow"],
    ["plan", NET, *BOUND, "--fix=a=arena@0", "--fix=a=arena@64"],
    ["plan", NET, *BOUND, "--capacity=4K", "--largest=nope"],
    ["plan", NET, NET, *BOUND],
    ["opt", NET, "--dim=nope=1"],
    ["opt", NET, "-o", ""],
    ["opt", NET, "--emit=nope"],
    ["explain", NET, "nope", *BOUND],
    ["explain", NET, '"a', *BOUND],
    ["explain", NET, "a", "--dim=nope=1"],
    ["explain", NET, "a", *BOUND, "--advice-steps=-1"],
    ["check", NET, os.path.join(FOLDER, "plan.json"), "--dim=nope=1"],
    ["check", NET, os.path.join(FOLDER, "plan.json"), "--align=48"],
    ["dims", NET, NET],
    FIT,
    ["fit", NET, NET, *BOUND, "--ram=1M"],
    [*FIT, "--ram=1M", "--capacity=1M"],
    [*FIT, "--ram=1M", "--largest=batch"],
    [*FIT, "--ram=1M", "--shared-arena"],
    [*FIT, "--ram=1M", "--partial"],
    [*FIT, "--ram=1M", "--dim=batch=1,2"],
    [*FIT, "--flash=1M", "--slow=1M"],
    [*FIT, "--ram=1M", "--slow=1M", "--pool=a:1K"],
    [*FIT, "--ram=1M", "--report=a.json", "--save-project=a.json"],
    [*FIT, "--ram=1M", "--report=a.json", "--emit=json", "-o", "a.json"],
    [*FIT, "--ram=1M", "--from-annotations"],
    ["fit", NET, "--ram=1M", "--open"],
    ["plna"],
    ["help", "plna"],
    ["--list-pases"],
    ["pack", os.path.join(FOLDER, "ok.csv"), "--algo=nope"],
    ["pack", os.path.join(FOLDER, "ok.csv"), "--effort=x"],
]
NOT_READ = [
    ["plan", "nope.tir"],
    ["plan", NET, *BOUND, "--op-facts=nope.json"],
    ["plan", NET, *BOUND, "--based-on=nope.json"],
    ["plan", NET, *BOUND, "--project=nope.json"],
    ["plan", NET, *BOUND, "--emit=json", "-o", "nope/plan.json"],
    ["check", NET, "nope.json"],
    ["fit", NET, *BOUND, "-q", "--ram=1M", "--report=nope/fit.json"],
    ["fit", NET, "-q", "--ram=1M"],  # batch is open
    ["fit", NET, "-q", "--ram=1M", "--dim=batch=1..4"],
    ["pack", "nope.csv"],
    ["plan", os.path.join(FOLDER, "wish.tir"), *BOUND],
]


def run(args):
    return subprocess.run([TENURE, *args], cwd=FOLDER, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def demand(code, args):
    before = os.listdir(FOLDER)
    done = run(args)
    errors = [line for line in done.stderr.splitlines() if "error: " in line]
    if done.returncode != code or len(errors) != 1 or os.listdir(FOLDER) != before:
        sys.exit(f"{args}: exit code {done.returncode}, wanted {code}: {errors}")


def of_option(name, value):
    rest = [] if name == "dim" and value.startswith("batch") else BOUND
    return ["plan", NET, "-q", *rest, f"-O{value}" if name == "O" else f"--{name}={value}"]


with open(os.path.join(FOLDER, "ok.csv"), "w") as f:
    f.write("id,lower,upper,size\n0,0,2,16\n1,1,3,16\n")
with open(NET) as f, open(os.path.join(FOLDER, "wish.tir"), "w") as out:
    out.write(f.read().replace('opset ""', 'metadata "tenure.exclude" "nope"\nopset ""'))
assert run(["plan", NET, *BOUND, "-q", "-o", "plan.json"]).returncode == 0

listed = re.findall(r"--([a-z-]+)=", run(["plan", "--help"]).stdout.split("examples:")[1])
fit_listed = re.findall(r"--([a-z-]+)=", run(["fit", "--help"]).stdout.split("examples:")[1])
missing = [name for name in fit_listed if name not in listed and name not in FIT_WRONG]
assert not missing, f"no bad values for {missing} of fit"
missing = [name for name in listed if name not in WRONG and name != "emit"]
assert not missing, f"no bad values for {missing}"
for option, values in WRONG.items():
    for value in values:
        demand(2, of_option(option, value))
for option, values in FIT_WRONG.items():
    for value in values:
        demand(2, [*FIT, *([] if option == "ram" else ["--ram=1M"]), f"--{option}={value}"])
for line in MORE:
    demand(2, line)
for line in NOT_READ:
    demand(1, line)

"""web/page.c and what a page has of a system, compiled for this machine (native/native.c): called as the page's worker calls it,
it gives what the command gives. The page itself, in a browser, is tried by web.py.

usage: native.py PAGE_NATIVE TENURE FOLDER
"""

import os
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODELS = os.path.join(TOP, "examples", "models")
NATIVE, TENURE, FOLDER = sys.argv[1], os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
OK, ERROR, USAGE, NOFIT = 0, 1, 2, 4
KINDS = {"c-header": ".h", "json": ".json", "svg": ".svg", "csv": ".csv", "html": ".html", "c-program,weights=none": ".c"}


def need(condition, what):
    if not condition:
        sys.exit(f"WRONG: {what}")


def called(*calls):
    """Of each call: (status, messages, name -> bytes). A text has no name."""
    at = os.path.join(FOLDER, "page")
    shutil.rmtree(at, ignore_errors=True)
    os.makedirs(at)
    words = [word for call in calls for word in (*call, "+")]
    done = subprocess.run([NATIVE, at, *words], capture_output=True, text=True, check=False)
    need(done.returncode == 0, f"{calls}: exit code {done.returncode}: {done.stderr}")
    found, messages = [], []
    for line in done.stdout.splitlines():
        if line.startswith("status "):
            files = {}
            for name in sorted(os.listdir(at)):
                number, _, rest = name.partition(".")
                if int(number) == len(found):
                    with open(os.path.join(at, name), "rb") as f:
                        files[rest] = f.read()
            found.append((int(line.split()[1]), "\n".join(messages), files))
            messages = []
        else:
            messages.append(line)
    need(len(found) == len(calls), f"{calls}: {done.stdout}")
    need(messages[-1].split()[0] == "doing", done.stdout)
    return found, int(messages[-1].split()[1])


def command(*words, code=0):
    done = subprocess.run([TENURE, *words], cwd=MODELS, capture_output=True, check=False)
    need(done.returncode == code, f"{words}: exit code {done.returncode}: {done.stderr}")
    return done.stdout or done.stderr  # a report is said there where a file is written


def opened(which, name):
    return ("open", which, name, os.path.join(MODELS, name))


def fits_files(model, options, more, kinds):
    """Reports and files of these kinds are the command's."""
    stem = model.rpartition(".")[0]
    calls = [opened("0", model), ("plan", "0", "\n".join(options))]
    calls += [("emit", "0", *(kind.split(",") + [""])[:2], stem + KINDS[kind]) for kind in kinds]
    found, doing = called(*calls, *more)
    need(doing > 0, "nobody is told what is done")
    to = ["-o", os.path.join(FOLDER, "report.c")] if any(o.startswith("--emit") for o in options) else []
    need(found[1][0] == OK and found[1][2] == {"": command("plan", model, *options, *to)}, f"{model} {options}: the report")
    for kind, (status, said, files) in zip(kinds, found[2:]):
        at = os.path.join(FOLDER, "command")
        shutil.rmtree(at, ignore_errors=True)
        os.makedirs(at)
        plain = [o for o in options if not o.startswith("--emit")]
        command("plan", model, "-q", *plain, f"--emit={kind}", "-o", os.path.join(at, stem + KINDS[kind]))
        need(status == OK and sorted(files) == sorted(os.listdir(at)), f"{model} {kind}: {status} {said} {sorted(files)}")
        for name, data in files.items():
            with open(os.path.join(at, name), "rb") as f:
                need(f.read() == data, f"{model} {kind}: {name} is another one than the command's")
    return found[2 + len(kinds):]


def try_fit(model, ram, code):
    path = os.path.join(FOLDER, "fit.html")
    command("fit", model, f"--ram={ram}", "-q", f"--report={path}", code=code)
    found, _ = called(opened("0", model), ("fit", "0", f"--ram={ram}"), ("emit", "0", "csv", "", "fit.csv"), ("plan", "0", ""))
    with open(path, "rb") as f:
        need(found[1][0] == code and found[1][2] == {"": f.read()}, f"{model} --ram={ram}: status {found[1][0]}, the page of what was tried")
    need(found[2][0] == OK, "the plan of what was tried is not written")
    if code == OK:
        need(found[2][2] == {"fit.csv": command("fit", model, f"--ram={ram}", "-q", "--emit=csv", "-o", "-")}, f"{model}: the plan that fits")
    need(found[3][2] == {"": command("plan", model)}, f"{model}: and then a plan without a budget")


def main():
    os.makedirs(FOLDER, exist_ok=True)
    model = "squeezenet1_1.onnx"
    explained, of_all, annotated = fits_files(model, [], [("explain", "0", "", "conv1_output_0"), ("explain", "0", "", ""),
                                                          ("emit", "0", "onnx", "", "planned.onnx")], list(KINDS)[:5])
    need(explained[2] == {"": command("explain", model, "conv1_output_0")}, "what is explained of a tensor")
    need(of_all[2] == {"": command("explain", model)}, "what is explained of all")
    path = os.path.join(FOLDER, "page", "9.planned.onnx")
    need(annotated[0] == OK and b"the plan is right" in command("check", path), "the model with its plan")
    program = ["--emit=c-program,weights=none"]
    fits_files(model, [*program, "-O3"], [], ["c-program,weights=none"])

    other = "ds_cnn.onnx"
    found, _ = called(("diff", "--format=html"), opened("0", model), ("plan", "0", "-O3"), ("diff", "--format=html"), opened("1", other),
                      ("plan", "1", "-O3"), ("diff", "--format=html"), ("diff", "--format=none"), ("explain", "1", "", "no such tensor"))
    need([status for status, _, _ in found] == [ERROR, OK, OK, ERROR, OK, OK, OK, USAGE, USAGE], f"{[f[0] for f in found]}")
    need(found[6][2][""].count(b"ds_cnn") > 0 and found[6][2][""].count(b"squeezenet") > 0, "the difference")

    open_model = "gpt_decoder.onnx"
    bound = ["--dim=batch=1", "--dim=past=1"]
    fits_files(open_model, bound, [], ["json"])
    found, _ = called(opened("0", open_model), ("dims", "0"), ("plan", "0", ""), ("emit", "0", "json", "", "x.json"), ("plan", "0", "--align=3"))
    need(found[1][2] == {"": command("dims", open_model)}, "what the model leaves open")
    need(found[3][0] == ERROR and not found[3][2], "a plan that was not made is written")
    need(found[4][0] == USAGE and "align" in found[4][1], f"a mistake is not said: {found[4]}")
    try_fit(other, "70K", OK)
    try_fit(other, "40K", NOFIT)
    print("what the page's functions give is what the command gives")


if __name__ == "__main__":
    main()

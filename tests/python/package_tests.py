"""The Python package: plans equal the command's, and what is special to Python. TENURE names the command; the package is
whatever `import tenure` finds.

usage: TENURE=PATH package_tests.py [-v] [NAME]...
"""

import os
import re
import subprocess
import sys
import tempfile
import threading
import unittest

import onnx
import onnx_ir

import snippets
import tenure
import tenure.onnx_ir
from package_ending import Ending, Living  # noqa: F401  (unittest finds them here)
from package_models import COMMAND, DIMS, SHIPPED, TOP, commands_plan, corpus, packages_plan, same


class SameAsTheCommand(unittest.TestCase):
    def test_models_in_all_forms(self):
        n = 0
        for path, dims in corpus():
            words = [word for name, value in dims.items() for word in ("--dim", f"{name}={value}")]
            with open(path, "rb") as f:
                data = f.read()
            for level, more in (("-O2", {"O": 2}), ("-O1", {"O": 1})):
                expected = commands_plan(path, [*words, level])
                for form in (path, data, onnx.load_model_from_string(data)):
                    with self.subTest(path=path, form=type(form).__name__, level=level):
                        same(self, packages_plan(form, dims=dims, **more), expected)
            n += expected[0] == 0
        with tempfile.TemporaryDirectory() as folder:
            for name in ("ds_cnn", "gpt_decoder", "squeezenet1_1"):
                model, path = onnx_ir.load(os.path.join(SHIPPED, name + ".onnx")), os.path.join(folder, name + ".onnx")
                with open(path, "wb") as f:
                    f.write(onnx_ir.to_proto(model).SerializeToString())
                same(self, packages_plan(model), commands_plan(path, []))
        self.assertGreaterEqual(n, 40)

    def test_advice_is_that_of_explain(self):
        import json
        path = os.path.join(SHIPPED, "train_cnn.onnx")
        said = subprocess.run([COMMAND, "explain", path, "--json", "--no-changes"], capture_output=True, check=True).stdout
        expected = [f for f in map(json.loads, said.splitlines()) if f["fact"] == "advice"]
        self.assertIn("indices", {advice["kind"] for advice in expected})
        self.assertEqual(tenure.advice(path), expected)
        self.assertEqual(tenure.load(path).advice(), expected)
        best = next(a for a in tenure.plan(path).advice() if "options" in a)
        name, value = best["options"].removeprefix("--").split("=")
        followed = tenure.plan(path, **{name.replace("-", "_"): value})
        self.assertEqual(followed.arena_size, best["bytes"])
        self.assertNotIn(best["options"], [a.get("options") for a in followed.advice()])
        self.assertEqual([a["kind"] for a in tenure.advice(path, advice_steps=0) if not a["estimate"]], [])
        with self.assertRaisesRegex(tenure.UsageError, "advice_steps must be 0 or more"):
            tenure.advice(path, advice_steps=-1)
        with self.assertRaisesRegex(tenure.UsageError, "read, not made"):
            tenure.read_plan(tenure.plan(path).json()).advice()

    def test_fit_is_that_of_the_command(self):
        path = os.path.join(SHIPPED, "ds_cnn.onnx")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([COMMAND, "fit", path, "--ram=66000", "--emit=c-program,weights=none", "-o", "net.c"], cwd=folder,
                                  capture_output=True, text=True, check=False)
        fit = tenure.fit(path, ram="66000", emit="c-program,weights=none")
        self.assertEqual((done.returncode, fit.fits), (0, True))
        said = [line for line in done.stderr.splitlines() if "the same" not in line]
        self.assertEqual([line for line in str(fit).splitlines() if "the same" not in line], said)
        self.assertEqual((fit.chosen.arena, fit.rungs[0].measure, fit.rungs[0].options), (fit.plan.arena_size, "none", ""))
        self.assertTrue(fit.chosen.stack > 0 and fit.chosen.ram <= 66000 and fit.command.startswith("tenure plan "))
        facts = fit.facts()
        self.assertEqual([r["options"] for r in facts["rungs"]], [rung.options for rung in fit.rungs])
        self.assertIn("<svg", fit.report("html"))
        fit.plan.check(path)
        with self.assertRaises(tenure.CapacityError) as caught:
            tenure.load(path).fit(ram=8192, allow="order,io")
        self.assertFalse(caught.exception.plan.fits)
        self.assertGreater(caught.exception.plan.plan.arena_size, 8192)
        with self.assertRaisesRegex(tenure.UsageError, "say what there is"):
            tenure.fit(path)
        with self.assertRaisesRegex(tenure.UsageError, "no measure 'iu'; did you mean 'io'"):
            tenure.fit(path, ram="1M", allow="iu")

    def test_objects_say_what_the_json_says(self):
        import json
        plan = tenure.plan(os.path.join(TOP, "tests", "fuzz", "corpus", "onnx", "loop.onnx"))
        said = json.loads(plan.json())["programs"][0]["variants"][0]
        self.assertEqual([v["name"] for v in said["values"]], [v.name for v in plan.values])
        self.assertEqual([s["offset"] for s in said["storages"]], [s.offset for s in plan.storages])
        self.assertEqual([s["kind"] for s in said["steps"]], [s.kind for s in plan.steps])
        self.assertEqual(said["inputs"], [v.index for v in plan.inputs])
        begin = plan.steps[0]
        self.assertEqual(len(said["steps"][0]["moves"]), len(begin.moves))
        self.assertEqual({m.kind for m in begin.moves}, {"copy", "count", "true", "stack"})
        self.assertEqual(begin.bodies[0].graph, plan.steps[1].graph)
        self.assertEqual(plan.programs[0].variants[0].values, plan.values)

    def test_pools_before_the_first_run(self):
        model = snippets.model()
        plan = tenure.plan(model, dims={"batch": 2})
        image = {pool.name: plan.image(pool.name) for pool in plan.pools}
        self.assertEqual({name: len(data) for name, data in image.items()}, {p.name: p.size for p in plan.pools})
        for t in model.graph.initializer:
            v = plan[t.name]
            self.assertEqual(image[v.pool][v.offset : v.offset + v.size], onnx.numpy_helper.to_array(t).tobytes())
            self.assertEqual(v.elements, onnx.numpy_helper.to_array(t).size)
        self.assertFalse(any(image["arena"]))
        with self.assertRaisesRegex(KeyError, "no pool 'areno'; there are"):
            plan.image("areno")
        with self.assertRaisesRegex(tenure.ModelError, "ds_cnn.weights"):
            tenure.plan(os.path.join(SHIPPED, "ds_cnn.onnx")).image("const")

    def test_steps_of_graphs(self):
        plan = tenure.plan(os.path.join(TOP, "tests", "fuzz", "corpus", "onnx", "loop.onnx"))
        begin = next(s for s in plan.steps_of() if s.bodies)
        inner = list(plan.steps_of(begin.bodies[0].graph))
        self.assertEqual([s.kind for s in inner if s.kind != "op"], [])
        outside = sum(1 for s in plan.steps_of() for _ in s.nodes)
        idle = sum(s.idle for s in plan.steps)
        self.assertEqual(outside + len(inner) + idle, len([s for s in plan.steps if s.kind != "end"]))
        self.assertTrue(inner)

    def test_programs_and_variants(self):
        names = ("ds_cnn", "lstm")
        files = {name: os.path.join(SHIPPED, name + ".onnx") for name in names}
        plan = tenure.plan_files(files, shared_arena=True)
        self.assertEqual([program.name for program in plan.programs], list(names))
        for name, program in zip(names, plan.programs, strict=True):
            alone = tenure.plan(files[name])
            self.assertEqual([s.op for s in program.variants[0].steps], [s.op for s in alone.steps])
            self.assertGreaterEqual(plan.arena_size, alone.arena_size)
        plan.check()
        words = [f"{name}={path}" for name, path in files.items()]
        done = subprocess.run([COMMAND, "plan", *words, "--shared-arena", "-q", "--emit=json"], capture_output=True, check=True)
        same(self, plan.json(), done.stdout.decode("utf-8", "surrogateescape"))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.onnx")
            onnx.save(snippets.model(), path)
            plan = tenure.plan_files(path, dims={"batch": [1, 8]})
        program = plan.programs[0]
        self.assertEqual([v.dims for v in program.variants], [{"batch": 1}, {"batch": 8}])
        self.assertIs(program.pick({"batch": 3}), program.variants[1])
        with self.assertRaisesRegex(tenure.ModelError, "9"):
            program.pick({"batch": 9})

    def test_open_dimensions(self):
        model = snippets.model()
        plan = tenure.plan(model, dims={"batch": "1..16"})
        self.assertEqual([(r.name, r.min, r.max) for r in plan.ranges], [("batch", 1, 16)])
        for n in (1, 7, 16):
            self.assertEqual(plan.resolve({"batch": n})["h"].size, 16 * n)
        with self.assertRaises(tenure.ModelError):
            plan.resolve({"batch": 17})
        with self.assertRaises(tenure.UsageError):
            plan.resolve({"bach": 1})

    def test_related_dimensions(self):
        x, m = (onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [dim, 4]) for name, dim in (("x", "n"), ("m", "k")))
        y, z = (onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [None, 4]) for name in "yz")
        nodes = [onnx.helper.make_node("Concat", ["x", "x"], ["c"], axis=0), onnx.helper.make_node("Add", ["c", "m"], ["y"]),
                 onnx.helper.make_node("Exp", ["m"], ["z"])]
        graph = onnx.helper.make_graph(nodes, "net", [x, m], [y, z])
        model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=10)
        plan = tenure.plan(model, dims={"n": "1..9", "k": "2*n"})
        self.assertEqual(plan.related_dims, {"k": "n*2"})
        self.assertEqual([r.name for r in plan.ranges], ["n"])
        self.assertEqual(plan.resolve({"n": 3})["z"].size, 96)
        self.assertEqual(plan.resolve({"n": 3, "k": 6})["z"].size, 96)
        with self.assertRaisesRegex(tenure.ModelError, "dimension 'k' is 7, and the plan is for n"):
            plan.resolve({"n": 3, "k": 7})

    def test_variants_apart(self):
        """Each variant is right by itself, and constants of equal size have changed places in the second one: `check`
        and the command refuse the plan for the same reason."""
        import json
        model = os.path.join(TOP, "tests", "text", "open", "Inputs", "limit.tir")
        plan = tenure.plan(model, open=True)
        plan.check()
        tenure.read_plan(plan.json()).check(model)
        document = json.loads(plan.json())
        first, second = document["programs"][0]["variants"]
        one, two = (second["storages"][v["storage"]] for v in second["values"] if v["name"] in ("one", "two"))
        one["offset"], two["offset"] = two["offset"], one["offset"]

        def refusal():
            with self.assertRaises(tenure.ModelError) as caught:
                tenure.read_plan(json.dumps(document)).check(model)
            return str(caught.exception)
        second["layout"] = re.search(r"they have '(\w+)'", refusal()).group(1)
        self.assertNotEqual(first["layout"], second["layout"])
        said = refusal().splitlines()[0]
        self.assertRegex(said, r"'one' of program 'net' has bytes .* and 'two' of program 'net'")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "plan.json")
            with open(path, "w", encoding="utf-8") as f:
                json.dump(document, f)
            done = subprocess.run([COMMAND, "check", model, path], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr.splitlines()[0]), (1, said))

    def test_diff(self):
        import json
        path = os.path.join(SHIPPED, "lstm.onnx")
        before, after = tenure.plan(path, O=1), tenure.plan(path)
        self.assertEqual(before.diff(before), "")
        with tempfile.TemporaryDirectory() as folder:
            for name, plan in (("a.json", before), ("b.json", after)):
                plan.emit("json", os.path.join(folder, name))
            words = [COMMAND, "diff", os.path.join(folder, "a.json"), os.path.join(folder, "b.json")]
            said = subprocess.run([*words], capture_output=True, text=True, check=False).stdout
        self.assertEqual(before.diff(after), said)
        self.assertIsInstance(json.loads(before.diff(after, format="json")), dict)

    def test_artefacts(self):
        path = os.path.join(TOP, "tests", "fuzz", "corpus", "onnx", "chain.onnx")
        plan = tenure.plan(path, dims={"n": 2})
        words = [COMMAND, "plan", path, "-q", "--dim", "n=2"]
        with tempfile.TemporaryDirectory() as ours, tempfile.TemporaryDirectory() as theirs:
            # What the command does by default, as it knows that a program is asked for when it plans.
            files = tenure.plan(path, dims={"n": 2}, fuse="all").emit("c-program", os.path.join(ours, "net.c"), weights="c")
            subprocess.run([*words, "--fuse=all", "--emit=c-program,weights=c", "-o", os.path.join(theirs, "net.c")], check=True)
            self.assertEqual(sorted(map(os.path.basename, files)), sorted(os.listdir(theirs)))
            for name in os.listdir(theirs):
                with open(os.path.join(ours, name), "rb") as a, open(os.path.join(theirs, name), "rb") as b:
                    self.assertEqual(a.read(), b.read(), name)
        for backend in ("text", "csv", "svg", "onnx", "opencl-json"):
            alone = subprocess.run([*words, "--emit=" + backend], capture_output=True, check=True).stdout
            if backend != "opencl-json":  # there the command aligns for the backend
                self.assertEqual(plan.emit(backend), alone, backend)
        self.assertIn("RAM", plan.report())
        self.assertIn("svg", plan._repr_html_())


class Messages(unittest.TestCase):
    def test_options_are_keywords(self):
        from tenure.errors import in_python
        for said, expected in (
                ("bind them with --dim batch=N --dim past=N (batch*past bytes)", 'bind them with dims={"batch": N, "past": N} (batch*past bytes)'),
                ("give one with --dim 'a b=5..N'", 'give one with dims={"a b": "5..N"}'),
                ("bind it with --dim, or plan with --concurrency=serial", "bind it with dims, or plan with concurrency='serial'"),
                ("plan with -O3 (-O0 is larger)", "plan with O=3 (O=0 is larger)"),
                ("--align must be a power of two", "align must be a power of two"),
                ("not --reuse-inputs; a--b stays", "not reuse_inputs; a--b stays")):
            self.assertEqual(in_python(said), expected)
        with self.assertRaises(tenure.TenureError) as caught:
            tenure.plan(os.path.join(SHIPPED, "gpt_decoder.onnx")).emit("json")
        self.assertIn("dims={", str(caught.exception))
        self.assertNotIn("--dim", str(caught.exception))
        partial = tenure.plan(os.path.join(SHIPPED, "gpt_decoder.onnx"), partial=True)
        self.assertIn('bind it with dims={"batch": N}', partial.report())
        self.assertNotIn("--", partial.report())

    def test_explain_takes_a_plan(self):
        path = os.path.join(SHIPPED, "ds_cnn.onnx")
        plan = tenure.plan(path, O=1)
        self.assertEqual(tenure.explain(plan), tenure.explain(path, O=1))
        self.assertNotEqual(tenure.explain(plan), tenure.explain(path))
        read = tenure.read_plan(plan.json())
        self.assertIn('step 1 (Relu \'Relu_0\')', read.explain("Relu_0*"))
        with self.assertRaisesRegex(tenure.UsageError, "O: the plan is made already"):
            read.explain(O=3)

    path = os.path.join(SHIPPED, "ds_cnn.onnx")

    def test_kinds(self):
        for options, kind, said in (
            ({"capcity": 3}, tenure.UsageError, "did you mean 'capacity'"),
            ({"align": 3}, tenure.UsageError, "a power of two"),
            ({"dims": {"bach": 3}}, tenure.UsageError, "no dimension 'bach'"),
            ({"exclude": ["mfc"]}, tenure.UsageError, "did you mean 'mfcc'"),
            ({"io": "aren"}, tenure.UsageError, "arena"),
            ({"capacity": "1K"}, tenure.CapacityError, "capacity of 1024"),
            ({"passes": "reus"}, tenure.UsageError, "reuse"),
            ({"emit": "json"}, tenure.UsageError, "Plan.emit"),
        ):
            with self.subTest(options), self.assertRaises(kind) as caught:
                tenure.plan(self.path, **options)
            self.assertIn(said, str(caught.exception))
        with self.assertRaises(tenure.ModelError) as caught:
            tenure.plan(b"no model at all", name="x.onnx")
        self.assertTrue(str(caught.exception).startswith("x.onnx: error:"))
        self.assertEqual(caught.exception.diagnostics[0].severity, "error")
        with self.assertRaises(TypeError):
            tenure.plan(7)
        with self.assertRaises(KeyError) as missing:
            tenure.plan(self.path)["mfc"]
        self.assertIn("did you mean 'mfcc'", str(missing.exception))
        with self.assertRaises(tenure.ModelError):
            tenure.read_plan(tenure.plan(self.path).json()).check(os.path.join(SHIPPED, "lstm.onnx"))

    def test_callbacks(self):
        doing, threads = [], set()

        def progress(what):
            doing.append(what)
            threads.add(threading.current_thread())
        context = tenure.Context(on_progress=progress)
        tenure.plan(self.path, context=context)
        self.assertEqual((doing[0], doing[-1]), ("read", "check"))
        self.assertEqual(threads, {threading.main_thread()})

        def refuse(_what):
            raise ZeroDivisionError
        context = tenure.Context(on_progress=refuse)
        with self.assertRaises(ZeroDivisionError):
            tenure.plan(self.path, context=context)
        said = []
        tenure.plan(self.path, stats=True, context=tenure.Context(on_log=said.append))
        self.assertIn("reuse", "".join(said))


class Graphs(unittest.TestCase):
    def built(self):
        model = tenure.new_model("built", opsets={"": 17})
        g = model.graph
        x, m = g.add_input("x", "f32[4]"), g.add_input("m", "i64[]")
        loop = g.append("Loop", [m, None, x], name="again")
        body = loop.add_body("body", "inner")
        body.add_input("i", "i64[]")
        go, v = body.add_input("go", "bool[]"), body.add_input("v", "f32[4]")
        body.add_output(body.add_op("Identity", go, result="on"))
        body.add_output(body.add_op("Add", v, x, result="sum"))
        g.add_output(loop.add_result("y"))
        return model

    def test_build(self):
        model = self.built()
        plan = model.plan()
        self.assertEqual([s.op for s in plan.steps], ["Loop", "Identity", "Add", "Loop"])
        self.assertEqual(tenure.plan(model.text().encode()).arena_size, plan.arena_size)
        model.run("infer-shapes")
        again = onnx.load_model_from_string(model.to_onnx())
        onnx.checker.check_model(again)
        self.assertEqual(list(tenure.load(again).graph)[0].bodies["body"].path, "again/inner")

    def test_change(self):
        model = tenure.load(os.path.join(SHIPPED, "ds_cnn.onnx"))
        relus = [op for op in model.graph if op.type == "Relu"]
        uses = relus[0].result.uses
        self.assertTrue(uses)
        for op in relus:
            op.result.replace_by(op.operands[0])
            op.remove()
        self.assertTrue(relus[0].removed)
        self.assertEqual(uses[0][0].operands[uses[0][1]].producer.type, "Conv")
        model.verify()
        with self.assertRaises(tenure.ModelError):
            model.graph.add_op("Relu", model.graph.inputs[0], result=model.graph.inputs[0].name)
            model.verify()

    def test_attributes_and_constants(self):
        import numpy
        model = tenure.new_model("consts", opsets={"": 17})
        op = model.graph.append("Some", domain="my", attributes={
            "i": 3, "f": 0.5, "s": "text", "b": b"\xff\0", "is": [1, 2], "fs": [1, 0.5], "ss": ["a", "b"],
            "t": numpy.array([[1, 2]], "i8")})
        self.assertEqual({k: op.attributes[k] for k in ("i", "f", "s", "b", "is", "fs", "ss")}, {
            "i": 3, "f": 0.5, "s": "text", "b": b"\xff\0", "is": (1, 2), "fs": (1.0, 0.5), "ss": ("a", "b")})
        self.assertEqual(op.attributes["t"].elements, (1, 2))
        del op.attributes["i"]
        self.assertNotIn("i", op.attributes)
        for dtype in ("f4", "f8", "f2", "i1", "u2", "i8", "?", "c8", ">f4"):
            data = numpy.arange(6).reshape(2, 3).astype(dtype)
            numpy.testing.assert_array_equal(numpy.asarray(model.graph.add_constant("", data)), data)

    def test_passes(self):
        @tenure.register_pass("drop-relu", options={"most": 2, "loud": False}, counters={"dropped": "ops taken out"})
        def drop(run):
            """take out some"""
            for op in [op for op in run.model.graph if op.type == "Relu"][: run.options["most"]]:
                op.result.replace_by(op.operands[0])
                op.remove()
                run.count("dropped")
            run.report("remark", "done", next(iter(run.model.graph)))
        path = os.path.join(SHIPPED, "ds_cnn.onnx")
        n = len(tenure.plan(path).steps)
        plan = tenure.plan(path, passes="drop-relu{most=3},O2")
        self.assertEqual(len(plan.steps), n - 3)
        self.assertIn("done", [d.text for d in plan.diagnostics])
        self.assertIn("drop-relu", tenure.passes())

        @tenure.register_pass("fails")
        def fails(_run):
            raise LookupError("on purpose")
        with self.assertRaisesRegex(LookupError, "on purpose"):
            tenure.plan(path, passes="fails,O2")

        @tenure.register_pass("breaks")
        def breaks(run):
            ops = run.model.graph.ops
            ops[0].set_operand(0, ops[-1].result)
        with self.assertRaisesRegex(tenure.TenureError, "breaks"):
            tenure.plan(path, passes="breaks,O2")

    def test_onnx_ir(self):
        class Drop(onnx_ir.passes.InPlacePass):
            def call(self, model):
                for node in [n for n in model.graph if n.op_type == "Identity"]:
                    node.outputs[0].replace_all_uses_with(node.inputs[0])
                    model.graph.remove(node, safe=True)
                return onnx_ir.passes.PassResult(model, True)
        with tempfile.TemporaryDirectory() as folder:
            model = onnx_ir.from_proto(snippets.model())
            memory = tenure.onnx_ir.PlanMemory(dims={"batch": 3}, O=3)
            result = onnx_ir.passes.Sequential(Drop(), memory)(model)
            self.assertTrue(result.modified)
            self.assertFalse(memory(model).modified)  # as it is
            path = os.path.join(folder, "planned.onnx")
            onnx_ir.save(model, path)
            subprocess.run([COMMAND, "check", path, "-q"], check=True)
            self.assertIn("tenure.plan.step", next(iter(model.graph)).metadata_props)


class Packing(unittest.TestCase):
    def test_pack(self):
        offsets, height = tenure.pack([0, 2, 3], [3, 5, 6], [64, 32, 16], align=16)
        self.assertEqual((height, sorted(offsets)[0]), (96, 0))
        found = tenure.pack(None, None, [8, 8, 8], conflicts=[(0, 1), (1, 2)])
        self.assertEqual((found.height, found.optimal), (16, True))
        with self.assertRaises(tenure.CapacityError):
            tenure.pack([0, 0], [1, 1], [8, 8], capacity=8)
        with self.assertRaises(tenure.UsageError):
            tenure.pack([0], [1, 1], [8, 8])


class Converter(unittest.TestCase):
    def test_loop_runs_as_c(self):
        import struct
        with tempfile.TemporaryDirectory() as folder:
            model, source, program = (os.path.join(folder, name) for name in ("net.onnx", "net.c", "net"))
            with open(model, "wb") as f:
                f.write(Graphs().built().to_onnx())
            script = os.path.join(TOP, "examples", "python", "converter.py")
            with open(script, encoding="utf-8") as f:
                self.assertLessEqual(sum(line != "\n" for line in f), 61)
            subprocess.run([sys.executable, script, model, source], check=True)
            cc = os.environ.get("CC", "cc").split()
            subprocess.run([*cc, "-std=c11", "-Wall", "-Werror", source, "-lm", "-o", program], check=True)
            for count in (0, 1, 5):
                x = (1.0, -2.0, 0.5, 0.0)
                done = subprocess.run([program], input=struct.pack("<4fq", *x, count), capture_output=True, check=True)
                self.assertEqual(struct.unpack("<4f", done.stdout), tuple(v * (1 + count) for v in x))


if __name__ == "__main__":
    unittest.main()

"""How the Python package ends and lives: Ctrl-C, cancelling, threads, callbacks, processes, memory. package_tests.py runs these."""

import _thread
import gc
import os
import signal
import sys
import tempfile
import threading
import unittest

import tenure
from package_models import SHIPPED, commands_plan, hard_model, packages_plan, same


class Ending(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.hard = hard_model(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def searching(self, then):
        """A context whose search calls `then` in another thread: the search of the hard model takes minutes, so a call
        that ends otherwise than by `then` has not heard it."""
        begun = threading.Event()

        def wait():
            begun.wait()
            then()
        beside = threading.Thread(target=wait)
        beside.start()
        self.addCleanup(beside.join)
        self.addCleanup(begun.set)
        return tenure.Context(on_progress=lambda doing: begun.set() if doing == "schedule" else None)

    @staticmethod
    def ctrl_c():
        os.kill(os.getpid(), signal.SIGINT)

    def test_ctrl_c(self):
        context = self.searching(self.ctrl_c)
        model = tenure.load(self.hard, context=context)
        with self.assertRaises(KeyboardInterrupt):
            model.plan(O=3)
        self.assertGreater(model.plan(O=1).arena_size, 0)  # all goes on

    def test_ctrl_c_keeps_the_best(self):
        plan = tenure.plan(self.hard, O=3, keep_best=True, context=self.searching(self.ctrl_c))
        self.assertTrue(plan.interrupted)
        plan.check()
        self.assertIn('"interrupted": true', plan.json())
        self.assertFalse(tenure.plan(self.hard, O=1, keep_best=True).interrupted)

    def test_ctrl_c_between_any_instructions(self):
        path = os.path.join(SHIPPED, "ds_cnn.onnx")
        package = os.path.dirname(tenure.__file__)
        count = {"left": 0, "passed": 0}

        def instruction(_frame, event, _argument):
            if event == "opcode":
                count["passed"] += 1
                count["left"] -= 1
                if count["left"] == 0:
                    raise KeyboardInterrupt
            return instruction

        def call(frame, _event, _argument):
            if not frame.f_code.co_filename.startswith(package):
                return None
            frame.f_trace_opcodes = True
            return instruction

        def plan(interrupted_at):
            count.update(left=interrupted_at, passed=0)
            sys.settrace(call)
            try:
                return tenure.plan(path).arena_size
            finally:
                sys.settrace(None)
        self.assertEqual(plan(-1), 64000)
        every = count["passed"]
        self.assertGreater(every, 500)
        for at in range(1, every - 20, max(1, every // 400)):  # waits for the other thread differ by a few
            with self.assertRaises(KeyboardInterrupt, msg=f"instruction {at} of {every}"):
                plan(at)
        self.assertEqual(tenure.plan(path).arena_size, 64000)

    def test_cancel(self):
        context = self.searching(lambda: context.cancel())
        with self.assertRaises(tenure.InterruptedPlanning) as caught:
            tenure.plan(self.hard, O=3, context=context)
        self.assertEqual(caught.exception.status, 130)

    def test_other_threads_run(self):
        ran = []

        def then():
            ran.extend(range(100))
            _thread.interrupt_main()
        with self.assertRaises(KeyboardInterrupt):
            tenure.plan(self.hard, O=3, context=self.searching(then))
        self.assertEqual(len(ran), 100)


class Living(unittest.TestCase):
    path = os.path.join(SHIPPED, "ds_cnn.onnx")

    @staticmethod
    def resident():
        with open("/proc/self/statm", encoding="ascii") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def test_memory_does_not_grow(self):
        def some(n):
            for _ in range(n):
                plan = tenure.plan(self.path)
                plan.emit("json")
                len(plan.steps)
            gc.collect()
            return self.resident()
        first = some(50)
        self.assertLess(some(100), first + (1 << 20))

    def test_two_threads(self):
        found, names = {}, ("ds_cnn", "lstm")

        def work(name):
            path = os.path.join(SHIPPED, name + ".onnx")
            found[name] = {packages_plan(path) for _ in range(20)}
        threads = [threading.Thread(target=work, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for name in names:
            same(self, found[name], {commands_plan(os.path.join(SHIPPED, name + ".onnx"), [])})

    def test_calls_share_a_thread(self):
        tenure.plan(self.path)
        before = len(os.listdir("/proc/self/task"))
        for _ in range(20):
            tenure.plan(self.path)
        self.assertEqual(len(os.listdir("/proc/self/task")), before)

    def test_plans_inside_a_callback(self):
        sizes = []
        context = tenure.Context(on_progress=lambda _what: sizes.append(tenure.plan(self.path).arena_size))
        size = tenure.plan(self.path, context=context).arena_size
        self.assertEqual(set(sizes), {size})

    def test_a_child_process_plans(self):
        size = tenure.plan(self.path).arena_size
        child = os.fork()
        if child == 0:
            os._exit(0 if tenure.plan(self.path).arena_size == size else 1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)

    def test_parts_outlive_what_made_them(self):
        value = tenure.load(self.path).graph.inputs[0]
        steps = tenure.plan(self.path).steps
        gc.collect()
        self.assertEqual((value.name, steps[0].op), ("mfcc", "Conv"))

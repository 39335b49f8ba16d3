#!/usr/bin/env python3
"""What users get wrong: each row of the table is answered by the right exception with a message to act on; none crashes."""
import copy
import os
import pickle
import tempfile
import unittest

import numpy as np

import touchstone as ts

BOX = ts.Shape("box:1,1,1")
SLIDE = {"touchstone": 1, "dimension": 2, "bodies": [
    {"name": "floor", "shape": {"half_space": {"normal": [0, 1]}}, "fixed": True},
    {"name": "crate", "shape": {"box": [1, 1]}, "mass": 1, "position": [0, 0.5]}]}


def sim(**keys):
    return ts.Simulation(SLIDE, **keys)


def step_with(model=None, solver=None, finder=None, formulation=None):
    made = sim(model="standard")
    for value, use in ((model, made.set_contact_model), (solver, made.set_solver), (finder, made.set_pair_finder),
                       (formulation, made.set_formulation)):
        if value is not None:
            use(value)
    made.step()


def crate():
    return sim().bodies["crate"]


def hinge(upper=None):
    joint = ts.Simulation("hanging-rod").joints[0]
    if upper is not None:
        joint.upper = np.full(joint.value.shape, upper)
    return joint


class Forgetful(ts.Simulation):
    def __init__(self):
        pass


def looped():
    loop = {}
    loop["loop"] = loop
    return loop


# what is done, the exception, what its message says
MISUSES = [
    # scenes
    (lambda: ts.Simulation("bxo-stack"), ts.BadScene, 'did you mean "box-stack"'),
    (lambda: ts.Simulation("nowhere/scene.yaml"), ts.BadScene, "no such file"),
    (lambda: ts.Simulation(7), TypeError, "expected the name of a scene.*got 7"),
    (lambda: ts.Simulation(None), TypeError, "got None"),
    (lambda: ts.Simulation({"touchstone": 1, "dimension": 2, "bodies": [{"shape": {"bix": [1, 1]}}]}), ts.BadScene,
     r'bodies\[0\].shape: unknown shape "bix"; did you mean "box"'),
    (lambda: ts.Simulation({"touchstone": 1, "dimension": 2, 3: 4}), TypeError, "texts as keys"),
    (lambda: ts.Scene(looped()), ts.BadInput, "nested too deeply"),
    (lambda: ts.Scene({"touchstone": 1, "dimension": 2, "step": float("nan"), "bodies": []}), ts.BadInput, "scene.step: expected a finite"),
    (lambda: ts.Scene({"touchstone": 1, "dimension": 2, "bodies": [{"mass": object()}]}), TypeError, "scene.bodies.0..mass"),
    (lambda: sim(model="planar"), ts.BadScene, 'did you mean "plane"'),
    (lambda: sim(solver="lemkey"), ts.BadScene, 'did you mean "lemke"'),
    (lambda: sim(step=-1), ts.BadScene, "^step=-1: step: expected"),
    (lambda: sim(threads=-1), ts.BadInput, "threads: expected 0"),
    (lambda: ts.Simulation(SLIDE, "contact.friction=1"), TypeError, "overrides: expected a dict"),
    (lambda: ts.Simulation(SLIDE, {"bodies.crat.mass": 1}), ts.BadScene, 'did you mean "crate"'),
    (lambda: ts.Simulation("touchstone: 1\ndimension: 5\nbodies: []\n"), ts.BadScene, "scene:2: dimension: expected 2 or 3"),
    # worlds
    (lambda: ts.World(4), ts.BadScene, "dimension: expected 2 or 3"),
    (lambda: ts.World(2, gravty=[0, 0]), ts.BadScene, 'did you mean "gravity"'),
    (lambda: ts.World(2).add_body("b", {"box": [1, 1]}, mas=1), ts.BadScene, 'body "b": .*did you mean "mass"'),
    (lambda: ts.World(2).add_body("b", {"box": [1, 1, 1]}, mass=1), ts.BadScene, 'body "b"'),
    (lambda: ts.World(2).add_body("b", {"box": [1, 1]}, mass=-1), ts.BadScene, "mass: expected"),
    (lambda: ts.World(2).add_body("b", BOX, mass=1), ts.BadScene, 'body "b"'),
    (lambda: ts.World(2).add_joint("j", kind="revolute", bodies=["world", "nobody"]), ts.BadScene, 'joint "j"'),
    (lambda: ts.World(2).add_body("a", {"box": [1, 1]}, mass=1).add_body("b", {"box": [1, 1]}, mass=1).scene(), ts.BadScene, "overlap at the start"),
    # states
    (lambda: setattr(crate(), "position", [1, 2, 3]), ts.BadInput, r"position: expected 2 numbers, got \[1, 2, 3\]"),
    (lambda: setattr(crate(), "position", "up"), TypeError, "position: expected real numbers, got 'up'"),
    (lambda: setattr(crate(), "velocity", [np.nan, 0]), ts.BadInput, "velocity: expected finite"),
    (lambda: setattr(crate(), "velocity", [1j, 0]), TypeError, "velocity: expected real numbers"),
    (lambda: setattr(crate(), "mass", 0), ts.BadInput, "mass: expected a positive number"),
    (lambda: setattr(crate(), "positoin", [1, 2]), AttributeError, "positoin"),
    (lambda: crate().add_force(3), ts.BadInput, "force: expected 2 numbers"),
    (lambda: sim().bodies["crat"], KeyError, 'did you mean "crate"'),
    (lambda: sim().bodies[2], IndexError, "there are 2"),
    (lambda: sim().bodies[1.5], TypeError, "number or the name of a body"),
    (lambda: sim().joints["hinge"], KeyError, "no joint.*there are none"),
    (lambda: setattr(ts.Simulation("double-pendulum").joints[0], "force", [1, 2]), ts.BadInput, "force: expected 1 numbers"),
    # runs
    (lambda: sim().run_until(float("inf")), ts.BadInput, "time: expected finite"),
    (lambda: sim().run_until("soon"), TypeError, "time: expected real numbers"),
    (lambda: sim().on_step(3), TypeError, "function: expected a function"),
    (lambda: sim().record("/nowhere/at/all.h5"), ts.BadInput, "/nowhere/at/all.h5"),
    (lambda: sim().record(3), TypeError, "file: expected a path"),
    (lambda: Forgetful(), TypeError, "__init__.. must be called"),
    (lambda: copy.copy(crate()), TypeError, "pickle"),
    (lambda: pickle.dumps(crate()), TypeError, "pickle"),
    (lambda: sim().set_state(3), TypeError, "set_state"),
    (lambda: sim().contact_force("nobody"), KeyError, 'there is no body "nobody"'),
    (lambda: setattr(ts.Simulation("double-pendulum").joints[0], "value", [1, 2]), ts.BadInput, "value: expected 1 numbers"),
    (lambda: sim().bodies.positions.__setitem__((0, 0), 5), ValueError, "read-only"),
    # stages
    (lambda: sim().set_contact_model("standart"), ts.BadInput, 'did you mean "standard"'),
    (lambda: sim().set_contact_model(5), TypeError, "model: expected a name, a function"),
    (lambda: step_with(model=lambda scene: 5), TypeError, "the contact model returned 5"),
    (lambda: step_with(model=lambda scene: [5]), TypeError, "expected a Contact"),
    (lambda: step_with(model=lambda scene: [ts.Contact(0, 9, [0, 0], [0, 1], 0)]), ts.BadInput, "names part 9"),
    (lambda: step_with(model=lambda scene: [ts.Contact(1, 0, [0, 0], [0, 2], 0)]), ts.BadInput, "length 1"),
    (lambda: step_with(model=lambda scene: [ts.Contact(1, 0, [0, 0, 0], [0, 1], 0)]), ts.BadInput, "point: expected 2"),
    (lambda: step_with(solver=lambda problem: 0), TypeError, "positional argument"),
    (lambda: step_with(solver=lambda problem, settings: [1, 2, 3]), ts.BadInput, "the solver returned 3 numbers"),
    (lambda: step_with(solver=lambda problem, settings: None), TypeError, "what the solver returned"),
    (lambda: sim().set_solver("no-such"), ts.BadInput, "there is no solver"),
    (lambda: step_with(finder=lambda low, high: [[0, 7]]), ts.BadInput, "parts 0 and 7"),
    (lambda: step_with(finder=lambda low, high: 3), ts.BadInput, "pairs: expected"),
    (lambda: step_with(formulation=lambda equations: 3), TypeError, "expected an object with `problem`"),
    # objects that were never made, and joints that no scene would have
    (lambda: ts.Simulation.__new__(ts.Simulation).time, RuntimeError, "__init__ has not run"),
    (lambda: ts.Simulation.__new__(ts.Simulation).step(), RuntimeError, "__init__ has not run"),
    (lambda: ts.Simulation.__new__(ts.Simulation).set_solver(len), RuntimeError, "__init__ has not run"),
    (lambda: repr(ts.Simulation.__new__(ts.Simulation)), RuntimeError, "__init__ has not run"),
    (lambda: ts.Body.__new__(ts.Body).name, RuntimeError, "the simulation is gone"),
    (lambda: len(ts.Bodies.__new__(ts.Bodies)), RuntimeError, "the simulation is gone"),
    (lambda: ts.Joint.__new__(ts.Joint).rate, RuntimeError, "the simulation is gone"),
    (lambda: setattr(hinge(), "damping", -5), ts.BadInput, "damping: expected no number below zero"),
    (lambda: setattr(hinge(), "force", float("inf")), ts.BadInput, "force"),
    (lambda: (setattr(hinge(), "lower", 2), setattr(hinge(upper=1), "lower", 2)), ts.BadInput, "lower: expected the lower limit below"),
    (lambda: ts.Simulation.resume("none.h5"), ts.BadInput, "none.h5"),
    (lambda: ts.Simulation.resume(3), TypeError, "file"),
    # shapes and queries
    (lambda: ts.Shape("bxo:1,1,1"), ts.BadInput, 'did you mean "box"'),
    (lambda: ts.Shape([[0, 0], [1, 1], [2, 2]]), ts.BadInput, "shape"),
    (lambda: ts.Shape(np.zeros((4, 5))), ts.BadInput, "points of 2 or 3 numbers"),
    (lambda: ts.Shape.from_faces([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 9, 1]]), ts.BadShape, ""),
    (lambda: ts.Shape.load("none.obj"), ts.BadMeshFile, "none.obj"),
    (lambda: ts.Shape({"sphere": 1}).vertices, ts.BadInput, "a sphere has no vertices"),
    (lambda: ts.Shape(3), TypeError, "expected a Shape, a dict"),
    (lambda: ts.query(BOX, {"box": [1, 1]}), ts.BadInput, "b"),
    (lambda: ts.query(BOX, BOX, [0, 0]), ts.BadInput, "pose_a: is 2D; expected 3D"),
    (lambda: ts.query(BOX, BOX, 2 * np.eye(4)), ts.BadInput, "pose_a"),
    (lambda: ts.query("half_space:0,0,1,0", "half_space:0,0,1,0"), ts.BadInput, "two half-spaces"),
    (lambda: ts.query(BOX, BOX, [1e200, 0, 0]), ts.BadInput, "beyond 1e60 m"),
    (lambda: ts.query(BOX, "sphere:1", None, [0, 1e155, 0]), ts.BadInput, "the pose of body B"),
    (lambda: ts.Pose([0, 0, 0], angle=1), ts.BadInput, "pose.position: expected a list of 2"),
    (lambda: ts.BroadPhase(2).move(3, [0, 0], [1, 1]), IndexError, "no proxy 3"),
    (lambda: ts.BroadPhase(2).insert([1, 1], [0, 0]), ts.BadInput, ""),
    # solvers and files
    (lambda: ts.Lcp([[1, 2]], [1]), ts.BadInput, "M is"),
    (lambda: ts.Lcp([1, 2], [1]), ts.BadInput, "M: expected a matrix"),
    (lambda: ts.Mlcp([[1]], [1], [2]), TypeError, "free: expected a list of True and False"),
    (lambda: ts.FrictionProblem(np.eye(3), [1, 1, 1], [-1]), ts.BadInput, "negative"),
    (lambda: ts.solve(ts.Lcp([[1]], [1]), "lemky"), ts.BadInput, "there is no solver"),
    (lambda: ts.solve([[1]]), TypeError, "problem: expected an Lcp"),
    (lambda: ts.solve(ts.Lcp([[1]], [1]), start=[1, 2]), ts.BadInput, "start: expected 1 numbers"),
    (lambda: ts.residual(ts.Lcp([[1]], [1]), [1, 2]), ts.BadInput, "z: expected 1 numbers"),
    (lambda: ts.read_problem("none.json"), ts.BadProblem, "none.json"),
    (lambda: ts.Recording("none.h5"), ts.BadRecording, "none.h5: there is no such file"),
    (lambda: ts.Recording(__file__), ts.BadRecording, "misuse_test.py"),
    (lambda: ts.check("none.h5"), ts.BadRecording, "none.h5"),
]


class Misuse(unittest.TestCase):
    def test_every_misuse_is_told_clearly(self):
        for number, (action, kind, message) in enumerate(MISUSES):
            with self.subTest(row=number, expected=message):
                with self.assertRaisesRegex(kind, message) as caught:
                    action()
                self.assertGreater(len(str(caught.exception)), 10)
                self.assertNotIn("std::", str(caught.exception))

    def test_a_recording_is_asked_for_what_it_has_not(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "run.h5")
            with sim().record(file) as made:
                made.run_until(0.01)
            recording = ts.Recording(file)
            for name, hint in (("steps/mingap", "min_gap"), ("tim", "time"), ("", "no"), ("a/b/c", "no")):
                with self.assertRaisesRegex(KeyError, hint):
                    recording[name]
            with self.assertRaisesRegex(ts.BadInput, "tolerance"):
                ts.check(recording, -1)

    def test_no_call_with_any_argument_does_worse_than_raise(self):
        """Every function, constructor, method and setter with arguments from a pool of what users and accidents give."""
        random = np.random.RandomState(1)
        pool = [None, True, 0, -1, 3, 2**70, 0.5, 1e308, float("nan"), float("inf"), "", "x", "crate", "box:1,1", b"x", [], [1, 2], [1, 2, 3],
                [[1, 0], [0, 1]], {}, {"box": [1, 1]}, {"a": {}}, np.zeros((3, 3)), np.eye(4), np.array(["a"]), np.array(None), object(), len,
                lambda *given: given, BOX, ts.Pose([0, 0]), ts.Lcp([[1]], [-1]), SLIDE, range(3), 1j]
        blocking = {"run_until", "run"}  # which would do as told, for a long time
        raised = calls = 0
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for _ in range(40):
                    simulation, tree = sim(model="standard"), ts.BroadPhase(2)
                    samples = [simulation, simulation.bodies, simulation.bodies["crate"], simulation.joints, simulation.report,
                               ts.Simulation("double-pendulum").joints[0], simulation.scene, ts.World(2), BOX, ts.Pose([0, 0]), tree, ts.Lcp([[1]], [1])]
                    targets = [getattr(ts, name) for name in ts.__all__ if not (isinstance(getattr(ts, name), type) and
                                                                                  issubclass(getattr(ts, name), Exception))]
                    for sample in samples:
                        for name in dir(type(sample)):
                            if isinstance(vars(type(sample)).get(name), property):
                                targets.append(lambda value, sample=sample, name=name: setattr(sample, name, value))
                            elif not name.startswith("__") and name not in blocking:
                                targets.append(getattr(sample, name))
                    for target in targets:
                        given = [pool[i] for i in random.randint(len(pool), size=random.randint(4))]
                        calls += 1
                        try:
                            repr(target(*given))
                        except Exception:
                            raised += 1
            finally:
                os.chdir(before)
        self.assertGreater(calls, 5000)
        self.assertGreater(raised, calls / 2)

    def test_errors_are_values_that_python_knows(self):
        self.assertTrue(issubclass(ts.BadScene, ts.BadInput) and issubclass(ts.BadInput, ValueError))
        self.assertTrue(issubclass(ts.BadRecording, ts.Error) and issubclass(ts.StepFailed, RuntimeError))


if __name__ == "__main__":
    unittest.main()

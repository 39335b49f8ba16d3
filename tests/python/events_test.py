#!/usr/bin/env python3
"""Motion to an accuracy, its events and its statement, as a user of Python meets them."""
import gc
import math
import unittest
import weakref

import touchstone as ts

DROP = {"touchstone": 1, "dimension": 2, "step": 0.1, "gravity": [0, -9.81], "bodies": [
    {"name": "floor", "shape": {"half_space": {"normal": [0, 1]}}, "fixed": True},
    {"name": "crate", "shape": {"box": [1, 1]}, "mass": 1, "position": [0, 2.5]}]}
SLEDGE = {"touchstone": 1, "dimension": 3, "step": 0.1, "gravity": [0, 0, 0], "accuracy": 1e-9, "bodies": [
    {"name": "sledge", "shape": {"box": [1, 1, 1]}, "mass": 1, "velocity": [2, 0, 0]}],
    "joints": [{"name": "way", "kind": "prismatic", "bodies": ["world", "sledge"], "axis": [1, 0, 0], "limits": [-3, 1],
                "limit_restitution": 0.5}]}
FALL = math.sqrt(2 * 2 / 9.81)


class Events(unittest.TestCase):
    def test_functions_are_called_for_each_event_with_what_touches(self):
        sim = ts.Simulation(DROP, accuracy=1e-9)
        events = []
        sim.on_event(events.append)
        sim.run_until(1)
        self.assertEqual([e.kind for e in events], ["impact"])
        self.assertAlmostEqual(events[0].time, FALL, delta=1e-12)
        self.assertEqual(set(events[0].bodies), {"floor", "crate"})
        self.assertTrue(any(f.startswith("vertex") for f in events[0].features), events[0].features)
        self.assertIsNone(events[0].joint)
        self.assertEqual(sim.summary().events, {"impact": 1})

    def test_the_report_of_the_step_has_its_events(self):
        sim = ts.Simulation(DROP, accuracy=1e-9)
        found = []
        sim.on_step(lambda s: found.append((s.time, [e.kind for e in s.report.events])))
        sim.run_until(1)
        self.assertEqual([(round(t, 9), k) for t, k in found if k], [(0.7, ["impact"])])
        self.assertLessEqual(sim.report.accuracy["estimated"], 1e-9)

    def test_limits_of_joints_are_events_with_the_name_of_the_joint(self):
        sim = ts.Simulation(SLEDGE)
        events = []
        sim.on_event(events.append)
        sim.run_until(4)
        self.assertEqual([(e.kind, e.joint, e.bodies, e.features) for e in events], [("limit", "way", (None, "sledge"), None)])
        self.assertAlmostEqual(events[0].time, 0.5, delta=1e-12)
        self.assertAlmostEqual(sim.bodies["sledge"].position[0], 1 - 3.5, delta=1e-9)

    def test_the_accuracy_can_be_set_and_taken_back(self):
        sim = ts.Simulation(DROP)
        self.assertEqual(sim.accuracy, 0)
        self.assertIsNone(sim.summary().accuracy)
        sim.accuracy = 1e-9
        self.assertEqual((sim.accuracy, sim.scene.overrides[-1]), (1e-9, "accuracy=1e-09"))
        sim.run_until(1)
        statement = sim.summary().accuracy
        self.assertEqual((statement["requested"], statement["reason"]), (1e-9, ""))
        self.assertLessEqual(statement["estimated"], 1e-9)
        self.assertAlmostEqual(statement["trusted_until"], 1, delta=1e-12)
        self.assertAlmostEqual(sim.bodies["crate"].position[1], 0.5, delta=1e-12)
        sim.accuracy = 0
        sim.step()
        self.assertIsNone(sim.report.accuracy)

    def test_what_is_no_accuracy_is_refused(self):
        sim = ts.Simulation(DROP)
        for wrong in (-1, math.nan, math.inf):
            with self.assertRaises(ValueError):
                sim.accuracy = wrong
        with self.assertRaises(TypeError):
            sim.accuracy = "fine"
        with self.assertRaises(TypeError):
            sim.on_event(3)

    def test_a_function_that_throws_ends_the_run_and_one_that_holds_the_simulation_lets_it_go(self):
        sim = ts.Simulation(DROP, accuracy=1e-9)

        @sim.on_event
        def fail(event):
            raise KeyError(event.kind)
        with self.assertRaisesRegex(KeyError, "impact"):
            sim.run_until(1)
        sim.on_event(lambda e, held=sim: held)
        gone = weakref.ref(sim)
        del sim
        gc.collect()
        self.assertIsNone(gone())


if __name__ == "__main__":
    unittest.main()

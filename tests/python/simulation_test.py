#!/usr/bin/env python3
"""Scenes that run, as a user of Python meets them."""
import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import weakref

import numpy as np

import touchstone as ts

SLIDE = {"touchstone": 1, "dimension": 2, "step": 0.01, "contact": {"friction": 0.1}, "bodies": [
    {"name": "floor", "shape": {"half_space": {"normal": [0, 1]}}, "fixed": True},
    {"name": "crate", "shape": {"box": [1, 1]}, "mass": 1, "position": [0, 0.5], "velocity": [2, 0]}]}


class Scenes(unittest.TestCase):
    def test_a_scene_is_a_name_a_file_a_text_a_dict_or_a_world(self):
        text = ts.Scene("slide").text
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mine.yaml")
            with open(path, "w") as file:
                file.write(text)
            scenes = [ts.Scene("slide"), ts.Scene(path), ts.Scene(text), ts.Scene(SLIDE)]
        self.assertEqual([s.name for s in scenes], ["slide", "mine", "scene", "scene"])
        self.assertEqual({s.dimension for s in scenes}, {2})
        self.assertEqual(scenes[0].body_names, ["table", "floor", "crate"])
        self.assertIn("slide", ts.scenes())

    def test_overrides_change_values(self):
        scene = ts.Scene(SLIDE, {"contact.friction": 0.3, "bodies.crate.mass": np.float64(2)}, step=0.02, model="standard")
        self.assertEqual((scene.step, scene.model), (0.02, "standard"))
        sim = ts.Simulation(scene, solver="lemke")
        self.assertEqual((sim.bodies["crate"].mass, sim.scene.solver, sim.scene.step), (2, "lemke", 0.02))

    def test_a_world_made_in_code_is_the_same_as_its_scene(self):
        world = ts.World(2, step=0.01, contact={"friction": 0.1})
        world.add_body("floor", "half_space:0,1,0", fixed=True)
        world.add_body("crate", ts.Shape.hull([[-.5, -.5], [.5, -.5], [.5, .5], [-.5, .5]]), mass=1, position=np.array([0, .5]),
                       velocity=(2, 0))
        hashes = set()
        for source in (world, SLIDE, world.to_dict(), world.scene("named")):
            sim = ts.Simulation(source)
            sim.run_until(0.5)
            hashes.add(sim.summary().state_hash)
        self.assertEqual(len(hashes), 1)

    def test_pairs_of_bodies_have_surfaces_and_tell_whose_forces_are_open(self):
        world = ts.World(2, step=0.01, contact={"friction": 0.5, "determinacy": True})
        world.add_body("beam", {"box": [3, 0.2]}, mass=1, position=[0, 0.1])
        for name, x in (("left", -1), ("right", 1)):
            world.add_body(name, {"sphere": 0.1}, fixed=True, position=[x, -0.1])
        world.add_body("block", {"box": [0.2, 0.2]}, mass=1, position=[0, 0.3], velocity=[1, 0])
        world.add_body_surface("block", "beam", friction=0.2)
        with self.assertRaisesRegex(ts.BadInput, 'no body "blok"'):
            world.add_body_surface("blok", "beam", friction=0.2)
            world.scene()
        sim = ts.Simulation(world)
        with tempfile.TemporaryDirectory() as folder:
            with sim.record(os.path.join(folder, "run.h5")):
                sim.run_until(0.1)
        self.assertEqual(sim.report.undetermined.tolist(), [[0, 1], [0, 2]])
        self.assertEqual(sim.summary().as_dict()["undetermined_pairs"], 2)
        self.assertAlmostEqual(sim.bodies["block"].velocity[0], 1 - 0.2 * 9.81 * 0.1, 9)
        self.assertIsNone(ts.Simulation(SLIDE).report.undetermined)

    def test_a_world_in_space_has_joints_materials_surfaces_and_controllers(self):
        world = ts.World(3).set("step", 0.005)
        world.add_material("wood", density=600, friction=0.4).add_material("ice", density=900)
        world.add_surface("wood", "ice", friction=0.02)
        world.add_body("arm", {"box": [1, 0.1, 0.1]}, material="wood", position=[0.5, 0, 0])
        world.add_joint("hinge", kind="revolute", bodies=["world", "arm"], position=[0, 0, 0], axis=[0, 1, 0])
        world.add_controller(joint="hinge", target=0, kp=2000, kd=200)
        sim = ts.Simulation(world)
        sim.run_until(1)
        self.assertAlmostEqual(sim.bodies["arm"].mass, 6)
        self.assertLess(abs(sim.joints["hinge"].value[0]), 0.02)


class Running(unittest.TestCase):
    def test_a_crate_is_braked_by_friction_and_nothing_else_happens(self):
        sim = ts.Simulation(SLIDE)
        times = []
        sim.on_step(lambda s: times.append(s.time))
        sim.run_until(1)
        self.assertEqual(len(times), 100)
        np.testing.assert_allclose(sim.bodies["crate"].velocity, [2 - 0.981, 0], atol=1e-12)
        summary = sim.summary()
        self.assertEqual((summary.steps, summary.failed_steps, summary.min_gap_bodies[1]), (100, 0, "crate"))
        self.assertEqual(summary.as_dict()["steps"], 100)

    def test_the_report_tells_the_contacts_and_the_energies_of_the_last_step(self):
        sim = ts.Simulation(SLIDE)
        self.assertTrue(sim.step())
        report = sim.report
        self.assertEqual(report.status, "done")
        self.assertEqual(report.points.shape, (report.contacts, 2))
        self.assertAlmostEqual(report.normal_impulses.sum(), 0.0981)
        self.assertAlmostEqual(report.kinetic, sim.energy[0])
        self.assertAlmostEqual(abs(report.impulses[:, 0].sum()), 0.00981)
        self.assertEqual(set(report.times), {"measure", "relate", "formulate", "solve", "advance"})
        self.assertLess(report.residual, 1e-12)

    def test_states_are_read_and_set(self):
        sim = ts.Simulation("double-pendulum")
        body = sim.bodies[0]
        body.velocity, body.angular_velocity = [1, 2], 3
        body.position, body.orientation = [4, 5], 0.5
        np.testing.assert_allclose(body.position, [4, 5])
        self.assertEqual((body.orientation, body.angular_velocity, list(body.velocity)), (0.5, 3, [1, 2]))
        space = ts.Simulation("hanging-rod").bodies["rod"]
        space.orientation = [0, 0, 0, 2]
        np.testing.assert_allclose(space.rotation, np.diag([-1, -1, 1]), atol=1e-15)
        np.testing.assert_allclose(space.pose.matrix[:3, 3], space.position)
        space.angular_velocity = [0, 0, 1]
        self.assertEqual(space.inertia.shape, (3, 3))
        space.mass = 7
        self.assertEqual(space.mass, 7)
        self.assertEqual(len(space.parts), 1)

    def test_an_element_of_a_state_cannot_be_set_by_mistake(self):
        body = ts.Simulation(SLIDE).bodies["crate"]
        with self.assertRaisesRegex(ValueError, "read-only"):
            body.position[0] = 3

    def test_forces_hold_for_one_step(self):
        sim = ts.Simulation({"touchstone": 1, "dimension": 3, "gravity": [0, 0, 0], "step": 0.01,
                             "bodies": [{"name": "probe", "mass": 2, "inertia": [1, 1, 1]}]})
        probe = sim.bodies["probe"]
        probe.force = [4, 0, 0]
        probe.add_torque([0, 0, 3])
        probe.add_force([0, 2, 0], probe.com_position)
        sim.step(), sim.step()
        np.testing.assert_allclose(probe.velocity, [0.02, 0.01, 0], atol=1e-15)
        np.testing.assert_allclose(probe.angular_velocity, [0, 0, 0.03], atol=1e-15)

    def test_joints_are_driven_by_torques(self):
        sim = ts.Simulation("double-pendulum")
        hinge = sim.joints[0]
        sim.before_step(lambda s: setattr(hinge, "force", 5 - 3 * hinge.rate))
        self.assertEqual(hinge.kind, "revolute")
        before = hinge.value[0]
        sim.run_until(0.1)
        self.assertNotEqual(hinge.value[0], before)
        self.assertLess(hinge.error, 1e-6)
        hinge.lower, hinge.upper, hinge.damping = -np.inf, 2, 0.1
        self.assertEqual(list(hinge.upper), [2])

    def test_a_step_that_fails_is_an_exception_of_run_until_and_a_value_of_step(self):
        sim = ts.Simulation(SLIDE)
        sim.set_solver(lambda problem, settings: 0 * problem.q)
        self.assertFalse(sim.step())
        with self.assertRaisesRegex(ts.StepFailed, "unsolved"):
            sim.run_until(1)
        self.assertEqual(sim.time, 0)

    def test_a_run_is_recorded_and_certified(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "run.h5")
            sim = ts.Simulation(SLIDE)
            with sim.record(file):
                sim.run_until(0.5)
            recording = ts.Recording(file)
            self.assertEqual((len(recording), recording.body_names, recording.dimension), (51, ["floor", "crate"], 2))
            np.testing.assert_array_equal(recording.positions[-1, 1], sim.bodies["crate"].position)
            np.testing.assert_array_equal(recording.velocities[-1, 1], sim.bodies["crate"].velocity)
            self.assertEqual(recording["steps/min_gap"].shape, (50,))
            self.assertIn("steps", recording.keys())
            self.assertIn("min_gap", recording.keys("steps"))
            certificate = ts.check(file)
            self.assertTrue(certificate.ok)
            self.assertEqual((certificate.frames, certificate.pairs), (51, 1))
            self.assertFalse(sim.is_recording)


class Resuming(unittest.TestCase):
    def test_a_resumed_run_has_the_bits_of_one_that_never_stopped(self):
        def push(s):
            s.bodies["crate"].add_force([np.sin(20 * s.time), 0])

        with tempfile.TemporaryDirectory() as folder:
            whole, parts = (os.path.join(folder, name) for name in ("whole.h5", "parts.h5"))
            for file, end in ((whole, 1.2), (parts, 0.7)):
                sim = ts.Simulation("slide")
                sim.before_step(push)
                with sim.record(file):
                    sim.run_until(end)
            sim = ts.Simulation.resume(parts, duration=1.2, threads=1)
            self.assertTrue(sim.is_recording)
            self.assertEqual(sim.scene.duration, 1.2)
            sim.before_step(push)
            with sim:
                sim.run()
            one, other = ts.Recording(whole), ts.Recording(parts)
            self.assertTrue(np.array_equal(one["position"], other["position"]))
            self.assertTrue(np.array_equal(one["velocity"], other["velocity"]))


class UserFunctions(unittest.TestCase):
    def test_functions_of_a_recorded_step_leave_hdf5_to_others(self):
        """A function that waits for a thread which opens a recording comes back."""
        with tempfile.TemporaryDirectory() as folder:
            earlier, now = (os.path.join(folder, name) for name in ("earlier.h5", "now.h5"))
            with ts.Simulation("slide").record(earlier) as sim:
                sim.run_until(0.05)
            seen = []

            def wait_for_reader(_):
                reader = threading.Thread(target=lambda: seen.append(ts.Recording(earlier).positions.shape[0]), daemon=True)
                reader.start()
                reader.join(20)
                if reader.is_alive():
                    raise TimeoutError("the reader waits for the run")

            sim = ts.Simulation("slide")
            sim.on_step(wait_for_reader)
            with sim.record(now):
                for _ in range(3):
                    sim.step()
            self.assertEqual(seen, [11, 11, 11])
            self.assertTrue(ts.check(now).ok)

    def test_a_stage_that_was_replaced_is_freed(self):
        sim = ts.Simulation("slide", model="standard")
        alive = []
        for _ in range(3):
            solver = Solver()
            alive.append(weakref.ref(solver))
            sim.set_solver(solver)
            del solver
        self.assertEqual([ref() is not None for ref in alive], [False, False, True])
        sim.step()
        sim.set_solver("auto")
        gc.collect()
        self.assertIsNone(alive[-1]())

    def test_a_list_of_bodies_is_not_walked_for_each_of_them(self):
        """Twice the bodies take about twice as long, not four times."""
        def time_of(count):
            bodies = ts.Simulation({"touchstone": 1, "dimension": 2, "bodies": [
                {"name": f"ball-with-a-name-{i}", "shape": {"sphere": 0.1}, "mass": 1, "position": [i, 0]} for i in range(count)]}).bodies
            best = float("inf")
            for _ in range(5):
                begin = time.thread_time()  # of the processor: others that use the machine do not count
                self.assertEqual(len(list(bodies)) + len([bodies[i] for i in range(count)]), 2 * count)
                best = min(best, time.thread_time() - begin)
            return best

        self.assertTrue(any(time_of(1600) < 9 * time_of(400) for _ in range(5)), "sixteen times, on any machine, were it so")

    def test_an_exception_in_a_function_comes_out_unharmed_and_the_simulation_lives_on(self):
        class Mine(Exception):
            pass

        thrown = Mine("stop", 42)

        def fail(s):
            if s.time > 0.295:
                raise thrown

        for hook in ("on_step", "before_step"):
            sim = ts.Simulation(SLIDE)
            getattr(sim, hook)(fail)
            with self.assertRaises(Mine) as caught:
                sim.run_until(1)
            self.assertIs(caught.exception, thrown)
            self.assertAlmostEqual(sim.time, 0.3)

    def test_forces_of_a_step_that_was_not_made_are_forgotten(self):
        sim = ts.Simulation({"touchstone": 1, "dimension": 2, "gravity": [0, 0], "step": 0.01,
                             "bodies": [{"name": "probe", "mass": 1, "inertia": 1, "force": [1, 0]}]})
        calls = []

        @sim.before_step
        def fail_once(s):
            calls.append(s.time)
            if len(calls) == 1:
                raise RuntimeError("once")

        with self.assertRaisesRegex(RuntimeError, "once"):
            sim.step()
        sim.step()
        np.testing.assert_allclose(sim.bodies[0].velocity, [0.01, 0], atol=1e-15)

    def test_ctrl_c_ends_a_run_and_leaves_a_readable_recording(self):
        with tempfile.TemporaryDirectory() as folder:
            # It tells of its tenth step: the signal comes while steps are made, however busy the machine is.
            code = ("import touchstone as ts\nsim = ts.Simulation('box-stack')\nsteps = []\n"
                    "@sim.on_step\ndef tell(s):\n    steps.append(s.time)\n    if len(steps) == 10: print('go', flush=True)\n"
                    "try:\n    with sim.record('run.h5'):\n        sim.run_until(1e6)\n"
                    "except KeyboardInterrupt:\n    print('interrupted', len(ts.Recording('run.h5')) > 10, ts.check('run.h5').ok)\n")
            child = subprocess.Popen([sys.executable, "-c", code], cwd=folder, stdout=subprocess.PIPE, text=True,
                                     env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(os.path.abspath(ts.__file__)))})
            self.addCleanup(child.kill)
            self.assertEqual(child.stdout.readline(), "go\n")
            child.send_signal(signal.SIGINT)
            self.assertEqual(child.communicate()[0], "interrupted True True\n")
            self.assertEqual(child.returncode, 0)

    def test_a_simulation_whose_functions_hold_its_bodies_is_freed(self):
        sim = ts.Simulation(SLIDE)
        crate = sim.bodies["crate"]
        sim.on_step(lambda s: crate.position)
        sim.run_until(0.05)
        gone = weakref.ref(sim.on_step(Marker(crate)))
        del sim, crate
        gc.collect()
        self.assertIsNone(gone())

    def test_a_body_keeps_its_simulation(self):
        crate = ts.Simulation(SLIDE).bodies["crate"]
        gc.collect()
        self.assertEqual(crate.name, "crate")

    def test_a_step_cannot_be_made_within_a_step(self):
        sim = ts.Simulation(SLIDE)
        sim.on_step(lambda s: s.step())
        with self.assertRaisesRegex(RuntimeError, "while a step is being made"):
            sim.step()

    def test_other_threads_run_while_steps_are_made(self):
        sims = [ts.Simulation("box-stack", threads=1) for _ in range(2)]
        long = 40  # [s] half a second for the machine, so that a busy one lets this thread in some times
        threads = [threading.Thread(target=sim.run_until, args=(long,)) for sim in sims]
        for thread in threads:
            thread.start()
        seen = refused = 0
        while any(thread.is_alive() for thread in threads):
            try:
                sims[0].bodies["box-1"].position
                seen += 1
            except RuntimeError as error:
                self.assertIn("in the middle of a step", str(error))
                refused += 1
            time.sleep(0.0005)
        self.assertEqual(sims[0].summary().state_hash, sims[1].summary().state_hash)
        self.assertGreater(seen + refused, 3)


class Solver:
    def solve(self, problem, settings):
        return ts.solve(problem)


class Marker:
    def __init__(self, body):
        self.body = body

    def __call__(self, simulation):
        pass


if __name__ == "__main__":
    unittest.main()

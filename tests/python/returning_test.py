#!/usr/bin/env python3
"""What a loop of a thousand resets needs: reset, states, copies, pickles, joints put to values, forces in newtons."""
import copy
import os
import pickle
import tempfile
import time
import unittest

import numpy as np

import touchstone as ts

SLIDE = {"touchstone": 1, "dimension": 2, "step": 0.01, "contact": {"friction": 0.1}, "bodies": [
    {"name": "floor", "shape": {"half_space": [0, 1, 0]}, "fixed": True},
    {"name": "crate", "shape": {"box": [1, 1]}, "mass": 2, "position": [0, 0.5], "velocity": [2, 0]},
    {"name": "late", "shape": {"box": [1, 1]}, "mass": 1, "position": [5, 3], "appear": 0.1}]}


def arm(**more):
    """Two rods that hang in space, one on the other."""
    world = ts.World(3, step=0.005, **more)
    world.add_body("upper", {"box": [1, 0.1, 0.1]}, mass=1, position=[0.5, 0, 0])
    world.add_body("lower", {"box": [1, 0.1, 0.1]}, mass=1, position=[1.5, 0, 0])
    world.add_joint("shoulder", kind="revolute", bodies=["world", "upper"], position=[0, 0, 0], axis=[0, 1, 0], limits=[-2, 2])
    world.add_joint("elbow", kind="spherical", bodies=["upper", "lower"], position=[1, 0, 0])
    return world


def hash_after(sim, seconds):
    sim.run_until(sim.time + seconds)
    return sim.summary().state_hash


class Returning(unittest.TestCase):
    def test_a_reset_is_the_start_to_the_bit(self):
        for scene in (SLIDE, arm(), "box-stack"):
            sim = ts.Simulation(scene, measure_every=1)
            fresh = sim.summary().as_dict()
            first = hash_after(sim, 0.3)
            sim.bodies[1].mass = 7
            sim.gravity = np.zeros(sim.dimension)
            sim.reset()
            self.assertEqual(sim.time, 0)
            self.assertEqual({**sim.summary().as_dict(), "wall_time": 0}, {**fresh, "wall_time": 0})
            self.assertEqual(hash_after(sim, 0.3), first)

    def test_what_stuck_is_part_of_states_pickles_and_copies(self):
        """A block rests on a slope between the angles of the two coefficients; another was pushed up it and comes to rest."""
        slope = np.arctan(0.45)
        for dimension in (2, 3):
            down = [np.sin(slope), *[0.0] * (dimension - 2), -np.cos(slope)]
            world = ts.World(dimension, gravity=(9.81 * np.array(down)).tolist(), step=0.005,
                             contact={"friction": {"static": 0.6, "kinetic": 0.3}})
            up = [0.0] * (dimension - 1) + [1.0]
            world.add_body("floor", {"half_space": {"normal": up}}, fixed=True)
            for name, place, speed in (("rests", 0.0, 0.0), ("pushed", 5.0, -1.0)):
                world.add_body(name, {"box": [0.2] * (dimension - 1) + [0.02]}, mass=1,
                               position=[place] + [0.0] * (dimension - 2) + [0.01],
                               velocity=[speed] + [0.0] * (dimension - 1))
            sim = ts.Simulation(world)
            sim.run_until(0.17)
            start = sim.state()
            again = pickle.loads(pickle.dumps(start))
            self.assertEqual(again, start)
            sim.set_state(start)
            ends = [hash_after(sim, 0.5)]
            sim.set_state(again)
            other = pickle.loads(pickle.dumps(sim))
            ends += [hash_after(one, 0.5) for one in (sim.copy(), other, sim)]
            self.assertEqual(len(set(ends)), 1)
            self.assertLess(abs(sim.bodies["rests"].position[0]), 1e-12)
            self.assertLess(np.linalg.norm(sim.bodies["pushed"].velocity), 1e-12)

    def test_functions_stay_after_a_reset(self):
        sim, times = ts.Simulation(SLIDE), []
        sim.on_step(lambda s: times.append(s.time))
        for _ in range(3):
            sim.reset()
            sim.step()
        np.testing.assert_allclose(times, 3 * [0.01])

    def test_a_state_is_followed_by_the_same_bits_every_time(self):
        for scene, dimension in ((SLIDE, 2), (arm(), 3), ("box-stack", 3)):
            sim = ts.Simulation(scene)
            self.assertEqual(sim.dimension, dimension)
            sim.run_until(0.07)
            state = sim.state()
            self.assertEqual(state, sim.state())
            hashes = set()
            for _ in range(3):
                sim.set_state(state)
                self.assertEqual(sim.time, state.time)
                hashes.add(hash_after(sim, 0.2))
            other = ts.Simulation(scene)
            other.set_state(pickle.loads(pickle.dumps(state)))
            self.assertEqual(other.state(), state)
            hashes.add(hash_after(other, 0.2))
            self.assertEqual(len(hashes), 1)

    def test_a_body_that_appeared_later_is_gone_again(self):
        sim = ts.Simulation(SLIDE)
        early = sim.state()
        sim.run_until(0.3)
        late = sim.state()
        self.assertIn("late", sim.bodies)
        sim.set_state(early)
        self.assertNotIn("late", sim.bodies)
        sim.set_state(late)
        self.assertIn("late", sim.bodies)
        self.assertEqual(sim.state(), late)

    def test_states_of_another_scene_are_refused(self):
        state = ts.Simulation(SLIDE).state()
        for scene in ("box-stack", "slide", {**SLIDE, "bodies": SLIDE["bodies"][:2]}):
            with self.assertRaises(ts.BadInput):
                ts.Simulation(scene).set_state(state)
        with self.assertRaises(TypeError):
            ts.Simulation(SLIDE).set_state(None)

    def test_a_state_shows_its_numbers_and_cannot_be_changed(self):
        state = ts.Simulation(arm()).state()
        self.assertEqual((state.com_positions.shape, state.velocities.shape, state.joint_values.shape), ((2, 3), (2, 6), (4,)))
        with self.assertRaises(ValueError):
            state.com_positions[0, 0] = 1
        with self.assertRaises(AttributeError):
            state.time = 3

    def test_nothing_returns_while_it_is_recorded(self):
        sim = ts.Simulation(SLIDE)
        state = sim.state()
        with tempfile.TemporaryDirectory() as folder, sim.record(os.path.join(folder, "r.h5")):
            sim.step()
            for action in (sim.reset, lambda: sim.set_state(state)):
                with self.assertRaisesRegex(ts.BadInput, "close the recording first"):
                    action()
        sim.reset()

    def test_a_copy_goes_its_own_way(self):
        sim = ts.Simulation(arm())
        sim.run_until(0.1)
        sim.bodies["lower"].mass = 3
        sim.joints["shoulder"].damping = [0.5]
        for other in (sim.copy(), copy.copy(sim), copy.deepcopy(sim)):
            self.assertEqual(other.state(), sim.state())
            self.assertEqual((other.bodies["lower"].mass, other.joints["shoulder"].damping[0]), (3, 0.5))
            other.step()
            self.assertGreater(other.time, sim.time)

    def test_a_pickle_goes_on_with_the_same_bits(self):
        for scene in (SLIDE, arm(), "box-stack"):
            sim = ts.Simulation(scene, {"step": 0.004}, measure_every=0)
            sim.run_until(0.12)
            sim.gravity = 0.5 * sim.gravity
            sim.bodies[1].mass = 3
            again = pickle.loads(pickle.dumps(sim))
            self.assertEqual((again.time, again.scene.step, again.bodies[1].mass), (sim.time, 0.004, 3))
            sim.set_state(sim.state())  # forgets what it remembers between steps, as a pickle does
            self.assertEqual(hash_after(again, 0.1), hash_after(sim, 0.1))
        self.assertEqual(pickle.loads(pickle.dumps(ts.Scene("slide"))).body_names, ts.Scene("slide").body_names)

    def test_a_thousand_resets_are_fast(self):
        sim = ts.Simulation("six-axis-arm", measure_every=0)
        state = sim.state()
        begin = time.perf_counter()
        for i in range(1000):
            sim.set_state(state) if i % 2 else sim.reset()
        passed = time.perf_counter() - begin
        begin = time.perf_counter()
        ts.Simulation("six-axis-arm", measure_every=0)
        self.assertLess(passed / 1000, (time.perf_counter() - begin) / 5, "a reset reads nothing")


class Joints(unittest.TestCase):
    def test_values_and_rates_are_assigned(self):
        sim = ts.Simulation(arm())
        shoulder, elbow = sim.joints["shoulder"], sim.joints["elbow"]
        shoulder.value = 0.5
        elbow.value = [0.1, -0.2, 0.3]
        shoulder.rate = -1
        np.testing.assert_allclose(shoulder.value, [0.5], atol=1e-14)
        np.testing.assert_allclose(elbow.value, [0.1, -0.2, 0.3], atol=1e-14)
        np.testing.assert_allclose(shoulder.rate, [-1], atol=1e-13)
        np.testing.assert_allclose(elbow.rate, [0, 0, 0], atol=1e-13)
        np.testing.assert_allclose(sim.bodies["upper"].position, [0.5 * np.cos(0.5), 0, -0.5 * np.sin(0.5)], atol=1e-14)
        self.assertLess(max(shoulder.error, elbow.error), 1e-13)
        self.assertTrue(sim.step())

    def test_what_makes_no_sense_is_refused(self):
        sim = ts.Simulation(arm())
        before = sim.state()
        for value in (3, [0, 0], float("nan")):
            with self.assertRaises(ts.BadInput):
                sim.joints["shoulder"].value = value
        with self.assertRaises(TypeError):
            sim.joints["shoulder"].value = "half"
        self.assertEqual(sim.state(), before)

    def test_elements_are_not_assigned(self):
        sim = ts.Simulation(arm())
        for array in (sim.joints["shoulder"].value, sim.bodies.positions, sim.bodies.velocities, sim.bodies.contact_forces,
                      sim.bodies["upper"].contact_force):
            with self.assertRaises(ValueError):
                array[0] = 5


class Forces(unittest.TestCase):
    def test_a_crate_presses_with_its_weight_and_slides_with_friction(self):
        sim = ts.Simulation(SLIDE)
        np.testing.assert_array_equal(sim.bodies.contact_forces, np.zeros((2, 2)))
        sim.step()
        sim.step()
        weight = 2 * 9.81
        np.testing.assert_allclose(sim.bodies["crate"].contact_force, [-0.1 * weight, weight], rtol=1e-9)
        np.testing.assert_allclose(sim.contact_force("floor", "crate"), [0.1 * weight, -weight], rtol=1e-9)
        np.testing.assert_allclose(sim.contact_force(1, 0), sim.bodies.contact_forces[1])
        np.testing.assert_array_equal(sim.contact_force("crate", "crate"), [0, 0])
        with self.assertRaises(KeyError):
            sim.contact_force("crate", "wall")

    def test_in_a_stack_each_box_carries_those_above_it(self):
        sim = ts.Simulation("box-stack")
        sim.run_until(1)
        masses = np.array([body.mass for body in sim.bodies if body.kind == "dynamic"])
        names = [body.name for body in sim.bodies if body.kind == "dynamic"]
        for i in range(1, len(names)):
            above = 9.81 * masses[i:].sum()
            self.assertAlmostEqual(sim.contact_force(names[i], names[i - 1])[2], above, delta=1e-6 * above)


class Unstable(unittest.TestCase):
    def test_a_controller_of_ones_own_that_is_too_stiff_is_named(self):
        sim = ts.Simulation(arm(gravity=[0, 0, 0]))
        hinge = sim.joints["shoulder"]
        hinge.lower, hinge.upper = [-np.inf], [np.inf]

        @sim.before_step
        def drive(_):
            hinge.force = 1.5e5 * (1e-8 - hinge.value)

        try:
            sim.run_until(1)
        except ts.StepFailed:
            pass
        self.assertEqual(sim.summary().unstable_joint, "shoulder")
        self.assertTrue(any("shoulder" in warning for warning in sim.summary().warnings))


if __name__ == "__main__":
    unittest.main()

"""The thesis's hanging rod [Thesis scripts 4-6]: height, speed and acceleration, and how far its joint opens."""
import sys
import matplotlib.pyplot as plt
import numpy as np
import touchstone as ts

angle = np.pi / 5
world = ts.World(3)
world.add_body("rod", {"cylinder": {"radius": 0.1, "height": 0.5, "corners": 7}}, mass=1, axis_angle=[0, 1, 0, angle],
               position=[-0.25 * np.sin(angle), 0, 0.25 - 0.25 * np.cos(angle)])
world.add_joint("hinge", kind="spherical", bodies=["world", "rod"], position=[0, 0, 0.25])
sim = ts.Simulation(world)
rod, hinge, rows = sim.bodies["rod"], sim.joints["hinge"], []
sim.on_step(lambda s: rows.append((s.time, rod.position[2], rod.velocity[2], hinge.error)))
sim.run_until(5)
t, p, v, error = np.array(rows).T
a = np.diff(v, prepend=0) / 0.005
for i in range(199, 1000, 200):
    print(f"{t[i]:.0f} s: {p[i]:8.5f} m {v[i]:8.5f} m/s {a[i]:8.5f} m/s^2")
print(f"the joint opens by less than 1e-12 m: {str(bool(error.max() < 1e-12)).lower()}")
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
left.plot(t, p, "r", t, v, "g", t, a, "b")
left.set(xlabel="Time (s)", title="Position [m], velocity [m/s], acceleration [m/s$^2$]")
left.legend(["Position", "Velocity", "Acceleration"], loc="upper left")
right.plot(t, error)
right.set(xlabel="Time (s)", ylabel="norm(Joint Error)", title="Joint error [m]")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "hanging_rod.png")

"""Hello world: a box falls onto the floor [Thesis 6.2]."""
import numpy as np
import touchstone as ts

world = ts.World(3, step=0.01)
world.add_body("floor", {"half_space": {"normal": [0, 0, 1], "offset": 0}}, fixed=True)
world.add_body("box", {"box": [1, 1, 1]}, mass=1, position=[0, 0, 2])
sim = ts.Simulation(world)


@sim.on_step
def tell(s):
    if round(s.time / 0.01) % 20 == 0:
        print(f"{s.time:.1f} s: height {s.bodies['box'].position[2]:.3f} m")


sim.run_until(1)
print(f"the box rests: its speed is {np.linalg.norm(sim.bodies['box'].velocity):.3f} m/s")

"""A puck on ice, drawn by a spring and braked by a drag: forces that the user's own function sets."""
import touchstone as ts

world = ts.World(2, gravity=[0, 0], step=0.01)
world.add_body("puck", {"sphere": 0.1}, mass=1, position=[1, 0], velocity=[0, 1])
sim = ts.Simulation(world)
puck = sim.bodies["puck"]


@sim.before_step
def pull(s):
    spring, drag = -puck.position, -0.2 * puck.velocity
    puck.add_force(spring + drag)


for second in range(1, 6):
    sim.run_until(second)
    x, y = puck.position
    print(f"{second} s: ({x:.4f}, {y:.4f})")

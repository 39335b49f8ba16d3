"""A contact model of one's own: vertices of a box over the floor. It judges how far they went, and asks for a
shorter step where one would fall by more than a centimetre in one go."""
import touchstone as ts


class VertexModel:
    def propose(self, motion):
        return [ts.Contact(box, floor, p, [0, 1], p[1])
                for floor, box in motion.pairs for p in motion.vertices(box) if p[1] <= motion.margin]

    def judge(self, motion, push):
        for floor, box in motion.pairs:
            if max(motion.vertices(box)[:, 1] - motion.vertices(box, at_end=True)[:, 1]) > 0.01:
                return ts.Verdict.too_long("a vertex fell too far")


world = ts.World(2, step=0.02)
world.add_body("floor", {"half_space": {"normal": [0, 1]}}, fixed=True)
world.add_body("crate", {"box": [1, 1]}, mass=1, position=[0, 1], angular_velocity=3)
sim = ts.Simulation(world)
sim.set_contact_model(VertexModel())
divided = 0
for _ in range(150):
    sim.step()
    divided += sim.report.substeps > 1
print(f"the crate rests at {sim.bodies['crate'].position[1]:.4f} m; {divided} of 150 steps were divided")

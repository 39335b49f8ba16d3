"""A contact model of one's own: the vertices of a box below a margin over the floor, each a contact."""
import touchstone as ts


def vertex_model(scene):
    contacts = []
    for floor, box in scene.pairs:
        for p in scene.vertices(box):
            if p[1] <= scene.margin:
                contacts.append(ts.Contact(box, floor, p, [0, 1], p[1]))
    return contacts


sim = ts.Simulation({"touchstone": 1, "dimension": 2, "bodies": [
    {"name": "floor", "shape": {"half_space": {"normal": [0, 1]}}, "fixed": True},
    {"name": "crate", "shape": {"box": [1, 1]}, "mass": 1, "position": [0, 1]}]})
sim.set_contact_model(vertex_model)
sim.run_until(1)
print(f"the crate rests at {sim.bodies['crate'].position[1]:.6f} m on {sim.report.contacts} contacts")

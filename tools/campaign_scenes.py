"""The scenes of tools/campaign: a category for each kind of use that has broken a simulator before, and all of them mixed.

make_scene(seed) gives a Draft whose `scene` is ready to be written; the category is the seed's place in the round.
"""
from campaign_bodies import COMPACT, SHAPES, THIN, Draft

ALL = tuple(SHAPES)
JOINT_KINDS = {2: ["fixed", "revolute", "prismatic"],
               3: ["fixed", "revolute", "prismatic", "cylindrical", "spherical", "universal", "planar"]}
VALUES = {"fixed": 0, "revolute": 1, "prismatic": 1, "cylindrical": 2, "spherical": 3, "universal": 2, "planar": 3}


def thin(d):
    """Thin bodies thrown at thin plates."""
    d.friction(0.25)
    d.floor(("plate",))
    made = [d.body(THIN if d.dice.chance(0.8) else COMPACT) for _ in range(d.dice.whole(1, 5))]
    d.place(made, 0, 0, lowest=0.01)
    for body in d.bodies[1:]:
        body.update(d.motion(d.dice.scale(2, 200), d.dice.one_of([0, 1, 20])))
        body["velocity"] = [0.3 * v for v in body["velocity"][:-1]] + [-abs(body["velocity"][-1]) - 1]


def parts(d):
    """Bodies of several parts fall on a floor or on each other."""
    d.friction(0.3)
    d.restitution(0.1)
    d.floor()
    d.h = min(d.h, 0.025)
    made = [d.body(COMPACT, d.dice.whole(2, 4)) for _ in range(d.dice.whole(1, 8))]
    d.place(made, d.dice.one_of([0, 2, 10]), d.dice.one_of([0, 3, 30, 200]))


def chain(d):
    """Links of four boxes, interlocked; in the plane hooks instead."""
    d.D = d.scene["dimension"] = 3
    d.friction(0.2)
    d.features.add("parts")
    thick, length, wide = 0.012, 0.1, 0.06
    links = [{"shape": {"box": [length, thick, thick]}, "position": [0, s * (wide - thick) / 2, 0]} for s in (1, -1)]
    links += [{"shape": {"box": [thick, wide - 2 * thick, thick]}, "position": [s * (length - thick) / 2, 0, 0]}
              for s in (1, -1)]
    shift = length - 2 * thick - d.dice.number(0.0002, 0.004)
    for i in range(d.dice.whole(2, 6)):
        d.add({"name": f"l{i}", "parts": links, "density": 7800, "position": [i * shift, 0, 0], "fixed": i == 0,
               "axis_angle": [1, 0, 0, 1.5707963267948966 * (i % 2)], **({} if i == 0 else d.motion(1, 2))})


def pour(d):
    """Many bodies in a box."""
    d.friction(0.4)
    d.restitution(0.1)
    d.floor()
    count = d.dice.whole(5, 30)
    d.steps = min(d.steps, 4000 // count)
    kinds = d.dice.one_of([ALL, COMPACT, ("box",), ("sphere",), ("hull",)])
    made = [d.body(kinds, d.dice.one_of([1, 1, 1, 2])) for _ in range(count)]
    cell = d.place(made, d.dice.one_of([0, 1, 5, 50]), d.dice.one_of([0, 2, 20]), across=2)
    d.walls(1.06 * cell)


def spin(d):
    """Bodies that turn by up to 50 rad in a step fall on something."""
    d.friction(0.4)
    d.floor(("half-space", "box", "plate"))
    made = [d.body(ALL, d.dice.one_of([1, 1, 2])) for _ in range(d.dice.whole(1, 4))]
    d.place(made, d.dice.one_of([1, 10, 30]), d.dice.scale(0.5, 50) / d.h, across=3)
    d.steps = min(d.steps, 150)


def free(d):
    """Nothing touches: rods, plates, compact bodies turn freely."""
    d.scene["gravity"] = d.zero() if d.dice.chance(0.7) else d.up(-9.81)
    d.features.add("free flight")
    cell = 0
    for _ in range(d.dice.whole(1, 3)):
        body, radius = d.body(d.dice.one_of([("needle",), ("plate",), COMPACT]))
        cell += 40 * radius + 20
        spin = min(d.dice.scale(1, 600), 50 / d.h)
        motion = d.motion(0, spin) if d.D == 2 else {"angular_velocity": d.dice.vector(3, spin)}
        d.add({**body, "position": d.up(0.0, cell), **motion})


def far(d):
    """Islands hundreds of metres apart: each must move as if it were alone."""
    d.restitution(0.2)
    d.friction(0.2)
    d.features.add("far islands")
    d.h, d.steps = min(max(d.h, 1e-3), 0.02), min(d.steps, 120)
    d.add({"name": "floor", "shape": {"half_space": {"normal": d.up(1.0)}}, "fixed": True})
    for i in range(d.dice.whole(2, 6)):
        body, radius = d.body(COMPACT, d.dice.one_of([1, 1, 2, 3]))
        body.update(d.motion(3, d.dice.scale(5, 1000)))
        body["velocity"][-1] = -d.dice.number(1, 20)
        d.add({**body, "position": d.up(radius * 1.5 + 0.2, 300.0 * i - 600), **turned(d)})


def turned(d):
    from campaign_bodies import turn
    return turn(d.dice, d.D)


def add_joint(d, a, b, position, driven):
    """A joint of a random kind, with limits, damping and motors on some values."""
    kind = d.dice.one_of(JOINT_KINDS[d.D])
    joint = {"name": f"j{len(d.joints)}", "kind": kind, "bodies": [a, b], "position": position}
    if kind in ("revolute", "prismatic", "cylindrical", "planar", "universal") and (d.D == 3 or kind == "prismatic"):
        joint["axis"] = d.dice.direction(d.D)
    if kind == "universal":
        joint["axis_2"] = across(joint["axis"])
    axes = [joint_axis(d, kind, driven) for _ in range(VALUES[kind])]
    if len(axes) == 1:
        joint.update(axes[0])
    elif any(axes):
        joint["axes"] = axes
    if d.dice.chance(0.25):
        joint["collide"] = True
    d.features.add(f"joint {kind}")
    d.joints.append(joint)


def across(axis):
    """A unit vector across a unit vector."""
    least = min(range(3), key=lambda i: abs(axis[i]))
    v = [(i == least) - axis[least] * axis[i] for i in range(3)]
    length = sum(x * x for x in v) ** 0.5
    return [x / length for x in v]


def joint_axis(d, kind, driven):
    """Limits around the start, damping, a motor."""
    axis = {}
    if d.dice.chance(0.3):
        axis["limits"] = [-d.dice.number(0.02, 0.5), d.dice.number(0.02, 0.5)]
        d.features.add("joint limits")
    if d.dice.chance(0.15):
        axis["damping"] = d.dice.scale(0.01, 10)
    if driven and d.dice.chance(0.5):
        axis["motor"] = {"rate": d.dice.number(-5, 5), "force": d.dice.scale(1, 1000)}
        d.features.add("motors")
    return axis


def joints(d):
    """Trees of jointed bodies, thrown on a floor, some hung to the world."""
    d.friction(0.5)
    if d.dice.chance(0.8):
        d.floor()
    made = [d.body(ALL) for _ in range(d.dice.whole(2, 8))]
    speed, spin = d.dice.one_of([(0, 0), (2, 3), (2, 3), (20, 30), (2, 500)])
    cell = d.place(made, speed, spin)
    moving = [b for b in d.bodies if not b.get("fixed")]
    driven = d.dice.chance(0.3)
    for i, body in enumerate(moving):
        if i and d.dice.chance(0.8):
            other = d.dice.one_of(moving[:i])
            middle = [(p + q) / 2 for p, q in zip(body["position"], other["position"])]
            add_joint(d, other["name"], body["name"], middle, driven)
        elif d.dice.chance(0.3):
            add_joint(d, "world", body["name"], [p + 0.3 * cell for p in body["position"]], driven)


def bounce(d):
    """Restitution at one and at many contacts."""
    d.friction(0.3)
    d.restitution(1)
    d.floor()
    made = [d.body(d.dice.one_of([ALL, COMPACT, ("box",)]), d.dice.one_of([1, 1, 2])) for _ in range(d.dice.whole(1, 12))]
    cell = d.place(made, d.dice.one_of([1, 5, 20]), d.dice.one_of([0, 5, 30]))
    if d.dice.chance(0.6):
        d.walls(1.06 * cell)


def squeeze(d):
    """Scripted walls press bodies, swing, or sweep through them."""
    d.friction(0.4)
    d.floor()
    d.features.add("scripts")
    made = [d.body(ALL if d.dice.chance(0.5) else COMPACT) for _ in range(d.dice.whole(1, 8))]
    cell = d.place(made, d.dice.one_of([0, 2]), d.dice.one_of([0, 5]))
    time = d.h * d.steps
    speed = d.dice.number(0.2, 1.2) * cell / time if d.dice.chance(0.6) else d.dice.scale(0.1, 20)
    for sign in (1, -1):
        wall = {"name": f"press{'pm'[sign < 0]}", "shape": {"box": [0.2] + [8 * cell] * (d.D - 1)},
                "position": d.up(4.01 * cell, -sign * (1.1 * cell + 0.1))}
        kind = d.dice.one_of(["velocity", "sinusoid", "waypoints"])
        if kind == "velocity":
            wall["script"] = {"velocity": d.up(0.0, sign * speed)}
        elif kind == "sinusoid":
            wall["script"] = {"sinusoid": {"amplitude": d.up(0.0, sign * 0.3 * cell), "frequency": d.dice.scale(0.5, 5) / time}}
        else:
            end = d.up(4.01 * cell, -sign * 0.3 * cell)
            wall["script"] = {"waypoints": [{"time": 0}, {"time": 0.7 * time, "position": end}]}
        d.add(wall)


def overlap(d):
    """Bodies that overlap at the start: no gap may fall below that of the start."""
    d.friction(0.3)
    d.floor()
    made = [d.body(COMPACT) for _ in range(d.dice.whole(2, 6))]
    d.place(made, d.dice.one_of([0, 1]), d.dice.one_of([0, 2]))
    shrink = d.dice.number(0.5, 0.95)
    for body in d.bodies[1:]:
        body["position"] = [shrink * p for p in body["position"]]
    d.scene["allow_overlap"] = True
    d.features.add("overlapping start")


def appear(d):
    """Bodies that enter later, above those that are there."""
    d.friction(0.3)
    d.floor()
    made = [d.body(ALL) for _ in range(d.dice.whole(2, 12))]
    d.place(made, d.dice.one_of([0, 1, 10]), 2, across=2)
    for body in d.bodies[1:]:
        if d.dice.chance(0.5):
            body["appear"] = d.h * d.dice.whole(1, max(1, d.steps // 2))
            d.features.add("appearing bodies")
            if d.dice.chance(0.5):
                body["appear"] += 0.5 * d.h
    d.scene["allow_overlap"] = True


def heavy(d):
    """Stacks with mass ratios up to 1e6."""
    d.friction(0.4)
    d.floor()
    d.features.add("mass ratio")
    height, ratio = 0.0, d.dice.scale(1e2, 1e6)
    for i in range(d.dice.whole(2, 8)):
        sides = [d.dice.number(0.6, 1.2) * d.size for _ in range(d.D)]
        d.features.add("box")
        drop = d.dice.one_of([0, 0, 0.001])
        d.add({"shape": {"box": sides}, "mass": ratio ** (d.dice.number() if d.dice.chance(0.5) else i % 2),
               "position": d.up(height + drop + sides[-1] / 2, d.dice.number(-0.1, 0.1) * d.size)})
        height += drop + sides[-1]


def mix(d):
    """Everything at once."""
    d.friction(0.5)
    d.restitution(0.3)
    d.floor(("half-space", "box", "plate"))
    made = [d.body(ALL, d.dice.one_of([1, 1, 2, 3])) for _ in range(d.dice.whole(2, 10))]
    cell = d.place(made, d.dice.scale(0.5, 100), d.dice.scale(0.5, 50 / d.h))
    if d.dice.chance(0.5):
        d.walls(1.06 * cell)
    moving = [b for b in d.bodies if not b.get("fixed")]
    for a, b in zip(moving, moving[1:]):
        if d.dice.chance(0.15):
            middle = [(p + q) / 2 for p, q in zip(a["position"], b["position"])]
            add_joint(d, a["name"], b["name"], middle, False)
    for body in moving:
        if d.dice.chance(0.1):
            body["force"] = d.dice.vector(d.D, d.dice.scale(0.1, 100))
            d.features.add("forces")


CATEGORIES = {f.__name__: f for f in (thin, parts, pour, spin, free, far, joints, bounce, squeeze, overlap, appear, heavy,
                                      mix, chain)}


def make_scene(seed):
    """The scene of a seed: categories take turns."""
    names = list(CATEGORIES)
    draft = Draft(seed, names[seed % len(names)])
    CATEGORIES[draft.category](draft)
    draft.finish()
    return draft

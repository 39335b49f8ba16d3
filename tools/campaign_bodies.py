"""Random numbers, shapes and bodies for the scenes of tools/campaign: the same seed gives the same scene everywhere."""
import math
import random


class Dice:
    """Draws of one scene. Only random() of Python's generator is used: its numbers are the same in every version."""

    def __init__(self, seed):
        self._random = random.Random(seed)

    def number(self, low=0.0, high=1.0):
        return low + (high - low) * self._random.random()

    def scale(self, low, high):
        """Spread evenly over orders of magnitude."""
        return math.exp(self.number(math.log(low), math.log(high)))

    def whole(self, low, high):
        """From low to high, both possible."""
        return min(high, low + int(self.number(0, high - low + 1)))

    def one_of(self, values):
        return values[self.whole(0, len(values) - 1)]

    def chance(self, share):
        return self.number() < share

    def normal(self):
        return math.sqrt(-2 * math.log(1 - self.number())) * math.cos(2 * math.pi * self.number())

    def direction(self, dimension):
        v = [self.normal() for _ in range(dimension)]
        length = math.sqrt(sum(x * x for x in v))
        return [x / length for x in v]

    def vector(self, dimension, length):
        return [length * x for x in self.direction(dimension)]


def box(sides):
    return {"box": sides}, math.sqrt(sum(s * s for s in sides)) / 2


def needle(dice, dimension, size):
    width = min(dice.scale(5e-4, 1e-2), size / 4)
    return box([width] * (dimension - 1) + [2 * size])


def plate(dice, dimension, size):
    """In the plane a sheet is a needle; in space it is thin in one direction only."""
    thickness = min(dice.scale(1e-4, 5e-3), size / 4)
    if dimension == 2:
        return box([2 * size, thickness])
    return box([dice.number(0.6, 1.4) * size, dice.number(0.6, 1.4) * size, thickness])


def brick(dice, dimension, size):
    return box([dice.number(0.4, 1.2) * size for _ in range(dimension)])


def ball(dice, dimension, size):
    radius = dice.number(0.4, 1) * size
    return {"sphere": radius}, radius


def hull(dice, dimension, size):
    """The hull of points at random distances, wide enough in every direction."""
    points = [[(s if i == axis else 0.1 * s * dice.number(-1, 1)) * size for i in range(dimension)]
              for axis in range(dimension) for s in (dice.number(0.4, 1), -dice.number(0.4, 1))]
    points += [dice.vector(dimension, dice.number(0.5, 1) * size) for _ in range(dice.whole(0, 3))]
    return {"points": points}, max(math.sqrt(sum(x * x for x in p)) for p in points)


def solid(dice, dimension, size):
    """Shapes with many parallel faces."""
    if dimension == 2:
        return {"regular_polygon": {"corners": dice.whole(3, 8), "radius": size}}, size
    kind = dice.one_of(["tetrahedron", "octahedron", "cylinder"])
    if kind == "cylinder":
        radius, height = 0.5 * size, dice.number(0.3, 1.2) * size
        return {"cylinder": {"radius": radius, "height": height, "corners": dice.whole(5, 9)}}, math.hypot(radius, height)
    return {kind: size}, size


SHAPES = {"needle": needle, "plate": plate, "box": brick, "sphere": ball, "hull": hull, "solid": solid}
COMPACT = ("box", "sphere", "hull", "solid")
THIN = ("needle", "plate")


def turn(dice, dimension):
    """A random orientation as keys of a body or a part."""
    if dimension == 2:
        return {"angle": dice.number(-math.pi, math.pi)}
    return {"quaternion": dice.direction(4)}


class Draft:
    """A scene under construction, and which features it has."""

    def __init__(self, seed, category):
        self.dice = Dice(seed)
        self.D = 2 if self.dice.chance(0.45) else 3
        self.h = self.dice.scale(1e-4, 0.05)
        self.steps = self.dice.whole(50, 400)
        self.size = self.dice.scale(0.05, 0.4)  # [m] of bodies
        self.features, self.bodies, self.joints = {category}, [], []
        self.scene = {"touchstone": 1, "dimension": self.D, "step": self.h, "contact": {}}
        self.category = category

    def up(self, height, across=0.0):
        return [across] + [0.0] * (self.D - 2) + [height]

    def zero(self):
        return [0.0] * self.D

    def add(self, body, feature=None):
        body = {"name": body.pop("name", f"b{len(self.bodies)}"), **body}
        self.bodies.append(body)
        if feature:
            self.features.add(feature)
        return body

    def shape(self, kinds, size=None):
        """(shape, bounding radius), counted."""
        kind = self.dice.one_of(kinds)
        self.features.add(kind)
        return SHAPES[kind](self.dice, self.D, size or self.size)

    def part(self, kinds):
        shape, radius = self.shape(kinds, 0.6 * self.size)
        offset = self.dice.vector(self.D, self.dice.number(0.2, 0.7) * self.size)
        part = {"shape": shape, "position": offset, **turn(self.dice, self.D)}
        return part, radius + math.sqrt(sum(x * x for x in offset))

    def body(self, kinds, parts=1):
        """(body without a place, bounding radius)."""
        density = {"density": self.dice.scale(100, 8000)}
        if parts == 1:
            shape, radius = self.shape(kinds)
            return {"shape": shape, **density}, radius
        self.features.add("parts")
        made = [self.part(kinds) for _ in range(parts)]
        return {"parts": [p for p, _ in made], **density}, max(r for _, r in made)

    def motion(self, speed, spin):
        """Velocities up to these [m/s, rad/s]."""
        dice = self.dice
        v = dice.vector(self.D, speed * dice.number())
        w = spin * dice.number(-1, 1) if self.D == 2 else dice.vector(3, spin * dice.number())
        if speed > 20:
            self.features.add("fast")
        if spin * self.h > 3:
            self.features.add("high spin")
        return {"velocity": v, "angular_velocity": w}

    def place(self, made, speed, spin, lowest=0.0, across=2):
        """Bodies (body, radius) on a lattice above the height `lowest`, in rows of `across`; nothing overlaps."""
        cell = 2.1 * max(r for _, r in made)
        side = across ** (self.D - 1)
        for i, (body, radius) in enumerate(made):
            column, level = i % side, i // side
            places = [column % across, column // across][:self.D - 1]
            position = [cell * (c - (across - 1) / 2) for c in places] + [lowest + cell * (level + 0.55)]
            self.add({**body, "position": position, **turn(self.dice, self.D), **self.motion(speed, spin)})
        return cell

    def floor(self, kinds=("half-space", "box")):
        """A floor whose upper side is at 0."""
        kind = self.dice.one_of(kinds)
        self.features.add(f"{kind} floor")
        if kind == "half-space":
            shape, position = {"half_space": {"normal": self.up(1.0), "offset": 0}}, self.zero()
        else:
            thickness = 0.2 if kind == "box" else self.dice.scale(1e-4, 1e-2)
            shape, position = {"box": [40 * self.size] * (self.D - 1) + [thickness]}, self.up(-thickness / 2)
        self.add({"name": "floor", "shape": shape, "fixed": True, "position": position})

    def walls(self, half):
        """Half-spaces all around, at the distance `half` from the middle."""
        self.features.add("walls")
        for axis in range(self.D - 1):
            for sign in (1, -1):
                normal = [float(sign) if i == axis else 0.0 for i in range(self.D)]
                self.add({"name": f"wall{axis}{'pm'[sign < 0]}", "fixed": True,
                          "shape": {"half_space": {"normal": normal, "offset": -half}}})

    def friction(self, share=0.5):
        """One of the laws, in a share of the scenes."""
        if not self.dice.chance(share):
            self.features.add("frictionless")
            return
        law = self.dice.one_of(["linear", "quadratic", "no-slip", "viscous"])
        contact = {"law": law, "friction": self.dice.scale(0.05, 1.5)}
        if law == "linear" and self.D == 3:
            contact["directions"] = self.dice.one_of([4, 8, 16])
        if law == "viscous":
            contact = {"law": law, "viscosity": self.dice.scale(0.1, 100)}
        self.scene["contact"].update(contact)
        self.features.add(f"friction {law}")

    def restitution(self, share=0.15):
        if not self.dice.chance(share):
            return
        law = self.dice.one_of(["newton", "poisson"])
        self.scene["contact"].update({"restitution": self.dice.one_of([0.2, 0.5, 0.9, 1.0]), "restitution_law": law})
        self.features.add(f"restitution {law}")

    def finish(self):
        self.scene["duration"] = self.h * self.steps
        self.scene["bodies"] = self.bodies
        if self.joints:
            self.scene["joints"] = self.joints
            self.features.add("joints")
        self.features.add(f"{self.D}D")
        return self.scene

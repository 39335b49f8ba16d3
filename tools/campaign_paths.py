"""A recording as the judge of tools/campaign sees it: bodies, parts, and where a body is between two frames.

Between two frames the centre of mass moves straight, or along the parabola that both recorded velocities tell where only
that one fits. In the plane the recorded angle counts full turns. In space a body that turns by less than half a radian
turns about one axis; a faster one either about one axis too, with the number of turns that its angular velocity tells, or
freely, with constant angular momentum: whichever leads from frame to frame. What is left between the path and the frames
is the `slack` [m] of a step: by so much points may be elsewhere.
"""
import h5py
import numpy as np

import campaign_shapes as shapes

ONE_AXIS = 0.5   # [rad] that a body turns about one axis in a step, whatever its inertia
FINE = 0.05      # [rad] that a stretch of a free rotation turns
UNKNOWN = 0.3    # [rad] if no way leads nearer to the next frame, nothing is known about the path
DYNAMIC, FIXED, SCRIPTED = 0, 1, 2


def rotation_of(orientation, dimension):
    """Matrices (..., D, D) of quaternions w, x, y, z or of angles."""
    if dimension == 2:
        c, s = np.cos(orientation), np.sin(orientation)
        return np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)
    w, x, y, z = np.moveaxis(shapes.unit(orientation), -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return np.stack([np.stack(r, -1) for r in rows], -2)


def exponential(turn, dimension):
    """Matrices of rotation vectors (..., 3), in the plane of angles (...)."""
    if dimension == 2:
        return rotation_of(turn, 2)
    angle = np.linalg.norm(turn, axis=-1, keepdims=True)
    sine = 0.5 * np.sinc(angle / (2 * np.pi))  # sin(a/2)/a
    return rotation_of(np.concatenate([np.cos(angle / 2), sine * turn], -1), 3)


def logarithm(R):
    """The rotation vector of one matrix, |vector| <= pi."""
    w = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2
    sine, cosine = np.linalg.norm(w), (np.trace(R) - 1) / 2
    angle = np.arctan2(sine, cosine)
    if sine > 1e-6:
        return w * (angle / sine)
    if cosine > 0:
        return w
    column = (R + np.eye(3))[:, np.argmax(np.diag(R))]
    return angle * shapes.unit(column)


def free_turn(J_inverse, momentum, h):
    """(rotation vector, angular momentum at the end), both in body axes, of a body that turns freely for a short time.

    Runge and Kutta for Euler's equations, then Magnus' series of fourth order.
    """
    def rate(m):
        return np.cross(m, J_inverse @ m)

    a = rate(momentum)
    b = rate(momentum + h / 2 * a)
    c = rate(momentum + h / 2 * b)
    d = rate(momentum + h * c)
    end = momentum + h / 6 * (a + 2 * b + 2 * c + d)
    middle = (momentum + end) / 2 + h / 8 * (a - rate(end))
    w0, w, w1 = (J_inverse @ m for m in (momentum, middle, end))
    return h / 6 * (w0 + 4 * w + w1) + h * h / 12 * np.cross(w0, w1), end


class Turning:
    """How one body turns in one step, in space: stretches of equal length, each about one axis."""

    def __init__(self, R0, R1, spin, h, inertia):
        self.begins, self.turns, self.mismatch = R0[None], logarithm(R1 @ R0.T)[None], 0.0
        if np.linalg.norm(spin) * h > ONE_AXIS or np.linalg.norm(self.turns[0]) > ONE_AXIS:
            self._count_turns(spin * h)
            if self.mismatch > 1e-6:
                self._try_free(R0, R1, spin, h, inertia)

    def _count_turns(self, whole):
        """Full turns more or less about the axis found; the nearest to what the angular velocity says."""
        small = self.turns[0]
        angle = np.linalg.norm(small)
        axis = small / angle if angle > 1e-9 else shapes.unit(whole)
        turn = (angle + 2 * np.pi * np.round((whole @ axis - angle) / (2 * np.pi))) * axis
        self.turns, self.mismatch = turn[None], np.linalg.norm(turn - whole)

    def _try_free(self, R0, R1, spin, h, inertia):
        """Backwards from the end, where angular velocity and so angular momentum are known."""
        count = int(np.ceil(np.linalg.norm(spin) * h / FINE))
        if count > 4000:
            return
        R, momentum, begins, turns = R1, inertia @ (R1.T @ spin), [], []
        for _ in range(count):
            back, momentum = free_turn(np.linalg.inv(inertia), momentum, -h / count)
            R = R @ exponential(back, 3)
            begins.append(R)
            turns.append(-(R @ back))
        mismatch = np.linalg.norm(logarithm(R0 @ R.T))
        if mismatch < self.mismatch:
            self.begins, self.turns, self.mismatch = np.array(begins[::-1]), np.array(turns[::-1]), mismatch


class Recording:
    """What was recorded, as arrays; poses are those of centres of mass."""

    def __init__(self, file, precision=float):
        with h5py.File(file, "r") as f:
            self.dimension = int(f.attrs["dimension"])
            self.time = f["time"][:]
            for name in ("orientation", "velocity", "angular_velocity"):
                setattr(self, name, f[name][:])
            self.position = f["position"][:].astype(precision)
            self.steps = {name: f["steps"][name][:] for name in f["steps"]}
            self.contacts = {name: f["contacts"][name][:] for name in f["contacts"]}
            self.bodies = {name: f["bodies"][name][:] for name in f["bodies"]}
            self.joints = {name: f["joints"][name][:] for name in f["joints"]} if "joints" in f else {}
            self._cut()
            self.R = rotation_of(self.orientation.astype(precision), self.dimension)
            self.x = self.position + (self.R @ self.bodies["com"][..., None])[..., 0]
            self.parts = read_parts(f, self.dimension, self.bodies["com"].astype(precision))
        self.kind, self.mass = self.bodies["kind"], self.bodies["mass"]
        self.inertia, self.names = self.bodies["inertia"], [n.decode() for n in self.bodies["name"]]
        self.count = len(self.kind)
        self.present = self.time[:, None] >= self.bodies["appear"][None] - 1e-12
        self.h = self.steps["h"]
        self.forbidden = {frozenset(map(int, pair)) for pair in self.bodies["no_contact"]}
        self._turnings = {}

    def _cut(self):
        """To the shortest of the arrays: a run that was killed may leave some longer."""
        frames = min(len(self.time), len(self.position), len(self.steps["h"]) + 1)
        for name in ("time", "position", "orientation", "velocity", "angular_velocity"):
            setattr(self, name, getattr(self, name)[:frames])
        self.steps = {name: values[:frames - 1] for name, values in self.steps.items()}

    @property
    def frames(self):
        return len(self.time)

    def turning(self, body, step):
        """In space; in the plane the angle of the step is enough."""
        key = body, step
        if key not in self._turnings:
            self._turnings[key] = Turning(self.R[step, body], self.R[step + 1, body],
                                          self.angular_velocity[step + 1, body], self.h[step], self.inertia[body])
        return self._turnings[key]


def read_parts(f, dimension, com):
    """All convex parts, in frames at the centres of mass."""
    parts = []
    rows = f["parts"]
    for i, (body, shape) in enumerate(zip(rows["body"][:], rows["shape"][:])):
        R, p = rotation_of(rows["orientation"][i], dimension), rows["position"][i] - com[body]
        part = make_part(f[f"shapes/{shape}"], int(body), R, p)
        part.group, part.collides = int(rows["group"][i]), int(rows["collides"][i])
        parts.append(part)
    return parts


def make_part(shape, body, R, p):
    kind = shape.attrs["kind"]
    kind = kind.decode() if isinstance(kind, bytes) else kind
    if kind == "sphere":
        return shapes.Sphere(body, p, shape["radius"][()])
    if kind == "half-space":
        normal = R @ shape["normal"][:]
        return shapes.HalfSpace(body, normal, shape["offset"][()] + normal @ p)
    begins, flat = shape["face_offsets"][:] if "face_offsets" in shape else None, shape["faces"][:]
    faces = [flat] if begins is None else [flat[a:b] for a, b in zip(begins, begins[1:])]
    return shapes.Polytope(body, shape["vertices"][:] @ R.T + p, faces)


class BodyPath:
    """Where one body is at any fraction of some steps."""

    def __init__(self, recording, body, steps):
        self.body, self.r, self.steps = body, recording, np.asarray(steps)
        self.row = {int(s): i for i, s in enumerate(self.steps)}
        s = self.steps
        self.x0, self.x1 = recording.x[s, body], recording.x[s + 1, body]
        self.bend = self._bend()
        if recording.dimension == 3:
            self._turn_in_space()
        else:
            self._turn_in_plane()
        self.divided = recording.steps["substeps"][s] > 1
        self._find_slack()

    def _bend(self):
        """Half the change of velocity times h, where the parabola fits and the straight line does not."""
        s, b, r = self.steps, self.body, self.r
        h, way = r.h[s][:, None], self.x1 - self.x0
        v0, v1 = r.velocity[s, b], r.velocity[s + 1, b]
        line, parabola = (np.linalg.norm(way - h * v, axis=1) for v in (v1, (v0 + v1) / 2))
        return np.where((parabola < 1e-3 * line)[:, None], h * (v1 - v0) / 2, 0)

    def _turn_in_plane(self):
        s, b, r = self.steps, self.body, self.r
        self.first, self.counts = np.arange(len(s)), np.ones(len(s), int)
        self.begins, self.turns = r.R[s, b], r.orientation[s + 1, b] - r.orientation[s, b]
        self.mismatch, self.fastest = np.zeros(len(s)), np.abs(self.turns)

    def _turn_in_space(self):
        found = [self.r.turning(self.body, int(s)) for s in self.steps]
        self.counts = np.array([len(t.turns) for t in found], int)
        self.first = np.concatenate([[0], np.cumsum(self.counts)[:-1]]).astype(int)
        self.begins, self.turns = (np.concatenate([getattr(t, n) for t in found]) for n in ("begins", "turns"))
        self.mismatch = np.array([t.mismatch for t in found])
        self.fastest = np.array([len(t.turns) * np.linalg.norm(t.turns, axis=1).max() for t in found])

    def _find_slack(self):
        """[m] for a point at the distance 1 m, and for the centre; a divided step bends where nobody knows."""
        s, b, r = self.steps, self.body, self.r
        jump = np.linalg.norm(r.velocity[s + 1, b] - r.velocity[s, b], axis=1)
        spin = r.angular_velocity[s + 1, b] - r.angular_velocity[s, b]
        spin = np.abs(spin) if r.dimension == 2 else np.linalg.norm(spin, axis=1)
        moving = self.divided & (r.kind[b] == DYNAMIC)
        self.shift_slack = np.where(moving, 0.5 * r.h[s] * jump, 0)
        self.turn_slack = np.where(moving, 0.5 * r.h[s] * spin, 0)
        self.turn_slack += np.where(self.mismatch > 1e-6, self.mismatch, 0)
        self.turn_slack[self.mismatch > UNKNOWN] = np.inf

    def slack(self, rows, reach):
        """[m] by which a point within `reach` of the centre may be elsewhere. A half-space that does not turn has none."""
        turn = self.turn_slack[rows]
        return self.shift_slack[rows] + np.where(turn > 0, turn * min(reach, 1e300), 0)

    def at(self, rows, t):
        """Poses (R, x) at the fractions t of the steps in these rows."""
        place = np.minimum((t * self.counts[rows]).astype(int), self.counts[rows] - 1)
        index = self.first[rows] + place
        part = t * self.counts[rows] - place
        turn = self.turns[index]
        R = exponential(turn * (part[:, None] if turn.ndim == 2 else part), self.r.dimension) @ self.begins[index]
        u = t[:, None]
        return R, self.x0[rows] + u * (self.x1 - self.x0)[rows] - (u * (1 - u)) * self.bend[rows]

    def speed_along(self, rows, axes, reach):
        """Of points within `reach`, over a whole step, along fixed unit axes: (way of the centre, signed; upper bound of
        what its bend and the turning add or take) [m]."""
        way = ((self.x1 - self.x0)[rows] * axes).sum(1)
        bend = np.abs((self.bend[rows] * axes).sum(1))
        turn = self.fastest[rows]
        if self.r.dimension == 3:  # turning about the axis itself moves nothing along it
            across = np.linalg.norm(np.cross(self.turns[self.first[rows]], axes), axis=1)
            turn = np.where(self.counts[rows] == 1, across, turn)
        return way, bend + np.where(turn > 0, turn * min(reach, 1e300), 0)

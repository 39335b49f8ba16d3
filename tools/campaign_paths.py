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
FINE = 0.1       # [rad] that a stretch of a free rotation turns
MOST_STRETCHES = 2000
SAME = 1e-6      # [rad] between the path and the next frame: none
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


def quaternion_of(R):
    """Quaternions w, x, y, z of matrices (..., 3, 3): the longest row of 4 q q^T."""
    a, b, c = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    w = [R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]]
    xy, xz, yz = R[..., 0, 1] + R[..., 1, 0], R[..., 0, 2] + R[..., 2, 0], R[..., 1, 2] + R[..., 2, 1]
    rows = [[1 + a + b + c, *w], [w[0], 1 + a - b - c, xy, xz], [w[1], xy, 1 - a + b - c, yz], [w[2], xz, yz, 1 - a - b + c]]
    table = np.stack([np.stack(row, -1) for row in rows], -2)
    longest = np.diagonal(table, axis1=-2, axis2=-1).argmax(-1)
    return shapes.unit(np.take_along_axis(table, longest[..., None, None], -2)[..., 0, :])


def logarithm(R):
    """Rotation vectors of matrices (..., 3, 3), |vector| <= pi."""
    q = quaternion_of(R)
    q = np.where(q[..., :1] < 0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    factor = np.where(sine > 1e-8, 2 * np.arctan2(sine, q[..., :1]) / np.maximum(sine, 1e-8), 2)
    return factor * q[..., 1:]


def apply(M, x):
    """M x for matrices (..., 3, 3) and vectors (..., 3)."""
    return (M @ x[..., None])[..., 0]


def free_turn(J_inverse, momentum, h):
    """(rotation vectors, angular momenta at the end), in body axes, of bodies that turn freely for short times h (N, 1).

    Runge and Kutta for Euler's equations, then Magnus' series of fourth order.
    """
    def rate(m):
        return np.cross(m, m @ J_inverse)

    a = rate(momentum)
    b = rate(momentum + h / 2 * a)
    c = rate(momentum + h / 2 * b)
    d = rate(momentum + h * c)
    end = momentum + h / 6 * (a + 2 * b + 2 * c + d)
    middle = (momentum + end) / 2 + h / 8 * (a - rate(end))
    w0, w, w1 = (m @ J_inverse for m in (momentum, middle, end))
    return h / 6 * (w0 + 4 * w + w1) + h * h / 12 * np.cross(w0, w1), end


class Turnings:
    """How one body turns in all steps: stretches of equal length within a step, each about one axis.

    Step s has the stretches first[s] to first[s] + counts[s] - 1, which begin at the attitudes `begins` and turn by
    `turns`, rotation vectors in world axes (in the plane: angles).
    """

    def __init__(self, recording, body):
        r = recording
        self.begins, N = r.R[:-1, body], r.frames - 1
        self.first, self.counts, self.mismatch = np.arange(N), np.ones(N, int), np.zeros(N)
        if r.dimension == 2:
            self.turns = np.diff(r.orientation[:, body])
            self.fastest = np.abs(self.turns)
            return
        self.turns = logarithm(r.R[1:, body] @ np.swapaxes(self.begins, -1, -2))
        whole = r.h[:, None] * r.angular_velocity[1:, body]
        fast = np.maximum(np.linalg.norm(whole, axis=1), np.linalg.norm(self.turns, axis=1)) > ONE_AXIS
        self._count_turns(np.flatnonzero(fast), whole)
        self.fastest = np.linalg.norm(self.turns, axis=1)
        tumbling = np.flatnonzero(self.mismatch > SAME)
        if len(tumbling) and r.kind[body] == DYNAMIC:
            self._try_free(tumbling, whole, r, body)

    def _count_turns(self, steps, whole):
        """Full turns more or less about the axis found; the nearest to what the angular velocity says."""
        turn, whole = self.turns[steps], whole[steps]
        angle = np.linalg.norm(turn, axis=1, keepdims=True)
        axis = np.where(angle > 1e-9, shapes.unit(turn), shapes.unit(whole))
        along = (whole * axis).sum(1, keepdims=True)
        self.turns[steps] = (angle + 2 * np.pi * np.round((along - angle) / (2 * np.pi))) * axis
        self.mismatch[steps] = np.linalg.norm(self.turns[steps] - whole, axis=1)

    def _try_free(self, steps, whole, r, body):
        """Backwards from the end of each step, where angular velocity and so angular momentum are known."""
        count = int(min(np.ceil(np.linalg.norm(whole[steps], axis=1).max() / FINE), MOST_STRETCHES))
        J, R = r.inertia[body], r.R[steps + 1, body]
        momentum = apply(np.swapaxes(R, -1, -2), r.angular_velocity[steps + 1, body]) @ J
        begins, turns = [], []
        for _ in range(count):
            back, momentum = free_turn(np.linalg.inv(J), momentum, -r.h[steps, None] / count)
            R = R @ exponential(back, 3)
            begins.append(R)
            turns.append(-apply(R, back))
        mismatch = np.linalg.norm(logarithm(r.R[steps, body] @ np.swapaxes(R, -1, -2)), axis=1)
        begins, turns = np.stack(begins[::-1], 1), np.stack(turns[::-1], 1)
        for i in np.flatnonzero(mismatch < self.mismatch[steps]):
            self._replace(steps[i], begins[i], turns[i], mismatch[i])

    def _replace(self, step, begins, turns, mismatch):
        self.first[step], self.counts[step], self.mismatch[step] = len(self.turns), len(turns), mismatch
        self.fastest[step] = len(turns) * np.linalg.norm(turns, axis=1).max()
        self.begins, self.turns = np.concatenate([self.begins, begins]), np.concatenate([self.turns, turns])


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
        self.present = self.time[:, None] >= self.bodies["appear"][None] - 1e-6 * self.steps["h"][:1].sum()
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

    def turnings(self, body):
        if body not in self._turnings:
            self._turnings[body] = Turnings(self, body)
        return self._turnings[body]


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
        s, self.turnings = self.steps, recording.turnings(body)
        self.x0, self.x1 = recording.x[s, body], recording.x[s + 1, body]
        self.bend = self._bend()
        self.first, self.counts, self.mismatch, self.fastest = (
            getattr(self.turnings, n)[s] for n in ("first", "counts", "mismatch", "fastest"))
        self.divided = recording.steps["substeps"][s] > 1
        self._find_slack()

    def _bend(self):
        """Half the change of velocity times h, where the parabola fits and the straight line does not."""
        s, b, r = self.steps, self.body, self.r
        h, way = r.h[s][:, None], self.x1 - self.x0
        v0, v1 = r.velocity[s, b], r.velocity[s + 1, b]
        line, parabola = (np.linalg.norm(way - h * v, axis=1) for v in (v1, (v0 + v1) / 2))
        return np.where((parabola < 1e-3 * line)[:, None], h * (v1 - v0) / 2, 0)

    def _find_slack(self):
        """[m] for a point at the distance 1 m, and for the centre; a divided step bends where nobody knows."""
        s, b, r = self.steps, self.body, self.r
        jump = np.linalg.norm(r.velocity[s + 1, b] - r.velocity[s, b], axis=1)
        spin = r.angular_velocity[s + 1, b] - r.angular_velocity[s, b]
        spin = np.abs(spin) if r.dimension == 2 else np.linalg.norm(spin, axis=1)
        moving = self.divided & (r.kind[b] == DYNAMIC)
        self.shift_slack = np.where(moving, 0.5 * r.h[s] * jump, 0)
        self.turn_slack = np.where(moving, 0.5 * r.h[s] * spin, 0)
        self.turn_slack += np.where(self.mismatch > SAME, self.mismatch, 0)
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
        turn = self.turnings.turns[index]
        R = exponential(turn * (part[:, None] if turn.ndim == 2 else part), self.r.dimension) @ self.turnings.begins[index]
        u = t[:, None]
        return R, self.x0[rows] + u * (self.x1 - self.x0)[rows] - (u * (1 - u)) * self.bend[rows]

    def speed_along(self, rows, axes, reach):
        """Of points within `reach`, over a whole step, along fixed unit axes: (way of the centre, signed; upper bound of
        what its bend and the turning add or take) [m]."""
        way = ((self.x1 - self.x0)[rows] * axes).sum(1)
        bend = np.abs((self.bend[rows] * axes).sum(1))
        turn = self.fastest[rows]
        if self.r.dimension == 3:  # turning about the axis itself moves nothing along it
            across = np.linalg.norm(np.cross(self.turnings.turns[self.first[rows]], axes), axis=1)
            turn = np.where(self.counts[rows] == 1, across, turn)
        return way, bend + np.where(turn > 0, turn * min(reach, 1e300), 0)

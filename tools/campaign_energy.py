"""Energy and momentum per island, joints, residuals: judged from a recording, for tools/campaign.

An island is a set of bodies that contacts or joints connect in a step. In a divided step the recording holds the
contacts of its last part only; there bodies whose swept boxes meet belong together.
"""
import numpy as np

from campaign_judge import finding
from campaign_paths import DYNAMIC, SCRIPTED

ENERGY = 1e-9         # of the island's kinetic energy at start and end, and of the work in the step
GAP_TOLERANCE = 1e-9  # [m] times weight: what the push of a contact within its tolerance may give
SCRIPT_ENERGY = 1e-6  # likewise where a scripted body works on the island: its work is known from the impulses only
JOINT_ENERGY = 1e-3   # of the island's kinetic energy: what the closing of joints may give in a step
MOMENTUM = 1e-9       # of the momenta and impulses involved
JOINT = 1e-3          # [m or rad] by which a joint may be open, or beyond its limits
RESIDUAL = 1e-9       # that the solver may leave
PUSH = 1e-12          # of the momenta of both bodies: a smaller impulse is the solver's round-off, and connects nothing
ROUND_OFF = 1e-15     # of an energy, times the ratio of the moments of inertia


def cross(a, b):
    """Moment of b at a; in the plane a number."""
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0] if a.shape[-1] == 2 else np.cross(a, b)


class Mechanics:
    """Energies and momenta of all bodies in all frames."""

    def __init__(self, recording, scene):
        self.r, self.scene = recording, scene
        r, D = recording, recording.dimension
        self.gravity = np.asarray(scene.get("gravity", [0] * (D - 1) + [-9.81]), float)
        self.mass = np.where(r.kind == DYNAMIC, r.mass, 0)
        self.p = self.mass[:, None] * r.velocity
        if D == 2:
            self.L = np.where(r.kind == DYNAMIC, r.inertia, 0) * r.angular_velocity
            turning = self.L * r.angular_velocity
        else:
            J = np.where((r.kind == DYNAMIC)[:, None, None], r.inertia, 0)
            self.L = (r.R @ J @ np.swapaxes(r.R, -1, -2) @ r.angular_velocity[..., None])[..., 0]
            turning = (self.L * r.angular_velocity).sum(-1)
        self.kinetic = ((self.p * r.velocity).sum(-1) + turning) / 2
        self.round_off = ROUND_OFF * self._anisotropy()
        bodies = {b.get("name"): b for b in scene.get("bodies", [])}
        self.force = np.array([bodies.get(n, {}).get("force", [0] * D) for n in r.names], float)
        self.twisted = np.array([np.any(bodies.get(n, {}).get("torque", 0)) for n in r.names])
        self.joints = joint_rows(recording, scene)

    def _anisotropy(self):
        if self.r.dimension == 2:
            return np.ones(self.r.count)
        J = np.where((self.r.kind == DYNAMIC)[:, None, None], self.r.inertia, np.eye(3))
        values = np.linalg.eigvalsh(J)
        return values[:, -1] / np.maximum(values[:, 0], 1e-300)

    def force_on(self):
        """[N] gravity and constant forces."""
        return self.mass[:, None] * self.gravity + self.force


def joint_rows(recording, scene):
    """The scene's words about each recorded joint, by name or by place."""
    told = {j.get("name", f"joint-{i + 1}"): j for i, j in enumerate(scene.get("joints", []))}
    return [told.get(n.decode(), {}) for n in recording.joints.get("name", [])]


def axes_of(words):
    """The scene's maps of a joint's values."""
    return words.get("axes") or [words]


class Islands:
    """The islands of one step: sets of dynamic bodies, each with what touches it from outside."""

    def __init__(self, mechanics, step):
        r = mechanics.r
        self.parent = list(range(r.count))
        self.outside = []  # (dynamic body, other body or -1 for the world, contact or None for a joint)
        self.ignored = np.zeros(r.count)  # [N s, N m s] per body: impulses that connect nothing, and their moments
        self.divided = r.steps["substeps"][step] > 1
        self._contacts(mechanics, step)
        self._joints(r)
        if self.divided:
            self._swept_boxes(r, step)
        self.groups = {}
        for body in np.flatnonzero((r.kind == DYNAMIC) & r.present[step]):
            self.groups.setdefault(self.root(body), []).append(int(body))

    def root(self, body):
        while self.parent[body] != body:
            self.parent[body] = self.parent[self.parent[body]]
            body = self.parent[body]
        return body

    def _meet(self, r, a, b, contact):
        dynamic = [x >= 0 and r.kind[x] == DYNAMIC for x in (a, b)]
        if all(dynamic):
            self.parent[self.root(a)] = self.root(b)
        elif any(dynamic):
            self.outside.append((a, b, contact) if dynamic[0] else (b, a, contact))

    def _contacts(self, mechanics, step):
        r = mechanics.r
        begin, end = r.contacts["offsets"][step:step + 2]
        for c in range(begin, end):
            a, b = map(int, r.contacts["bodies"][c])
            impulse = np.abs(r.contacts["impulse"][c]).sum()
            if impulse > PUSH * np.abs(mechanics.p[step:step + 2, [a, b]]).sum():
                self._meet(r, a, b, int(c))
                continue
            for body in (a, b):
                self.ignored[body] += impulse * (1 + np.linalg.norm(r.contacts["point"][c] - r.x[step, body]))

    def _joints(self, r):
        for a, b in r.joints.get("bodies", []):
            self._meet(r, int(a), int(b), None)

    def _swept_boxes(self, r, step):
        """Of balls around the bodies, with the way of the step: a box that is too large joins too much, not too little."""
        reach = np.zeros(r.count)
        for part in r.parts:
            reach[part.body] = max(reach[part.body], part.reach)
        low = np.minimum(r.x[step], r.x[step + 1]) - reach[:, None]
        high = np.maximum(r.x[step], r.x[step + 1]) + reach[:, None]
        more = np.abs(r.velocity[step + 1] - r.velocity[step]) * r.h[step]
        low, high = low - more, high + more
        for a in range(r.count):
            meets = ((low[a] <= high) & (low <= high[a])).all(axis=1)
            for b in np.flatnonzero(meets[a + 1:]) + a + 1:
                self._meet(r, a, int(b), None)


class IslandStep:
    """What happened to one island in one step."""

    def __init__(self, mechanics, islands, root, step):
        self.m, self.r, self.step = mechanics, mechanics.r, step
        self.divided, self.bodies = islands.divided, islands.groups[root]
        self.ignored = islands.ignored[self.bodies].sum()
        inside = set(self.bodies)
        self.outside = [o for o in islands.outside if o[0] in inside]
        self.joints = [j for j, pair in enumerate(self.r.joints.get("bodies", [])) if inside & set(map(int, pair))]

    def is_driven(self):
        """Do motors, forces of joints, torques or controllers work, whose work is not recorded?"""
        if any(self.m.twisted[b] for b in self.bodies):
            return True
        names = {c["joint"] for c in self.m.scene.get("controllers", [])}
        words = [self.m.joints[j] for j in self.joints]
        return any(w.get("name") in names or any("motor" in a or a.get("force") for a in axes_of(w)) for w in words)

    def scripts(self):
        return [o for o in self.outside if o[1] >= 0 and self.r.kind[o[1]] == SCRIPTED]

    def script_work(self):
        """[J, and the sum of absolute values] from the impulses and the mean velocity of the scripted body's points."""
        total = size = 0.0
        r, k = self.r, self.step
        for _, script, contact in self.scripts():
            impulse = r.contacts["impulse"][contact]
            impulse = impulse if r.contacts["bodies"][contact][1] == script else -impulse
            arm = r.contacts["point"][contact] - r.x[k, script]
            spin = r.angular_velocity[k + 1, script]
            turn = spin * np.array([-arm[1], arm[0]]) if r.dimension == 2 else np.cross(spin, arm)
            work = impulse @ ((r.x[k + 1, script] - r.x[k, script]) / r.h[k] + turn)
            total, size = total + work, size + abs(work)
        return total, size

    def energy(self):
        """(gain beyond work, allowed gain, kinetic energy at the end and at the start) [J]."""
        m, r, k, b = self.m, self.r, self.step, self.bodies
        before, after = m.kinetic[k, b], m.kinetic[k + 1, b]
        work = (m.force_on()[b] * (r.x[k + 1, b] - r.x[k, b])).sum(1)
        script, script_size = self.script_work()
        gain = (after - before).sum() - work.sum() - script
        scale = before.sum() + after.sum() + np.abs(work).sum() + script_size
        allowed = (SCRIPT_ENERGY if script_size else ENERGY) * scale
        allowed += (m.round_off[b] * (before + after)).sum()
        allowed += np.linalg.norm(m.force_on()[b], axis=1).sum() * GAP_TOLERANCE
        return gain, allowed, before.sum(), after.sum()

    def momentum_error(self):
        """(error, scale) of the linear momentum; None where an outside impulse is not recorded."""
        m, r, k, b = self.m, self.r, self.step, self.bodies
        if any(contact is None for _, _, contact in self.outside) or (self.divided and self.outside):
            return None
        kick = r.h[k] * m.force_on()[b]
        change = (m.p[k + 1, b] - m.p[k, b]).sum(0) - kick.sum(0)
        scale = np.abs(m.p[k:k + 2, b]).sum() + np.abs(kick).sum()
        for body, _, contact in self.outside:
            impulse = r.contacts["impulse"][contact]
            change = change - (impulse if r.contacts["bodies"][contact][0] == body else -impulse)
            scale += np.abs(impulse).sum()
        return np.linalg.norm(change), scale

    def spin_error(self):
        """(error, scale) of the angular momentum about the island's own centre; None where anything acts from outside."""
        m, k, b = self.m, self.step, self.bodies
        if self.outside or self.m.force[b].any() or self.m.twisted[b].any():
            return None
        before, size = self._spin(k)
        after, size_after = self._spin(k + 1)
        return np.linalg.norm(after - before), size + size_after

    def _spin(self, k):
        m, r, b = self.m, self.r, self.bodies
        mass = m.mass[b][:, None]
        arm = r.x[k, b] - (mass * r.x[k, b]).sum(0) / mass.sum()
        orbit = cross(arm, m.p[k, b] - mass * m.p[k, b].sum(0) / mass.sum())
        size = np.abs(orbit).sum() + np.abs(m.L[k, b]).sum() + (np.linalg.norm(arm, axis=1) *
                                                               np.linalg.norm(m.p[k, b], axis=1)).sum()
        return np.atleast_1d(orbit.sum(0) + m.L[k, b].sum(0)), size


def judge_island(island, overlapping):
    """Findings of one island in one step."""
    found, r, k = [], island.r, island.step
    unknown = any(contact is None for _, _, contact in island.scripts())  # a joint, or a divided step
    if not (overlapping or unknown or island.is_driven()):
        gain, allowed, before, after = island.energy()
        kind = "energy"
        if island.joints:
            kind, allowed = "joint-energy", allowed + JOINT_ENERGY * max(before, after / 2)
        if gain > allowed:
            words = f"{before:.4g} J + {gain:.3g} J from nowhere (allowed {allowed:.2g} J)"
            found.append(finding(kind, r, k, island.bodies[:4], gain / max(allowed, 1e-300), words))
    for name, error in (("momentum", island.momentum_error()), ("spin", island.spin_error())):
        if error and error[0] > MOMENTUM * error[1] + 2 * island.ignored + 1e-300:
            words = f"{name} off by {error[0] / error[1]:.2g} of what was exchanged"
            found.append(finding("momentum", r, k, island.bodies[:4], error[0] / error[1], words))
    return found


def judge_mechanics(recording, scene, overlapping):
    """The first and the worst finding of each kind over all islands of all steps."""
    mechanics, found = Mechanics(recording, scene), {}
    for step in range(recording.frames - 1):
        islands = Islands(mechanics, step)
        for root in islands.groups:
            for f in judge_island(IslandStep(mechanics, islands, root, step), overlapping):
                row = found.setdefault(f["kind"], [])
                row.append(f)
    return [dict(max(row, key=lambda f: f["value"]), count=len(row), first=row[0]["step"]) for row in found.values()]

"""Convex parts and the exact gap of two of them, many poses at once: numpy alone, and nothing that a step uses.

A gap is the largest separation along any axis. For polytopes that overlap the best axis is the normal of a facet or lies
across two edges (the separating-axis theorem), so a gap <= 0 is exact. For disjoint polytopes the number is positive and
at most the distance: the judge asks whether bodies overlap and how deep, not how far apart they are. Gaps with a sphere
or a half-space are exact on both sides. Everything works in the precision of the numbers that come in: the judge
computes the gap of what seems to overlap again with long doubles, because the axis across two nearly parallel edges loses
digits.
"""
import numpy as np

PARALLEL = 1e-12  # [rad] directions nearer than this count as one: the gap changes by less than this times a size
CHUNK = 4_000_000  # numbers in the largest array that a batch of poses may make


def numbers(x):
    """As an array of doubles, or of the longer numbers that x has already."""
    x = np.asarray(x)
    return x if x.dtype == np.longdouble else x.astype(float)


def unit(x):
    """Rows of length 1; rows of zeros stay."""
    length = np.linalg.norm(x, axis=-1, keepdims=True)
    return x / np.where(length > 0, length, 1)


def distinct(directions):
    """Unit vectors without those that another one repeats, up to sign."""
    kept = []
    for d in unit(np.asarray(directions)):
        if all(np.linalg.norm(d - k) > PARALLEL and np.linalg.norm(d + k) > PARALLEL for k in kept):
            kept.append(d)
    return np.array(kept)


def crosses(a, b):
    """All unit cross products of rows of a (.., A, 3) and b (.., B, 3): (.., A B, 3). Zeros where rows are parallel."""
    product = np.cross(a[..., :, None, :], b[..., None, :, :])
    return unit(product.reshape(*product.shape[:-3], -1, 3))


class Part:
    """A convex part in the frame of its body's centre of mass, in which all poses are given."""

    def __init__(self, kind, body, dimension):
        self.kind, self.body, self.dimension = kind, body, dimension
        self.group, self.collides = 1, -1


class Sphere(Part):
    def __init__(self, body, centre, radius):
        super().__init__("sphere", body, len(centre))
        self.centre, self.radius = numbers(centre), radius
        self.width = 2 * self.radius                            # the least extent in any direction
        self.reach = np.linalg.norm(self.centre) + self.radius  # from the centre of mass


class HalfSpace(Part):
    """Everything with normal . x <= offset."""

    def __init__(self, body, normal, offset):
        super().__init__("half-space", body, len(normal))
        length = np.linalg.norm(normal)
        self.normal, self.offset = numbers(normal) / length, offset / length
        self.width = self.reach = np.inf


class Polytope(Part):
    """Faces are loops of vertices, counter-clockwise from outside; in the plane there is one loop."""

    def __init__(self, body, vertices, faces):
        vertices = numbers(vertices)
        super().__init__("polytope", body, vertices.shape[1])
        self.vertices = vertices
        self.reach = np.linalg.norm(vertices, axis=1).max()
        if self.dimension == 2:
            self._plane(faces[0])
        else:
            self._space(faces)
        self.axes = distinct(self.normals)
        along = self.vertices @ np.vstack([self.axes, self._own_crosses()]).T
        self.width = np.ptp(along, axis=0).min()

    def _plane(self, loop):
        begin, end = self.vertices[loop], self.vertices[np.roll(loop, -1)]
        along = end - begin
        self.normals = unit(np.stack([along[:, 1], -along[:, 0]], axis=1))
        self.offsets = (self.normals * begin).sum(axis=1)
        self.segments = begin, end
        self.directions = np.zeros((0, 2))

    def _space(self, faces):
        self.normals, self.offsets, fences, owners, segments = [], [], [], [], {}
        for face, loop in enumerate(faces):
            ring = self.vertices[loop]
            normal = unit(np.cross(ring, np.roll(ring, -1, axis=0)).sum(axis=0))  # Newell
            self.normals.append(normal)
            self.offsets.append((ring @ normal).max())
            for a, b in zip(loop, np.roll(loop, -1)):
                segments[min(a, b), max(a, b)] = self.vertices[a], self.vertices[b]
                out = np.cross(self.vertices[b] - self.vertices[a], normal)
                fences.append([*out, out @ self.vertices[a]])
                owners.append(face)
        self.normals, self.offsets, self.fences = np.array(self.normals), np.array(self.offsets), np.array(fences)
        self.fence_begins = np.searchsorted(owners, np.arange(len(faces)))
        ends = np.array(list(segments.values()))
        self.segments = ends[:, 0], ends[:, 1]
        self.directions = distinct(ends[:, 1] - ends[:, 0])

    def _own_crosses(self):
        if self.dimension == 2:
            return np.zeros((0, 2))
        found = crosses(self.directions, self.directions)
        return found[np.linalg.norm(found, axis=1) > 0.5]


def separation(axes, a, b):
    """The largest distance of b beyond a, or of a beyond b, along unit axes (N, K, D) of vertex sets (., V, D).

    Returns (separation, axis from a to b); an axis of zeros counts as none.
    """
    on_a, on_b = axes @ np.swapaxes(a, -1, -2), axes @ np.swapaxes(b, -1, -2)
    ahead = on_b.min(axis=-1) - on_a.max(axis=-1)
    behind = on_a.min(axis=-1) - on_b.max(axis=-1)
    best = np.where((axes != 0).any(axis=-1), np.maximum(ahead, behind), -np.inf)
    at = best.argmax(axis=-1)
    row = np.arange(len(best))
    sign = np.where(ahead[row, at] >= behind[row, at], 1, -1)
    return best[row, at], sign[:, None] * axes[row, at]


def polytope_gap(A, B, R, p):
    """B stands at R, p (N, D, D; N, D) in the frame of A. Axis in the frame of A."""
    b = B.vertices @ np.swapaxes(R, -1, -2) + p[:, None, :]
    axes = np.concatenate([np.broadcast_to(A.axes, (len(R), *A.axes.shape)),
                           B.axes @ np.swapaxes(R, -1, -2)], axis=1)
    gap, axis = separation(axes, A.vertices, b)
    close = np.flatnonzero(gap <= 0)
    if A.dimension == 2 or not len(close):
        return gap, axis
    across = crosses(A.directions, B.directions @ np.swapaxes(R[close], -1, -2))
    edge_gap, edge_axis = separation(across, A.vertices, b[close])
    better = edge_gap > gap[close]
    gap[close[better]], axis[close[better]] = edge_gap[better], edge_axis[better]
    return gap, axis


def nearest_on_segments(P, points):
    """Of each point (N, D): the nearest point of all edges of P."""
    begin, end = P.segments
    along = end - begin
    rest = points[:, None, :] - begin
    t = np.clip((rest * along).sum(-1) / (along * along).sum(-1), 0, 1)
    feet = begin + t[..., None] * along
    far = np.linalg.norm(points[:, None, :] - feet, axis=-1)
    return feet[np.arange(len(points)), far.argmin(axis=1)]


def point_gap(P, points):
    """Signed distance of points (N, D) from a polytope, and the direction from the polytope to the point."""
    heights = points @ P.normals.T - P.offsets
    top = heights.argmax(axis=1)
    gap, axis = heights[np.arange(len(points)), top], P.normals[top].copy()
    out = np.flatnonzero(gap > 0)
    if not len(out):
        return gap, axis
    x = points[out]
    away = x - nearest_on_segments(P, x)
    gap[out] = np.linalg.norm(away, axis=1)
    axis[out] = unit(away)
    if P.dimension == 3:
        beyond = np.maximum.reduceat(x @ P.fences[:, :3].T - P.fences[:, 3], P.fence_begins, axis=1)
        over = np.where((beyond <= 0) & (heights[out] > 0), heights[out], np.inf)
        face = over.argmin(axis=1)
        found = over[np.arange(len(out)), face]
        nearer = found < gap[out]
        gap[out[nearer]], axis[out[nearer]] = found[nearer], P.normals[face[nearer]]
    return gap, axis


def gap_from_half_space(H, B, R, p):
    """B stands at R, p in the frame of H."""
    normal = np.broadcast_to(H.normal, p.shape)
    if B.kind == "sphere":
        return (R @ B.centre + p) @ H.normal - B.radius - H.offset, normal
    heights = (B.vertices @ np.swapaxes(R, -1, -2) + p[:, None, :]) @ H.normal
    return heights.min(axis=1) - H.offset, normal


def relative_gap(A, B, R, p):
    """(gap, axis from A to B in the frame of A); B stands at R, p in the frame of A."""
    if A.kind == B.kind == "polytope":
        return polytope_gap(A, B, R, p)
    if A.kind == "half-space":
        return gap_from_half_space(A, B, R, p)
    if A.kind == B.kind == "sphere":
        away = R @ B.centre + p - A.centre
        return np.linalg.norm(away, axis=1) - A.radius - B.radius, unit(away)
    if A.kind == "polytope" and B.kind == "sphere":
        gap, axis = point_gap(A, R @ B.centre + p)
        return gap - B.radius, axis
    back = np.swapaxes(R, -1, -2)  # seen from B, then turned back
    gap, axis = relative_gap(B, A, back, -(back @ p[..., None])[..., 0])
    return gap, -(R @ axis[..., None])[..., 0]


def cost(A, B):
    """Numbers that the gap at one pose needs, roughly."""
    if A.kind == B.kind == "polytope":
        axes = len(A.axes) + len(B.axes) + len(A.directions) * len(B.directions)
        return axes * (len(A.vertices) + len(B.vertices))
    return 100


def find_gaps(A, B, pose_A, pose_B):
    """Gaps of two parts at N poses (R, x) of their bodies, and unit axes from A to B, in world axes."""
    (R_A, x_A), (R_B, x_B) = pose_A, pose_B
    gaps, axes = np.empty(len(x_A), x_A.dtype), np.empty_like(x_A)
    size = max(1, CHUNK // cost(A, B))
    for i in range(0, len(x_A), size):
        s = slice(i, i + size)
        back = np.swapaxes(R_A[s], -1, -2)
        gap, axis = relative_gap(A, B, back @ R_B[s], (back @ (x_B[s] - x_A[s])[..., None])[..., 0])
        gaps[s], axes[s] = gap, (R_A[s] @ axis[..., None])[..., 0]
    return gaps, axes

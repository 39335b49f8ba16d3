"""Did bodies overlap, did one pass another? Judged from a recording, for tools/campaign.

A pair passed when at some time on the path between two frames two parts overlap deeper than half the least width of the
thinner one. The path is followed by bisection: along an axis that is kept fixed, the separation of two bodies changes by
no more than their points move along it, so a gap at the middle of an interval bounds the gap in all of it.
"""
import itertools

import numpy as np

import campaign_shapes as shapes
from campaign_paths import DYNAMIC, BodyPath

GAP = 1e-9 + 1e-13    # [m] no gap may be below minus this; simulator and judge round at 1e-16 of positions of up to 1 km
SHORTEST = 1e-9       # of a step: a shorter interval is not divided
EVALUATIONS = 60_000  # of gaps along paths, per pair of parts; what is left then counts as undecided
ALL_EVALUATIONS = 400_000  # likewise, of all pairs of a recording


class PairOfParts:
    """Two parts that may touch, and the frames and steps in which their surroundings meet."""

    def __init__(self, recording, A, B):
        self.r, self.A, self.B = recording, A, B
        present = recording.present[:, A.body] & recording.present[:, B.body]
        distance = self._distance()
        self.frames = np.flatnonzero(present & (distance <= 0))
        way = self._way(A.body) + self._way(B.body)
        near = np.minimum(distance[:-1], distance[1:]) - way / 2 <= 0
        self.steps = np.flatnonzero(present[:-1] & near)

    def _distance(self):
        """A lower bound of the gap in each frame, by the balls around both parts."""
        A, B, r = self.A, self.B, self.r
        if A.kind == "half-space":
            normal = r.R[:, A.body] @ A.normal
            return (normal * (r.x[:, B.body] - r.x[:, A.body])).sum(1) - A.offset - B.reach
        return np.linalg.norm(r.x[:, A.body] - r.x[:, B.body], axis=1) - A.reach - B.reach

    def _way(self, body):
        x, v = self.r.x[:, body], self.r.velocity[:, body]
        bend = np.linalg.norm(v[1:] - v[:-1], axis=1) * self.r.h / 2
        return np.linalg.norm(x[1:] - x[:-1], axis=1) + bend

    def gaps(self):
        """In `frames`; positive numbers are lower bounds."""
        poses = [(self.r.R[self.frames, p.body], self.r.x[self.frames, p.body]) for p in (self.A, self.B)]
        return shapes.find_gaps(self.A, self.B, *poses)[0]


def pairs_of_parts(recording):
    """All pairs that may touch; a half-space comes first."""
    for A, B in itertools.combinations(recording.parts, 2):
        if A.body == B.body or frozenset((A.body, B.body)) in recording.forbidden:
            continue
        if recording.kind[A.body] != DYNAMIC and recording.kind[B.body] != DYNAMIC:
            continue
        if not (A.group & B.collides and B.group & A.collides):
            continue
        pair = PairOfParts(recording, *((B, A) if B.kind == "half-space" else (A, B)))
        if len(pair.frames) or len(pair.steps):
            yield pair


def least_gaps(recording, pairs):
    """Per pair of bodies: the least gap of each frame, infinite where nothing is near."""
    found = {}
    for pair in pairs:
        key = tuple(sorted((pair.A.body, pair.B.body)))
        row = found.setdefault(key, np.full(recording.frames, np.inf))
        if len(pair.frames):
            row[pair.frames] = np.minimum(row[pair.frames], pair.gaps())
    return found


def start_gap(recording, bodies, gaps):
    """The gap when both are there first."""
    first = np.flatnonzero(recording.present[:, bodies[0]] & recording.present[:, bodies[1]])
    return gaps[first[0]] if len(first) else np.inf


def starts_overlapping(recording, rows):
    return any(start_gap(recording, bodies, gaps) < -GAP for bodies, gaps in rows.items())


def judge_gaps(recording, rows):
    """(findings, least gap over the run): a gap below -1e-9 m, or below that of an overlapping start."""
    findings, least = [], np.inf
    for bodies, gaps in rows.items():
        allowed = min(-GAP, start_gap(recording, bodies, gaps) - GAP)
        frame = int(gaps.argmin())
        if allowed == -GAP:
            least = min(least, float(gaps[frame]))
        if gaps[frame] < allowed:
            first = int(np.flatnonzero(gaps < allowed)[0])
            findings.append(finding("gap", recording, max(first - 1, 0), bodies, float(gaps[frame]),
                                    f"gap {gaps[frame]:.3g} m, allowed {allowed:.3g} m"))
    return findings, least


def finding(kind, recording, step, bodies, value, words):
    """One line of the campaign. `step` leads to the frame that shows it."""
    return {"kind": kind, "step": int(step), "time": float(recording.time[min(step + 1, recording.frames - 1)]),
            "bodies": [recording.names[b] for b in bodies], "value": float(value), "words": words}


class PassSearch:
    """Follows one pair of parts along the paths of its bodies."""

    def __init__(self, pair, start):
        self.pair, self.A, self.B = pair, pair.A, pair.B
        self.paths = [BodyPath(pair.r, p.body, pair.steps) for p in (pair.A, pair.B)]
        self.depth = max(min(self.A.width, self.B.width) / 2, -1.001 * start if start < 0 else 0)
        rows = np.arange(len(pair.steps))
        self.slack = sum(path.slack(rows, part.reach) for path, part in zip(self.paths, (self.A, self.B)))
        self.evaluations = self.undecided = 0

    def gap(self, rows, t):
        return shapes.find_gaps(self.A, self.B, self.paths[0].at(rows, t), self.paths[1].at(rows, t))

    def rate(self, rows, axes):
        """[m per step] by which the separation along a fixed axis changes at most."""
        ways, turns = zip(*(path.speed_along(rows, axes, part.reach)
                            for path, part in zip(self.paths, (self.A, self.B))))
        return np.abs(ways[1] - ways[0]) + turns[0] + turns[1]

    def search(self, most):
        """(row, fraction, gap) of the deepest place that was met deeper than allowed, or None."""
        rows = np.flatnonzero(np.isfinite(self.slack))
        self.undecided = len(self.slack) - len(rows)
        begin, length, worst = np.zeros(len(rows)), np.ones(len(rows)), None
        while len(rows):
            if self.evaluations + len(rows) > most:
                self.undecided += len(np.unique(rows))
                break
            self.evaluations += len(rows)
            t = begin + length / 2
            gap, axes = self.gap(rows, t)
            limit = -self.depth - self.slack[rows]
            if (gap < limit).any():
                at = int((gap - limit).argmin())
                worst = int(rows[at]), float(t[at]), float(gap[at])
                break
            open_ = (gap - self.rate(rows, axes) * length / 2 <= limit) & (length > SHORTEST)
            rows, begin, length = (x[open_] for x in (rows, begin, length / 2))
            rows, begin, length = np.tile(rows, 2), np.concatenate([begin, begin + length]), np.tile(length, 2)
        return worst


def judge_passes(recording, pairs, rows):
    """(findings, undecided steps)."""
    findings, undecided, left = [], 0, ALL_EVALUATIONS
    for pair in pairs:
        if not len(pair.steps):
            continue
        bodies = tuple(sorted((pair.A.body, pair.B.body)))
        search = PassSearch(pair, start_gap(recording, bodies, rows[bodies]))
        worst = search.search(min(left, EVALUATIONS))
        left -= search.evaluations
        undecided += search.undecided
        if worst:
            row, t, gap = worst
            words = (f"overlap {-gap:.3g} m at {t:.4f} of the step, half the thinner part's width is "
                     f"{min(pair.A.width, pair.B.width) / 2:.3g} m")
            findings.append(finding("pass", recording, pair.steps[row], bodies, -gap, words))
    return findings, undecided


def judge_numbers(recording):
    """Numbers that are none."""
    for name in ("position", "velocity", "angular_velocity", "orientation"):
        bad = ~np.isfinite(getattr(recording, name).reshape(recording.frames, -1)).all(axis=1)
        if bad.any():
            step = max(int(bad.argmax()) - 1, 0)
            return [finding("not-a-number", recording, step, (), np.nan, f"{name} is not finite")]
    return []


def confirm_gaps(findings, file, recording_type):
    """Gaps below the bound once more, with long doubles; only those that stay count."""
    suspects = [f for f in findings if f["kind"] == "gap"]
    if not suspects:
        return findings
    exact = recording_type(file, np.longdouble)
    names = {tuple(sorted(f["bodies"])) for f in suspects}
    pairs = [p for p in pairs_of_parts(exact)
             if tuple(sorted((exact.names[p.A.body], exact.names[p.B.body]))) in names]
    return [f for f in findings if f["kind"] != "gap"] + judge_gaps(exact, least_gaps(exact, pairs))[0]

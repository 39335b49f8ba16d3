"""How far joints are open, and what the solver left: judged from a recording, for tools/campaign."""
import numpy as np

from campaign_energy import JOINT, RESIDUAL, axes_of, joint_rows
from campaign_judge import finding
from campaign_paths import rotation_of

# Which ways along x, y, z of the frame on A must vanish; and how the frames may turn.
WAYS = {"fixed": (0, 1, 2), "revolute": (0, 1, 2), "prismatic": (0, 1), "cylindrical": (0, 1), "spherical": (0, 1, 2),
        "universal": (0, 1, 2), "planar": (2,)}
TILTED = ("fixed", "revolute", "prismatic", "cylindrical", "planar")  # z axes stay parallel
STRAIGHT = ("fixed", "prismatic")                                    # nor may they turn about z
PLANE_WAYS = {"fixed": (0, 1), "revolute": (0, 1), "prismatic": (1,)}


def frame_on(recording, j, side):
    """The joint's frame on body A or B in the world: R, x in all frames."""
    r, body = recording, int(recording.joints["bodies"][j][side])
    R = rotation_of(r.joints["orientation_" + "AB"[side]][j], r.dimension)
    p = r.joints["position_" + "AB"[side]][j]
    if body < 0:
        return np.broadcast_to(R, (r.frames, *R.shape)), np.broadcast_to(p, (r.frames, *p.shape))
    return r.R[:, body] @ R, (r.position[:, body] + (r.R[:, body] @ p))


def joint_errors(recording, j):
    """[m or rad] the largest demand that is broken, in each frame."""
    kind = recording.joints["kind"][j]
    kind = kind.decode() if isinstance(kind, bytes) else str(kind)
    (R_A, x_A), (R_B, x_B) = frame_on(recording, j, 0), frame_on(recording, j, 1)
    back = np.swapaxes(R_A, -1, -2)
    way, turn = (back @ (x_B - x_A)[..., None])[..., 0], back @ R_B
    if recording.dimension == 2:
        errors = [np.abs(way[:, i]) for i in PLANE_WAYS[kind]]
        if kind != "revolute":
            errors.append(np.abs(np.arctan2(turn[:, 1, 0], turn[:, 0, 0])))
        return np.max(errors, axis=0)
    errors = [np.abs(way[:, i]) for i in WAYS[kind]]
    if kind in TILTED:
        errors.append(np.arctan2(np.hypot(turn[:, 0, 2], turn[:, 1, 2]), turn[:, 2, 2]))
    if kind in STRAIGHT:
        errors.append(np.abs(np.arctan2(turn[:, 1, 0], turn[:, 0, 0])))
    if kind == "universal":
        errors.append(np.abs(np.arcsin(np.clip(turn[:, 0, 1], -1, 1))))
    return np.max(errors, axis=0)


def limit_errors(recording, j, words):
    """[m or rad] by which the values are beyond their limits, in each frame."""
    begin, end = recording.joints["value_offsets"][j:j + 2]
    beyond = np.zeros(recording.frames)
    for value, axis in zip(recording.joints["value"][:recording.frames, begin:end].T, axes_of(words)):
        low, high = (float(x) for x in axis.get("limits", (-np.inf, np.inf)))
        beyond = np.maximum.reduce([beyond, low - value, value - high])
    return beyond


def judge_joints(recording, scene):
    """(findings, largest error): joints that are open or beyond their limits by more than JOINT."""
    findings, worst = [], 0.0
    for j, words in enumerate(joint_rows(recording, scene)):
        bodies = [int(b) for b in recording.joints["bodies"][j] if b >= 0]
        there = recording.present[:, bodies].all(axis=1)
        for kind, errors in (("joint", joint_errors(recording, j)), ("limit", limit_errors(recording, j, words))):
            errors = np.where(there, errors, 0)
            worst = max(worst, float(errors.max())) if kind == "joint" else worst
            if errors.max() > JOINT:
                name = recording.joints["name"][j].decode()
                step = max(int(np.flatnonzero(errors > JOINT)[0]) - 1, 0)
                findings.append(finding(kind, recording, step, bodies, errors.max(),
                                        f"joint {name} {'open' if kind == 'joint' else 'beyond its limits'} by "
                                        f"{errors.max():.3g} m or rad"))
    return findings, worst


def judge_residuals(recording):
    """(findings, largest residual): steps that were taken with a residual above what is accepted."""
    residual = recording.steps["residual"]
    worst = float(residual.max()) if len(residual) else 0.0
    if not worst > RESIDUAL:
        return [], worst
    above = np.flatnonzero(residual > RESIDUAL)
    words = f"{len(above)} steps accepted with residuals up to {worst:.2g}"
    return [finding("residual", recording, above[0], (), worst, words)], worst

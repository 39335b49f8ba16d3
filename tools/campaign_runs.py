"""Runs of tools/campaign: one scene through one program, judged; and the smallest scene that shows the same."""
import json
import os
import pathlib
import re
import signal
import subprocess
import time

import numpy as np

from campaign_energy import judge_mechanics
from campaign_joints import judge_joints, judge_residuals
from campaign_judge import (confirm_gaps, finding, judge_gaps, judge_numbers, judge_passes, least_gaps, pairs_of_parts,
                            starts_overlapping)
from campaign_paths import DYNAMIC, Recording

REFUSED, REJECTED = 3, 2  # exit codes of `touchstone run`


def read_scene(text):
    """A scene's words: JSON, or YAML where Python can read it; of the format of rigid-ipc only gravity."""
    try:
        scene = json.loads(text)
    except ValueError:
        import yaml  # only for scenes that the campaign did not write
        scene = yaml.load(re.sub(r"(?<=[\d.])e(?=\d)", "e+", text), yaml.SafeLoader)
    problem = scene.get("rigid_body_problem")
    if problem:
        gravity = problem.get("gravity", [0, 0])
        return {"gravity": gravity[:2] if len(problem["rigid_bodies"][0]["vertices"][0]) == 2 else gravity}
    return scene


def reason(message):
    """A refusal without names and numbers, so that alike ones count together."""
    line = message.strip().partition("\n")[0]
    line = re.sub(r'"[^"]*"', '"..."', line.removeprefix("touchstone: "))
    return re.sub(r"[-+]?\d[\d.]*(e[-+]?\d+)?", "#", line)[:160]


class Program:
    """A program `touchstone` with limits on its time."""

    def __init__(self, path, limit=60.0, extra=()):
        self.path, self.limit, self.extra = pathlib.Path(path).resolve(), limit, list(extra)

    def command(self, scene, recording):
        return [str(self.path), "run", str(scene), "-o", str(recording), "--json", "--threads", "1", *self.extra]

    def run(self, scene, recording):
        """How it ended: done, refused, rejected (bad input), crash or hang; and what it said."""
        recording.unlink(missing_ok=True)
        begin = time.monotonic()
        process = subprocess.Popen(self.command(scene, recording), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
        try:
            out, said = process.communicate(timeout=self.limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return {"status": "hang", "message": f"more than {self.limit:g} s", "wall": self.limit}
        return {**how_it_ended(process.returncode, out, said), "wall": round(time.monotonic() - begin, 3)}


def how_it_ended(code, out, said):
    if code < 0:
        return {"status": "crash", "message": signal.Signals(-code).name}
    status = {0: "done", REFUSED: "refused", REJECTED: "rejected"}.get(code, "crash")
    summary = json.loads(out) if out.strip().startswith("{") else {}
    message = summary.get("message") or said.strip().partition("\n")[0]
    return {"status": status, "message": message or "", **{k: summary[k] for k in ("state_hash",) if k in summary}}


def judge_recording(file, scene):
    """What the recording shows: findings, and the numbers that the table needs."""
    recording = Recording(file)
    found = {"steps": recording.frames - 1, "findings": judge_numbers(recording)}
    if found["findings"]:
        return found
    pairs = list(pairs_of_parts(recording))
    rows = least_gaps(recording, pairs)
    gaps, least = judge_gaps(recording, rows)
    overlapping = starts_overlapping(recording, rows)
    passes, undecided = judge_passes(recording, pairs, rows)
    joints, joint_error = judge_joints(recording, scene)
    residuals, residual = judge_residuals(recording)
    found["findings"] = (confirm_gaps(gaps, file, Recording) + passes + joints + residuals +
                         judge_mechanics(recording, scene, overlapping))
    found.update(min_gap=least if np.isfinite(least) else None, undecided=undecided, joint_error=joint_error,
                 residual=residual, relaxed=int(recording.steps["relaxed"].sum()),
                 divided=int((recording.steps["substeps"] > 1).sum()))
    return found


def run_and_judge(program, scene, folder, name):
    """One run with its findings; the scene file and the recording stay in the folder."""
    file, recording = folder / f"{name}.yaml", folder / f"{name}.h5"
    file.write_text(json.dumps(scene) + "\n")
    row = program.run(file, recording)
    begin = time.monotonic()
    row.update(steps=0, findings=[])
    if row["status"] in ("done", "refused", "hang") and recording.is_file():
        try:
            row.update(judge_recording(recording, scene))
        except (OSError, KeyError, ValueError) as error:  # a killed program may leave a file that nobody can read
            row["message"] += f"; recording: {error}"
            row["findings"] = [] if row["status"] == "hang" else [plain("unreadable", str(error), row)]
    if row["status"] in ("refused", "crash", "hang"):
        row["findings"].append(plain(row["status"], row["message"], row))
    row["judged"] = round(time.monotonic() - begin, 3)
    return row


def plain(kind, words, row):
    """A finding that the recording does not show."""
    return {"kind": kind, "step": row["steps"], "time": 0, "bodies": [], "value": 1, "words": words,
            "reason": reason(words)}


def check_alone(program, scene, folder, name):
    """Does an island far away change the motion of the first body? Both are run, states compared to the bit."""
    moving = [b for b in scene["bodies"] if not b.get("fixed")]
    alone = dict(scene, bodies=[b for b in scene["bodies"] if b.get("fixed") or b is moving[0]])
    (folder / f"{name}-alone.yaml").write_text(json.dumps(alone))
    file = folder / f"{name}-alone.h5"
    row = program.run(folder / f"{name}-alone.yaml", file)
    if row["status"] != "done":
        return []
    one, all_ = Recording(file), Recording(folder / f"{name}.h5")
    a, b = one.names.index(moving[0]["name"]), all_.names.index(moving[0]["name"])
    frames = min(one.frames, all_.frames)
    differ = (one.position[:frames, a] != all_.position[:frames, b]).any(axis=1)
    if not differ.any():
        return []
    worst = np.abs(one.position[:frames, a] - all_.position[:frames, b]).max()
    return [finding("nonlocal", all_, int(differ.argmax()) - 1, [b], worst,
                    f"moves otherwise by {worst:.2g} m than without bodies that are 300 m away")]


class Minimiser:
    """Drops bodies, parts, joints and options, and shortens the run, as long as a finding of the kind stays."""

    def __init__(self, program, folder, kind, reason_of=None, seconds=60.0):
        self.program, self.folder, self.kind, self.reason = program, folder, kind, reason_of
        self.end, self.least = time.monotonic() + seconds, 0.0

    def shows(self, scene):
        """The finding in this scene, or None."""
        if time.monotonic() > self.end:
            return None
        row = run_and_judge(self.program, scene, self.folder, "trial")
        alike = [f for f in row["findings"] if f["kind"] == self.kind and f["value"] >= self.least and
                 (not self.reason or f.get("reason") == self.reason)]
        return max(alike, key=lambda f: f["value"]) if alike else None

    def minimise(self, scene):
        """The smallest scene found, and its finding."""
        best = self.shows(scene)
        if not best:
            return scene, None
        self.least, changed = 0.1 * best["value"], True  # a finding that fades away is another one
        while changed and time.monotonic() < self.end:
            changed = False
            for smaller in simpler_scenes(scene, best, self.folder / "trial.h5"):
                found = self.shows(smaller)
                if found:
                    scene, best, changed = smaller, found, True
                    break
        self.shows(scene)  # leaves its recording
        return scene, best


def simpler_scenes(scene, found, recording):
    """Simpler scenes to try, those that save most first."""
    steps = round(scene["duration"] / scene["step"])
    if found["kind"] not in ("refused", "hang", "crash") and found["step"] + 1 < steps:
        yield dict(scene, duration=scene["step"] * (found["step"] + 1))
    yield from later_starts(scene, found, recording)
    yield from fewer_bodies(scene)
    joints = scene.get("joints", [])
    for i in range(len(joints)):
        yield without_empty(dict(scene, joints=joints[:i] + joints[i + 1:]))
    for key in list(scene["contact"]):
        yield dict(scene, contact={k: v for k, v in scene["contact"].items() if k != key})
    if scene["contact"]:
        yield dict(scene, contact={})
    yield from fewer_words(scene)


def fewer_bodies(scene):
    """Without a half, a quarter, ... and each one of the bodies."""
    bodies, size = scene["bodies"], len(scene["bodies"]) // 2
    while size:
        for i in range(0, len(bodies), size):
            names = {b["name"] for b in bodies[i:i + size]}
            joints = [j for j in scene.get("joints", []) if not names & set(j["bodies"])]
            if len(names) < len(bodies):
                yield without_empty(dict(scene, bodies=[b for b in bodies if b["name"] not in names], joints=joints))
        size //= 2


def fewer_words(scene):
    """Without a part, or without a key of a body or of a joint that may be left out."""
    for i, body in enumerate(scene["bodies"]):
        parts = body.get("parts", [])
        smaller = [dict(body, parts=parts[:j] + parts[j + 1:]) for j in range(len(parts)) if len(parts) > 1]
        smaller += [{k: v for k, v in body.items() if k != key} for key in ("force", "appear", "angular_velocity", "velocity")
                    if key in body]
        for b in smaller:
            yield dict(scene, bodies=scene["bodies"][:i] + [b] + scene["bodies"][i + 1:])
    for i, joint in enumerate(scene.get("joints", [])):
        for key in ("limits", "damping", "motor", "axes", "collide"):
            if key in joint:
                less = {k: v for k, v in joint.items() if k != key}
                yield dict(scene, joints=scene["joints"][:i] + [less] + scene["joints"][i + 1:])


def without_empty(scene):
    return {k: v for k, v in scene.items() if k != "joints" or v}


def later_starts(scene, found, file):
    """From a recorded state shortly before the finding; not with joints, scripts and bodies that appear, which remember."""
    if scene.get("joints") or any("script" in b or "appear" in b for b in scene["bodies"]) or found["step"] < 1:
        return
    try:
        recording = Recording(file)
    except (OSError, KeyError):
        return
    last = min(found["step"], recording.frames - 1)
    for frame in sorted({last, max(last - 5, 1), last // 2} - {0}, reverse=True):
        left = scene["duration"] - recording.time[frame]
        if left > 0.5 * scene["step"]:
            yield dict(scene, bodies=[at_frame(b, recording, frame) for b in scene["bodies"]], duration=left)


def at_frame(body, recording, frame):
    """A body's words with the state of a frame."""
    i = recording.names.index(body["name"])
    if recording.kind[i] != DYNAMIC:
        return body
    kept = {k: v for k, v in body.items() if k not in ("angle", "quaternion", "axis_angle", "euler")}
    key = "angle" if recording.dimension == 2 else "quaternion"
    return {**kept, "position": recording.position[frame, i].tolist(), key: recording.orientation[frame, i].tolist(),
            "velocity": recording.velocity[frame, i].tolist(),
            "angular_velocity": recording.angular_velocity[frame, i].tolist()}

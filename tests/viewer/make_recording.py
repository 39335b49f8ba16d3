#!/usr/bin/env python3
"""Writes a recording of many bodies on circles, by h5py alone: body i stands at time t at
(i + cos(t + i), sin(t + i), 0.5 i), turned by t about z.

usage: make_recording.py FILE FRAMES BODIES
"""
import sys

import h5py
import numpy as np

STEP = 0.01      # [s]
CONTACTS = 50    # per step
REALS = ("h", "min_gap", "overlap", "kinetic", "potential", "residual", "joint_error", "energy_gained", "wall_time")
COUNTS = ("contacts", "unilateral", "inter_contact", "cross_contact", "rows", "iterations", "updates", "guards", "relaxed",
          "substeps", "status")


def write_cast(file, bodies):
    file["bodies/name"] = np.array([f"body-{i}" for i in range(bodies)], dtype="S12")
    file["bodies/mass"] = np.ones(bodies)
    file["bodies/appear"] = np.zeros(bodies)
    file["bodies/kind"] = np.zeros(bodies, np.int32)
    file["bodies/fixed"] = np.zeros(bodies, np.uint8)
    file["bodies/com"] = np.zeros((bodies, 3))
    file["bodies/no_contact"] = np.zeros((0, 2), np.int32)
    group = file.create_group("shapes/0")
    group.attrs["kind"] = "polytope"
    group["vertices"] = np.array([[x, y, z] for x in (-0.3, 0.3) for y in (-0.3, 0.3) for z in (-0.2, 0.2)])
    file["parts/body"] = np.arange(bodies, dtype=np.int32)
    file["parts/shape"] = np.zeros(bodies, np.int32)
    file["parts/group"] = np.ones(bodies, np.int32)
    file["parts/collides"] = np.full(bodies, -1, np.int32)
    file["parts/position"] = np.zeros((bodies, 3))
    file["parts/orientation"] = np.tile([1.0, 0, 0, 0], (bodies, 1))


def write_frames(file, frames, bodies):
    t = STEP * np.arange(frames)[:, None]
    i = np.arange(bodies)[None, :]
    file["time"] = t[:, 0]
    file["position"] = np.stack(np.broadcast_arrays(i + np.cos(t + i), np.sin(t + i), 0.5 * i + 0 * t), axis=2)
    zero = np.zeros((frames, bodies))
    file["orientation"] = np.stack([np.cos(t / 2) + zero, zero, zero, np.sin(t / 2) + zero], axis=2)
    file["velocity"] = np.stack([-np.sin(t + i), np.cos(t + i), zero], axis=2)
    file["angular_velocity"] = np.stack([zero, zero, zero + 1], axis=2)


def write_steps(file, steps, bodies):
    for name in REALS:
        file[f"steps/{name}"] = np.full(steps, STEP) if name == "h" else np.linspace(1e-6, 1, steps)
    for name in COUNTS:
        file[f"steps/{name}"] = np.full(steps, CONTACTS, np.int32)
    count = steps * CONTACTS
    file["contacts/offsets"] = CONTACTS * np.arange(steps + 1, dtype=np.int64)
    file["contacts/bodies"] = np.stack([np.arange(count) % bodies, (np.arange(count) + 1) % bodies], 1).astype(np.int32)
    file["contacts/features"] = np.zeros(count, np.int64)
    file["contacts/point"] = np.stack([np.arange(count) % bodies, np.zeros(count), np.zeros(count)], 1).astype(float)
    file["contacts/normal"] = np.tile([0.0, 0, 1], (count, 1))
    file["contacts/gap"] = np.linspace(-1e-3, 1e-3, count)
    file["contacts/impulse"] = np.tile([0.0, 0, 0.1], (count, 1))
    file["contacts/kind"] = (np.arange(count) % 4).astype(np.int32)
    file["events/time"] = np.zeros(0)
    file["events/kind"] = np.zeros(0, dtype="S32")
    file["events/bodies"] = np.zeros((0, 2), np.int32)


def main():
    path, frames, bodies = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    # A reader of recordings asks for checksums: HDF5's format from 1.8 on, and texts of fixed length.
    with h5py.File(path, "w", libver=("v108", "v108")) as file:
        file.attrs.update({"version": 1, "dimension": 3, "step": STEP})
        for name, text in (("format", "touchstone-recording"), ("program_version", "test"), ("scene_name", "many"),
                           ("scene", ""), ("overrides", ""), ("state_hash", "")):
            file.attrs[name] = np.bytes_(text)
        write_cast(file, bodies)
        write_frames(file, frames, bodies)
        write_steps(file, frames - 1, bodies)


if __name__ == "__main__":
    main()

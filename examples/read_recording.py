"""How high did each body get, and how close did any two come? usage: read_recording.py [RECORDING]"""
import sys

import h5py

with h5py.File(sys.argv[1] if len(sys.argv) > 1 else "slide.h5") as recording:
    names = recording["bodies/name"].asstr()[:]
    height = recording["position"][:, :, -1]
    print(f"{recording.attrs['scene_name']}: {len(recording['time'])} frames, {recording['time'][-1]:.3g} s")
    for body, name in enumerate(names):
        print(f"{name:>12}  from {height[0, body]:.3g} m, at most {height[:, body].max():.3g} m")
    print(f"least gap {recording['steps/min_gap'][:].min():.2g} m")

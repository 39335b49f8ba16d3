"""A study over step sizes: a square slides off a table. How far is it from the truth [PEG 3.6] after 1 s?"""
import numpy as np
import touchstone as ts

truth = [0.83709, -0.07357]
for model in ("plane", "standard", "peg"):
    for step in (0.04, 0.02, 0.01, 0.005):
        sim = ts.Simulation("slide-off", step=step, model=model)
        sim.run_until(1)
        error = np.linalg.norm(sim.bodies["square"].position - truth)
        print(f"{model:8} step {step:<5} s: error {error:.4f} m")

"""A run is recorded, read back, and certified by code that the simulation does not use."""
import tempfile
import touchstone as ts

with tempfile.TemporaryDirectory() as folder:
    file = folder + "/run.h5"
    sim = ts.Simulation("slide-off")
    with sim.record(file):
        sim.run_until(1)
    recording = ts.Recording(file)
    print(f"{len(recording)} frames of", *recording.body_names)
    x, y = recording.positions[-1, -1]
    print(f"the last one ends at ({x:.3f}, {y:.3f}) m")
    certificate = ts.check(recording)
    print(f"{certificate.frames} frames certified, no overlap above 1e-9 m: {str(certificate.ok).lower()}")

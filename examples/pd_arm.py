"""An arm of two links follows a target by PD torques that the user's own function sets [Thesis 6.6]."""
import touchstone as ts

sim = ts.Simulation("pendulum-arm", {"controllers": []})  # its own controllers rest
gains = {"shoulder": (400, 40, 1.2), "elbow": (200, 15, 0.8)}


@sim.before_step
def drive(s):
    for name, (kp, kd, goal) in gains.items():
        joint = s.joints[name]
        target = goal * min(s.time / 1.5, 1.0)
        joint.force = kp * (target - joint.value) - kd * joint.rate


for time in (0.5, 1.0, 1.5, 2.0, 3.0):
    sim.run_until(time)
    shoulder, elbow = (joint.value[0] for joint in sim.joints)
    print(f"{time:.1f} s: shoulder {shoulder:.3f} rad, elbow {elbow:.3f} rad")

"""One LCP by every solver that takes it: do they agree?"""
import touchstone as ts

problem = ts.Lcp([[4, 1, 0], [1, 3, 1], [0, 1, 2]], [-1, 2, -3])
for name in ts.solvers():
    if ts.treats(name, problem) and name != "path":
        solution = ts.solve(problem, name)
        z = " ".join(f"{x:.4f}" for x in solution.z + 0.0)
        print(f"{name:15} {solution.status}: z = {z}")

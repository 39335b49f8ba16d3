"""Touchstone: rigid bodies with polytope geometry and exact contact, in 2D and 3D.

    import touchstone as ts

    sim = ts.Simulation("box-stack")                  # a named scene, a file, a text, a dict or a World
    sim.on_step(lambda s: print(s.time, s.report.min_gap))
    sim.run_until(3.0)
    print(sim.summary())

Run a scene     Simulation, Scene, World; Body, Joint, State, StepReport, RunSummary, Event
Look at it      Recording, check, Certificate
Shapes          Shape, Pose, query, gap, ContactData, bounding_box, BroadPhase
Solvers         Lcp, Mlcp, FrictionProblem, GlobalFrictionProblem, Qp, solve, residual, treats, Solution,
                read_problem, read_solution, write_problem
Own stages      Simulation.set_pair_finder, set_contact_model, set_formulation, set_solver; TriedMotion, Verdict, Contact,
                ConstraintSet, StepEquations, SolveSettings
What there is   scenes, models, formulations, solvers, shapes
Errors          Error; BadInput, BadScene, BadShape, BadMeshFile, BadProblem, BadRecording, StepFailed

SI units throughout. Arrays are numpy's. The reference is docs/python.md.
"""
import pathlib as _pathlib

try:
    from . import _touchstone
except ImportError as error:
    raise ImportError(f"the module of touchstone is missing or of another Python: {error}; "
                      "build it with: cmake --build build --target _touchstone") from error

from ._touchstone import (  # noqa: F401
    BadInput, BadMeshFile, BadProblem, BadRecording, BadScene, BadShape, Bodies, Body, BroadPhase, Certificate,
    ConstraintSet, Contact, ContactData, Error, Event, FrictionProblem, GlobalFrictionProblem, Joint, Joints,
    Lcp, Mlcp, Pose, Qp, Recording, RunSummary, Scene, Shape, Simulation, Solution, SolveSettings, State, StepEquations,
    StepFailed, StepReport, TriedMotion, Verdict, World, __version__, bounding_box, check, formulations, gap, models, query, read_problem,
    read_solution, residual, scenes, shapes, solve, solvers, treats, write_problem)

__all__ = sorted(name for name in dir(_touchstone) if not name.startswith("_"))


def _find_scenes():
    """The named scenes of an installed Touchstone lie in share/ of the same prefix."""
    for folder in _pathlib.Path(__file__).parents:
        scenes_here = folder / "share" / "touchstone" / "scenes"
        if scenes_here.is_dir():
            _touchstone._set_scene_folder(scenes_here)
            return


_find_scenes()
del _find_scenes

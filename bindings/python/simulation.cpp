#include "simulation.h"

#include <cmath>

#include "errors.h"

namespace touchstone::python {

/// For as long as it lives, a step is made and the interpreter is free for others.
class PySimulation::NativePart {
 public:
  explicit NativePart(PySimulation& sim) : sim_(sim) {
    sim_.stepping_ = true;
    release_.emplace();
    if (sim_.recording_) lock_ = std::unique_lock(hdf5_lock());
  }
  ~NativePart() {
    if (lock_) lock_.unlock();
    release_.reset();
    sim_.stepping_ = false;
  }

 private:
  PySimulation& sim_;
  std::optional<py::gil_scoped_release> release_;
  std::unique_lock<std::recursive_mutex> lock_;
};

PySimulation::PySimulation(Scene scene, const SimulationSettings& settings)
    : sim_(std::make_unique<Simulation>(std::move(scene), settings)) {
  watch_for_signals();
}

PySimulation::PySimulation(Simulation made, bool recording)
    : sim_(std::make_unique<Simulation>(std::move(made))), recording_(recording) {
  watch_for_signals();
}

void PySimulation::watch_for_signals() {
  // Ctrl-C ends a run after the step that it falls into.
  sim_->on_step([this](Simulation&) {
    const PythonPart part(*this);
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  });
}

PySimulation::~PySimulation() {
  // A recording that was not closed is written to its end by its destructor.
  if (recording_) with_hdf5([&] { sim_.reset(); });
}

Simulation& PySimulation::sim() {
  if (!sim_) throw std::runtime_error("the simulation was not made: its __init__ has not run");
  if (stepping_ && in_python_ == 0) {
    throw std::runtime_error("the simulation is in the middle of a step, in another thread");
  }
  return *sim_;
}

Simulation& PySimulation::idle_sim(const char* what) {
  sim();
  if (stepping_) throw std::runtime_error(std::string(what) + " cannot be called while a step is being made");
  return *sim_;
}

std::size_t PySimulation::keep(py::object object) {
  kept_.push_back(std::move(object));
  return kept_.size() - 1;
}

std::size_t PySimulation::keep(Stage stage, py::object object) {
  const auto place = static_cast<std::size_t>(stage);
  kept_[place] = std::move(object);
  return place;
}

bool PySimulation::step() {
  Simulation& sim = idle_sim("step()");
  const NativePart part(*this);
  return sim.step();
}

void PySimulation::run_until(double time) {
  if (!std::isfinite(time)) throw BadInput("time: expected a finite number of seconds");
  Simulation& sim = idle_sim("run_until()");
  bool done = false;
  {
    const NativePart part(*this);
    done = sim.run_until(time);
  }
  if (done) return;
  throw StepFailed("the step from " + std::to_string(sim.time()) + " s on failed: " + sim.summary().message);
}

void PySimulation::record(const std::string& file) {
  Simulation& sim = idle_sim("record()");
  with_hdf5([&] { sim.record(file); });
  recording_ = true;
}

void PySimulation::close_recording() {
  Simulation& sim = idle_sim("close_recording()");
  if (recording_) with_hdf5([&] { sim.close_recording(); });
  recording_ = false;
}

PySimulation& SimulationLink::get() const {
  if (!object || !py::isinstance<PySimulation>(object)) throw std::runtime_error("the simulation is gone");
  return object.cast<PySimulation&>();
}

}  // namespace touchstone::python

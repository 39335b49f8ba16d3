#pragma once
// A simulation as Python holds it: who may touch it when, and which objects of Python it keeps.

#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <vector>

#include "convert.h"
#include "hdf5_lock.h"
#include "touchstone/scene/simulation.h"

namespace touchstone::python {

/// For classes that Python holds. Whoever calls __new__ and not __init__ has memory that no constructor has
/// seen: it is zero, so that pointers in it can be asked whether they are there.
#define TOUCHSTONE_ZEROED_FOR_PYTHON                        \
  static void* operator new(std::size_t size) {             \
    if (void* memory = std::calloc(1, size)) return memory; \
    throw std::bad_alloc();                                 \
  }                                                         \
  static void operator delete(void* memory) { std::free(memory); }

/// Where a stage of the user's is kept; the next one of the same kind takes its place.
enum class Stage : std::size_t { finder, model, formulation, solver };
inline constexpr std::size_t kStages = 4;

/// While a step runs, the interpreter is free for other threads; they must not look at a world that is being
/// changed. Both flags are changed only by who holds the interpreter.
class PySimulation {
 public:
  TOUCHSTONE_ZEROED_FOR_PYTHON
  PySimulation(Scene scene, const SimulationSettings& settings);
  /// One that was made before; `recording`: it goes on in a recording.
  PySimulation(Simulation made, bool recording);
  ~PySimulation();
  PySimulation(const PySimulation&) = delete;
  PySimulation& operator=(const PySimulation&) = delete;

  bool step();
  void run_until(double time);
  void record(const std::string& file);
  void close_recording();
  bool is_recording() const { return recording_; }

  /// The C++ simulation, for reading and, between steps and in functions of the user, for writing. Throws
  /// where a step is being made in another thread.
  Simulation& sim();
  /// The same, where no step may be under way at all: to step, to exchange a stage, to begin or end a
  /// recording.
  Simulation& idle_sim(const char* what);

  /// Keeps an object for as long as the simulation lives; returns its place.
  std::size_t keep(py::object object);
  std::size_t keep(Stage stage, py::object object);
  const py::object& kept(std::size_t place) const { return kept_[place]; }
  std::deque<py::object>& all_kept() { return kept_; }

  /// For as long as it lives, this thread runs Python within a step.
  class PythonPart {
   public:
    explicit PythonPart(PySimulation& sim) : sim_(sim) { ++sim_.in_python_; }
    ~PythonPart() { --sim_.in_python_; }

   private:
    py::gil_scoped_acquire acquire_;
    PySimulation& sim_;
  };

  /// For as long as it lives, other threads may use HDF5 within a step that is recorded. Whoever makes one
  /// holds neither the interpreter nor is in the middle of writing: functions of the user, not stages.
  class Loan {
   public:
    explicit Loan(PySimulation& sim) : lent_(sim.recording_) {
      if (lent_) hdf5_lock().unlock();
    }
    ~Loan() {
      if (lent_) hdf5_lock().lock();
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

   private:
    bool lent_;
  };

 private:
  class NativePart;
  void watch_for_signals();

  std::unique_ptr<Simulation> sim_;
  /// Stages, then functions. A deque: places stay where they are while functions add functions.
  std::deque<py::object> kept_ = std::deque<py::object>(kStages, py::none());
  bool stepping_ = false;
  int in_python_ = 0;  ///< functions and stages of the user that are running
  bool recording_ = false;
};

/// A reference to the simulation that Python's garbage collector can follow: bodies and joints have one.
struct SimulationLink {
  py::object object;

  /// Throws where the simulation is gone or in the middle of a step.
  PySimulation& get() const;
};

/// Calls action(World<D>&) for the dimension of the simulation.
template <class Action>
decltype(auto) with_world(PySimulation& simulation, const Action& action) {
  Simulation& sim = simulation.sim();
  if (sim.dimension() == 2) return action(sim.world<2>());
  return action(sim.world<3>());
}

/// Lets Python's garbage collector see the objects that `visit_all(T&, visitor)` shows, so that a simulation
/// whose functions hold one of its bodies is freed.
template <class T, auto visit_all>
void collectable(PyHeapTypeObject* heap_type) {
  PyTypeObject* type = &heap_type->ht_type;
  type->tp_flags |= Py_TPFLAGS_HAVE_GC;
  static const auto value_of = [](PyObject* self) -> T* {
    auto place = reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder();
    return place.holder_constructed() ? static_cast<T*>(place.value_ptr()) : nullptr;  // null: being made
  };
  type->tp_traverse = [](PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    T* value = value_of(self);
    int result = 0;
    if (value) {
      visit_all(*value, [&](py::object& object) {
        if (result == 0 && object) result = visit(object.ptr(), arg);
      });
    }
    return result;
  };
  type->tp_clear = [](PyObject* self) {
    if (T* value = value_of(self)) {
      visit_all(*value, [](py::object& object) { object = py::none(); });
    }
    return 0;
  };
}

}  // namespace touchstone::python

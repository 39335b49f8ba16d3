// Recordings and their certificate.

#include "convert.h"
#include "hdf5_lock.h"
#include "module.h"
#include "touchstone/record/recording_check.h"
#include "touchstone/scene/bad_input.h"
#include "touchstone/scene/names.h"
#include "touchstone/store/array_file.h"

namespace touchstone::python {
namespace {

/// The checked reader, and the file itself for whatever else it holds.
struct PyRecording {
  std::string path;
  std::unique_ptr<RecordingReader> reader;
  std::unique_ptr<ArrayFile> file;

  explicit PyRecording(const std::string& p) : path(p) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) throw BadRecording(path + ": there is no such file");
    with_hdf5([&] {
      reader = std::make_unique<RecordingReader>(path);
      file = std::make_unique<ArrayFile>(ArrayFile::open(path, Checksums::all));
    });
  }
  ~PyRecording() {
    with_hdf5([&] { reader.reset(), file.reset(); });
  }
  PyRecording(const PyRecording&) = delete;
  PyRecording& operator=(const PyRecording&) = delete;
};

std::vector<py::ssize_t> shape_of(const Extents& extents) { return {extents.begin(), extents.end()}; }

template <class T>
py::object numbers(const PyRecording& recording, const std::string& name, const Extents& extents) {
  const std::vector<T> values = with_hdf5([&] { return recording.file->read<T>(name); });
  return py::array_t<T>(shape_of(extents), values.data());
}

py::object texts(const PyRecording& recording, const std::string& name) {
  const auto values = with_hdf5([&] { return recording.file->read<std::string>(name); });
  py::list made;
  for (const std::string& text : values) made.append(text);
  return made;
}

std::vector<std::string> names_in(const PyRecording& recording, const std::string& group) {
  return with_hdf5([&] { return recording.file->names(group); });
}

/// What a name may have meant: its neighbours.
[[noreturn]] void unknown(const PyRecording& recording, const std::string& name) {
  const std::size_t slash = name.rfind('/');
  const std::string group = slash == std::string::npos ? "" : name.substr(0, slash);
  const bool there = with_hdf5(
      [&] { return group.empty() || (recording.file->has(group) && recording.file->is_group(group)); });
  throw py::key_error("the recording has no " + in_quotes(name) +
                      (there ? name_hint(name.substr(slash + 1), names_in(recording, group)) : ""));
}

/// An array by its path in the file, or the names in a group.
py::object item(const PyRecording& recording, const std::string& name) {
  const bool there = !name.empty() && with_hdf5([&] { return recording.file->has(name); });
  if (!there) unknown(recording, name);
  if (with_hdf5([&] { return recording.file->is_group(name); }))
    return from_json(nlohmann::json(names_in(recording, name)));
  const Extents extents = with_hdf5([&] { return recording.file->extents(name); });
  switch (with_hdf5([&] { return recording.file->kind(name); })) {
    case ElementKind::real:
      return numbers<double>(recording, name, extents);
    case ElementKind::integer:
      return numbers<std::int64_t>(recording, name, extents);
    case ElementKind::text:
      return texts(recording, name);
    default:
      throw BadRecording(recording.path + ": /" + name + " holds neither numbers nor texts");
  }
}

/// An array with one row per frame; a killed writer may have lengthened some of them.
py::object per_frame(const PyRecording& recording, const char* name) {
  const py::slice frames(0, static_cast<py::ssize_t>(recording.reader->frame_count()), 1);
  return item(recording, name)[frames];
}

std::string attribute(const PyRecording& recording, const char* name) {
  return with_hdf5([&] { return recording.reader->text_attribute(name); });
}

// ---- the certificate -------------------------------------------------------------------------------------

/// [m] of overlap, as `touchstone check` has it: the least that the model `plane` promises to keep.
constexpr double kForgiven = 1e-9;

struct PyCertificate {
  Certificate certificate;
  double tolerance = 0, time = 0;
  std::string bodies[2];

  bool ok() const { return !(certificate.min_gap < -tolerance); }
};

PyCertificate check_file(const PyRecording& recording, double tolerance) {
  if (!(tolerance >= 0)) throw BadInput("tolerance: expected a length of at least zero");
  if (recording.reader->frame_count() == 0) throw BadRecording(recording.path + ": holds no frame");
  PyCertificate made{{}, tolerance, 0, {}};
  made.certificate = with_hdf5([&] {
    return check_recording(*recording.reader, [](std::size_t) {
      py::gil_scoped_acquire acquire;
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      return true;
    });
  });
  const Certificate& c = made.certificate;
  if (c.min_frame < 0) return made;
  made.time = recording.reader->times()[c.min_frame];
  made.bodies[0] = recording.reader->body_names()[c.body_A];
  made.bodies[1] = recording.reader->body_names()[c.body_B];
  return made;
}

void bind_certificate(py::module_& m) {
  py::class_<PyCertificate>(
      m, "Certificate",
      "The minimum gap and the overlap of every pair in every frame, recomputed from poses and shapes alone.")
      .def_property_readonly("ok", &PyCertificate::ok, "does no pair overlap by more than the tolerance?")
      .def_property_readonly(
          "frames", [](const PyCertificate& c) { return c.certificate.frames; }, "looked at")
      .def_property_readonly(
          "pairs", [](const PyCertificate& c) { return c.certificate.pairs; }, "of bodies that may touch")
      .def_property_readonly(
          "min_gap", [](const PyCertificate& c) { return c.certificate.min_gap; }, "[m]")
      .def_property_readonly(
          "max_overlap", [](const PyCertificate& c) { return c.certificate.max_overlap; },
          "shared volume of a frame [m^3], in the plane area [m^2]")
      .def_readonly("tolerance", &PyCertificate::tolerance, "[m]")
      .def_readonly("time", &PyCertificate::time, "of the smallest gap [s]")
      .def_property_readonly(
          "bodies", [](const PyCertificate& c) { return py::make_tuple(c.bodies[0], c.bodies[1]); },
          "of the smallest gap")
      .def("__bool__", &PyCertificate::ok)
      .def("__repr__", [](const PyCertificate& c) {
        return std::string("Certificate(") + (c.ok() ? "ok" : "FAILED") +
               ", min_gap=" + py::repr(py::float_(c.certificate.min_gap)).cast<std::string>() + ")";
      });
  m.def(
      "check",
      [](py::handle recording, double tolerance) {
        if (py::isinstance<PyRecording>(recording))
          return check_file(recording.cast<const PyRecording&>(), tolerance);
        return check_file(PyRecording(to_path(recording, "recording")), tolerance);
      },
      py::arg("recording"), py::arg("tolerance") = kForgiven,
      "The certificate of a recording (or its file): did bodies overlap by more than `tolerance` [m]? With "
      "code that no simulation uses.");
}

}  // namespace

void bind_recordings(py::module_& m) {
  py::class_<PyRecording>(
      m, "Recording",
      R"(A recording, for reading (docs/recording.md). rec["steps/min_gap"] is any array of the file.)")
      .def(py::init([](py::handle file) { return std::make_unique<PyRecording>(to_path(file, "file")); }),
           py::arg("file"))
      .def_readonly("file", &PyRecording::path, "path of the file")
      .def_property_readonly(
          "dimension", [](const PyRecording& r) { return r.reader->dimension(); }, "2 or 3")
      .def_property_readonly(
          "body_names",
          [](const PyRecording& r) { return from_json(nlohmann::json(r.reader->body_names())); },
          "in the order of the arrays")
      .def_property_readonly(
          "scene_name", [](const PyRecording& r) { return attribute(r, "scene_name"); },
          "of the scene that was run")
      .def_property_readonly(
          "scene_text", [](const PyRecording& r) { return attribute(r, "scene"); },
          "of the scene that was run")
      .def_property_readonly(
          "times", [](const PyRecording& r) { return from_list(r.reader->times()); }, "(N,) array [s]")
      .def_property_readonly(
          "positions", [](const PyRecording& r) { return per_frame(r, "position"); },
          "(N, B, D) array: body frames [m]")
      .def_property_readonly(
          "orientations", [](const PyRecording& r) { return per_frame(r, "orientation"); },
          "(N, B, 4) quaternions w, x, y, z; in the plane (N, B) angles")
      .def_property_readonly(
          "velocities", [](const PyRecording& r) { return per_frame(r, "velocity"); },
          "(N, B, D) array: centres of mass [m/s]")
      .def_property_readonly(
          "angular_velocities", [](const PyRecording& r) { return per_frame(r, "angular_velocity"); },
          "(N, B, 3) array [rad/s]; in the plane (N, B)")
      .def(
          "keys",
          [](const PyRecording& r, const std::string& group) {
            return from_json(nlohmann::json(names_in(r, group)));
          },
          py::arg("group") = "", "What lies in a group of the file.")
      .def("__len__", [](const PyRecording& r) { return r.reader->frame_count(); })
      .def("__getitem__", &item, py::arg("name"))
      .def("__repr__", [](const PyRecording& r) {
        return "Recording('" + r.path + "', " + std::to_string(r.reader->frame_count()) + " frames)";
      });
  bind_certificate(m);
}

}  // namespace touchstone::python

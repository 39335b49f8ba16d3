#pragma once
// The inside of an ArrayFile: its handle and the rows that wait for a flush.

#include <map>

#include "touchstone/store/array_elements.h"
#include "touchstone/store/array_file.h"

namespace touchstone {

std::size_t product(const Extents& extents);
/// Paths are kept without the root's slash: "bodies/mass".
std::string trimmed(const std::string& name);
/// Makes the groups on the way to a new object.
Hdf5Handle with_parents();

/// An array that grows, and the rows that wait.
struct GrowingArray {
  Hdf5Handle dataset;
  Extents row;
  std::size_t rows = 0;        ///< in the file
  std::size_t empty_rows = 0;  ///< waiting, when a row has no elements
  Hdf5Handle type;             ///< in memory, of the numbers that wait
  std::vector<std::byte> numbers;
  std::vector<std::string> texts;

  bool waits() const { return !numbers.empty() || !texts.empty() || empty_rows > 0; }
};

struct ArrayFile::State {
  std::string path;
  Hdf5Handle file;
  std::map<std::string, GrowingArray> growing;
  std::size_t waiting_bytes = 0;

  [[noreturn]] void fail(const std::string& object, const std::string& what, bool ask_hdf5 = true) const;
  void check_open() const;
  bool has(const std::string& name) const;
  Hdf5Handle open_object(const std::string& name) const;
  Hdf5Handle open_array(const std::string& name) const;
  Extents extents_of(const Hdf5Handle& array, const std::string& name) const;

  /// A new one; no properties: HDF5's own.
  template <class T>
  Hdf5Handle make_array(const std::string& name, const Hdf5Handle& space, const Hdf5Handle& properties);
  /// Opened at first use, then kept open.
  GrowingArray& growing_array(const std::string& name);
  void write_waiting(const std::string& name, GrowingArray& array);
  void flush();
};

}  // namespace touchstone

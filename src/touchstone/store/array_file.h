#pragma once
// Arrays, texts and numbers by name in one HDF5 file, which h5py reads without Touchstone.
//
// Whatever kills the program, the file stays readable as it was at the last flush(): rows that are appended
// wait in memory, and HDF5 holds back its own tables, until flush() writes all at once: first the rows, which
// move nothing that the old tables point to, then the tables. Only a kill in the millisecond of these can
// hurt. (HDF5's own answer, SWMR, leaves a mark that h5py refuses without flags.)
//
// Names are paths, "bodies/mass"; missing groups on the way are made. One thread at a time per file.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace touchstone {

/// Says file and object, and what HDF5 said.
class StoreError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The length along each axis, slowest first; empty for a single value.
using Extents = std::vector<std::size_t>;

/// [bytes] of an array.
struct ArraySize {
  std::size_t in_memory = 0;
  std::size_t in_file = 0;  ///< compressed
};

enum class ElementKind { real, integer, text, other };

/// T below is double, std::int32_t, std::int64_t, std::uint8_t or std::string (UTF-8). Reading converts
/// between kinds of numbers; an integer that does not fit is clipped.
class ArrayFile {
 public:
  static ArrayFile create(const std::filesystem::path& path);  ///< an existing file is replaced
  static ArrayFile open(const std::filesystem::path& path);    ///< for reading
  static ArrayFile append(const std::filesystem::path& path);  ///< an existing file, for reading and writing
  ArrayFile(ArrayFile&&) noexcept;
  ArrayFile& operator=(ArrayFile&&) noexcept;
  ~ArrayFile();  ///< closes; what goes wrong then is not told, see close()

  void flush();
  void close();  ///< flushes; throws when the disk is full

  bool has(const std::string& name) const;
  bool is_group(const std::string& name) const;
  /// What lies in a group ("" is the root), in alphabetical order.
  std::vector<std::string> names(const std::string& group = "") const;
  void make_group(const std::string& name);

  /// One array as it stands; row-major. An array of that name must have the same extents and is overwritten.
  template <class T>
  void write(const std::string& name, std::span<const T> values, const Extents& extents);
  template <class T>
  void write(const std::string& name, const std::vector<T>& values) {
    write(name, std::span<const T>(values), {values.size()});
  }
  template <class T>
  void write_scalar(const std::string& name, const T& value) {
    write(name, std::span<const T>(&value, 1), {});
  }

  /// A single text in a field of its own length, for readers in C that know no other (FCLIB's).
  void write_fixed_text(const std::string& name, const std::string& text);

  /// A compressed array that grows along its first axis; one row has the extents `row`.
  template <class T>
  void make_rows(const std::string& name, const Extents& row = {});
  /// Any number of rows, one behind the other.
  template <class T>
  void append_rows(const std::string& name, std::span<const T> rows);

  /// Keeps the first rows of an array that grows.
  void cut_rows(const std::string& name, std::size_t rows);

  Extents extents(const std::string& name) const;  ///< rows that wait for a flush count
  ArraySize size(const std::string& name) const;
  ElementKind kind(const std::string& name) const;
  template <class T>
  std::vector<T> read(const std::string& name) const;
  /// Of an array with at least one axis.
  template <class T>
  std::vector<T> read_rows(const std::string& name, std::size_t first, std::size_t count) const;

  /// Attributes of a group or an array ("" is the root).
  template <class T>
  void set_attribute(const std::string& object, const std::string& name, const T& value);
  bool has_attribute(const std::string& object, const std::string& name) const;
  template <class T>
  T attribute(const std::string& object, const std::string& name) const;

 private:
  struct State;
  explicit ArrayFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace touchstone

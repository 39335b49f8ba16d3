#pragma once
// Arrays, texts and numbers by name in one HDF5 file, which h5py reads without Touchstone.
//
// If the program is killed, or the disk is full, the file stays readable as it was at the last flush(): all
// that HDF5 wrote since then becomes the content of the file at once [store/committed_file.h]. (HDF5's own
// solution, SWMR, leaves a mark that h5py refuses without flags.) One writer at a time: a lock tells others.
//
// HDF5 trusts a file unless a checksum fails, and a damaged file can crash it. With Checksums::all every
// structure that HDF5 follows has a checksum; the numbers themselves have none.
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

/// The file could not be written any further: a full disk, a quota, a folder that is gone. It holds what it
/// held at the last flush that succeeded.
class StoreLost : public StoreError {
  using StoreError::StoreError;
};

/// Who writes this file at present: "process 4711 (touchstone)"; empty: nobody.
std::string writer_of(const std::filesystem::path& path);

/// The length along each axis, slowest first; empty for a single value.
using Extents = std::vector<std::size_t>;

/// [bytes] of an array.
struct ArraySize {
  std::size_t in_memory = 0;
  std::size_t in_file = 0;  ///< compressed
};

enum class ElementKind { real, integer, text, other };

/// Which HDF5 files: `any`, or those whose tables `all` have checksums. Of these, texts of variable length
/// are not read, for the heap that holds them has none.
enum class Checksums { any, all };

/// [bytes] of a text in an array that grows.
inline constexpr std::size_t kLongestText = 32;

/// T below is double, std::int32_t, std::int64_t, std::uint8_t or std::string (UTF-8). Reading converts
/// between kinds of numbers; an integer that does not fit is clipped.
class ArrayFile {
 public:
  /// An existing file is replaced. A file that somebody writes is refused, by append() too.
  static ArrayFile create(const std::filesystem::path& path, Checksums checksums = Checksums::any);
  /// For reading.
  static ArrayFile open(const std::filesystem::path& path, Checksums checksums = Checksums::any);
  /// An existing file, for reading and writing.
  static ArrayFile append(const std::filesystem::path& path, Checksums checksums = Checksums::any);
  ArrayFile(ArrayFile&&) noexcept;
  ArrayFile& operator=(ArrayFile&&) noexcept;
  ~ArrayFile();  ///< closes; what goes wrong then is not told, see close()

  void flush();
  void close();  ///< flushes; throws when the disk is full
  /// From here on a thread of its own does what appending and flushing ask for, in the same order. What goes
  /// wrong there is thrown by a later call, at the latest by close(). False: this HDF5 allows no threads.
  bool write_behind();

  bool has(const std::string& name) const;
  bool is_group(const std::string& name) const;
  /// The names in a group ("" is the root), in alphabetical order.
  std::vector<std::string> names(const std::string& group = "") const;
  void make_group(const std::string& name);

  /// One array as it stands; row-major. An array of that name must have the same extents and is overwritten.
  /// Texts are stored in fields as wide as the longest.
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

  /// A compressed array that grows along its first axis; one row has the extents `row`. Texts have at most
  /// kLongestText bytes.
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

  /// Attributes of a group or an array ("" is the root). Texts are of variable length, which h5py gives as
  /// str, or in a field of their own length.
  template <class T>
  void set_attribute(const std::string& object, const std::string& name, const T& value);
  void set_fixed_attribute(const std::string& object, const std::string& name, const std::string& text);
  bool has_attribute(const std::string& object, const std::string& name) const;
  template <class T>
  T attribute(const std::string& object, const std::string& name) const;

 private:
  struct State;
  explicit ArrayFile(std::unique_ptr<State> state);
  static std::unique_ptr<State> new_state(const std::filesystem::path& path, Checksums checksums);
  std::unique_ptr<State> state_;
};

}  // namespace touchstone

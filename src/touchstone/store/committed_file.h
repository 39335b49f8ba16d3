#pragma once
// A file whose content changes all at once: whoever reads it, after a kill or on a full disk, finds what the
// last commit() left. Private to store/.
//
//     | committed: never touched but by commit() | beyond: written at once, nobody refers to it yet | journal
//     |
//
// What is written below the committed length waits in memory. commit() first writes all of it, with a
// checksum, behind the end of the file (the journal), then to its places, and then cuts the journal off. A
// program that is killed meanwhile leaves either no whole journal, and all places as they were, or a whole
// one: readers then see its bytes in their places, and the next writer puts them there.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace touchstone {

/// What the system said, as "No space left on device".
class FileTrouble : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Bytes at places of a file, which do not overlap.
class PlacedBytes {
 public:
  void put(std::uint64_t place, std::span<const std::byte> bytes);
  /// Overlays what was read from this place.
  void overlay(std::uint64_t place, std::span<std::byte> read) const;
  void cut_at(std::uint64_t length);
  void clear() { runs_.clear(); }
  bool empty() const { return runs_.empty(); }
  const std::map<std::uint64_t, std::vector<std::byte>>& runs() const { return runs_; }

 private:
  void cut_out(std::uint64_t begin, std::uint64_t end);
  std::map<std::uint64_t, std::vector<std::byte>> runs_;
};

class CommittedFile {
 public:
  enum class Access { create, read, change };

  /// Throws FileTrouble, as all members do.
  CommittedFile(const std::filesystem::path& path, Access access);
  CommittedFile(const CommittedFile&) = delete;
  CommittedFile& operator=(const CommittedFile&) = delete;
  /// Drops what was not committed; a new file to which nothing was committed is removed.
  ~CommittedFile();

  std::uint64_t length() const { return end_; }  ///< [bytes] written, committed or not
  int descriptor() const { return descriptor_; }
  /// Zeros beyond the end.
  void read(std::uint64_t place, std::span<std::byte> bytes) const;
  void write(std::uint64_t place, std::span<const std::byte> bytes);
  /// All that was written, in a file of this length.
  void commit(std::uint64_t length);

  /// After the first write or commit that failed, the reason; empty: none has. The file on the disk stays as
  /// the last commit left it, and what is written further is dropped.
  const std::string& trouble() const { return trouble_; }

 private:
  [[noreturn]] void give_up(const std::string& why);
  void write_now(std::uint64_t place, std::span<const std::byte> bytes);
  void check_is_there();
  void write_journal(std::uint64_t length);
  void put_in_place();
  bool read_journal();

  std::filesystem::path path_;
  Access access_;
  int descriptor_ = -1;
  std::uint64_t committed_ = 0;  ///< [bytes]
  std::uint64_t end_ = 0;
  PlacedBytes waiting_;
  std::string trouble_;
  bool is_new_ = false;   ///< nothing was ever committed to it
  bool in_place_ = true;  ///< false: the journal is needed
};

}  // namespace touchstone

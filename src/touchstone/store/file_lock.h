#pragma once
// One writer per file: a lock that the system takes back when its owner ends, however it ends. Readers do not
// ask for it. Private to store/.

#include <filesystem>
#include <string>

namespace touchstone {

class FileLock {
 public:
  FileLock() = default;
  /// Takes the lock of a file, which is made if it is not there. Where the file cannot be opened, or its file
  /// system knows no locks, there is none to take.
  explicit FileLock(const std::filesystem::path& path);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

  /// Another writer has it: "process 4711 (touchstone)". Empty: nobody else.
  const std::string& owner() const { return owner_; }

 private:
  int descriptor_ = -1;
  std::string owner_;
};

/// Who has the lock of a file; empty: nobody.
std::string lock_owner(const std::filesystem::path& path);

}  // namespace touchstone

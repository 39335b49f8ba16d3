#include "touchstone/store/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <utility>

namespace touchstone {
namespace {

/// "4711 (touchstone)"
std::string with_name(long process) {
  std::string name;
  std::getline(std::ifstream("/proc/" + std::to_string(process) + "/comm"), name);
  return std::to_string(process) + (name.empty() ? "" : " (" + name + ")");
}

/// Locks are listed as "1: FLOCK ADVISORY WRITE 4711 fd:01:123 0 EOF"; who waits for one has "->" first.
std::string describe_owner(int descriptor) {
  struct stat file {};
  if (fstat(descriptor, &file) != 0) return "another process";
  char place[64];
  std::snprintf(place, sizeof place, "%02x:%02x:%lu", major(file.st_dev), minor(file.st_dev),
                static_cast<unsigned long>(file.st_ino));
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, advisory, mode, where;
    long process = 0;
    words >> number >> kind >> advisory >> mode >> process >> where;
    if (kind == "FLOCK" && where == place && process > 0) return "process " + with_name(process);
  }
  return "another process";
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& path)
    : descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    owner_ = describe_owner(descriptor_);
}

FileLock::FileLock(FileLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), owner_(std::move(other.owner_)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(owner_, other.owner_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string lock_owner(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return "";
  const bool taken = flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  const std::string owner = taken ? describe_owner(descriptor) : "";
  close(descriptor);
  return owner;
}

}  // namespace touchstone

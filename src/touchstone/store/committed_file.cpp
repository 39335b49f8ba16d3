#include "touchstone/store/committed_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace touchstone {
namespace {

using Bytes = std::span<const std::byte>;

/// At the very end of a file that has a journal.
struct Trailer {
  char mark[8] = {'t', 's', 'j', 'o', 'u', 'r', 'n', '1'};
  std::uint64_t begin = 0;     ///< of the journal
  std::uint64_t length = 0;    ///< of the file once the bytes are in their places
  std::uint64_t checksum = 0;  ///< of the journal and the two numbers
};
/// Before the bytes of each run in the journal.
struct RunHead {
  std::uint64_t place = 0, size = 0;
};

std::string reason() { return std::generic_category().message(errno); }

std::uint64_t hash_of(Bytes bytes, std::uint64_t hash) {
  for (const std::byte byte : bytes) hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3u;
  return hash;
}
std::uint64_t checksum_of(Bytes journal, const Trailer& trailer) {
  const std::uint64_t numbers[] = {trailer.begin, trailer.length};
  return hash_of(journal, hash_of(std::as_bytes(std::span(numbers)), 0xcbf29ce484222325u));
}

template <class T>
void append(std::vector<std::byte>& bytes, const T& value) {
  const Bytes raw = std::as_bytes(std::span(&value, 1));
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

/// As many as there are; false: the system refused.
bool read_from(int descriptor, std::uint64_t place, std::span<std::byte>& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count =
        pread(descriptor, bytes.data() + done, bytes.size() - done, static_cast<off_t>(place + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  bytes = bytes.first(done);
  return true;
}

bool write_to(int descriptor, std::uint64_t place, Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t count = pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count)), place += static_cast<std::uint64_t>(count);
  }
  return true;
}

int open_file(const std::filesystem::path& path, CommittedFile::Access access) {
  using Access = CommittedFile::Access;
  const int flags = access == Access::create   ? O_RDWR | O_CREAT
                    : access == Access::change ? O_RDWR
                                               : O_RDONLY;
  return open(path.c_str(), flags | O_CLOEXEC, 0666);
}

}  // namespace

void PlacedBytes::cut_out(std::uint64_t begin, std::uint64_t end) {
  auto at = runs_.upper_bound(begin);
  if (at != runs_.begin()) --at;
  while (at != runs_.end() && at->first < end) {
    const std::uint64_t first = at->first, last = first + at->second.size();
    if (last <= begin) {
      ++at;
      continue;
    }
    std::vector<std::byte> old = std::move(at->second);
    at = runs_.erase(at);
    const auto from = old.begin();
    if (first < begin) runs_[first].assign(from, from + static_cast<std::ptrdiff_t>(begin - first));
    if (last > end) runs_[end].assign(from + static_cast<std::ptrdiff_t>(end - first), old.end());
  }
}

void PlacedBytes::put(std::uint64_t place, Bytes bytes) {
  if (bytes.empty()) return;
  const auto same = runs_.find(place);
  if (same != runs_.end() && same->second.size() == bytes.size()) {
    same->second.assign(bytes.begin(), bytes.end());
    return;
  }
  cut_out(place, place + bytes.size());
  runs_[place].assign(bytes.begin(), bytes.end());
}

void PlacedBytes::overlay(std::uint64_t place, std::span<std::byte> read) const {
  const std::uint64_t end = place + read.size();
  auto at = runs_.upper_bound(place);
  if (at != runs_.begin()) --at;
  for (; at != runs_.end() && at->first < end; ++at) {
    const std::uint64_t first = std::max(place, at->first),
                        last = std::min(end, at->first + at->second.size());
    if (first >= last) continue;
    std::memcpy(read.data() + (first - place), at->second.data() + (first - at->first), last - first);
  }
}

void PlacedBytes::cut_at(std::uint64_t length) { cut_out(length, std::numeric_limits<std::uint64_t>::max()); }

CommittedFile::CommittedFile(const std::filesystem::path& path, Access access)
    : path_(std::filesystem::absolute(path)), access_(access), descriptor_(open_file(path, access)) {
  if (descriptor_ < 0) throw FileTrouble(reason());
  struct stat now {};
  const bool known = fstat(descriptor_, &now) == 0;
  const bool emptied = known && (access != Access::create || ftruncate(descriptor_, 0) == 0);
  if (!emptied) {
    const std::string why = reason();
    close(descriptor_);
    throw FileTrouble(why);
  }
  is_new_ = access == Access::create;
  committed_ = end_ = is_new_ ? 0 : static_cast<std::uint64_t>(now.st_size);
  if (!is_new_ && read_journal() && access == Access::change) put_in_place();
}

CommittedFile::~CommittedFile() {
  // A file that nothing was committed to is of no use to anybody.
  std::error_code ignored;
  if (is_new_) std::filesystem::remove(path_, ignored);
  if (!is_new_ && access_ != Access::read && in_place_ && end_ != committed_)
    static_cast<void>(ftruncate(descriptor_, static_cast<off_t>(committed_)) == 0);
  close(descriptor_);
}

void CommittedFile::give_up(const std::string& why) {
  assert(!why.empty());
  if (trouble_.empty()) trouble_ = why;
  waiting_.clear();
  throw FileTrouble(trouble_);
}

void CommittedFile::read(std::uint64_t place, std::span<std::byte> bytes) const {
  std::span<std::byte> found = bytes;
  if (!read_from(descriptor_, place, found)) throw FileTrouble(reason());
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(found.size()), bytes.end(), std::byte{0});
  waiting_.overlay(place, bytes);
}

void CommittedFile::write_now(std::uint64_t place, Bytes bytes) {
  if (!write_to(descriptor_, place, bytes)) give_up(reason());
}

void CommittedFile::write(std::uint64_t place, Bytes bytes) {
  assert(access_ != Access::read);
  if (!trouble_.empty()) return;
  const std::uint64_t below =
      place < committed_ ? std::min<std::uint64_t>(committed_ - place, bytes.size()) : 0;
  waiting_.put(place, bytes.first(below));
  if (below < bytes.size()) write_now(place + below, bytes.subspan(below));
  end_ = std::max(end_, place + bytes.size());
}

/// The folder may have been moved or removed: what is written then, nobody would find.
void CommittedFile::check_is_there() {
  struct stat ours {
  }, there{};
  const bool same = fstat(descriptor_, &ours) == 0 && stat(path_.c_str(), &there) == 0 &&
                    ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
  if (!same) give_up("it is no longer there: the file or its folder was moved or removed");
}

void CommittedFile::commit(std::uint64_t length) {
  if (!trouble_.empty()) throw FileTrouble(trouble_);
  check_is_there();
  waiting_.cut_at(length);
  if (!waiting_.empty()) write_journal(length);
  committed_ = length, is_new_ = false;
  put_in_place();
}

void CommittedFile::write_journal(std::uint64_t length) {
  std::vector<std::byte> journal;
  for (const auto& [place, bytes] : waiting_.runs()) {
    append(journal, RunHead{place, bytes.size()});
    journal.insert(journal.end(), bytes.begin(), bytes.end());
  }
  Trailer trailer;
  trailer.begin = std::max(end_, length), trailer.length = length;
  trailer.checksum = checksum_of(journal, trailer);
  append(journal, trailer);
  write_now(trailer.begin, journal);
}

/// The bytes that wait go where they belong, and the journal goes away.
void CommittedFile::put_in_place() {
  in_place_ = false;
  for (const auto& [place, bytes] : waiting_.runs()) write_now(place, bytes);
  if (ftruncate(descriptor_, static_cast<off_t>(committed_)) != 0) give_up(reason());
  in_place_ = true;
  waiting_.clear();
  end_ = committed_;
}

/// Its bytes wait then; false: there is none.
bool CommittedFile::read_journal() {
  Trailer trailer;
  const std::uint64_t size = end_;
  if (size < sizeof trailer) return false;
  std::span<std::byte> raw = std::as_writable_bytes(std::span(&trailer, 1));
  if (!read_from(descriptor_, size - sizeof trailer, raw) || raw.size() != sizeof trailer) return false;
  if (std::memcmp(trailer.mark, Trailer{}.mark, sizeof trailer.mark) != 0) return false;
  if (trailer.begin > size - sizeof trailer || trailer.length > trailer.begin) return false;
  std::vector<std::byte> journal(size - sizeof trailer - trailer.begin);
  std::span<std::byte> rest = journal;
  if (!read_from(descriptor_, trailer.begin, rest) || rest.size() != journal.size()) return false;
  if (checksum_of(journal, trailer) != trailer.checksum) return false;
  while (rest.size() >= sizeof(RunHead)) {
    RunHead head;
    std::memcpy(&head, rest.data(), sizeof head);
    rest = rest.subspan(sizeof head);
    if (head.size > rest.size()) break;  // cannot be: the checksum is right
    waiting_.put(head.place, rest.first(head.size));
    rest = rest.subspan(head.size);
  }
  committed_ = end_ = trailer.length;
  return true;
}

}  // namespace touchstone

#include "touchstone/store/array_file.h"

#include <fstream>
#include <string_view>

#include "touchstone/store/array_file_state.h"
#include "touchstone/store/hdf5_driver.h"

namespace touchstone {
namespace {

/// HDF5 writes its tables whenever its cache is full. They would wait in memory all the same, so HDF5 may
/// keep them until flush().
void hold_back_tables(hid_t access) {
  H5AC_cache_config_t config;
  config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  if (H5Pget_mdc_config(access, &config) < 0) return;
  config.evictions_enabled = false;
  config.incr_mode = H5C_incr__off;
  config.decr_mode = H5C_decr__off;
  config.flash_incr_mode = H5C_flash_incr__off;
  H5Pset_mdc_config(access, &config);
}

/// Format 1.8: later ones mark a file that is open for writing, and a killed program leaves the mark. None of
/// HDF5's locks: a recording may be looked at while it grows.
Hdf5Handle access_list(bool writes) {
  Hdf5Handle list(H5Pcreate(H5P_FILE_ACCESS));
  if (writes) H5Pset_libver_bounds(list.get(), H5F_LIBVER_V18, H5F_LIBVER_V110);
  if (writes) hold_back_tables(list.get());
  H5Pset_file_locking(list.get(), false, true);
  use_committed_files(list.get());
  return list;
}

/// In a file of format 1.8 only the lists of pieces of arrays have no checksums. Those of 1.10 do, and the
/// mark of 1.10 depends on how the file itself was made.
void protect_new_tables(hid_t file) { H5Fset_libver_bounds(file, H5F_LIBVER_V110, H5F_LIBVER_V110); }

/// Of HDF5's "superblock".
constexpr int kFirstWithChecksums = 2;
/// The version of it at the head of a file, where ours have it; -1: it is not there.
int head_version(const std::filesystem::path& path) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  std::string head(kSignature.size() + 1, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(head.data(), static_cast<std::streamsize>(head.size()))) return -1;
  return head.starts_with(kSignature) ? static_cast<unsigned char>(head.back()) : -1;
}

}  // namespace

std::string writer_of(const std::filesystem::path& path) { return lock_owner(path); }

ArrayFile::ArrayFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
ArrayFile::ArrayFile(ArrayFile&&) noexcept = default;
ArrayFile& ArrayFile::operator=(ArrayFile&&) noexcept = default;
ArrayFile::~ArrayFile() {
  try {
    if (state_) close();
  } catch (const std::exception&) {  // a destructor has nobody to tell
  }
}

/// HDF5 itself says little about files that are none of its own.
void ArrayFile::State::check_is_hdf5() const {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) fail("", "there is no such file", false);
  if (std::filesystem::is_directory(path, ignored)) fail("", "expected a file, not a folder", false);
  if (!std::filesystem::is_regular_file(path, ignored))
    fail("", "expected a file, not a pipe or a device", false);
  if (H5Fis_hdf5(path.c_str()) <= 0) fail("", "is not an HDF5 file", false);
  if (checksums == Checksums::all && head_version(path) < kFirstWithChecksums) {
    fail("", "is an HDF5 file without checksums (h5py writes them with libver=\"v108\")", false);
  }
}

void ArrayFile::State::take_lock() {
  lock = FileLock(path);
  if (!lock.owner().empty()) fail("", "is being written by " + lock.owner(), false);
}

std::unique_ptr<ArrayFile::State> ArrayFile::new_state(const std::filesystem::path& path,
                                                       Checksums checksums) {
  silence_hdf5();
  auto state = std::make_unique<State>();
  state->path = path.string();
  state->checksums = checksums;
  return state;
}

ArrayFile ArrayFile::create(const std::filesystem::path& path, Checksums checksums) {
  auto state = new_state(path, checksums);
  std::error_code ignored;  // whoever opens a pipe waits for somebody at its other end
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    state->fail("", "cannot be made: a folder, a pipe or a device is there", false);
  state->take_lock();
  const Hdf5Handle access = access_list(true);
  state->file = Hdf5Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()));
  if (!state->file) state->fail("", "cannot be made");
  if (checksums == Checksums::all) protect_new_tables(state->file.get());
  state->flush();
  return ArrayFile(std::move(state));
}

ArrayFile ArrayFile::open(const std::filesystem::path& path, Checksums checksums) {
  auto state = new_state(path, checksums);
  state->check_is_hdf5();
  state->file = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access_list(false).get()));
  if (!state->file) state->fail("", "cannot be read as HDF5");
  return ArrayFile(std::move(state));
}

ArrayFile ArrayFile::append(const std::filesystem::path& path, Checksums checksums) {
  auto state = new_state(path, checksums);
  state->check_is_hdf5();
  state->take_lock();
  state->file = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDWR, access_list(true).get()));
  if (!state->file) state->fail("", "cannot be opened for writing as HDF5");
  if (checksums == Checksums::all) protect_new_tables(state->file.get());
  return ArrayFile(std::move(state));
}

void ArrayFile::flush() {
  state_->check_not_closed();
  state_->flush();
}

/// HDF5 may be called by several threads only if it was built so.
bool ArrayFile::write_behind() {
  state_->check_open();
  hbool_t safe = false;
  if (H5is_library_threadsafe(&safe) < 0 || !safe) return false;
  if (state_->queue) return true;
  state_->queue = std::make_unique<WriteQueue>();
  state_->queue->add([] { silence_hdf5(); }, 0);
  return true;
}

void ArrayFile::close() {
  if (!state_->file) return;
  state_->check_open();
  state_->queue.reset();
  unsigned intent = 0;
  H5Fget_intent(state_->file.get(), &intent);
  if (intent & H5F_ACC_RDWR) state_->flush();
  state_->growing.clear();
  const herr_t closed = H5Fclose(state_->file.release());
  state_->lock = {};
  if (closed < 0) state_->fail("", "cannot be closed");
}

bool ArrayFile::has(const std::string& name) const {
  state_->check_open();
  return trimmed(name).empty() || state_->has(trimmed(name));
}

bool ArrayFile::is_group(const std::string& name) const {
  return has(name) && H5Iget_type(state_->open_object(name).get()) == H5I_GROUP;
}

std::vector<std::string> ArrayFile::names(const std::string& group) const {
  state_->check_open();
  const Hdf5Handle handle = state_->open_object(group);
  if (H5Iget_type(handle.get()) != H5I_GROUP) state_->fail(group, "expected a group", false);
  std::vector<std::string> found;
  const auto keep = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  if (H5Literate(handle.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, keep, &found) < 0)
    state_->fail(group, "cannot be listed");
  return found;
}

void ArrayFile::make_group(const std::string& name) {
  if (has(name)) return;
  const Hdf5Handle group(
      H5Gcreate2(state_->file.get(), trimmed(name).c_str(), with_parents().get(), H5P_DEFAULT, H5P_DEFAULT));
  if (!group) state_->fail(name, "cannot be made");
}

}  // namespace touchstone

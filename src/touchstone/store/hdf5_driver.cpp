// The callbacks that HDF5 asks of a driver of files: its "virtual file layer".

#include "touchstone/store/hdf5_driver.h"

#include <sys/stat.h>

#include <algorithm>
#include <memory>

#include "touchstone/store/committed_file.h"

namespace touchstone {
namespace {

/// HDF5's part comes first: it hands out pointers to it.
struct DriverFile {
  H5FD_t common{};
  std::unique_ptr<CommittedFile> file;
  haddr_t allocated = 0;  ///< HDF5's "end of allocation"
  bool writes = false;
};

DriverFile& of(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& of(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

/// HDF5 has no room for a reason in a file that could not be opened.
std::string& trouble_of_opening() {
  thread_local std::string trouble;
  return trouble;
}

constexpr haddr_t kLargestAddress = (haddr_t{1} << 62) - 1;

template <class Action>
herr_t attempt(const Action& action) {
  try {
    action();
    return 0;
  } catch (const FileTrouble&) {
    return -1;
  }
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t, haddr_t) {
  using Access = CommittedFile::Access;
  const Access access = flags & (H5F_ACC_TRUNC | H5F_ACC_CREAT) ? Access::create
                        : flags & H5F_ACC_RDWR                  ? Access::change
                                                                : Access::read;
  auto file = std::make_unique<DriverFile>();
  file->writes = access != Access::read;
  trouble_of_opening().clear();
  const auto open = [&] { file->file = std::make_unique<CommittedFile>(name, access); };
  try {
    open();
  } catch (const FileTrouble& trouble) {
    trouble_of_opening() = trouble.what();
    return nullptr;
  }
  return &file.release()->common;
}

/// HDF5 may write once more while it closes a file.
herr_t close_file(H5FD_t* file) {
  const std::unique_ptr<DriverFile> owner(&of(file));
  if (!owner->writes || !owner->file->trouble().empty() || owner->allocated == 0) return 0;
  return attempt([&] { owner->file->commit(owner->allocated); });
}

/// Two openings of one file are known by its place on the disk.
int compare_files(const H5FD_t* a, const H5FD_t* b) {
  struct stat first {
  }, second{};
  fstat(of(a).file->descriptor(), &first), fstat(of(b).file->descriptor(), &second);
  if (first.st_dev != second.st_dev) return first.st_dev < second.st_dev ? -1 : 1;
  if (first.st_ino != second.st_ino) return first.st_ino < second.st_ino ? -1 : 1;
  return 0;
}

herr_t tell_features(const H5FD_t*, unsigned long* features) {
  if (features) {
    *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
                H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  }
  return 0;
}

haddr_t allocated_end(const H5FD_t* file, H5FD_mem_t) { return of(file).allocated; }
herr_t set_allocated_end(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  of(file).allocated = address;
  return 0;
}
haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return of(file).file->length(); }

herr_t tell_handle(H5FD_t* file, hid_t, void** handle) {
  *handle = &of(file);
  return 0;
}

herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* bytes) {
  return attempt([&] { of(file).file->read(address, {static_cast<std::byte*>(bytes), size}); });
}

herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* bytes) {
  return attempt([&] { of(file).file->write(address, {static_cast<const std::byte*>(bytes), size}); });
}

herr_t cut_to_allocated(H5FD_t*, hid_t, hbool_t) { return 0; }  // commit() does

const H5FD_class_t* driver_class() {
  static const H5FD_class_t driver = [] {
    H5FD_class_t d{};
    d.name = "touchstone-committed";
    d.maxaddr = kLargestAddress;
    d.fc_degree = H5F_CLOSE_WEAK;
    d.open = open_file, d.close = close_file, d.cmp = compare_files, d.query = tell_features;
    d.get_eoa = allocated_end, d.set_eoa = set_allocated_end, d.get_eof = end_of_file;
    d.get_handle = tell_handle, d.read = read_bytes, d.write = write_bytes, d.truncate = cut_to_allocated;
    std::fill(std::begin(d.fl_map), std::end(d.fl_map), H5FD_MEM_DEFAULT);
    return d;
  }();
  return &driver;
}

DriverFile* driver_file(hid_t file) {
  void* handle = nullptr;
  if (file < 0 || H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0) return nullptr;
  return static_cast<DriverFile*>(handle);
}

}  // namespace

void use_committed_files(hid_t access) {
  static const hid_t driver = H5FDregister(driver_class());
  H5Pset_driver(access, driver, nullptr);
}

bool commit_file(hid_t file) {
  DriverFile* open = driver_file(file);
  return open && attempt([&] { open->file->commit(open->allocated); }) >= 0;
}

std::string file_trouble(hid_t file) {
  const DriverFile* open = driver_file(file);
  return open ? open->file->trouble() : trouble_of_opening();
}

}  // namespace touchstone

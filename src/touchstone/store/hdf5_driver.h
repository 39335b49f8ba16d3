#pragma once
// HDF5 on a CommittedFile: what HDF5 writes reaches the file by commit_file(), all at once. Private to
// store/.

#include <string>

#include "touchstone/store/hdf5_handle.h"

namespace touchstone {

/// Files that are opened with this access list are CommittedFiles.
void use_committed_files(hid_t access);

/// What was flushed to an open file becomes its content. False: file_trouble() says why.
bool commit_file(hid_t file);
/// Why the system refused to write an open file, or the last file that could not be opened in this thread;
/// empty: it did not.
std::string file_trouble(hid_t file);

}  // namespace touchstone

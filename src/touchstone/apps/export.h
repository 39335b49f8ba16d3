#pragma once
// What `touchstone export` can make of a recording.

#include <filesystem>
#include <ostream>

#include "touchstone/apps/show.h"
#include "touchstone/record/recording_details.h"

namespace touchstone {

/// Frames of a recording that are read at once.
inline constexpr std::size_t kFramesAtOnce = 64;

/// The viewer's page with all data in it.
void export_html(const Show& show, std::ostream& out);

/// An animated scene, glTF 2.0 in its binary form; y is up there, z here. Bodies that appear later have no
/// size before. Polygons of the plane become slabs; half-spaces end after a while.
template <int D>
void export_glb(const RecordingDetails& recording, std::ostream& out);

/// One line for each body in each frame, numbers with 17 digits.
template <int D>
void export_csv(const RecordingDetails& recording, std::ostream& out);

/// Plots of energy, gap, residual and contacts, by Python's matplotlib. Throws BadInput where that is
/// missing.
void export_png(const RecordingDetails& recording, const std::filesystem::path& picture);

}  // namespace touchstone

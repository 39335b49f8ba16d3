#pragma once
// A recording as the viewer shows it.

#include <filesystem>
#include <memory>

#include "touchstone/apps/show.h"

namespace touchstone {

/// Throws BadRecording, here and when it is asked.
std::unique_ptr<Show> show_recording(const std::filesystem::path& file);

}  // namespace touchstone

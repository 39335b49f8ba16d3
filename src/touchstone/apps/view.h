#pragma once
// What `view` and `run --view` share.

#include <cstdio>

#include "touchstone/apps/progress.h"
#include "touchstone/apps/viewer_server.h"

namespace touchstone {

struct ViewOptions {
  int port = 0;  ///< 0: the usual one or, where that is taken, any
  bool no_browser = false, quiet = false, json = false;
  std::FILE* out = stdout;  ///< where the address is printed
};

/// Serves the show, tells the address and opens the browser.
std::unique_ptr<ViewerServer> open_viewer(std::shared_ptr<const Show> show, const ViewOptions& options);
/// Returns when somebody wishes to stop.
void wait_for(const StopWish& stop);

}  // namespace touchstone

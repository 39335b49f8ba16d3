#pragma once
// Our scenes, in the form that every engine takes.

#include "peer.h"
#include "touchstone/stepping/world.h"

namespace touchstone::bench {

/// A scene file or a named scene, in space, with one convex shape per body. Throws BadInput.
PeerScene load_peer_scene(const std::string& path_or_name, const std::vector<std::string>& overrides = {});

/// The body at its start.
void add_body(const PeerBody& given, World<3>& world);

}  // namespace touchstone::bench

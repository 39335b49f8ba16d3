#pragma once
// Bodies of a scene file. Private to scene/.

#include <filesystem>
#include <map>
#include <memory>

#include "touchstone/scene/fields.h"
#include "touchstone/scene/material_reader.h"
#include "touchstone/scene/scene.h"

namespace touchstone {

/// Collision groups by name; each is one bit. Bit 0 is that of bodies that name none.
class GroupNames {
 public:
  /// The bits of a name or a list of names.
  std::uint32_t read(const Field& field);

 private:
  std::uint32_t bit_of(const Field& field);
  std::map<std::string, std::uint32_t> bits_;
};

/// What readers of a scene share.
template <int D>
struct BodyContext {
  const std::filesystem::path& folder;  ///< of meshes
  const Materials& materials;
  GroupNames groups;
  /// Equal values are one shape: it is read, stored and recorded once.
  std::map<nlohmann::json, std::shared_ptr<const Shape<D>>> shapes;
};

/// Adds the bodies of the list; bodies that appear later come last.
template <int D>
void read_bodies(const Field& list, BodyContext<D>& context, RunContent<D>& content);

/// The index of the body that the field names; "world" is -1 where that is allowed.
template <int D>
int read_body_name(const Field& field, const World<D>& world, bool world_allowed);

}  // namespace touchstone

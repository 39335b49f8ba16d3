#pragma once
// The model `plane` [Plane]; inside contact only.

#include "touchstone/contact/contact_model.h"

namespace touchstone {

template <int D>
std::unique_ptr<ContactModel<D>> make_plane_model(const ModelSettings& settings);

}  // namespace touchstone

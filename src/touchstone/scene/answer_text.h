#pragma once
// Contact data as one line of JSON. Private to scene/.

#include <string>

#include "touchstone/proximity/contact_data.h"

namespace touchstone {

/// {"status", "gap", "normal", "normal_unique", "candidates", "features", "manifold", "manifold_features",
/// "points", "bounds", "round_off", "overlap"}; points and directions are in the world but those of features,
/// which are in the frame of their body.
template <int D>
std::string answer_text(const PlacedShape<D>& A, const PlacedShape<D>& B, const ContactData<D>& data);

}  // namespace touchstone

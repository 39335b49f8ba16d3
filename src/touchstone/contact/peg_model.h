#pragma once
// The models `peg`, `peg-printed` and `lnc`; inside contact only.

#include "touchstone/contact/peg_constraints.h"

namespace touchstone {

template <int D>
std::unique_ptr<ContactModel<D>> make_peg_model(PegVariant variant);

}  // namespace touchstone

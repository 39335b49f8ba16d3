#pragma once
// Do the parts of a matrix in factors fit each other? Nobody looks at their lengths and indices again:
// products run over them unchecked. Inside solve only.

#include <string>

#include "touchstone/solve/matrix/cone_matrix.h"
#include "touchstone/solve/matrix/gram_matrix.h"
#include "touchstone/solve/matrix/pyramid_matrix.h"

namespace touchstone {

/// Throw std::invalid_argument that names what does not fit as a part of `name`, such as M.first[3].
void check_factors(const std::string& name, const GramFactors& factors);
void check_factors(const std::string& name, const PyramidFactors& factors);
void check_factors(const std::string& name, const ConeFactors& factors);

/// The same of any list.
void require_length(const std::string& name, long length, long expected);

}  // namespace touchstone

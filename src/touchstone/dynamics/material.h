#pragma once
// What surfaces do to each other.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace touchstone {

enum class FrictionLaw {
  none,
  linear,     ///< Coulomb's cone as a pyramid of `directions` sides (in the plane: exact)
  quadratic,  ///< Coulomb's round cone
  no_slip,    ///< closed contacts do not slide at all [Checked 2.5]
  viscous     ///< closed contacts are braked by `viscosity` times their sliding speed
};

enum class Restitution { newton, poisson };

/// How two materials behave where they touch.
struct Surface {
  FrictionLaw friction = FrictionLaw::none;
  double mu = 0;         ///< coefficient of friction
  int directions = 8;    ///< of the linear cone in space; at least 3
  double viscosity = 0;  ///< [N s/m] per contact point, law `viscous`
  double bounce = 0;     ///< coefficient of restitution, 0 to 1
  Restitution restitution = Restitution::newton;
};

/// Two materials about which nothing is said as a pair: laws of the first, geometric means of the
/// coefficients of friction, the larger restitution.
inline Surface mixed(const Surface& a, const Surface& b) {
  Surface both = a;
  both.mu = std::sqrt(a.mu * b.mu);
  both.viscosity = std::sqrt(a.viscosity * b.viscosity);
  both.bounce = std::max(a.bounce, b.bounce);
  return both;
}

/// The surface of each pair of materials, by index.
class SurfaceTable {
 public:
  explicit SurfaceTable(int materials = 1, const Surface& all = {})
      : count_(materials), table_(materials * materials, all) {}
  int count() const { return count_; }
  const Surface& of(int a, int b) const {
    assert(a >= 0 && a < count_ && b >= 0 && b < count_);
    return table_[a * count_ + b];
  }
  void set(int a, int b, const Surface& surface) {
    assert(a >= 0 && a < count_ && b >= 0 && b < count_);
    table_[a * count_ + b] = table_[b * count_ + a] = surface;
  }

 private:
  int count_;
  std::vector<Surface> table_;
};

}  // namespace touchstone

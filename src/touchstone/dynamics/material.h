#pragma once
// What surfaces do to each other.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>
#include <vector>

namespace touchstone {

enum class FrictionLaw {
  none,
  linear,     ///< Coulomb's cone as a pyramid of `directions` sides (in the plane: exact)
  quadratic,  ///< Coulomb's round cone
  no_slip,    ///< closed contacts do not slide at all [Checked 2.5]
  viscous,    ///< closed contacts are braked by `viscosity` times their sliding speed
  /// Coulomb's round cone, in the plane the exact one: `mu` for bodies that stuck in the last step, `kinetic`
  /// for those that slid [dynamics/sticking.h]
  static_kinetic
};

enum class Restitution { newton, poisson };

/// How two materials behave where they touch.
struct Surface {
  FrictionLaw friction = FrictionLaw::none;
  double mu = 0;         ///< coefficient of friction; law `static_kinetic`: the static one
  double kinetic = 0;    ///< law `static_kinetic`: the coefficient while the bodies slide, at most mu
  int directions = 8;    ///< of the linear cone in space; at least 3
  double viscosity = 0;  ///< [N s/m] per contact point, law `viscous`
  double bounce = 0;     ///< coefficient of restitution, 0 to 1
  Restitution restitution = Restitution::newton;

  bool operator==(const Surface&) const = default;
};

/// Laws that bound friction by a multiple of the normal force.
inline bool is_cone(const Surface& surface) {
  return surface.friction == FrictionLaw::linear || surface.friction == FrictionLaw::quadratic ||
         surface.friction == FrictionLaw::static_kinetic;
}
/// The coefficient of friction of bodies that slide.
inline double sliding_mu(const Surface& surface) {
  return surface.friction == FrictionLaw::static_kinetic ? surface.kinetic : surface.mu;
}

/// Two materials about which nothing is said as a pair: laws of the first, but static and kinetic
/// coefficients if the other has them; geometric means of the coefficients of friction, the larger
/// restitution.
inline Surface mixed(const Surface& a, const Surface& b) {
  Surface both = a;
  if (is_cone(a) && b.friction == FrictionLaw::static_kinetic) both.friction = FrictionLaw::static_kinetic;
  both.mu = std::sqrt(a.mu * b.mu);
  both.kinetic = both.friction == FrictionLaw::static_kinetic ? std::sqrt(sliding_mu(a) * sliding_mu(b)) : 0;
  both.viscosity = std::sqrt(a.viscosity * b.viscosity);
  both.bounce = std::max(a.bounce, b.bounce);
  return both;
}

/// The surface of each pair of materials, by index, and of pairs of bodies about which more is said.
class SurfaceTable {
 public:
  using Pair = std::pair<int, int>;

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
  void set_all(const Surface& surface) { std::fill(table_.begin(), table_.end(), surface); }
  /// One more material, which behaves like this on itself, and with the others as mixed() says.
  void add(const Surface& own);

  /// The surface of two bodies, whatever they are made of.
  void set_bodies(int body_1, int body_2, const Surface& surface);
  /// Null where nothing is said about the two bodies.
  const Surface* of_bodies(int body_1, int body_2) const;
  /// Where parts of these materials touch that belong to these bodies.
  const Surface& at(const Pair& materials, const Pair& bodies) const {
    const Surface* own = bodies_.empty() ? nullptr : of_bodies(bodies.first, bodies.second);
    return own ? *own : of(materials.first, materials.second);
  }
  /// Each once.
  std::vector<Surface> all() const;
  const std::vector<std::pair<Pair, Surface>>& bodies() const { return bodies_; }
  /// Does any of them ask whether bodies stuck in the last step?
  bool ask_for_sticking() const;

 private:
  int count_;
  std::vector<Surface> table_;
  std::vector<std::pair<Pair, Surface>> bodies_;  ///< by bodies (i < j), sorted
};

/// Where a contact's bodies touch.
template <class Contact>
const Surface& surface_at(const SurfaceTable& surfaces, const Contact& contact) {
  return surfaces.at({contact.material_A, contact.material_B}, {contact.body_A, contact.body_B});
}

}  // namespace touchstone

#include "support/friction_sets.h"

#include <Eigen/LU>

namespace touchstone::support {
namespace {

constexpr double kStep = 0.01;     // [s]
constexpr double kGravity = 9.81;  // [m/s^2]
constexpr int kGround = -1;
constexpr int kPerLayer = 4;  // of a wall

/// Bodies and contacts in space; in the plane the third axis is left out at the end.
class Scenery {
 public:
  Scenery(const FrictionSet& set, Random& random) : set_(set), random_(random) {
    const bool heavy = set.name == "heavy";
    for (int i = 0; i < set.bodies; ++i) {
      mass_.push_back(heavy ? random.log_uniform(1e-3, 1e3) : random.uniform(0.5, 2));
      centre_.push_back(place(i));
    }
    mixed_ = set.mu < 0 && random.unit() < 0.3;
    const double some[] = {0, 0.05, 0.3, 0.7, 1.5};
    common_mu_ = set.mu < 0 ? some[random.index(5)] : set.mu;
  }

  void touch() {
    if (set_.name == "stack" || set_.name == "wall") {
      for (int i = 0; i < set_.bodies; ++i) touch_below_and_beside(i);
    } else {
      const int contacts = 1 + random_.index(3 * set_.bodies);
      for (int k = 0; k < contacts; ++k) touch_anywhere();
    }
  }

  GlobalFrictionProblem problem() {
    const int freedoms = planar() ? 3 : 6, size = freedoms * set_.bodies;
    GlobalFrictionProblem made;
    made.dimension = set_.dimension;
    made.M.resize(size, size);
    made.f.resize(size);
    for (int row = 0; row < size; ++row) fill_row(row, freedoms, made);
    made.H.resize(size, rows_);
    made.H.setFromTriplets(entries_.begin(), entries_.end());
    made.w = VectorX::Zero(rows_);
    made.mu = Eigen::Map<const VectorX>(mu_.data(), static_cast<Eigen::Index>(mu_.size()));
    return made;
  }

 private:
  bool planar() const { return set_.dimension == 2; }
  Vec<3> up() const { return planar() ? Vec<3>(0, 1, 0) : Vec<3>(0, 0, 1); }

  Vec<3> place(int i) {
    if (set_.name == "stack") return (i + 0.5) * up();
    if (set_.name == "wall") return Vec<3>(i % kPerLayer, 0, 0) + (i / kPerLayer + 0.5) * up();
    Vec<3> anywhere(random_.uniform(-2, 2), random_.uniform(-2, 2), random_.uniform(-2, 2));
    if (planar()) anywhere.z() = 0;
    return anywhere;
  }

  /// Linear momentum first, then angular.
  void fill_row(int row, int freedoms, GlobalFrictionProblem& made) {
    const int body = row / freedoms, axis = row % freedoms, linear = set_.dimension;
    const bool moves = axis < linear, falls = axis == linear - 1;
    const double inertia = mass_[body] * (moves ? 1 : random_.uniform(0.1, 0.4));
    made.M.insert(row, row) = inertia;
    const bool rests = set_.name == "stack" || set_.name == "wall";
    const bool struck = set_.hit && (!rests || random_.unit() < 0.1);
    made.f[row] = (falls ? -inertia * kGravity * kStep : 0) + (struck && !falls ? random_.uniform(-1, 1) : 0);
  }

  void touch_below_and_beside(int i) {
    const int across = planar() ? 1 : 2, layer = set_.name == "stack" ? 1 : kPerLayer;
    const int below = i < layer ? kGround : i - layer;
    for (int corner = 0; corner < 2 * across; ++corner) {
      const double x = corner % 2 ? 0.5 : -0.5, y = planar() ? 0 : corner / 2 - 0.5;
      const Vec<3> depth(0, y, 0);
      add_contact(i, below, centre_[i] - 0.5 * up() + Vec<3>(x, 0, 0) + depth, up());
      if (i % layer == 0) continue;
      add_contact(i, i - 1, centre_[i] - Vec<3>(0.5, 0, 0) + x * up() + depth, Vec<3>(1, 0, 0));
    }
  }

  void touch_anywhere() {
    const int a = random_.index(set_.bodies), other = random_.index(set_.bodies + 1) - 1;
    const int b = other == a ? kGround : other;
    Vec<3> offset = random_.direction<3>(), normal = random_.direction<3>();
    if (planar()) {
      const Vec<2> flat = random_.direction<2>();
      normal = Vec<3>(flat.x(), flat.y(), 0);
      offset.z() = 0;
    }
    if (b == kGround && normal.dot(up()) < 0) normal = -normal;
    const Vec<3> middle = b == kGround ? centre_[a] : Vec<3>(0.5 * (centre_[a] + centre_[b]));
    const int times = random_.unit() < 0.2 ? 2 : 1;
    for (int k = 0; k < times; ++k) add_contact(a, b, middle + 0.3 * offset, normal);
  }

  /// The normal points from b to a.
  void add_contact(int a, int b, const Vec<3>& point, const Vec<3>& normal) {
    const Vec<3> first = planar() ? Vec<3>(-normal.y(), normal.x(), 0) : Vec<3>(normal.unitOrthogonal());
    const Vec<3> axes[] = {normal, first, normal.cross(first)};
    for (int k = 0; k < set_.dimension; ++k, ++rows_) {
      add_column(a, point, axes[k]);
      if (b != kGround) add_column(b, point, -axes[k]);
    }
    mu_.push_back(mixed_ ? random_.uniform(0, 1.5) : common_mu_);
  }

  void add_column(int body, const Vec<3>& point, const Vec<3>& axis) {
    const Vec<3> moment = (point - centre_[body]).cross(axis);
    const int freedoms = planar() ? 3 : 6;
    for (int k = 0; k < set_.dimension; ++k) entries_.emplace_back(freedoms * body + k, rows_, axis[k]);
    if (planar()) {
      entries_.emplace_back(freedoms * body + 2, rows_, moment.z());
    } else {
      for (int k = 0; k < 3; ++k) entries_.emplace_back(freedoms * body + 3 + k, rows_, moment[k]);
    }
  }

  const FrictionSet& set_;
  Random& random_;
  std::vector<double> mass_, mu_;
  std::vector<Vec<3>> centre_;
  std::vector<Eigen::Triplet<double>> entries_;
  bool mixed_ = false;
  double common_mu_ = 0;
  int rows_ = 0;
};

}  // namespace

const std::vector<std::string>& friction_classes() {
  static const std::vector<std::string> names = {"random", "heavy", "stack", "wall"};
  return names;
}

GlobalFrictionProblem make_friction(const FrictionSet& set, Random& random) {
  Scenery scenery(set, random);
  scenery.touch();
  return scenery.problem();
}

FrictionProblem local_form(const GlobalFrictionProblem& problem) {
  const MatrixX H = problem.H, inverse = MatrixX(problem.M).inverse();
  return {problem.dimension, MatrixX(H.transpose() * inverse * H),
          problem.w + H.transpose() * (inverse * problem.f), problem.mu};
}

}  // namespace touchstone::support

#include "support/problem_sets.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <stdexcept>

namespace touchstone::support {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;
using V3 = Eigen::Vector3d;

constexpr double kTimeStep = 0.01, kFallSpeed = 9.81 * kTimeStep;  // [s], [m/s] after one step

MatrixX random_matrix(Random& random, int rows, int cols) {
  MatrixX A(rows, cols);
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i) A(i, j) = random.uniform(-1, 1);
  return A;
}

/// q = w - M z of a complementary pair: each row has z, or w, or (one in ten) neither.
VectorX solvable_right_side(Random& random, const MatrixX& M) {
  VectorX z = VectorX::Zero(M.rows()), w = z;
  for (long i = 0; i < z.size(); ++i) {
    const double side = random.unit();
    if (side < 0.45) z[i] = random.uniform(0, 1);
    if (side > 0.55) w[i] = random.uniform(0, 1);
  }
  return w - M * z;
}

Lcp definite(Random& random, int n, int rank, bool skew) {
  const MatrixX A = random_matrix(random, n, rank), B = random_matrix(random, n, n);
  MatrixX M = A * A.transpose() / rank;
  if (rank == n) M += 0.01 * MatrixX::Identity(n, n);
  if (skew) M += (B - B.transpose()) / 2;
  const MatrixX symmetric = skew ? M : MatrixX((M + M.transpose()) / 2);
  return {symmetric, solvable_right_side(random, symmetric)};
}

Lcp banded(Random& random, int n) {
  Triplets entries;
  VectorX q(n);
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 2);
    if (i > 0) entries.emplace_back(i, i - 1, -1);
    if (i + 1 < n) entries.emplace_back(i, i + 1, -1);
    q[i] = random.uniform(-1, 0.9);
  }
  SparseMatrix M(n, n);
  M.setFromTriplets(entries.begin(), entries.end());
  return {M, q};
}

/// Collects contacts row by row. Body -1 is the fixed ground.
class Builder {
 public:
  explicit Builder(int bodies) : bodies_(bodies), positions_(bodies), inertia_(bodies) {
    system_.velocity = VectorX::Zero(6 * bodies);
  }
  void place(int body, const V3& position, double mass, const V3& inertia) {
    positions_[body] = position;
    inertia_[body] << mass, mass, mass, inertia;
    system_.velocity[6 * body + 2] = -kFallSpeed;
  }
  void kick(int body, Random& random, double size) {
    for (int k = 0; k < 6; ++k) system_.velocity[6 * body + k] += random.uniform(-size, size);
  }
  /// The normal points from B to A.
  void touch(int a, int b, const V3& point, const V3& normal, double gap) {
    const V3 along = normal.unitOrthogonal(), across = normal.cross(along);
    add_row(normals_, contacts_, {a, b, point, normal});
    for (int d = 0; d < 4; ++d) {
      const V3 tangent = (d % 2 == 0 ? along : across) * (d < 2 ? 1 : -1);
      add_row(tangents_, 4 * contacts_ + d, {a, b, point, tangent});
    }
    gap_rates_.push_back(gap / kTimeStep);
    ++contacts_;
  }
  ContactSystem finish(Random& random, double mu_low, double mu_high) {
    system_.Gn = matrix(contacts_, normals_);
    system_.Gf = matrix(4 * contacts_, tangents_);
    Triplets mass, inverse;
    for (int i = 0; i < 6 * bodies_; ++i) {
      mass.emplace_back(i, i, inertia_[i / 6][i % 6]);
      inverse.emplace_back(i, i, 1 / inertia_[i / 6][i % 6]);
    }
    system_.mass = matrix(6 * bodies_, mass);
    system_.inverse = matrix(6 * bodies_, inverse);
    system_.gap_rate = Eigen::Map<const VectorX>(gap_rates_.data(), contacts_);
    system_.mu.resize(contacts_);
    for (int i = 0; i < contacts_; ++i) system_.mu[i] = random.uniform(mu_low, mu_high);
    return system_;
  }

 private:
  struct Row {
    int a, b;
    V3 point, direction;
  };
  void add_row(Triplets& entries, int row, const Row& r) {
    for (const auto& [body, sign] : {std::pair{r.a, 1.0}, std::pair{r.b, -1.0}}) {
      if (body < 0) continue;
      const V3 lever = r.point - positions_[body], torque = lever.cross(r.direction);
      for (int k = 0; k < 3; ++k) entries.emplace_back(row, 6 * body + k, sign * r.direction[k]);
      for (int k = 0; k < 3; ++k) entries.emplace_back(row, 6 * body + 3 + k, sign * torque[k]);
    }
  }
  SparseMatrix matrix(int rows, const Triplets& entries) const {
    SparseMatrix A(rows, 6 * bodies_);
    A.setFromTriplets(entries.begin(), entries.end());
    A.prune(0.0);
    return A;
  }

  int bodies_, contacts_ = 0;
  std::vector<V3> positions_;
  std::vector<Eigen::Matrix<double, 6, 1>> inertia_;
  Triplets normals_, tangents_;
  std::vector<double> gap_rates_;
  ContactSystem system_;
};

V3 box_inertia(double mass, const V3& size) {
  const V3 squares = size.cwiseProduct(size);
  return mass / 12 * V3(squares.y() + squares.z(), squares.z() + squares.x(), squares.x() + squares.y());
}

ContactSystem random_bodies(Random& random, int contacts, int bodies) {
  Builder builder(bodies);
  std::vector<V3> positions(bodies);
  for (int i = 0; i < bodies; ++i) {
    positions[i] = V3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0, 2));
    const double mass = random.log_uniform(0.1, 10);
    builder.place(i, positions[i], mass, box_inertia(mass, V3(0.5, 0.4, 0.3)));
    builder.kick(i, random, 0.5);
  }
  for (int c = 0; c < contacts; ++c) {
    const int a = random.index(bodies);
    int b = random.index(bodies + 1) - 1;
    if (b == a) b = -1;
    const V3 point = positions[a] + 0.3 * V3(random.direction<3>());
    builder.touch(a, b, point, V3(random.direction<3>()), random.unit() < 0.5 ? 0 : random.uniform(0, 1e-3));
  }
  return builder.finish(random, 0.1, 1);
}

void touch_over(Builder& builder, int upper, int lower, const Eigen::Vector4d& patch, double height) {
  for (const double x : {patch[0], patch[1]})
    for (const double y : {patch[2], patch[3]}) builder.touch(upper, lower, V3(x, y, height), V3::UnitZ(), 0);
}

ContactSystem stack(Random& random, int boxes) {
  Builder builder(boxes);
  for (int i = 0; i < boxes; ++i) {
    builder.place(i, V3(0.05 * random.uniform(-1, 1), 0, i + 0.5), 1, box_inertia(1, V3::Ones()));
    touch_over(builder, i, i - 1, {-0.4, 0.4, -0.5, 0.5}, i);
  }
  return builder.finish(random, 0.3, 0.8);
}

/// Courses of bricks of length 2, each course shifted by half a brick.
ContactSystem wall(Random& random, int contacts) {
  const int courses = std::max(1, static_cast<int>(std::lround(std::sqrt(contacts / 8.0))));
  Builder builder(courses * courses);
  for (int row = 0; row < courses; ++row)
    for (int k = 0; k < courses; ++k) {
      const int brick = row * courses + k;
      const double x = 2 * k + (row % 2);
      builder.place(brick, V3(x, 0, row + 0.5), 2, box_inertia(2, V3(2, 1, 1)));
      if (random.unit() < 0.1) builder.kick(brick, random, 0.05);
      if (row == 0) touch_over(builder, brick, -1, {x - 1, x + 1, -0.5, 0.5}, 0);
      if (row == 0) continue;
      const int below = (row - 1) * courses;
      for (const int other : {row % 2 ? k : k - 1, row % 2 ? k + 1 : k}) {
        const double left = std::max(x - 1, 2.0 * other + 1 - row % 2 - 1);
        if (other >= 0 && other < courses)
          touch_over(builder, brick, below + other, {left, left + 1, -0.5, 0.5}, row);
      }
    }
  return builder.finish(random, 0.3, 0.8);
}

SparseMatrix product(const SparseMatrix& A, const SparseMatrix& inverse, const SparseMatrix& B) {
  return A * SparseMatrix(inverse * SparseMatrix(B.transpose()));
}

void put(Triplets& entries, const SparseMatrix& block, int row, int col, double sign = 1) {
  for (int i = 0; i < block.outerSize(); ++i)
    for (SparseMatrix::InnerIterator it(block, i); it; ++it)
      entries.emplace_back(row + i, col + it.col(), sign * it.value());
}

/// The rows of the friction law, [0 0 E; U -E^T 0], from column `col` on: n, f, s.
void put_law(Triplets& entries, const ContactSystem& system, int first) {
  const int k = static_cast<int>(system.mu.size()), d = system.directions;
  const int f = first + k, s = f + k * d;
  for (int c = 0; c < k; ++c) {
    entries.emplace_back(s + c, first + c, system.mu[c]);
    for (int j = 0; j < d; ++j) {
      entries.emplace_back(f + d * c + j, s + c, 1);
      entries.emplace_back(s + c, f + d * c + j, -1);
    }
  }
}

SparseMatrix matrix(int n, const Triplets& entries) {
  SparseMatrix M(n, n);
  M.setFromTriplets(entries.begin(), entries.end());
  return M;
}

}  // namespace

const std::vector<std::string>& lcp_classes() {
  static const std::vector<std::string> names = {
      "pd",        "pd-skew", "psd",  "psd-skew", "banded",         "contact",
      "redundant", "stack",   "wall", "friction", "stack-friction", "wall-friction"};
  return names;
}

ContactSystem make_contacts(const std::string& name, int contacts, std::uint64_t seed) {
  Random random(seed);
  contacts = std::max(1, contacts);
  if (name == "contact") return random_bodies(random, contacts, std::max(1, contacts / 6));
  if (name == "redundant") return random_bodies(random, contacts, std::max(1, contacts / 12));
  if (name == "stack") return stack(random, std::max(1, contacts / 4));
  if (name == "wall") return wall(random, contacts);
  throw std::invalid_argument("there is no class of contacts " + name);
}

Lcp make_lcp(const std::string& name, int n, std::uint64_t seed) {
  Random random(seed);
  const int half = std::max(1, n / 2);
  if (name == "pd") return definite(random, n, n, false);
  if (name == "pd-skew") return definite(random, n, n, true);
  if (name == "psd") return definite(random, n, half, false);
  if (name == "psd-skew") return definite(random, n, half, true);
  if (name == "banded") return banded(random, n);
  if (name == "contact" || name == "redundant") return dense(frictionless(make_contacts(name, n, seed)));
  if (name == "stack" || name == "wall") return frictionless(make_contacts(name, n, seed));
  if (name == "friction") return dense(stewart_trinkle(make_contacts("contact", n / 6, seed)));
  if (name == "stack-friction") return stewart_trinkle(make_contacts("stack", n / 6, seed));
  if (name == "wall-friction") return stewart_trinkle(make_contacts("wall", n / 6, seed));
  throw std::invalid_argument("there is no class of problems " + name);
}

Lcp frictionless(const ContactSystem& system) {
  const SparseMatrix M = product(system.Gn, system.inverse, system.Gn);
  return {SparseMatrix((M + SparseMatrix(M.transpose())) * 0.5),
          system.Gn * system.velocity + system.gap_rate};
}

Mlcp frictionless_mixed(const ContactSystem& system) {
  const int v = static_cast<int>(system.velocity.size()), k = static_cast<int>(system.mu.size());
  Triplets entries;
  put(entries, system.mass, 0, 0);
  put(entries, SparseMatrix(system.Gn.transpose()), 0, v, -1);
  put(entries, system.Gn, v, 0);
  Mlcp problem{matrix(v + k, entries), VectorX(v + k), std::vector<bool>(v + k, false)};
  problem.q << -(system.mass * system.velocity), system.gap_rate;
  std::fill(problem.free.begin(), problem.free.begin() + v, true);
  return problem;
}

Qp frictionless_qp(const ContactSystem& system) {
  return {system.mass, -(system.mass * system.velocity), system.Gn, system.gap_rate,
          std::vector<bool>(static_cast<std::size_t>(system.mu.size()), false)};
}

/// w_n   [Gn M^-1 Gn^T   Gn M^-1 Gf^T   0] l    Gn v + gap/h
/// w_f = [Gf M^-1 Gn^T   Gf M^-1 Gf^T   E] f +  Gf v
/// w_s   [U              -E^T           0] s    0
Lcp stewart_trinkle(const ContactSystem& system) {
  const int k = static_cast<int>(system.mu.size()), f = k, s = k + k * system.directions, n = s + k;
  Triplets entries;
  put(entries, product(system.Gn, system.inverse, system.Gn), 0, 0);
  put(entries, product(system.Gn, system.inverse, system.Gf), 0, f);
  put(entries, product(system.Gf, system.inverse, system.Gn), f, 0);
  put(entries, product(system.Gf, system.inverse, system.Gf), f, f);
  put_law(entries, system, 0);
  Lcp problem{matrix(n, entries), VectorX::Zero(n)};
  problem.q.head(k) = system.Gn * system.velocity + system.gap_rate;
  problem.q.segment(f, k * system.directions) = system.Gf * system.velocity;
  return problem;
}

Mlcp stewart_trinkle_mixed(const ContactSystem& system) {
  const int v = static_cast<int>(system.velocity.size()), k = static_cast<int>(system.mu.size());
  const int f = v + k, s = f + k * system.directions, n = s + k;
  Triplets entries;
  put(entries, system.mass, 0, 0);
  put(entries, SparseMatrix(system.Gn.transpose()), 0, v, -1);
  put(entries, SparseMatrix(system.Gf.transpose()), 0, f, -1);
  put(entries, system.Gn, v, 0);
  put(entries, system.Gf, f, 0);
  put_law(entries, system, v);
  Mlcp problem{matrix(n, entries), VectorX::Zero(n), std::vector<bool>(n, false)};
  problem.q.head(v) = -(system.mass * system.velocity);
  problem.q.segment(v, k) = system.gap_rate;
  std::fill(problem.free.begin(), problem.free.begin() + v, true);
  return problem;
}

Lcp dense(const Lcp& problem) { return {problem.M.to_dense(), problem.q}; }

}  // namespace touchstone::support

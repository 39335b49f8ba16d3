// Two hulls of raw points and a pose: the gap and the manifold must be numbers that make sense, and the same
// when A and B are exchanged.
//
// The first byte says how to read the rest: bit 0 the dimension, bits 1-2 the form of a number, bit 3 whether
// B is turned. The second byte tells the numbers of points. Then follow B's position and rotation, A's points
// and B's points, as many as there are bytes for.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "touchstone/proximity/gap.h"
#include "touchstone/proximity/manifold.h"

namespace {

using namespace touchstone;

/// Numbers from bytes; zeros at the end. Small integers make bodies that kiss, which raw doubles seldom do.
class Numbers {
 public:
  Numbers(std::span<const std::uint8_t> bytes, int form) : bytes_(bytes), form_(form) {}

  bool empty() const { return bytes_.empty(); }
  double next() {
    switch (form_) {
      case 0:
        return take<double>();
      case 1:
        return take<float>();
      case 2:
        return take<std::int8_t>() / 4.0;
      default:
        return take<std::int8_t>() / 7.0;
    }
  }
  template <int D>
  Vec<D> point() {
    Vec<D> x;
    for (double& c : x) c = next();
    return x;
  }

 private:
  template <class T>
  T take() {
    T value{};
    const std::size_t count = std::min(sizeof(T), bytes_.size());
    std::memcpy(&value, bytes_.data(), count);
    bytes_ = bytes_.subspan(count);
    return value;
  }

  std::span<const std::uint8_t> bytes_;
  int form_;
};

Mat<2> rotation_from(Numbers& numbers, Vec<2>) { return rotation(std::fmod(numbers.next(), 7)); }

Mat<3> rotation_from(Numbers& numbers, Vec<3>) {
  const Vec<4> q = numbers.point<4>();
  const bool usable = q.allFinite() && q.norm() > 1e-100 && q.norm() < 1e100;
  return usable ? rotation(Eigen::Quaterniond(q[0], q[1], q[2], q[3])) : Mat<3>(Mat<3>::Identity());
}

template <int D>
Polytope<D> hull_from(Numbers& numbers, int count) {
  std::vector<Vec<D>> points;
  for (int i = 0; i < count && !numbers.empty(); ++i) points.push_back(numbers.point<D>());
  return Polytope<D>::hull(points);
}

void require(bool holds) {
  if (!holds) std::abort();
}

template <int D>
void query(Numbers numbers, bool turned, int counts) {
  Pose<D> X_WB;
  X_WB.p = numbers.point<D>();
  if (turned) X_WB.R = rotation_from(numbers, Vec<D>());
  const Polytope<D> P = hull_from<D>(numbers, 4 + counts % 16), Q = hull_from<D>(numbers, 4 + counts / 16);
  const Placed<D> A{&P, {}}, B{&Q, X_WB};
  // Beyond this distance (in sizes) nothing of the bodies is left in the digits of a position.
  constexpr double kFar = 1e12;
  const double reach = pair_size(A, B) + X_WB.p.norm() + P.centre().norm() + Q.centre().norm();
  if (!X_WB.p.allFinite() || !X_WB.R.allFinite() || reach > kFar * std::min(P.size(), Q.size())) return;

  const Gap<D> gap = find_gap(A, B), back = find_gap(B, A);
  const double slack = 1e-12 * reach;
  require(std::isfinite(gap.gap) && std::abs(gap.normal.norm() - 1) < 1e-12);
  require(gap.lower - slack <= gap.gap && gap.gap <= gap.upper + slack);
  require(gap.point_A.allFinite() && gap.point_B.allFinite());
  require(std::abs(gap.gap - back.gap) <= slack);
  const ContactManifold<D> manifold = find_manifold(A, B, gap);
  require(!manifold.points.empty());
  for (const auto& point : manifold.points) require(point.position.allFinite());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const Numbers numbers({data + 2, size - 2}, data[0] >> 1 & 3);
  const bool turned = data[0] & 8;
  try {
    data[0] & 1 ? query<3>(numbers, turned, data[1]) : query<2>(numbers, turned, data[1]);
  } catch (const BadShape&) {
  }
  return 0;
}

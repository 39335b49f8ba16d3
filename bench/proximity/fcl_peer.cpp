// FCL 0.7 (libfcl-dev). Its narrow phase is called directly, which is what fcl::distance does behind a table
// of shapes, and its templates are instantiated here, not taken from Debian's library, so that FCL is
// compiled with the flags of everything else: the library keeps its assertions and is a third slower when
// bodies overlap.

#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/detail/gjk_solver_indep.h>
#include <fcl/narrowphase/detail/gjk_solver_libccd.h>

#include <map>

#include "peer.h"

namespace fcl {
template class Convex<double>;
namespace detail {
template class GJKInitializer<double, Convex<double>>;
template bool GJKSignedDistance<double>(void*, ccd_support_fn, void*, ccd_support_fn, unsigned int, double,
                                        double*, Vector3d*, Vector3d*);
template struct MinkowskiDiff<double>;
template struct GJK<double>;
template struct EPA<double>;
}  // namespace detail
}  // namespace fcl

namespace touchstone::bench {
namespace {

/// [m] Where FCL stops. At its default of 1e-6 disjoint 200-vertex spheres are wrong by 4e-6; from 1e-10 down
/// no answer gets better, and from 1e-13 down some queries of kissing boxes never end. Its time is the same.
constexpr double kTolerance = 1e-10;

using Shape = fcl::Convex<double>;

std::shared_ptr<Shape> convert(const Polytope<3>& P) {
  const auto vertices =
      std::make_shared<std::vector<fcl::Vector3d>>(P.vertices().begin(), P.vertices().end());
  const auto faces = std::make_shared<std::vector<int>>();
  for (int f = 0; f < P.facet_count(); ++f) {
    const auto loop = P.facet_vertices(f);
    faces->push_back(static_cast<int>(loop.size()));
    faces->insert(faces->end(), loop.begin(), loop.end());
  }
  return std::make_shared<Shape>(vertices, P.facet_count(), faces, true);
}

fcl::Transform3d convert(const Pose<3>& X) {
  fcl::Transform3d result = fcl::Transform3d::Identity();
  result.linear() = X.R;
  result.translation() = X.p;
  return result;
}

/// FCL's signed distance and its nearest points. They are where its normal comes from, in both regimes.
struct Nearest {
  double distance = 0;
  fcl::Vector3d on_A, on_B;

  Answer answer() const {
    const Vec<3> from_B = on_A - on_B;
    const double length = from_B.norm();
    const double sign = distance < 0 ? -1 : 1;
    return {true, distance, length > 0 ? Vec<3>(sign / length * from_B) : Vec<3>::Zero()};
  }
};

class FclPeer : public Peer {
 public:
  void load(std::span<const Query> queries) override {
    pairs_.clear();
    shapes_.clear();
    for (const Query& q : queries)
      pairs_.push_back({shape(q.A), shape(q.B), convert(q.X_WA), convert(q.X_WB)});
    forget();
  }

 protected:
  struct Pair {
    const Shape *A, *B;
    fcl::Transform3d X_WA, X_WB;
  };

  const Pair& pair(int query) const { return pairs_[query]; }

 private:
  const Shape* shape(const Polytope<3>* P) {
    auto& found = shapes_[P];
    if (!found) found = convert(*P);
    return found.get();
  }

  std::map<const Polytope<3>*, std::shared_ptr<Shape>> shapes_;
  std::vector<Pair> pairs_;
};

class FclSigned : public FclPeer {
 public:
  FclSigned() { solver_.distance_tolerance = kTolerance; }
  std::string name() const override { return "FCL"; }

  Answer ask(int query) override {
    const Pair& p = pair(query);
    Nearest nearest;
    try {
      solver_.shapeSignedDistance(*p.A, p.X_WA, *p.B, p.X_WB, &nearest.distance, &nearest.on_A,
                                  &nearest.on_B);
    } catch (const std::exception&) {
      return {};  // FCL throws where its polytope degenerates
    }
    return nearest.answer();
  }

 private:
  fcl::detail::GJKSolver_libccd<double> solver_;
};

/// What fcl::distance does with GST_INDEP, step by step on a solver that is kept: the function itself makes a
/// new solver each time, and reads past the end of its contacts when the bodies kiss and there are none.
class FclCached : public FclPeer {
 public:
  std::string name() const override { return "FCL indep, cached guess"; }

  Answer ask(int query) override {
    forget();
    return follow(query);
  }

  Answer follow(int query) override {
    const Pair& p = pair(query);
    Nearest nearest;
    const bool disjoint =
        solver_.shapeDistance(*p.A, p.X_WA, *p.B, p.X_WB, &nearest.distance, &nearest.on_A, &nearest.on_B);
    return disjoint ? nearest.answer() : depth(p);
  }

  void forget() override {
    solver_ = {};
    solver_.enableCachedGuess(true);
  }

 private:
  /// This solver counts depth downwards, and leaves its normal, from A to B, in the frame of A.
  Answer depth(const Pair& p) const {
    std::vector<fcl::ContactPoint<double>> contacts;
    solver_.shapeIntersect(*p.A, p.X_WA, *p.B, p.X_WB, &contacts);
    if (contacts.empty()) return {};
    return {true, contacts[0].penetration_depth, -p.X_WA.linear() * contacts[0].normal};
  }

  fcl::detail::GJKSolver_indep<double> solver_;
};

}  // namespace

std::unique_ptr<Peer> make_fcl() { return std::make_unique<FclSigned>(); }
std::unique_ptr<Peer> make_fcl_cached() { return std::make_unique<FclCached>(); }

}  // namespace touchstone::bench

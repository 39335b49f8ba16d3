// libccd 2.1 (libccd-dev): penetration only, by GJK and EPA or by MPR. The support function is the caller's:
// ours scans the vertices in the body's frame.

#include <ccd/ccd.h>

#include "peer.h"

namespace touchstone::bench {
namespace {

/// [m] libccd's default is 1e-4; below 1e-10 its answers get no better.
constexpr double kTolerance = 1e-10;
/// Its default has no limit, and some poses then never end.
constexpr unsigned long kMaxIterations = 1000;

struct Body {
  std::span<const Vec<3>> vertices;
  Pose<3> X_WB;
  Vec<3> centre;
};

void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* result) {
  const Body& body = *static_cast<const Body*>(object);
  const Vec<3> d = body.X_WB.R.transpose() * Eigen::Map<const Vec<3>>(direction->v);
  const Vec<3>* best = &body.vertices[0];
  double most = d.dot(*best);
  for (const Vec<3>& v : body.vertices.subspan(1)) {
    const double height = d.dot(v);
    if (height > most) most = height, best = &v;
  }
  Eigen::Map<Vec<3>>(result->v) = body.X_WB * *best;
}

void centre(const void* object, ccd_vec3_t* result) {
  Eigen::Map<Vec<3>>(result->v) = static_cast<const Body*>(object)->centre;
}

using Method = int (*)(const void*, const void*, const ccd_t*, ccd_real_t*, ccd_vec3_t*, ccd_vec3_t*);

class CcdPeer : public Peer {
 public:
  CcdPeer(std::string name, Method method) : name_(std::move(name)), method_(method) {
    CCD_INIT(&settings_);
    settings_.support1 = settings_.support2 = support;
    settings_.center1 = settings_.center2 = centre;
    settings_.max_iterations = kMaxIterations;
    settings_.epa_tolerance = settings_.mpr_tolerance = kTolerance;
  }

  std::string name() const override { return name_; }
  bool measures_distance() const override { return false; }

  void load(std::span<const Query> queries) override {
    pairs_.clear();
    for (const Query& q : queries) pairs_.push_back({place(*q.A, q.X_WA), place(*q.B, q.X_WB)});
  }

  /// libccd's direction moves B out of A; ours points from B to A.
  Answer ask(int query) override {
    const Pair& p = pairs_[query];
    double depth = 0;
    ccd_vec3_t direction, position;
    if (method_(&p.A, &p.B, &settings_, &depth, &direction, &position) != 0) return {};
    return {true, -depth, -Eigen::Map<const Vec<3>>(direction.v)};
  }

 private:
  struct Pair {
    Body A, B;
  };

  static Body place(const Polytope<3>& P, const Pose<3>& X) { return {P.vertices(), X, X * P.centre()}; }

  std::string name_;
  Method method_;
  ccd_t settings_;
  std::vector<Pair> pairs_;
};

}  // namespace

std::unique_ptr<Peer> make_ccd_gjk_epa() {
  return std::make_unique<CcdPeer>("libccd GJK+EPA", ccdGJKPenetration);
}
std::unique_ptr<Peer> make_ccd_mpr() { return std::make_unique<CcdPeer>("libccd MPR", ccdMPRPenetration); }

}  // namespace touchstone::bench

#include "touchstone/geometry/extremal.h"

#include "touchstone/geometry/support_hierarchy.h"

namespace touchstone {

template <int D>
struct SupportHierarchy {};

template <int D>
std::shared_ptr<const SupportHierarchy<D>> build_support_hierarchy(const PolytopeData<D>&) {
  return nullptr;
}

template <int D>
int climb_extremal(const Polytope<D>& P, const Vec<D>& direction, int hint) {
  int best = hint;
  double height = direction.dot(P.vertex(best));
  for (bool climbed = true; climbed;) {
    climbed = false;
    for (int v : P.neighbours(best)) {
      const double h = direction.dot(P.vertex(v));
      if (h > height) {
        height = h;
        best = v;
        climbed = true;
      }
    }
  }
  return best;
}

template <int D>
int find_extremal(const Polytope<D>& P, const Vec<D>& direction) {
  int best = 0;
  double height = direction.dot(P.vertex(0));
  for (int v = 1; v < P.vertex_count(); ++v) {
    const double h = direction.dot(P.vertex(v));
    if (h > height) {
      height = h;
      best = v;
    }
  }
  return best;
}

template int climb_extremal<2>(const Polytope<2>&, const Vec<2>&, int);
template int climb_extremal<3>(const Polytope<3>&, const Vec<3>&, int);
template int find_extremal<2>(const Polytope<2>&, const Vec<2>&);
template int find_extremal<3>(const Polytope<3>&, const Vec<3>&);
template std::shared_ptr<const SupportHierarchy<2>> build_support_hierarchy<2>(const PolytopeData<2>&);
template std::shared_ptr<const SupportHierarchy<3>> build_support_hierarchy<3>(const PolytopeData<3>&);

}  // namespace touchstone

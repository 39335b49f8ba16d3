#include "touchstone/dynamics/island.h"

#include <cassert>

#include "touchstone/math/checks.h"
#include "touchstone/math/joined_sets.h"

namespace touchstone {
namespace {

void gather(const std::vector<double>& whole, const std::vector<int>& index, std::vector<double>& part) {
  assert(std::all_of(index.begin(), index.end(), [&](int i) { return is_index(i, whole.size()); }));
  part.clear(), part.reserve(index.size());
  for (int i : index) part.push_back(whole[i]);
}
void scatter(const std::vector<double>& part, const std::vector<int>& index, std::vector<double>& whole) {
  assert(part.size() == index.size());
  for (std::size_t i = 0; i < index.size(); ++i) whole[index[i]] = part[i];
}

template <int D>
class IslandFinder {
 public:
  explicit IslandFinder(const StepEquations<D>& whole)
      : whole_(whole),
        sets_(whole.body_count()),
        local_(whole.body_count(), -1),
        island_(whole.body_count(), -1),
        used_(whole.body_count(), false) {}

  std::vector<Island<D>> run() {
    join_all(whole_.bilateral), join_all(whole_.unilateral), join_all(whole_.tangent);
    mark(whole_.bilateral), mark(whole_.unilateral), mark(whole_.tangent);
    add_bodies();
    add_rows(whole_.bilateral, &StepEquations<D>::bilateral, &Island<D>::bilateral);
    const auto unilateral =
        add_rows(whole_.unilateral, &StepEquations<D>::unilateral, &Island<D>::unilateral);
    const auto tangent = add_rows(whole_.tangent, &StepEquations<D>::tangent, &Island<D>::tangent);
    add_groups(unilateral, tangent);
    add_yielding();
    return std::move(islands_);
  }

 private:
  void join_all(const std::vector<Row<D>>& rows) {
    for (const Row<D>& row : rows) {
      if (row.body_A >= 0 && row.body_B >= 0) sets_.join(row.body_A, row.body_B);
    }
  }
  void mark(const std::vector<Row<D>>& rows) {
    for (const Row<D>& row : rows) used_[sets_.find(any_body_of(row))] = true;
  }
  void reserve(int bodies, Island<D>& island) {
    island.bodies.reserve(bodies), island.equations.inverse_mass.reserve(bodies);
    island.equations.inverse_inertia.reserve(bodies), island.equations.V_free.reserve(bodies);
  }
  void add_bodies() {
    std::vector<int> count(whole_.body_count(), 0);  // by the first body of each set
    for (int b = 0; b < whole_.body_count(); ++b) ++count[sets_.find(b)];
    for (int b = 0; b < whole_.body_count(); ++b) {
      const int root = sets_.find(b);
      if (!used_[root]) continue;
      if (root == b) {
        island_[b] = static_cast<int>(islands_.size());
        reserve(count[b], islands_.emplace_back());
      }
      Island<D>& island = islands_[island_[b] = island_[root]];
      local_[b] = static_cast<int>(island.bodies.size());
      island.bodies.push_back(b);
      island.equations.inverse_mass.push_back(whole_.inverse_mass[b]);
      island.equations.inverse_inertia.push_back(whole_.inverse_inertia[b]);
      island.equations.V_free.push_back(whole_.V_free[b]);
    }
  }
  /// Returns the place of each row within its island.
  std::vector<int> add_rows(const std::vector<Row<D>>& rows, std::vector<Row<D>> StepEquations<D>::*list,
                            std::vector<int> Island<D>::*index) {
    if (rows.empty()) return {};
    std::vector<int> count(islands_.size(), 0), place;
    for (const Row<D>& row : rows) ++count[island_[any_body_of(row)]];
    for (std::size_t k = 0; k < islands_.size(); ++k) {
      (islands_[k].*index).reserve(count[k]);
      (islands_[k].equations.*list).reserve(count[k]);
    }
    place.reserve(rows.size());
    for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
      Row<D> row = rows[i];
      assert(is_index(island_[any_body_of(row)], islands_.size()));
      Island<D>& island = islands_[island_[any_body_of(row)]];
      if (row.body_A >= 0) row.body_A = local_[row.body_A];
      if (row.body_B >= 0) row.body_B = local_[row.body_B];
      place.push_back(static_cast<int>((island.*index).size()));
      (island.*index).push_back(i);
      (island.equations.*list).push_back(row);
    }
    return place;
  }
  void add_groups(const std::vector<int>& unilateral, const std::vector<int>& tangent) {
    for (int g = 0; g < static_cast<int>(whole_.groups.size()); ++g) {
      FrictionGroup group = whole_.groups[g];
      Island<D>& island = islands_[island_[any_body_of(whole_.tangent[group.first])]];
      assert(group.count > 0 && group.first + group.count <= static_cast<int>(tangent.size()));
      group.first = tangent[group.first];
      if (group.normal >= 0) group.normal = unilateral[group.normal];
      island.groups.push_back(g);
      island.equations.groups.push_back(group);
    }
  }

  void add_yielding() {
    if (whole_.yielding.empty()) return;
    for (Island<D>& island : islands_) gather(whole_.yielding, island.unilateral, island.equations.yielding);
  }

  const StepEquations<D>& whole_;
  JoinedSets sets_;
  std::vector<int> local_, island_;
  std::vector<bool> used_;
  std::vector<Island<D>> islands_;
};

}  // namespace

template <int D>
std::vector<Island<D>> find_islands(const StepEquations<D>& whole) {
  return IslandFinder<D>(whole).run();
}

template <int D>
StepImpulses<D> part_of(const StepImpulses<D>& whole, const Island<D>& island) {
  StepImpulses<D> part;
  part.V.reserve(island.bodies.size());
  for (int b : island.bodies) part.V.push_back(whole.V[b]);
  gather(whole.bilateral, island.bilateral, part.bilateral);
  gather(whole.unilateral, island.unilateral, part.unilateral);
  gather(whole.tangent, island.tangent, part.tangent);
  gather(whole.slip, island.groups, part.slip);
  return part;
}

template <int D>
void put_back(const StepImpulses<D>& part, const Island<D>& island, StepImpulses<D>& whole) {
  assert(part.V.size() == island.bodies.size());
  for (std::size_t i = 0; i < island.bodies.size(); ++i) whole.V[island.bodies[i]] = part.V[i];
  scatter(part.bilateral, island.bilateral, whole.bilateral);
  scatter(part.unilateral, island.unilateral, whole.unilateral);
  scatter(part.tangent, island.tangent, whole.tangent);
  scatter(part.slip, island.groups, whole.slip);
}

template std::vector<Island<2>> find_islands(const StepEquations<2>&);
template std::vector<Island<3>> find_islands(const StepEquations<3>&);
template StepImpulses<2> part_of(const StepImpulses<2>&, const Island<2>&);
template StepImpulses<3> part_of(const StepImpulses<3>&, const Island<3>&);
template void put_back(const StepImpulses<2>&, const Island<2>&, StepImpulses<2>&);
template void put_back(const StepImpulses<3>&, const Island<3>&, StepImpulses<3>&);

}  // namespace touchstone

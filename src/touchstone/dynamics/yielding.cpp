#include "touchstone/dynamics/yielding.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

namespace touchstone {

template <int D>
std::vector<double> yielding_of(const ConstraintSet<D>& set, const std::vector<int>& row_of_contact,
                                std::size_t rows, double closed_gap) {
  assert(row_of_contact.size() == set.unilateral.size());
  const auto pair_of = [&](std::size_t i) {
    const Contact<D>& contact = set.contacts[set.unilateral[i]];
    return std::minmax(contact.body_A, contact.body_B);
  };
  std::map<std::pair<int, int>, int> closed;
  for (std::size_t i = 0; i < row_of_contact.size(); ++i)
    if (row_of_contact[i] >= 0 && set.contacts[set.unilateral[i]].offset <= closed_gap) ++closed[pair_of(i)];
  std::vector<double> yielding(rows, 1.);
  for (std::size_t i = 0; i < row_of_contact.size(); ++i) {
    if (row_of_contact[i] < 0) continue;
    const auto found = closed.find(pair_of(i));
    if (found != closed.end()) yielding[row_of_contact[i]] = found->second;
  }
  return yielding;
}

template std::vector<double> yielding_of(const ConstraintSet<2>&, const std::vector<int>&, std::size_t,
                                         double);
template std::vector<double> yielding_of(const ConstraintSet<3>&, const std::vector<int>&, std::size_t,
                                         double);

}  // namespace touchstone

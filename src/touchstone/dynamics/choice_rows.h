#pragma once
// What the two ways of solving steps with I- and X-constraints share; inside dynamics only.

#include <algorithm>
#include <cassert>
#include <numeric>

#include "touchstone/dynamics/assembly.h"
#include "touchstone/dynamics/peg_lcp.h"
#include "touchstone/math/checks.h"

namespace touchstone {

/// The rows of all contacts of a set, and with them their gaps at the end of any motion.
template <int D>
class EndGaps {
 public:
  EndGaps(const StepInput<D>& input, const ConstraintSet<D>& set) : h_(input.h) {
    ConstraintSet<D> all;
    all.contacts = set.contacts, all.unilateral.resize(set.contacts.size());
    std::iota(all.unilateral.begin(), all.unilateral.end(), 0);
    for (const Contact<D>& contact : set.contacts) offset_.push_back(contact.offset);
    all_ = assemble(input, all);
  }

  double operator()(int k, const std::vector<Twist<D>>& V) const { return offset_[k] + h_ * speed(k, V); }
  double speed(int k, const std::vector<Twist<D>>& V) const {
    assert(is_index(k, all_.row_of_contact.size()));
    const int row = all_.row_of_contact[k];
    if (row < 0) return 0;
    return rate(all_.equations.unilateral[row], V) + all_.unilateral[row].carried;
  }
  const Assembly<D>& all() const { return all_; }

 private:
  double h_;
  std::vector<double> offset_;
  Assembly<D> all_;  ///< every contact of the set is unilateral in it
};

/// Rows of the step's mixed problem, by the thesis's formulas.
template <int D>
PegSizes sizes_of(const StepInput<D>& input, const ConstraintSet<D>& set);

/// The member of a list with the largest offset.
template <int D>
int most_open(const ConstraintSet<D>& set, const std::vector<int>& members) {
  assert(!members.empty());
  return *std::max_element(members.begin(), members.end(),
                           [&](int k, int m) { return set.contacts[k].offset < set.contacts[m].offset; });
}

}  // namespace touchstone

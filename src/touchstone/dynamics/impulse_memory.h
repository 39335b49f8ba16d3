#pragma once
// The impulses of the last step, by contact: where a solver starts. They make a step faster and change
// nothing else.

#include <cstdint>
#include <vector>

#include "touchstone/dynamics/assembly.h"

namespace touchstone {

class ImpulseMemory {
 public:
  /// What the contacts of this step carried in the last one; zero where they are new.
  template <int D>
  StepImpulses<D> guess(const ConstraintSet<D>& set, const Assembly<D>& assembly) const;
  /// Adds what is remembered of other contacts.
  void add(const ImpulseMemory& other);
  template <int D>
  void remember(const ConstraintSet<D>& set, const Assembly<D>& assembly, const StepImpulses<D>& found);

 private:
  struct Entry {
    std::uint64_t key;
    double normal, slip;
    int first, count;  ///< of tangents_
  };
  const Entry* find(std::uint64_t key) const;
  void fill_places();

  std::vector<Entry> entries_;
  std::vector<int>
      places_;  ///< of entries, an open hash table: a key's low bits tell where it begins; -1: free
  std::vector<double> tangents_;
};

}  // namespace touchstone

#pragma once

#include <cstdint>

#include "touchstone/proximity/placed.h"

namespace touchstone {

/// A number that the same features of the same parts have in every step; inside contact only.
inline std::uint64_t row_key(int shape_A, int shape_B, const FeaturePair& features) {
  // Mixes the bits of one more number in; the constant is 2^64 over the golden ratio.
  const auto mixed = [](std::uint64_t key, std::uint64_t number) {
    key = (key ^ number) * 0x9E3779B97F4A7C15u;
    return key ^ (key >> 29);
  };
  std::uint64_t key = mixed(mixed(1, shape_A), shape_B);
  for (const Feature& f : {features.a, features.b})
    key = mixed(mixed(key, static_cast<int>(f.kind)), f.index);
  return key;
}

}  // namespace touchstone

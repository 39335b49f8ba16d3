#pragma once
// A column of a small block in registers, and how a pass over many of them is compiled twice: once for every
// x86-64 processor and once for those with AVX2, which take four numbers at a time. Inside solve only.
//
// Both do the same operations in the same order, and neither contracts products and sums (-ffp-contract=off):
// the answers have the same bits.

namespace touchstone {

#if defined(__x86_64__) && defined(__GNUC__)
/// A function for processors with AVX2; what it inlines is compiled for them too.
#define TOUCHSTONE_WIDE __attribute__((target("avx2")))
inline bool has_wide_registers() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}
#else
#define TOUCHSTONE_WIDE
inline bool has_wide_registers() { return false; }
#endif
#define TOUCHSTONE_INLINE [[gnu::always_inline]] inline

template <int B>
struct BlockColumn {
  double x[B] = {};

  TOUCHSTONE_INLINE static BlockColumn load(const double* from) {
    BlockColumn column;
    for (int i = 0; i < B; ++i) column.x[i] = from[i];
    return column;
  }
  TOUCHSTONE_INLINE void store(double* to) const {
    for (int i = 0; i < B; ++i) to[i] = x[i];
  }
  /// this -= s a
  TOUCHSTONE_INLINE void subtract(double s, const BlockColumn& a) {
    for (int i = 0; i < B; ++i) x[i] -= s * a.x[i];
  }
  TOUCHSTONE_INLINE void multiply(double s) {
    for (int i = 0; i < B; ++i) x[i] *= s;
  }
};

/// In space: four numbers and two. (Left to itself the compiler shuffles more than it computes.)
template <>
struct BlockColumn<6> {
  using Four = double __attribute__((vector_size(32), aligned(8), may_alias));
  using Two = double __attribute__((vector_size(16), aligned(8), may_alias));
  Four head = {};
  Two tail = {};

  TOUCHSTONE_INLINE static BlockColumn load(const double* from) {
    return {*reinterpret_cast<const Four*>(from), *reinterpret_cast<const Two*>(from + 4)};
  }
  TOUCHSTONE_INLINE void store(double* to) const {
    *reinterpret_cast<Four*>(to) = head, *reinterpret_cast<Two*>(to + 4) = tail;
  }
  TOUCHSTONE_INLINE void subtract(double s, const BlockColumn& a) { head -= s * a.head, tail -= s * a.tail; }
  TOUCHSTONE_INLINE void multiply(double s) { head *= s, tail *= s; }
};

}  // namespace touchstone

#pragma once
// Sums and products of doubles without any round-off, for the few questions that round-off must not answer.
//
// A number is kept as a sum of doubles that do not overlap, smallest first (an expansion) [Shewchuk 1997;
// Dekker 1971, for the exact product]. Exact as long as nothing over- or underflows: products must stay
// between 1e-290 and 1e290.

#include <cassert>
#include <cmath>
#include <vector>

namespace touchstone {

/// The exact value head + tail; head is the value rounded to double.
struct TwoPart {
  double head, tail;
};

inline TwoPart exact_sum(double a, double b) {
  const double sum = a + b, b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

inline TwoPart exact_difference(double a, double b) { return exact_sum(a, -b); }

inline TwoPart exact_product(double a, double b) {
  constexpr double kSplitter = 0x1p27 + 1;  // cuts the 53 bits of a double into two halves
  const double a_big = kSplitter * a, a_high = a_big - (a_big - a), a_low = a - a_high;
  const double b_big = kSplitter * b, b_high = b_big - (b_big - b), b_low = b - b_high;
  const double product = a * b;
  return {product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)};
}

class ExactSum {
 public:
  void add(double x) {
    assert(std::isfinite(x));
    std::size_t kept = 0;
    for (double part : parts_) {
      const TwoPart sum = exact_sum(x, part);
      if (sum.tail != 0) parts_[kept++] = sum.tail;
      x = sum.head;
    }
    parts_.resize(kept);
    if (x != 0) parts_.push_back(x);
  }
  void add_product(double a, double b) {
    const TwoPart product = exact_product(a, b);
    assert(std::isfinite(product.tail));  // neither factor was too large to be split
    add(product.tail);
    add(product.head);
  }
  void add_product(const TwoPart& a, const TwoPart& b, double sign) {
    for (double x : {sign * a.tail, sign * a.head}) {
      if (x == 0) continue;
      for (double y : {b.tail, b.head}) {
        if (y != 0) add_product(x, y);
      }
    }
  }
  void add_product(const TwoPart& a, const TwoPart& b, const TwoPart& c) {
    ExactSum ab;
    ab.add_product(a, b, 1);
    for (double x : ab.parts_) {
      for (double y : {c.tail, c.head}) {
        if (y != 0) add_product(x, y);
      }
    }
  }

  int sign() const { return parts_.empty() ? 0 : parts_.back() > 0 ? 1 : -1; }
  /// The value rounded to double, right to about one unit in the last place.
  double value() const {
    double sum = 0;
    for (double part : parts_) sum += part;
    return sum;
  }

 private:
  std::vector<double> parts_;  // not overlapping, growing in size, none zero
};

}  // namespace touchstone

#pragma once
// How fast errors vanish with the step, and the table of benchmarks that is written from it.

#include <functional>
#include <string>
#include <vector>

namespace touchstone::support {

/// h, h/2, h/4, ...
std::vector<double> halved(double h, int count);
/// Steps near h, h/2, ... of which half a step is left when the event [s] comes. What happens within a step
/// costs a share of h that depends on that rest: it is the same for all of these.
std::vector<double> phased(double event, double h, int count);
/// Steps near h, h/2, ... that divide the time without rest.
std::vector<double> dividing(double time, double h, int count);

struct Convergence {
  std::vector<double> h;      ///< [s], or another number that is made small
  std::vector<double> error;  ///< absolute

  /// Slope of the straight line fitted to log error over log h.
  double order() const;
  /// The largest error / h^order.
  double constant(double order) const;
};

struct Benchmark {
  std::string id;     ///< "B1"
  int dimension = 3;  ///< 2 or 3
};

/// A number of the papers and a claim about ours: error <= constant h^order, and this order is measured.
struct Quantity {
  std::string name;     ///< with its unit
  double value = 0;     ///< closed form
  double constant = 1;  ///< where it is exact: the error allowed for round-off
  int order = 1;
};

/// At which steps to measure.
struct Study {
  std::vector<double> steps;  ///< at least four
  /// With many events the rest of a step at each decides about the error, which then jumps with h. The worst
  /// of several steps between h and h/1.3 is smooth.
  int phases = 1;
};

/// Measures all quantities at every step, checks the claims and prints the rows of docs/papers/benchmarks.md.
using Measure = std::function<std::vector<double>(double h)>;
void expect_orders(const Benchmark& benchmark, const std::vector<Quantity>& quantities, const Study& study,
                   const Measure& measure);
/// A value that the scheme meets at any step.
void expect_exact(const Benchmark& benchmark, const Quantity& quantity, double found);

}  // namespace touchstone::support

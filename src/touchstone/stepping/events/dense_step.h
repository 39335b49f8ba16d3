#pragma once
// A step of an ordinary differential equation y' = f(t, y), known at every time within it.

#include <Eigen/Core>
#include <functional>

namespace touchstone {

/// The polynomial of degree 7 that follows the solution through an accepted step, in s = (t - begin)/h:
///
///     y = y0 + s (F0 + (1-s) (F1 + s (F2 + (1-s) (F3 + s (F4 + (1-s) (F5 + s F6))))))
struct DenseStep {
  double begin = 0, h = 0;   ///< [s]
  Eigen::VectorXd from, to;  ///< at the two ends
  Eigen::Matrix<double, Eigen::Dynamic, 7> F;

  double end() const { return begin + h; }
  Eigen::VectorXd at(double time) const;
  /// Its Bernstein coefficients over the step, one column each: the values lie in the hull of the columns.
  Eigen::Matrix<double, Eigen::Dynamic, 8> control_points() const;
};

/// How exact a step must be: the error of each number below absolute + relative |number|.
struct OdeTolerance {
  double relative = 1e-10, absolute = 1e-12;
};

/// The explicit Runge-Kutta method of order 8 with control of the error [dop853_table.h].
class OdeStepper {
 public:
  using Rate = std::function<void(double time, const Eigen::VectorXd& y, Eigen::VectorXd& rate)>;

  OdeStepper(Rate rate, const OdeTolerance& tolerance) : rate_(std::move(rate)), tolerance_(tolerance) {}

  /// Starts anew from here: the equation or the state has changed.
  void start(double time, const Eigen::VectorXd& y);
  /// The state is this one, to round-off of the one that the last step reached: the step's length is kept.
  void correct(const Eigen::VectorXd& y);
  /// One accepted step of at most `longest` [s]. False where no step however short meets the tolerance, or
  /// numbers are not finite.
  bool step(double longest, DenseStep& done);

  long steps() const { return steps_; }
  long rates() const { return rates_; }  ///< evaluations of f

 private:
  void evaluate(int stage, double time, const Eigen::VectorXd& y);
  double first_step(double longest);
  double error(const Eigen::VectorXd& end, double h) const;
  void keep(const Eigen::VectorXd& end, double h, DenseStep& done);

  Rate rate_;
  OdeTolerance tolerance_;
  double time_ = 0, h_ = 0;
  Eigen::VectorXd y_;
  Eigen::MatrixXd K_;  ///< rates at the stages, as columns
  Eigen::VectorXd scratch_;
  long steps_ = 0, rates_ = 0;
};

}  // namespace touchstone

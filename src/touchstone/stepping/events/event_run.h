#pragma once
// The second conductor: motion to a requested accuracy. Between events bodies follow a differential equation,
// which is integrated with control of its error; each event is located to round-off [docs/events.md].

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "touchstone/stepping/events/first_contact.h"
#include "touchstone/stepping/step_report.h"

namespace touchstone {

/// [m/s] A contact that opens or slides more slowly does neither.
inline constexpr double kAtRest = 1e-9;
/// [m/s] What opens more slowly rises by less than round-off where it is pushed back.
inline constexpr double kHopless = 1e-7;

struct EventSettings {
  double tolerance = 1e-10;    ///< of the integrator, relative; absolute: a hundredth of it
  double longest_step = 100;   ///< [s]
  long max_steps = 1'000'000;  ///< of the integrator
  const std::atomic<bool>* stop = nullptr;
};

/// A motion that is followed as far as somebody asks. Its steps do not depend on when somebody asks.
template <int D>
class EventRun {
 public:
  EventRun(const World<D>& world, const EventSettings& settings);

  /// Follows the motion to a time [s], which must not lie before the last one asked for. False where no
  /// motion was found: message() tells why.
  bool advance(double time);
  /// The bodies at the time last asked for, and what pushes them there.
  std::vector<Moving<D>> bodies() const { return flight_.bodies(asked_, state()); }
  void put(World<D>& world) const { flight_.put(asked_, state(), world); }
  const Phase<D>& phase() const { return asked_ < time_ ? *view_->phase : *phase_; }

  /// The contacts at that time, with the impulses that they would give in a time h.
  void tell_contacts(double h, StepReport<D>& report) const;

  const std::vector<StepEvent>& events() const { return events_; }
  const std::string& message() const { return message_; }
  long steps() const { return ode_.steps(); }
  long rates() const { return ode_.rates(); }
  const ContactSearch& effort() const { return effort_; }
  /// Why the answer may be one of several: the time and the reason of each such instant.
  const std::vector<std::pair<double, std::string>>& branches() const { return branches_; }
  int redundant() const { return redundant_; }  ///< the largest dimension of undetermined forces so far

 private:
  using Bodies = std::vector<Moving<D>>;
  struct Found {
    double time;
    bool contact;  ///< of parts that were apart there, or of a limit
    std::pair<int, int> parts;
    int limit = -1;  ///< of limits_
  };

  /// An accepted step and the motion that it follows, up to where the next one begins.
  struct Piece {
    std::shared_ptr<const Phase<D>> phase;
    DenseStep step;
  };
  Eigen::VectorXd state() const;
  bool follow();
  bool creep();
  bool settle(EventKind why, const Bodies* ahead);
  void find_closed(const Bodies& bodies);
  std::vector<ContactRow<D>> touching(const Bodies& bodies, bool& ambiguous, double reach) const;
  RowNow<D> now(const ContactRow<D>& row, const Bodies& bodies) const;
  bool choose_drives(const Bodies& here);
  void take_drives(const LawAnswer& answer);
  bool strike(Bodies& bodies, EventKind& why);
  bool choose_grips(const Bodies& at, const Bodies& here);
  double time_of_hops(const ContactRow<D>& row, const Bodies& bodies, const Forces& forces) const;
  bool jam(Bodies& bodies);
  bool jump_to_rest(Bodies& bodies);
  bool land(const std::vector<ContactRow<D>>& rows, Bodies bodies, double length);
  Bodies moved(const Bodies& start, const Bodies& end, double length) const;
  bool stop_at(std::vector<ContactRow<D>> rows, double length, Bodies& bodies) const;
  void stop_slips(std::vector<HeldRow<D>> held, const Bodies& bodies);
  std::optional<Found> find_event(const StepView<D>& view);
  std::optional<double> first_change(const StepView<D>& view);
  bool has_changed(const Bodies& bodies) const;
  bool forces_hold(const Bodies& bodies) const;
  bool overcome(const Drive& drive, double force) const;
  double missed(const Drive& drive, const Bodies& bodies) const;
  std::optional<Found> first_strike(const StepView<D>& view, double end);
  void find_limit(const StepView<D>& view, double end, std::optional<Found>& first) const;
  bool is_still(const ContactRow<D>& limit, const StepView<D>& view, double end) const;
  bool make_piece();
  void log_change(const Bodies& bodies, EventKind why);
  double sharpened(const StepView<D>& view, const Found& found) const;
  EventKind kind_of_change(const Bodies& bodies) const;
  const ContactRow<D>* changed_row(const Bodies& bodies, EventKind kind) const;
  const Drive* changed_drive(const Bodies& bodies, EventKind kind) const;
  void log(EventKind kind, const ContactRow<D>* row);
  bool fail(const std::string& why);

  Flight<D> flight_;
  EventSettings settings_;
  double time_ = 0;
  Eigen::VectorXd y_;
  std::vector<std::pair<int, int>> pairs_;  ///< of parts that may touch
  std::vector<HeldRow<D>> closed_;          ///< rows of pairs that touch and do not part
  std::vector<bool> is_held_;               ///< per closed row
  std::vector<ContactRow<D>> limits_;       ///< of all joints
  std::vector<Drive> drives_;               ///< motors of limited force
  std::shared_ptr<const Phase<D>> phase_;
  OdeStepper ode_;
  std::optional<Piece> view_;         ///< the last piece; it may reach beyond time_
  double asked_ = 0;                  ///< [s] the time of the last answer
  int short_steps_ = 0, creeps_ = 0;  ///< in a row
  bool fresh_ = true;                 ///< the equation has changed since the last step
  std::vector<StepEvent> events_;
  std::vector<std::pair<double, std::string>> branches_;
  std::string message_;
  ContactSearch effort_;
  int redundant_ = 0;
};

extern template class EventRun<2>;
extern template class EventRun<3>;

}  // namespace touchstone

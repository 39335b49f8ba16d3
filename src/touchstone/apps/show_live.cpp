#include "touchstone/apps/show_live.h"

#include <algorithm>

#include "touchstone/apps/show_cast.h"

namespace touchstone {
namespace {

template <int D>
void put_vector(std::string& bytes, const Vec<D>& v) {
  for (const double x : v) put_float(bytes, x);
}

/// One number for each of kSeries.
template <int D>
std::vector<double> series_of(const StepReport<D>& report, const StepMeasures& measures) {
  const auto size = [](const auto& list) { return static_cast<double>(list.size()); };
  return {static_cast<double>(report.contacts),
          size(report.set.unilateral),
          size(report.set.inter_contact),
          size(report.set.cross_contact),
          measures.min_gap,
          measures.overlap,
          report.energy.kinetic,
          report.energy.potential,
          report.residual,
          static_cast<double>(report.iterations),
          measures.energy_gained,
          report.joint_error,
          measures.wall_time,
          static_cast<double>(measures.relaxed),
          static_cast<double>(report.substeps),
          report.h};
}

template <int D>
class LiveShowIn : public LiveShow {
 public:
  explicit LiveShowIn(Simulation& simulation)
      : world_(std::get<RunContent<D>>(simulation.scene().content).world),
        cast_(cast_of<D>(simulation.scene())) {
    add_frame(simulation.world<D>(), std::vector<double>(kSeriesCount, std::nan("")));
  }

  void add_step(Simulation& simulation) {
    const StepReport<D>& report = simulation.report<D>();
    const std::lock_guard lock(mutex_);
    add_contacts(report);
    add_frame(simulation.world<D>(), series_of(report, simulation.measures()));
  }

  void end(const std::string& message) override {
    const std::lock_guard lock(mutex_);
    running_ = false;
    message_ = message;
  }

  ShowProgress progress() const override {
    const std::lock_guard lock(mutex_);
    return {times_.size(), running_, message_};
  }
  std::string head() const override { return head_text(cast_, {}); }

  std::string series(FrameRange range) const override {
    const std::lock_guard lock(mutex_);
    std::string bytes;
    for (std::size_t i = 0; i < range.count; ++i) put_bytes(bytes, times_[range.first + i]);
    for (std::size_t s = 0; s < kSeriesCount; ++s) {
      for (std::size_t i = 0; i < range.count; ++i) {
        put_float(bytes, series_[(range.first + i) * kSeriesCount + s]);
      }
    }
    return bytes;
  }

  std::string poses(FrameRange range) const override { return part_of(poses_, range); }
  std::string velocities(FrameRange range) const override { return part_of(velocities_, range); }

  std::string joints(FrameRange range) const override { return part_of(joints_, range); }

  std::string contacts(FrameRange range) const override {
    const std::lock_guard lock(mutex_);
    std::string offsets, bytes;
    put_bytes(offsets, static_cast<std::uint32_t>(range.count));
    put_bytes(offsets, std::uint32_t{0});
    const std::size_t steps = contact_begin_.size() - 1;
    for (std::size_t frame = range.first; frame < range.first + range.count; ++frame) {
      if (steps > 0) {
        const std::size_t step = std::min(frame, steps - 1);
        bytes.append(contacts_, contact_begin_[step], contact_begin_[step + 1] - contact_begin_[step]);
      }
      put_bytes(offsets, static_cast<std::uint32_t>(bytes.size() / kContactBytes));
    }
    return offsets + bytes;
  }

 private:
  static constexpr std::size_t kContactBytes = sizeof(float) * (4 + 3 * D);

  std::string part_of(const std::string& bytes, FrameRange range) const {
    const std::lock_guard lock(mutex_);
    const std::size_t frame = times_.empty() ? 0 : bytes.size() / times_.size();
    return bytes.substr(range.first * frame, range.count * frame);
  }

  void add_frame(const World<D>& world, const std::vector<double>& series) {
    for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
      // Bodies that are not there yet stand where they will appear.
      const Body<D>& body = i < world.bodies.size() ? world.bodies[i] : world_.bodies[i];
      put_pose(poses_, body.X_WB());
      put_vector<D>(velocities_, linear<D>(body.velocity));
      put_vector<kSpinSize<D>>(velocities_, angular<D>(body.velocity));
    }
    add_joints(world);
    times_.push_back(world.time);
    series_.insert(series_.end(), series.begin(), series.end());
  }

  void add_joints(const World<D>& world) {
    std::vector<double> values, rates;
    for (const Joint<D>& joint : world_.joints) {
      // Joints come with their bodies: one of these names may not be there yet.
      const int i = world.find_joint(joint.name);
      const Joint<D>& now = i < 0 ? joint : world.joints[i];
      const std::vector<double> rate =
          i < 0 ? std::vector<double>(joint.axes.size()) : joint_rates(now, world.bodies);
      values.insert(values.end(), now.value.begin(), now.value.end());
      rates.insert(rates.end(), rate.begin(), rate.end());
    }
    for (const double x : values) put_float(joints_, x);
    for (const double x : rates) put_float(joints_, x);
  }

  void add_contacts(const StepReport<D>& report) {
    const auto& contacts = report.set.contacts;
    const std::vector<std::int32_t> kinds = contact_kinds(report.set);
    std::vector<Vec<D>> impulses(contacts.size(), Vec<D>::Zero());
    for (const ContactForce<D>& force : report.forces) impulses[force.contact] = force.impulse;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      put_bytes(contacts_, static_cast<std::int32_t>(contacts[i].body_A));
      put_bytes(contacts_, static_cast<std::int32_t>(contacts[i].body_B));
      put_bytes(contacts_, kinds[i]);
      put_float(contacts_, contacts[i].gap);
      put_vector<D>(contacts_, contacts[i].point);
      put_vector<D>(contacts_, contacts[i].normal);
      put_vector<D>(contacts_, impulses[i]);
    }
    contact_begin_.push_back(contacts_.size());
  }

  const World<D> world_;  ///< everybody, at the start
  const ShowCast<D> cast_;
  mutable std::mutex mutex_;
  std::vector<double> times_, series_;
  std::string poses_, velocities_, joints_, contacts_;
  std::vector<std::size_t> contact_begin_ = {0};  ///< [bytes] per step
  bool running_ = true;
  std::string message_;
};

template <int D>
std::shared_ptr<LiveShow> watch_in(Simulation& simulation) {
  auto show = std::make_shared<LiveShowIn<D>>(simulation);
  simulation.on_step([show](Simulation& s) { show->add_step(s); });
  return show;
}

}  // namespace

std::shared_ptr<LiveShow> LiveShow::watch(Simulation& simulation) {
  return simulation.dimension() == 2 ? watch_in<2>(simulation) : watch_in<3>(simulation);
}

}  // namespace touchstone

// Is the accuracy that a motion states the one that it has? Random scenes, each followed to 1e-7 m, judged by
// a run whose tolerance is a hundredth of its finest one. TOUCHSTONE_SCENES_OF_HONESTY: how many (8).

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "touchstone/math/random.h"
#include "touchstone/stepping/build_world.h"
#include "touchstone/stepping/events/event_run.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

constexpr double kAsked = 1e-7, kDuration = 1, kOutput = 0.05;
constexpr double kJudge = 1e-13;     ///< tolerance of the run that judges
constexpr double kRoundOff = 1e-12;  ///< [m] of the judge itself
constexpr double kPatience = 10;     ///< [s] for one scene

/// Raises a flag after a time.
class Alarm {
 public:
  explicit Alarm(double seconds)
      : thread_([this, seconds] {
          const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
          while (!over_ && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
          raised_ = true;
        }) {}
  ~Alarm() {
    over_ = true;
    thread_.join();
  }
  const std::atomic<bool>* flag() const { return &raised_; }

 private:
  std::atomic<bool> over_ = false, raised_ = false;
  std::thread thread_;
};

template <int D>
Shape<D> random_shape(Random& random) {
  const int kind = random.index(3);
  const double size = random.uniform(0.2, 0.45);
  if (kind == 0) return Sphere<D>{size};
  if (kind == 1) {
    Vec<D> sides;
    for (int i = 0; i < D; ++i) sides[i] = size * random.uniform(0.5, 1.1);
    return make_box<D>(sides);
  }
  std::vector<Vec<D>> points;
  for (int i = 0; i < (D == 2 ? 5 : 8); ++i) points.push_back(size * random.direction<D>());
  return Polytope<D>::hull(points);
}

template <int D>
Spin<D> random_spin(Random& random, double most) {
  Spin<D> w;
  for (int i = 0; i < w.size(); ++i) w[i] = random.uniform(-most, most);
  return w;
}

template <int D>
void tie(World<D>& world, Random& random, int a, int b) {
  const JointKind kinds[] = {JointKind::revolute, JointKind::prismatic, JointKind::spherical};
  const JointKind kind = kinds[random.index(D == 2 ? 2 : 3)];
  JointSpec<D> spec;
  spec.bodies = {a, b};
  spec.position = 0.5 * (world.bodies[a].position + world.bodies[b].position);
  if (kind == JointKind::prismatic || (D == 3 && kind == JointKind::revolute))
    spec.axis = random.direction<D>();
  JointAxis axis;
  if (random.unit() < 0.5) axis.lower = -0.4, axis.upper = 0.4;
  if (random.unit() < 0.5) axis.bounce = 0.5;
  if (kind != JointKind::spherical) spec.axes = {axis};
  add_joint<D>(world, "joint", kind, spec);
}

/// Two to six bodies above a floor, with friction, restitution and joints or without.
template <int D>
World<D> random_world(Random& random) {
  World<D> world;
  world.gravity[D - 1] = -9.81;
  Surface surface;
  surface.mu = random.unit() < 0.3 ? 0 : random.unit();
  surface.friction = surface.mu > 0 ? FrictionLaw::quadratic : FrictionLaw::none;
  surface.bounce = random.unit() < 0.5 ? 0 : random.uniform(0, 0.7);
  set_surface(world, surface);
  add_body<D>(world, "floor", HalfSpace<D>{{Vec<D>::Unit(D - 1), 0}}, {.kind = BodyKind::fixed});
  const int count = 2 + random.index(5);
  for (int i = 0; i < count; ++i) {
    Vec<D> position = Vec<D>::Zero(), velocity;
    position[0] = i % 2 ? 0.95 : 0, position[D - 1] = 0.6 + 0.95 * (i / 2);
    for (int k = 0; k < D; ++k) velocity[k] = random.uniform(-1.5, 1.5);
    add_body<D>(world, "body" + std::to_string(i), random_shape<D>(random),
                {.mass = random.log_uniform(0.3, 3),
                 .position = position,
                 .rotation = random.rotation_matrix<D>(),
                 .velocity = velocity,
                 .angular_velocity = random_spin<D>(random, 3)});
  }
  if (random.unit() < 0.4) tie(world, random, 1, 2);
  return world;
}

struct Verdict {
  bool finished = false, judged = false, honest = true;
  double trusted = 0;            ///< [s]
  double stated = 0, error = 0;  ///< [m] at the end of the trust
  double worst_share = 0;        ///< of the stated error that the true one is
  int branches = 0;
  std::string reason, message;
};

template <int D>
double size_of(const World<D>& world, std::size_t body) {
  double most = 0;
  for (const ContactShape<D>& part : world.shapes) {
    if (part.body != static_cast<int>(body)) continue;
    if (const auto* ball = std::get_if<Sphere<D>>(part.shape.get())) most = std::max(most, ball->radius);
    if (const auto* A = std::get_if<Polytope<D>>(part.shape.get())) {
      for (const Vec<D>& v : A->vertices()) most = std::max(most, (part.X_CS * v).norm());
    }
  }
  return most;
}

/// As the statement counts: positions, and angles times sizes.
template <int D>
double apart(const World<D>& a, const World<D>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const double turn = turn_between(a.bodies[i].attitude, b.bodies[i].attitude).norm();
    most = std::max(most, (a.bodies[i].position - b.bodies[i].position).norm() + size_of(a, i) * turn);
  }
  return most;
}

/// Follows the scene and the judge side by side.
template <int D>
Verdict judge(const World<D>& start) {
  const Alarm alarm(kPatience);
  StepSettings settings{.h = kOutput, .accuracy = kAsked};
  settings.solve.stop = alarm.flag();
  Stepper<D> stepper(settings);
  EventRun<D> truth(start, {.tolerance = kJudge, .stop = alarm.flag()});
  World<D> world = start, exact = start;
  Verdict verdict;
  const int steps = static_cast<int>(std::lround(kDuration / kOutput));
  for (int i = 1; i <= steps; ++i) {
    const StepReport<D> report = stepper.step(world);
    if (report.status != StepStatus::done) {
      verdict.message = report.message;
      return verdict;
    }
    const AccuracyReport& a = *report.accuracy;
    verdict.reason = a.reason, verdict.branches = a.branch_points, verdict.trusted = a.trusted_until;
    if (a.trusted_until < report.time - 1e-9) break;
    if (!truth.advance(report.time)) {
      verdict.finished = true, verdict.message = "the judge: " + truth.message();
      return verdict;
    }
    truth.put(exact);
    verdict.error = apart(world, exact), verdict.stated = a.estimated, verdict.judged = true;
    verdict.worst_share = std::max(verdict.worst_share, verdict.error / a.estimated);
    if (verdict.error > a.estimated + kRoundOff) {
      verdict.honest = false;
      verdict.message = "at " + std::to_string(report.time) + " s " +
                        std::to_string(verdict.error / a.estimated) + " times";
    }
  }
  verdict.finished = true;
  return verdict;
}

int scenes() {
  const char* told = std::getenv("TOUCHSTONE_SCENES_OF_HONESTY");
  return told ? std::atoi(told) : 8;
}

struct Table {
  int scenes = 0, finished = 0, honest = 0, judged = 0, plain = 0, covered = 0;
  std::vector<double> ratios;  ///< stated over true error, of scenes without branch points
};

void add(const Verdict& v, Table& table) {
  ++table.scenes, table.finished += v.finished, table.honest += v.honest, table.judged += v.judged;
  if (v.branches > 0 || !v.finished) return;
  ++table.plain, table.covered += v.trusted >= 0.9 * kDuration - 1e-9;
  if (v.judged) table.ratios.push_back(v.stated / std::max(v.error, kRoundOff));
}

void print(const Table& table, double median) {
  std::printf(
      "| scenes | finished | judged | honest | without branch points | of them trusted for 90 %% | median of "
      "stated over true error |\n");
  std::printf("| %d | %d | %d | %d | %d | %d | %.3g |\n", table.scenes, table.finished, table.judged,
              table.honest, table.plain, table.covered, median);
}

TEST(Honesty, TheStatedAccuracyOfRandomScenesIsKept) {
  Table table;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const int count = scenes();
  for (int i = 0; i < count; ++i) {
    Random random(1000 + i);
    const auto begin = std::chrono::steady_clock::now();
    const Verdict v = i % 2 ? judge(random_world<3>(random)) : judge(random_world<2>(random));
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    add(v, table);
    if (v.honest && v.finished && v.reason.empty() && v.message.empty() && took < 2) continue;
    std::printf("scene %d (%dD, %.1f s): %s%s, trusted until %.3g s, stated %.2g, true %.2g: %s %s\n", i,
                2 + i % 2, took, v.finished ? "" : "not finished ", v.honest ? "" : "NOT HONEST", v.trusted,
                v.stated, v.error, v.reason.c_str(), v.message.c_str());
  }
  std::sort(table.ratios.begin(), table.ratios.end());
  ASSERT_FALSE(table.ratios.empty());
  const double median = table.ratios[table.ratios.size() / 2];
  print(table, median);
  EXPECT_GE(table.honest, count - count / 50);
  EXPECT_GE(table.covered, 0.7 * table.plain);  // slow scenes are ended, and are not trusted behind that
  EXPECT_LE(median, 300);
  EXPECT_GE(table.judged, 0.9 * count);
}

}  // namespace
}  // namespace touchstone

#include "race.h"

#include <ctime>

#include <algorithm>
#include <cmath>

#include "scenes.h"
#include "touchstone/run/gap_watch.h"

namespace touchstone::bench {
namespace {

constexpr double kExplosion = 100;  ///< [m/s] far beyond what any of these falls can reach
constexpr double kClock = 1e-9;     ///< [s] times that differ by less are the same

double cpu_us() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

double quantile(std::vector<double> values, double fraction) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<long>(fraction * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// The state that an engine left behind, as a world of ours.
class Judge {
 public:
  Judge(const PeerScene& scene, RaceResult& result) : result_(result) { world_.gravity = scene.gravity; }

  /// A body enters; the energy that it brings is not gained.
  void enter(const PeerBody& body) {
    add_body(body, world_);
    energy_ = energy(world_).total();
  }

  /// Reads the state; false when it has exploded.
  bool read(const Peer& peer) {
    double speed = 0;
    for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
      Body<3>& body = world_.bodies[i];
      body.set_X_WB(peer.pose(static_cast<int>(i)));
      body.velocity = peer.velocity(static_cast<int>(i));
      speed = std::max(speed, body.is_dynamic() ? linear<3>(body.velocity).norm() : 0);
    }
    const double now = energy(world_).total();
    result_.exploded = !std::isfinite(now) || !(speed < kExplosion);
    if (result_.exploded) return false;
    result_.max_speed = std::max(result_.max_speed, speed);
    result_.energy_gained += std::max(0.0, now - energy_);
    energy_ = now;
    return true;
  }

  void measure() {
    const Closeness close = gaps_.measure(world_);
    result_.min_gap = std::min(result_.min_gap, close.min_gap);
    result_.max_overlap = std::max(result_.max_overlap, close.overlap);
  }

  void finish(const PeerScene& scene) {
    const Vec<3> down = scene.gravity.normalized();
    double weight = 0, height = 0;
    for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
      const Body<3>& body = world_.bodies[i];
      if (!body.is_dynamic()) continue;
      const Vec<3> way = body.position - scene.bodies[i].start.p;
      result_.drift = std::max(result_.drift, (way - down * down.dot(way)).norm());
      weight += body.mass, height -= body.mass * down.dot(body.position);
    }
    result_.sunk = weight > 0 ? height / weight : 0;
  }

 private:
  RaceResult& result_;
  World<3> world_;
  GapWatch<3> gaps_;
  double energy_ = 0;
};

}  // namespace

RaceResult race(const Engine& engine, const PeerScene& scene, const RaceSettings& settings) {
  RaceResult result;
  const std::unique_ptr<Peer> peer = engine.make(scene, settings.h);
  Judge judge(scene, result);
  std::vector<double> times;
  std::size_t there = 0;
  double spent = 0;
  const long steps = result.planned = std::lround(scene.duration / settings.h);
  for (long k = 0; k < steps && spent < settings.most_seconds * 1e6; ++k) {
    const double time = static_cast<double>(k) * settings.h;
    for (; there < scene.bodies.size() && scene.bodies[there].appear <= time + kClock; ++there) {
      peer->add_next();
      judge.enter(scene.bodies[there]);
    }
    const double before = cpu_us();
    result.failed += peer->step() ? 0 : 1;
    times.push_back(cpu_us() - before);
    spent += times.back();
    ++result.steps;
    if (!judge.read(*peer)) break;
    if (k % settings.judge_every == 0) judge.measure();
  }
  if (!result.exploded) judge.finish(scene);
  result.median_us = quantile(times, 0.5), result.p99_us = quantile(times, 0.99);
  return result;
}

}  // namespace touchstone::bench

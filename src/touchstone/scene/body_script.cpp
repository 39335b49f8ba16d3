#include "touchstone/scene/body_script.h"

#include <cassert>
#include <cmath>
#include <numbers>

#include "touchstone/scene/mass_reader.h"
#include "touchstone/scene/pose_reader.h"
#include "touchstone/scene/scene_keys.h"

namespace touchstone {
namespace {

/// A pose whose attitude keeps count of full turns.
template <int D>
struct Station {
  double time = 0;
  Vec<D> p = Vec<D>::Zero();
  Attitude<D> attitude;

  Pose<D> pose() const { return {attitude.matrix(), p}; }
  Station moved(const Vec<D>& way, const Spin<D>& turn) const {
    return {time, p + way, attitude.turned(turn)};
  }
};

template <int D>
using Motion = std::function<Pose<D>(double)>;

template <int D>
Motion<D> read_steady(const Field& field, const Station<D>& start) {
  const auto linear = optional_member(field, "velocity"),
             angular = optional_member(field, "angular_velocity");
  const Vec<D> v = linear ? read_vector<D>(*linear, "numbers") : Vec<D>::Zero().eval();
  const Spin<D> w = angular ? read_spin<D>(*angular, "numbers") : Spin<D>::Zero().eval();
  return [=](double t) { return start.moved(t * v, t * w).pose(); };
}

template <int D>
Motion<D> read_sinusoid(const Field& field, const Station<D>& start) {
  check_keys(field, keys_of("sinusoid", D));
  const auto way = optional_member(field, "amplitude"), turn = optional_member(field, "turn");
  const Vec<D> a = way ? read_vector<D>(*way, "numbers") : Vec<D>::Zero().eval();
  const Spin<D> b = turn ? read_spin<D>(*turn, "numbers") : Spin<D>::Zero().eval();
  const double rate =
      2 * std::numbers::pi * read_positive(required(field, "frequency", "in hertz"), "a frequency");
  const auto given = optional_member(field, "phase");
  const double phase = given ? read_number(*given) : 0.0;
  return [=](double t) {
    const double s = std::sin(rate * t + phase);
    return start.moved(s * a, s * b).pose();
  };
}

template <int D>
Pose<D> pose_between(const std::vector<Station<D>>& stations, double time) {
  assert(!stations.empty());
  const auto later = std::upper_bound(stations.begin(), stations.end(), time,
                                      [](double t, const Station<D>& s) { return t < s.time; });
  if (later == stations.begin()) return stations.front().pose();
  if (later == stations.end()) return stations.back().pose();
  const Station<D>&from = *(later - 1), &to = *later;
  const double share = (time - from.time) / (to.time - from.time);
  assert(share >= 0 && share <= 1);
  return from.moved(share * (to.p - from.p), share * turn_between(from.attitude, to.attitude)).pose();
}

template <int D>
Station<D> read_station(const Field& field, const Station<D>& start) {
  check_keys(field, keys_of("waypoint", D));
  Station<D> station = start;
  station.time = read_number(required(field, "time", "in seconds"));
  if (const auto p = optional_member(field, "position")) station.p = read_vector<D>(*p, "coordinates");
  for (const std::string& key : pose_keys(D)) {
    if (key != "position" && field.value.contains(key)) station.attitude = read_attitude<D>(field);
  }
  return station;
}

template <int D>
Motion<D> read_waypoints(const Field& field, const Station<D>& start) {
  if (!field.value.is_array() || field.value.empty()) refuse_value(field, "a list of waypoints");
  std::vector<Station<D>> stations;
  for (int i = 0; i < static_cast<int>(field.value.size()); ++i) {
    stations.push_back(read_station<D>(field.element(i), start));
    if (i > 0 && !(stations[i].time > stations[i - 1].time)) {
      refuse(field.element(i), "expected a time after that of the waypoint before");
    }
  }
  return [stations](double t) { return pose_between(stations, t); };
}

}  // namespace

template <int D>
std::function<Pose<D>(double)> read_script(const Field& field, const Body<D>& body) {
  check_keys(field, keys_of("script", D));
  if (field.value.empty()) refuse_value(field, "a motion such as {velocity: [...]}");
  const auto sinusoid = optional_member(field, "sinusoid"), waypoints = optional_member(field, "waypoints");
  if ((sinusoid || waypoints) && field.value.size() > 1) {
    refuse(field, "expected one motion: velocities, a sinusoid or waypoints");
  }
  const Station<D> start{0, body.X_WB().p, body.attitude};
  if (sinusoid) return read_sinusoid<D>(*sinusoid, start);
  if (waypoints) return read_waypoints<D>(*waypoints, start);
  return read_steady<D>(field, start);
}

template std::function<Pose<2>(double)> read_script(const Field&, const Body<2>&);
template std::function<Pose<3>(double)> read_script(const Field&, const Body<3>&);

}  // namespace touchstone

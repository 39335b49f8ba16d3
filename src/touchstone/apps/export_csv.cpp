#include <algorithm>
#include <cstdio>

#include "touchstone/apps/export.h"
#include "touchstone/apps/plain_text.h"

namespace touchstone {
namespace {

void put_number(std::string& line, double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g,", x);
  line += text;
}
void put_attitude(std::string& line, const Attitude<2>& attitude) { put_number(line, attitude.angle); }
void put_attitude(std::string& line, const Attitude<3>& attitude) {
  for (const double x : {attitude.q.w(), attitude.q.x(), attitude.q.y(), attitude.q.z()}) put_number(line, x);
}

}  // namespace

template <int D>
void export_csv(const RecordingDetails& recording, std::ostream& out) {
  constexpr std::size_t kSpin = kSpinSize<D>;
  const RecordingReader& frames = recording.frames();
  const std::size_t bodies = frames.body_count();
  out << (D == 2 ? "time,body,x,y,angle,vx,vy,w\n" : "time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n");
  for (std::size_t first = 0; first < frames.frame_count(); first += kFramesAtOnce) {
    const std::size_t count = std::min(kFramesAtOnce, frames.frame_count() - first);
    const std::vector<Pose<D>> poses = frames.poses<D>(first, count);
    const std::vector<double> v = recording.velocity(first, count),
                              w = recording.angular_velocity(first, count);
    for (std::size_t i = 0; i < poses.size(); ++i) {
      std::string line;
      put_number(line, frames.times()[first + i / bodies]);
      line += csv_field(frames.body_names()[i % bodies]);
      line += ',';
      for (const double x : poses[i].p) put_number(line, x);
      put_attitude(line, Attitude<D>::from(poses[i].R));
      for (std::size_t k = 0; k < D; ++k) put_number(line, v[i * D + k]);
      for (std::size_t k = 0; k < kSpin; ++k) put_number(line, w[i * kSpin + k]);
      line.back() = '\n';  // in place of the last comma
      out << line;
    }
  }
}

template void export_csv<2>(const RecordingDetails&, std::ostream&);
template void export_csv<3>(const RecordingDetails&, std::ostream&);

}  // namespace touchstone

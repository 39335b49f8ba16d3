#include "touchstone/apps/show_cast.h"

#include <algorithm>
#include <map>

#include "touchstone/geometry/bounds.h"
#include "touchstone/scene/json_text.h"

namespace touchstone {
namespace {

/// A chunk of frames has about this many bytes of poses, and a number of frames within these limits.
constexpr std::size_t kChunkBytes = std::size_t{1} << 20;
constexpr std::size_t kFewestFrames = 16, kMostFrames = 1024;

int whole(std::size_t n) { return static_cast<int>(n); }

void write_attitude(JsonWriter& w, const Attitude<2>& attitude) { w.value(attitude.angle); }
void write_attitude(JsonWriter& w, const Attitude<3>& attitude) {
  const Eigen::Quaterniond& q = attitude.q;
  w.open('[').value(q.w()).value(q.x()).value(q.y()).value(q.z()).close(']');
}

template <int D>
void write_pose(JsonWriter& w, const Pose<D>& X) {
  w.open('{').key("position").value<D>(X.p).key("orientation");
  write_attitude(w, Attitude<D>::from(X.R));
  w.close('}');
}

/// Loops of vertices, counter-clockwise seen from outside: the facets of a solid, the polygon itself.
std::vector<std::vector<int>> loops_of(const Polytope<3>& P) {
  std::vector<std::vector<int>> loops;
  for (int f = 0; f < P.facet_count(); ++f) {
    loops.emplace_back(P.facet_vertices(f).begin(), P.facet_vertices(f).end());
  }
  return loops;
}
std::vector<std::vector<int>> loops_of(const Polytope<2>& P) {
  std::vector<int> next(P.vertex_count()), loop;
  for (int f = 0; f < P.facet_count(); ++f) next[P.facet_vertices(f)[0]] = P.facet_vertices(f)[1];
  for (int v = next[0]; whole(loop.size()) < P.vertex_count(); v = next[v]) loop.push_back(v);
  return {loop};
}

template <int D>
void write_shape(JsonWriter& w, const Polytope<D>& P) {
  w.key("vertices").open('[');
  for (const Vec<D>& v : P.vertices()) {
    for (const double x : v) w.value(x);
  }
  w.close(']').key("faces").open('[');
  for (const std::vector<int>& loop : loops_of(P)) {
    w.open('[');
    for (const int v : loop) w.value(v);
    w.close(']');
  }
  w.close(']');
}
template <int D>
void write_shape(JsonWriter& w, const Sphere<D>& ball) {
  w.key("radius").value(ball.radius);
}
template <int D>
void write_shape(JsonWriter& w, const HalfSpace<D>& half) {
  w.key("normal").template value<D>(half.plane.normal).key("offset").value(half.plane.offset);
}

template <int D>
void write_bodies(JsonWriter& w, const ShowCast<D>& cast) {
  w.key("bodies").open('[');
  for (const RecordedBody<D>& body : cast.bodies) {
    w.open('{').key("name").value(body.name).key("kind").value(text_of(body.kind));
    w.key("mass").value(body.mass).key("appear").value(body.appear);
    w.key("com").template value<D>(body.com).close('}');
  }
  w.close(']');
}

template <int D>
void write_shapes(JsonWriter& w, const ShowCast<D>& cast) {
  w.key("shapes").open('[');
  for (const auto& shape : cast.shapes) {
    w.open('{').key("kind").value(name_of(*shape));
    std::visit([&](const auto& s) { write_shape(w, s); }, *shape);
    w.close('}');
  }
  w.close(']').key("parts").open('[');
  for (const RecordedPart<D>& part : cast.parts) {
    w.open('{').key("body").value(part.body).key("shape").value(part.shape).key("pose");
    write_pose(w, part.X_BS);
    w.close('}');
  }
  w.close(']');
}

template <int D>
void write_joints(JsonWriter& w, const ShowCast<D>& cast) {
  w.key("joints").open('[');
  for (const RecordedJoint<D>& joint : cast.joints) {
    w.open('{').key("name").value(joint.name).key("kind").value(joint.kind);
    w.key("values").value(joint.values);
    w.key("bodies").open('[').value(joint.body_A).value(joint.body_B).close(']').key("frames").open('[');
    write_pose(w, joint.X_AJ);
    write_pose(w, joint.X_BJ);
    w.close(']').close('}');
  }
  w.close(']');
}

void write_events(JsonWriter& w, const std::vector<RecordedEvent>& events) {
  w.key("events").open('[');
  for (const RecordedEvent& event : events) {
    w.open('{').key("time").value(event.time).key("kind").value(event.kind);
    w.key("bodies").open('[').value(event.body_A).value(event.body_B).close(']').close('}');
  }
  w.close(']');
}

}  // namespace

std::size_t chunk_size(std::size_t bodies, int dimension) {
  const std::size_t frame = std::max<std::size_t>(1, bodies) * sizeof(float) * (dimension == 2 ? 3 : 7);
  return std::clamp(kChunkBytes / frame, kFewestFrames, kMostFrames);
}

void put_pose(std::string& bytes, const Pose<2>& X) {
  for (const double x : {X.p.x(), X.p.y(), Attitude<2>::from(X.R).angle}) put_float(bytes, x);
}
void put_pose(std::string& bytes, const Pose<3>& X) {
  const Eigen::Quaterniond q = Attitude<3>::from(X.R).q;
  for (const double x : {X.p.x(), X.p.y(), X.p.z(), q.w(), q.x(), q.y(), q.z()}) put_float(bytes, x);
}

template <int D>
ShowCast<D> cast_of(const RecordingDetails& recording) {
  const RecordingReader& frames = recording.frames();
  ShowCast<D> cast{frames.text_attribute("scene_name"),
                   frames.text_attribute("program_version"),
                   0,
                   frames.frame_count() > 0 ? frames.times().back() : 0,
                   recording.bodies<D>(),
                   {},
                   frames.parts<D>(),
                   recording.joints<D>()};
  for (Shape<D>& shape : frames.shapes<D>()) {
    cast.shapes.push_back(std::make_shared<const Shape<D>>(std::move(shape)));
  }
  const std::vector<double> steps = recording.step_values("h");
  if (!steps.empty()) cast.step = steps.front();
  return cast;
}

template <int D>
ShowCast<D> cast_of(const Scene& scene) {
  const auto& content = std::get<RunContent<D>>(scene.content);
  const World<D>& world = content.world;
  ShowCast<D> cast{scene.name, TOUCHSTONE_VERSION, scene.settings.h, scene.duration, {}, {}, {}, {}};
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const Body<D>& body = world.bodies[i];
    cast.bodies.push_back({body.name, body.kind, body.mass, content.appear[i], body.com});
  }
  std::map<const Shape<D>*, int> numbers;
  for (const ContactShape<D>& part : world.shapes) {
    const auto [it, fresh] = numbers.emplace(part.shape.get(), whole(numbers.size()));
    if (fresh) cast.shapes.push_back(part.shape);
    const Pose<D> X_BS{part.X_CS.R, part.X_CS.p + world.bodies[part.body].com};
    cast.parts.push_back({part.body, it->second, X_BS, part.group, part.collides});
  }
  for (const Joint<D>& joint : world.joints) {
    cast.joints.push_back({joint.name, text_of(joint.kind), joint.body_A, joint.body_B, joint.X_AJ,
                           joint.X_BJ, whole(joint.axes.size())});
  }
  return cast;
}

template <int D>
std::string head_text(const ShowCast<D>& cast, const std::vector<RecordedEvent>& events) {
  JsonWriter w;
  w.open('{').key("format").value("touchstone-show").key("version").value(1);
  w.key("name").value(cast.name).key("program_version").value(cast.program_version);
  w.key("dimension").value(D).key("step").value(cast.step).key("duration").value(cast.duration);
  w.key("chunk").value(whole(chunk_size(cast.bodies.size(), D))).key("series").open('[');
  for (const char* name : kSeries) w.value(name);
  w.close(']');
  write_bodies(w, cast);
  write_shapes(w, cast);
  write_joints(w, cast);
  write_events(w, events);
  w.close('}');
  return w.text();
}

#define TOUCHSTONE_INSTANTIATE(D)                        \
  template ShowCast<D> cast_of(const RecordingDetails&); \
  template ShowCast<D> cast_of(const Scene&);            \
  template std::string head_text(const ShowCast<D>&, const std::vector<RecordedEvent>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

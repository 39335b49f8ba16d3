// glTF 2.0 in its binary form: a header, one chunk of JSON, one chunk of numbers.
//
//   scene -> node "z up" -> one node per body -> one mesh per body (its parts together)
//   animation: for each body that moves a translation and a rotation over one list of times

#include <algorithm>
#include <cmath>
#include <limits>

#include "touchstone/apps/export.h"
#include "touchstone/apps/show_cast.h"
#include "touchstone/apps/triangles.h"
#include "touchstone/geometry/bounds.h"
#include "touchstone/scene/json_text.h"

namespace touchstone {
namespace {

// Numbers of the format [glTF 2.0].
constexpr std::uint32_t kMagic = 0x46546C67, kVersion = 2, kJsonChunk = 0x4E4F534A, kBytesChunk = 0x004E4942;
constexpr int kFloat = 5126, kArrayBuffer = 34962;

/// Linear values of the viewer's sRGB colours of bodies, and of fixed bodies.
constexpr std::array<std::array<double, 3>, 8> kColours = {{{0.105, 0.231, 0.672},
                                                            {0.078, 0.366, 0.323},
                                                            {0.644, 0.323, 0.069},
                                                            {0.578, 0.162, 0.114},
                                                            {0.254, 0.188, 0.624},
                                                            {0.195, 0.381, 0.102},
                                                            {0.527, 0.188, 0.347},
                                                            {0.102, 0.381, 0.552}}};
constexpr std::array<double, 3> kGrey = {0.4, 0.42, 0.46};

/// Numbers of one kind in the chunk of bytes; glTF calls them an accessor.
struct Accessor {
  std::size_t offset = 0, count = 0;
  int width = 1;
  bool vertices = false;
  std::vector<float> low, high;  ///< where glTF wants the bounds
};

struct Numbers {
  std::string bytes;
  std::vector<Accessor> accessors;

  int add(const std::vector<float>& values, int width, bool vertices) {
    Accessor a{bytes.size(), values.size() / width, width, vertices, {}, {}};
    a.low.assign(width, std::numeric_limits<float>::max());
    a.high.assign(width, std::numeric_limits<float>::lowest());
    for (std::size_t i = 0; i < values.size(); ++i) {
      a.low[i % width] = std::min(a.low[i % width], values[i]);
      a.high[i % width] = std::max(a.high[i % width], values[i]);
      put_bytes(bytes, values[i]);
    }
    accessors.push_back(std::move(a));
    return static_cast<int>(accessors.size()) - 1;
  }
};

/// What moves one property of one node.
struct Channel {
  int node = 0, input = 0, output = 0;
  const char* path = "";
  const char* way = "LINEAR";
};

struct BodyMesh {
  int position = -1, normal = -1;  ///< accessors; -1: it has no shape
};

/// The way of one body through all frames.
struct Track {
  std::vector<float> translation, rotation;
};

std::array<double, 7> numbers_of(const Pose<3>& X) {
  const Eigen::Quaterniond q = Attitude<3>::from(X.R).q;
  return {X.p.x(), X.p.y(), X.p.z(), q.x(), q.y(), q.z(), q.w()};
}
std::array<double, 7> numbers_of(const Pose<2>& X) {
  const double half = Attitude<2>::from(X.R).angle / 2;
  return {X.p.x(), X.p.y(), 0, 0, 0, std::sin(half), std::cos(half)};
}

void add_pose(Track& track, std::array<double, 7> x) {
  const auto& before = track.rotation;
  double along = 0;
  for (int k = 0; k < 4 && !before.empty(); ++k) along += before[before.size() - 4 + k] * x[3 + k];
  // q and -q turn alike; the one that is nearer to the last is the shorter way.
  const double sign = along < 0 ? -1 : 1;
  for (int k = 0; k < 3; ++k) track.translation.push_back(static_cast<float>(x[k]));
  for (int k = 3; k < 7; ++k) track.rotation.push_back(static_cast<float>(sign * x[k]));
}

/// What a recording becomes: numbers, and who uses which of them.
template <int D>
struct GlbScene {
  ShowCast<D> cast;
  Numbers numbers;
  std::vector<float> times;      ///< [s]
  std::vector<Track> tracks;     ///< per body
  std::vector<BodyMesh> meshes;  ///< per body
  std::vector<Channel> channels;
};

/// Reads a recording into a scene of glTF.
template <int D>
class GlbReader {
 public:
  explicit GlbReader(const RecordingDetails& recording)
      : recording_(recording), scene_{cast_of<D>(recording), {}, {}, {}, {}, {}} {
    read_tracks();
    add_meshes();
    add_animation();
  }
  GlbScene<D>& scene() { return scene_; }

 private:
  void read_tracks() {
    const RecordingReader& frames = recording_.frames();
    tracks_.resize(cast_.bodies.size());
    for (std::size_t first = 0; first < frames.frame_count(); first += kFramesAtOnce) {
      const std::size_t count = std::min(kFramesAtOnce, frames.frame_count() - first);
      const std::vector<Pose<D>> poses = frames.poses<D>(first, count);
      for (std::size_t f = 0; f < count; ++f) add_frame(first + f, &poses[f * cast_.bodies.size()]);
    }
  }

  void add_frame(std::size_t frame, const Pose<D>* poses) {
    const auto time = static_cast<float>(recording_.frames().times()[frame]);
    if (!times_.empty() && !(time > times_.back())) return;  // glTF's times must grow
    times_.push_back(time);
    for (std::size_t i = 0; i < tracks_.size(); ++i) add_pose(tracks_[i], numbers_of(poses[i]));
  }

  TriangleSettings settings() const {
    double size = 0;
    for (const auto& shape : cast_.shapes) size = std::max(size, size_of(*shape));
    if (size == 0) size = 1;
    constexpr double kReach = 10, kDepth = 0.1;  // sizes of the largest shape
    return {kReach * size, kDepth * size};
  }

  void add_meshes() {
    std::vector<Triangles> triangles(cast_.bodies.size());
    const TriangleSettings size = settings();
    for (const RecordedPart<D>& part : cast_.parts) {
      add_triangles<D>(triangles[part.body], *cast_.shapes[part.shape], part.X_BS, size);
    }
    for (const Triangles& t : triangles) {
      BodyMesh mesh;
      if (!t.corners.empty()) {
        mesh.position = numbers_.add(flat(t.corners), 3, true);
        mesh.normal = numbers_.add(flat(t.normals), 3, true);
      }
      meshes_.push_back(mesh);
    }
  }

  static std::vector<float> flat(const std::vector<std::array<float, 3>>& vectors) {
    std::vector<float> values;
    for (const auto& v : vectors) values.insert(values.end(), v.begin(), v.end());
    return values;
  }

  /// Body i is node i + 1.
  void add_animation() {
    if (times_.size() < 2) return;
    const int input = numbers_.add(times_, 1, false);
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
      const int node = static_cast<int>(i) + 1;
      if (cast_.bodies[i].kind != BodyKind::fixed) {
        channels_.push_back({node, input, numbers_.add(tracks_[i].translation, 3, false), "translation"});
        channels_.push_back({node, input, numbers_.add(tracks_[i].rotation, 4, false), "rotation"});
      }
      const auto appear = static_cast<float>(cast_.bodies[i].appear);
      if (!(appear > times_.front())) continue;
      const int when = numbers_.add({times_.front(), appear}, 1, false);
      channels_.push_back({node, when, numbers_.add({0, 0, 0, 1, 1, 1}, 3, false), "scale", "STEP"});
    }
  }

  const RecordingDetails& recording_;
  GlbScene<D> scene_;
  const ShowCast<D>& cast_ = scene_.cast;
  Numbers& numbers_ = scene_.numbers;
  std::vector<float>& times_ = scene_.times;
  std::vector<Track>& tracks_ = scene_.tracks;
  std::vector<BodyMesh>& meshes_ = scene_.meshes;
  std::vector<Channel>& channels_ = scene_.channels;
};

/// The JSON of a scene of glTF.
template <int D>
class GlbDocument {
 public:
  explicit GlbDocument(const GlbScene<D>& scene)
      : cast_(scene.cast),
        numbers_(scene.numbers),
        tracks_(scene.tracks),
        meshes_(scene.meshes),
        channels_(scene.channels) {}

  std::string text() const {
    JsonWriter w;
    w.open('{').key("asset").open('{').key("version").value("2.0");
    w.key("generator").value(std::string("touchstone ") + TOUCHSTONE_VERSION).close('}');
    w.key("scene").value(0).key("scenes").open('[').open('{').key("name").value(cast_.name);
    w.key("nodes").open('[').value(0).close(']').close('}').close(']');
    write_nodes(w);
    write_meshes(w);
    write_animation(w);
    write_accessors(w);
    w.key("buffers").open('[').open('{').key("byteLength").value(static_cast<double>(numbers_.bytes.size()));
    w.close('}').close(']').close('}');
    return w.text();
  }

 private:
  void write_nodes(JsonWriter& w) const {
    constexpr double kHalf = 0.70710678118654752;  // a quarter turn about x: z becomes y
    w.key("nodes").open('[').open('{').key("name").value(D == 3 ? "z up" : "plane");
    if (D == 3) w.key("rotation").open('[').value(-kHalf).value(0).value(0).value(kHalf).close(']');
    if (!cast_.bodies.empty()) {
      w.key("children").open('[');
      for (std::size_t i = 0; i < cast_.bodies.size(); ++i) w.value(static_cast<int>(i) + 1);
      w.close(']');
    }
    w.close('}');
    int mesh = 0;
    for (std::size_t i = 0; i < cast_.bodies.size(); ++i) {
      w.open('{').key("name").value(cast_.bodies[i].name);
      if (meshes_[i].position >= 0) w.key("mesh").value(mesh++);
      write_list(w, "translation", tracks_[i].translation.data(), 3);
      write_list(w, "rotation", tracks_[i].rotation.data(), 4);
      w.close('}');
    }
    w.close(']');
  }

  static void write_list(JsonWriter& w, const char* key, const float* values, int count) {
    w.key(key).open('[');
    for (int k = 0; k < count; ++k) w.value(static_cast<double>(values[k]));
    w.close(']');
  }

  void write_meshes(JsonWriter& w) const {
    std::vector<std::array<double, 3>> colours;
    std::size_t dynamic = 0;
    for (const RecordedBody<D>& body : cast_.bodies) {
      colours.push_back(body.kind == BodyKind::dynamic ? kColours[dynamic++ % kColours.size()] : kGrey);
    }
    const bool any =
        std::any_of(meshes_.begin(), meshes_.end(), [](const BodyMesh& m) { return m.position >= 0; });
    if (!any) return;  // glTF allows no empty lists
    w.key("materials").open('[');
    for (const auto& c : colours) {
      w.open('{').key("pbrMetallicRoughness").open('{').key("baseColorFactor").open('[');
      w.value(c[0]).value(c[1]).value(c[2]).value(1).close(']').key("metallicFactor").value(0);
      w.key("roughnessFactor").value(0.8).close('}').close('}');
    }
    w.close(']').key("meshes").open('[');
    for (std::size_t i = 0; i < meshes_.size(); ++i) {
      if (meshes_[i].position < 0) continue;
      w.open('{').key("name").value(cast_.bodies[i].name).key("primitives").open('[').open('{');
      w.key("attributes").open('{').key("POSITION").value(meshes_[i].position);
      w.key("NORMAL").value(meshes_[i].normal).close('}').key("material").value(static_cast<int>(i));
      w.close('}').close(']').close('}');
    }
    w.close(']');
  }

  void write_animation(JsonWriter& w) const {
    if (channels_.empty()) return;
    w.key("animations").open('[').open('{').key("name").value(cast_.name).key("channels").open('[');
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      w.open('{').key("sampler").value(static_cast<int>(i)).key("target").open('{');
      w.key("node").value(channels_[i].node).key("path").value(channels_[i].path).close('}').close('}');
    }
    w.close(']').key("samplers").open('[');
    for (const Channel& c : channels_) {
      w.open('{').key("input").value(c.input).key("output").value(c.output);
      w.key("interpolation").value(c.way).close('}');
    }
    w.close(']').close('}').close(']');
  }

  /// Each accessor has a view of its own.
  void write_accessors(JsonWriter& w) const {
    if (numbers_.accessors.empty()) return;
    constexpr const char* kTypes[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    w.key("accessors").open('[');
    for (std::size_t i = 0; i < numbers_.accessors.size(); ++i) {
      const Accessor& a = numbers_.accessors[i];
      w.open('{').key("bufferView").value(static_cast<int>(i)).key("componentType").value(kFloat);
      w.key("count").value(static_cast<double>(a.count)).key("type").value(kTypes[a.width]);
      write_list(w, "min", a.low.data(), a.width);
      write_list(w, "max", a.high.data(), a.width);
      w.close('}');
    }
    w.close(']').key("bufferViews").open('[');
    for (const Accessor& a : numbers_.accessors) {
      w.open('{').key("buffer").value(0).key("byteOffset").value(static_cast<double>(a.offset));
      w.key("byteLength").value(static_cast<double>(a.count * a.width * sizeof(float)));
      if (a.vertices) w.key("target").value(kArrayBuffer);
      w.close('}');
    }
    w.close(']');
  }

  const ShowCast<D>& cast_;
  const Numbers& numbers_;
  const std::vector<Track>& tracks_;
  const std::vector<BodyMesh>& meshes_;
  const std::vector<Channel>& channels_;
};

/// Both chunks of the file, each a multiple of four bytes.
void write_glb(std::string json, Numbers& numbers, std::ostream& out) {
  json.append((4 - json.size() % 4) % 4, ' ');
  numbers.bytes.append((4 - numbers.bytes.size() % 4) % 4, '\0');
  std::string head;
  const std::size_t total = 12 + 8 + json.size() + 8 + numbers.bytes.size();
  if (total > std::numeric_limits<std::uint32_t>::max())
    throw BadInput("glTF files end at 4 GB; this is longer");
  for (const std::uint32_t word : {kMagic, kVersion, static_cast<std::uint32_t>(total),
                                   static_cast<std::uint32_t>(json.size()), kJsonChunk}) {
    put_bytes(head, word);
  }
  std::string middle;
  put_bytes(middle, static_cast<std::uint32_t>(numbers.bytes.size()));
  put_bytes(middle, kBytesChunk);
  out << head << json << middle << numbers.bytes;
}

}  // namespace

template <int D>
void export_glb(const RecordingDetails& recording, std::ostream& out) {
  GlbReader<D> reader(recording);
  const std::string json = GlbDocument<D>(reader.scene()).text();
  write_glb(json, reader.scene().numbers, out);
}

template void export_glb<2>(const RecordingDetails&, std::ostream&);
template void export_glb<3>(const RecordingDetails&, std::ostream&);

}  // namespace touchstone

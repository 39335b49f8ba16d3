#include "touchstone/scene/answer_text.h"

#include "touchstone/geometry/bounds.h"
#include "touchstone/scene/json_text.h"

namespace touchstone {
namespace {

const char* word_of(Status status) {
  switch (status) {
    case Status::disjoint:
      return "disjoint";
    case Status::touching:
      return "touching";
    default:
      return "overlapping";
  }
}

const char* word_of(FeatureKind kind) {
  switch (kind) {
    case FeatureKind::vertex:
      return "vertex";
    case FeatureKind::edge:
      return "edge";
    default:
      return "face";
  }
}

/// Where the feature is, in the frame of its body: numbers alone mean nothing to who has not built the body.
template <int D>
void write_place(JsonWriter& writer, const Polytope<D>& P, const Feature& feature) {
  if (feature.kind == FeatureKind::vertex) {
    writer.key("position").template value<D>(P.vertex(feature.index));
  } else if (feature.kind == FeatureKind::edge) {
    const Edge& edge = P.edge(feature.index);
    writer.key("ends").open('[');
    writer.template value<D>(P.vertex(edge.tail)).template value<D>(P.vertex(edge.head)).close(']');
  } else {
    writer.key("normal").template value<D>(P.plane(feature.index).normal);
  }
}

/// What the only feature of a shape without facets is called.
template <int D>
const char* word_of_surface(const Shape<D>& shape) {
  return plane_of(shape) ? "plane" : "surface";
}

template <int D>
void write_features(JsonWriter& writer, const Shape<D>& shape, const char* body, const Feature& feature) {
  writer.key(body).open('{');
  if (const Polytope<D>* P = polytope_of(shape)) {
    writer.key("kind").value(word_of(feature.kind)).key("index").value(feature.index);
    write_place(writer, *P, feature);
  } else {
    writer.key("kind").value(word_of_surface(shape));
  }
  writer.close('}');
}

template <int D>
std::string short_name(const Shape<D>& shape, const Feature& feature) {
  if (!polytope_of(shape)) return word_of_surface(shape);
  return std::string(word_of(feature.kind)) + " " + std::to_string(feature.index);
}

template <int D>
void write_gap(JsonWriter& writer, const Gap<D>& gap) {
  writer.key("status").value(word_of(gap.status)).key("gap").value(gap.gap);
  writer.key("normal").template value<D>(gap.normal).key("normal_unique").value(gap.normal_is_unique);
  if (gap.normal_is_unique) return;
  writer.key("candidates").open('[');
  for (const Vec<D>& n : gap.candidates) writer.template value<D>(n);
  writer.close(']');
}

template <int D>
void write_manifold(JsonWriter& writer, const std::vector<ManifoldPoint<D>>& points) {
  writer.key("manifold").open('[');
  for (const ManifoldPoint<D>& point : points) writer.template value<D>(point.position);
  writer.close(']');
}

}  // namespace

template <int D>
std::string answer_text(const PlacedShape<D>& A, const PlacedShape<D>& B, const ContactData<D>& data) {
  JsonWriter writer;
  writer.open('{');
  write_gap(writer, data.gap);
  writer.key("features").open('{');
  write_features(writer, *A.shape, "a", data.features.a);
  write_features(writer, *B.shape, "b", data.features.b);
  writer.close('}');
  write_manifold(writer, data.manifold);
  writer.key("manifold_features").open('[');
  for (const ManifoldPoint<D>& point : data.manifold) {
    writer.open('[').value(short_name(*A.shape, point.a)).value(short_name(*B.shape, point.b)).close(']');
  }
  writer.close(']').key("points").open('[');
  writer.template value<D>(data.gap.point_A).template value<D>(data.gap.point_B).close(']');
  writer.key("bounds").open('[').value(data.gap.lower).value(data.gap.upper).close(']');
  writer.key("round_off").value(data.gap.round_off);
  writer.key("overlap").value(data.overlap).close('}');
  return writer.text();
}

template std::string answer_text(const PlacedShape<2>&, const PlacedShape<2>&, const ContactData<2>&);
template std::string answer_text(const PlacedShape<3>&, const PlacedShape<3>&, const ContactData<3>&);

}  // namespace touchstone

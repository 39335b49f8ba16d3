#include "touchstone/scene/model_options.h"

#include <algorithm>
#include <cassert>
#include <span>

namespace touchstone {
namespace {

constexpr std::string_view kPlane[] = {"plane"};
/// They choose between contacts.
constexpr std::string_view kChoosing[] = {"peg", "peg-printed", "lnc"};
/// They take the contacts of features or manifolds that lie within a margin.
constexpr std::string_view kWithMargin[] = {"manifold", "peg",          "peg-printed", "lnc",
                                            "standard", "standard-all", "corrective",  "corrective-overlap"};
/// With `relinearise` the models that choose judge the end of the step as `plane` does.
constexpr std::string_view kJudging[] = {"plane", "peg", "peg-printed", "lnc"};

/// A key that not every model uses. Keys that are not in the table are used by all.
struct ModelKey {
  std::string_view key;
  std::span<const std::string_view> models;
};
constexpr ModelKey kModelKeys[] = {{"margin", kWithMargin},
                                   {"gap_tolerance", kJudging},
                                   {"plane_rule", kPlane},
                                   {"max_updates", kPlane},
                                   {"max_halvings", kJudging},
                                   {"choice", kChoosing},
                                   {"strict", kChoosing},
                                   {"relinearise", kChoosing},
                                   {"applicability_angle", kChoosing},
                                   {"feasibility_angle", kChoosing},
                                   {"feasibility_slack", kChoosing}};
/// What the solver of a step is told.
constexpr std::string_view kSolverKeys[] = {"iterations", "relaxation", "accepted_residual"};
/// The mixed problem of the thesis, which has a solver also without friction and joints.
constexpr std::string_view kAsOneProblem = "peg-lcp";

template <class List>
bool contains(const List& list, std::string_view item) {
  return std::find(std::begin(list), std::end(list), item) != std::end(list);
}

template <int D>
bool has_friction_or_joints(const World<D>& world) {
  if (!world.joints.empty()) return true;
  for (int a = 0; a < world.surfaces.count(); ++a) {
    for (int b = 0; b <= a; ++b) {
      const Surface& surface = world.surfaces.of(a, b);
      if (surface.friction != FrictionLaw::none || surface.bounce > 0) return true;
    }
  }
  return false;
}

/// Steps of contacts alone are quadratic programs, which the models that choose solve by themselves unless a
/// solver is named.
bool solves_by_itself(const Scene& scene) {
  const auto more = [](const auto& content) { return has_friction_or_joints(content.world); };
  return contains(kChoosing, scene.model) && scene.formulation != kAsOneProblem &&
         scene.settings.solver == kAnySolver && !std::visit(more, scene.content);
}

std::string joined(std::span<const std::string_view> names) {
  std::string text;
  for (std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

/// Why the model does not use the key, or an empty text where it does.
std::string reason_against(const Scene& scene, const std::string& key) {
  if (contains(kSolverKeys, key)) {
    return solves_by_itself(scene) ? "without friction, restitution and joints the model " + scene.model +
                                         " solves its steps by itself"
                                   : "";
  }
  const auto entry = std::find_if(std::begin(kModelKeys), std::end(kModelKeys),
                                  [&](const ModelKey& known) { return known.key == key; });
  if (entry == std::end(kModelKeys)) return "";
  if (!contains(entry->models, scene.model)) {
    return "the model " + scene.model + " does not use it; models that do: " + joined(entry->models);
  }
  const bool judges = contains(kPlane, scene.model) || scene.settings.model.relinearise;
  return entry->models.data() == kJudging && !judges
             ? "the model " + scene.model + " uses it with relinearise: true only"
             : "";
}

}  // namespace

std::vector<IgnoredOption> ignored_options(const Scene& scene, const std::vector<std::string>& given) {
  std::vector<IgnoredOption> ignored;
  for (const std::string& key : given) {
    const std::string why = reason_against(scene, key);
    if (!why.empty()) ignored.push_back({key, why});
  }
  return ignored;
}

}  // namespace touchstone

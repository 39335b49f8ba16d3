#include "touchstone/scene/ignored_options.h"

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
/// What the solver of a step is told, and the solvers that know a relaxation.
constexpr std::string_view kSolverKeys[] = {"iterations", "relaxation", "accepted_residual"};
constexpr std::string_view kRelaxing[] = {"psor", "jacobi"};
/// The mixed problem of the thesis, which has a solver also without friction and joints.
constexpr std::string_view kAsOneProblem = "peg-lcp";

template <class List>
bool contains(const List& list, std::string_view item) {
  return std::find(std::begin(list), std::end(list), item) != std::end(list);
}

using nlohmann::json;

/// Those of one material with all others and itself.
std::vector<Surface> surfaces_of(const SurfaceTable& table, int material) {
  std::vector<Surface> surfaces;
  for (int b = 0; b < table.count(); ++b) surfaces.push_back(table.of(material, b));
  return surfaces;
}

template <int D>
bool has_friction_or_joints(const World<D>& world) {
  if (!world.joints.empty()) return true;
  const std::vector<Surface> surfaces = world.surfaces.all();
  return std::any_of(surfaces.begin(), surfaces.end(), [](const Surface& surface) {
    return surface.friction != FrictionLaw::none || surface.bounce > 0;
  });
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

// ---- models, formulations, solvers -----------------------------------------------------------------------

/// Why an option is not used; empty: it is.
struct Reason {
  std::string who, why;
  explicit operator bool() const { return !why.empty(); }
};

Reason against_solver_key(const Scene& scene, const std::string& key) {
  if (solves_by_itself(scene)) {
    return {
        "the model " + scene.model + " does not use",
        "without friction, restitution and joints the model " + scene.model + " solves its steps by itself"};
  }
  if (key != "relaxation" || contains(kRelaxing, scene.settings.solver)) return {};
  return {"the solver " + scene.settings.solver + " does not use",
          "the solver " + scene.settings.solver + " does not use it; solvers that do: " + joined(kRelaxing)};
}

Reason against_model_key(const Scene& scene, const ModelKey& key) {
  const std::string model = "the model " + scene.model, who = model + " does not use";
  if (!contains(key.models, scene.model)) {
    return {who, model + " does not use it; models that do: " + joined(key.models)};
  }
  const bool judges = contains(kPlane, scene.model) || scene.settings.model.relinearise;
  if (key.models.data() != kJudging || judges) return {};
  return {who, model + " uses it with relinearise: true only"};
}

/// Of a key of `contact` that is not about surfaces.
Reason against_step_key(const Scene& scene, const std::string& key) {
  if (contains(kSolverKeys, key)) return against_solver_key(scene, key);
  if (key == "stabilisation" && scene.settings.formulation.scheme != Scheme::anitescu_potra) {
    return {"the formulation " + scene.formulation + " does not use",
            "the formulation " + scene.formulation +
                " does not use it; formulations that do: anitescu-potra, anitescu-potra-mixed"};
  }
  const auto entry = std::find_if(std::begin(kModelKeys), std::end(kModelKeys),
                                  [&](const ModelKey& known) { return known.key == key; });
  return entry == std::end(kModelKeys) ? Reason{} : against_model_key(scene, *entry);
}

// ---- surfaces --------------------------------------------------------------------------------------------

/// Of a key that says how surfaces behave, where it is given for these. A coefficient of 0 asks for no
/// friction, and has it under every law.
Reason against_surface_key(const std::string& key, const json& value, const std::vector<Surface>& surfaces,
                           int dimension) {
  const auto none = [&](const auto& uses) { return std::none_of(surfaces.begin(), surfaces.end(), uses); };
  const auto law_is = [](FrictionLaw law) { return [law](const Surface& s) { return s.friction == law; }; };
  const std::string who = "no friction law of the scene uses";
  if (key == "friction" && value != 0 && none(is_cone))
    return {who, "the friction law does not use it; laws that do: linear, quadratic, static-kinetic"};
  if (key == "viscosity" && none(law_is(FrictionLaw::viscous)))
    return {who, "the friction law does not use it; the law that does: viscous"};
  if (key == "law" && value != "none" &&
      std::all_of(surfaces.begin(), surfaces.end(), law_is(FrictionLaw::none)))
    return {"surfaces without a coefficient of friction do not use",
            "the coefficient of friction is 0, so there is no friction"};
  if (key == "directions" && dimension == 2)
    return {"friction in the plane does not use", "a cone in the plane has no directions to choose"};
  if (key == "directions" && none(law_is(FrictionLaw::linear)))
    return {who, "the friction law does not use it; the law that does: linear"};
  if (key == "restitution_law" && none([](const Surface& s) { return s.bounce > 0; }))
    return {"surfaces without restitution do not use", "the coefficient of restitution is 0"};
  return {};
}

class Finder {
 public:
  Finder(const json& text, const Scene& scene)
      : text_(text),
        scene_(scene),
        table_(std::visit([](const auto& content) { return content.world.surfaces; }, scene.content)) {}

  std::vector<IgnoredOption> run() {
    if (text_.contains("contact")) look_at_contact(text_["contact"]);
    if (text_.contains("materials")) look_at_materials(text_["materials"]);
    if (text_.contains("pairs")) look_at_pairs(text_["pairs"]);
    return std::move(found_);
  }

 private:
  void look_at_contact(const json& contact) {
    const std::vector<Surface> surfaces = table_.all();
    for (const auto& item : contact.items()) {
      add("contact." + item.key(), against_step_key(scene_, item.key()));
      add("contact." + item.key(), against_surface_key(item.key(), item.value(), surfaces, scene_.dimension));
    }
  }

  /// Their indices are those of the table, in the order of the text and behind that of no material.
  void look_at_materials(const json& materials) {
    int index = 0;
    for (const auto& material : materials.items()) {
      assert(index + 1 < table_.count());
      names_.push_back(material.key());
      look_at_surface("materials." + material.key(), material.value(), surfaces_of(table_, ++index));
    }
  }

  void look_at_pairs(const json& pairs) {
    const auto index = [&](const json& name) {
      const auto at = std::find(names_.begin(), names_.end(), name.get<std::string>());
      assert(at != names_.end());
      return 1 + static_cast<int>(at - names_.begin());
    };
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const bool of_bodies = pairs[i].contains("bodies");
      const json& names = pairs[i][of_bodies ? "bodies" : "materials"];
      look_at_surface("pairs[" + std::to_string(i) + "]", pairs[i],
                      {of_bodies ? surface_of_bodies(names) : table_.of(index(names[0]), index(names[1]))});
    }
  }

  Surface surface_of_bodies(const json& names) const {
    const auto find = [&](const json& name, const auto& content) {
      return content.world.find_body(name.template get<std::string>());
    };
    const int a = std::visit([&](const auto& content) { return find(names[0], content); }, scene_.content);
    const int b = std::visit([&](const auto& content) { return find(names[1], content); }, scene_.content);
    const Surface* known = table_.of_bodies(a, b);
    assert(known);
    return *known;
  }

  void look_at_surface(const std::string& name, const json& given, const std::vector<Surface>& surfaces) {
    for (const auto& item : given.items()) {
      add(name + "." + item.key(), against_surface_key(item.key(), item.value(), surfaces, scene_.dimension));
    }
  }

  void add(const std::string& field, const Reason& reason) {
    if (reason) found_.push_back({field, reason.who, reason.why});
  }

  const json& text_;
  const Scene& scene_;
  const SurfaceTable table_;
  std::vector<std::string> names_;  ///< of materials
  std::vector<IgnoredOption> found_;
};

}  // namespace

std::vector<IgnoredOption> ignored_options(const json& text, const Scene& scene) {
  return Finder(text, scene).run();
}

StepSettings heard_settings(const Scene& scene) {
  StepSettings heard = scene.settings;
  const StepSettings unchanged;
  heard.model = heard_by(scene.model, heard.model);
  if (!contains(kWithMargin, scene.model)) heard.margin = unchanged.margin;
  if (!contains(kChoosing, scene.model)) heard.choice = unchanged.choice;
  if (!contains(kPlane, scene.model)) heard.max_updates = unchanged.max_updates;
  if (!contains(kPlane, scene.model) && !heard.model.relinearise) heard.max_halvings = unchanged.max_halvings;
  if (heard.formulation.scheme != Scheme::anitescu_potra)
    heard.formulation.stabilisation = unchanged.formulation.stabilisation;
  return heard;
}

}  // namespace touchstone

// Options that the model, the formulation, the solver or the surfaces of a scene do not use: refused or told,
// never silently dropped.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "touchstone/scene/scene.h"
#include "touchstone/scene/scene_builder.h"
#include "touchstone/scene/scene_keys.h"

namespace touchstone {
namespace {

using Texts = std::vector<std::string>;

std::string scene_with(const std::string& contact, const std::string& more = "") {
  return "touchstone: 1\ndimension: 2\ncontact: {" + contact + "}\n" + more +
         "bodies:\n  - {name: box, shape: {box: [1, 1]}, mass: 1}\n";
}

std::string refusal(const SceneSource& source) {
  try {
    parse_scene(source);
  } catch (const BadScene& error) {
    return error.what();
  }
  return "taken";
}

Texts warnings(const std::string& contact, const Texts& overrides = {}) {
  return parse_scene({scene_with(contact), "s.yaml", "", overrides}).warnings;
}

TEST(IgnoredOptions, AnOptionFromOutsideThatTheModelDoesNotUseIsRefused) {
  EXPECT_EQ(
      refusal({scene_with(""), "s.yaml", "", {"contact.margin=0.1"}}),
      "--set contact.margin=0.1: contact.margin: the model plane does not use it; models that do: manifold, "
      "peg, peg-printed, lnc, standard, standard-all, corrective, corrective-overlap");
  EXPECT_EQ(refusal({scene_with(""), "s.yaml", "", {"contact.margin=0.1", "contact.model=peg"}}), "taken");
  EXPECT_EQ(refusal({scene_with(""), "s.yaml", "", {"contact.plane_rule=toi2"}}), "taken");
  EXPECT_NE(refusal({scene_with("model: peg"), "s.yaml", "", {"contact.plane_rule=toi2"}}), "taken");
}

TEST(IgnoredOptions, AnOptionOfAFileIsToldWhereItRunsUnderAnotherModel) {
  EXPECT_EQ(warnings("plane_rule: toi2, max_updates: 9", {"contact.model=peg"}),
            Texts{"the model peg does not use contact.max_updates, contact.plane_rule"});
  EXPECT_EQ(warnings("model: plane, margin: 0.1"), Texts{"the model plane does not use contact.margin"});
  EXPECT_EQ(warnings("margin: 0.1"), Texts{"the model plane does not use contact.margin"})
      << "the file names no model, and is run under the default one";
  EXPECT_EQ(warnings("margin: 0.1, model: peg"), Texts());
}

TEST(IgnoredOptions, AStudyMayGiveOptionsOfSeveralModels) {
  const Scene scene =
      parse_scene({scene_with(""), "s.yaml", "", {"contact.margin=0.1"}, true, IgnoredOptions::told});
  EXPECT_EQ(scene.warnings, Texts{"the model plane does not use contact.margin"});
}

TEST(IgnoredOptions, ASceneMadeInCodeIsRefused) {
  const auto make = [](const Texts& overrides) {
    const nlohmann::json contact = {{"margin", 0.1}};
    return make_scene(
        {{"touchstone", 1}, {"dimension", 2}, {"bodies", nlohmann::json::array()}, {"contact", contact}}, "s",
        overrides);
  };
  EXPECT_THROW(make({}), BadScene);
  EXPECT_EQ(make({"contact.model=standard"}).warnings, Texts());
}

TEST(IgnoredOptions, WhatASolverIsToldIsRefusedWhereAModelSolvesItsStepsByItself) {
  const Texts iterations = {"contact.iterations=7"};
  EXPECT_NE(refusal({scene_with("model: peg"), "s.yaml", "", iterations}), "taken");
  EXPECT_EQ(refusal({scene_with("model: peg, solver: lemke"), "s.yaml", "", iterations}), "taken");
  EXPECT_EQ(refusal({scene_with("model: peg, friction: 0.5"), "s.yaml", "", iterations}), "taken");
  EXPECT_EQ(refusal({scene_with("model: peg, formulation: peg-lcp"), "s.yaml", "", iterations}), "taken");
  EXPECT_EQ(refusal({scene_with("model: plane"), "s.yaml", "", iterations}), "taken");
}

TEST(IgnoredOptions, ASolverThatIsNamedIsObeyedByEveryModel) {
  for (const std::string model : {"plane", "peg", "manifold"}) {
    EXPECT_EQ(refusal({scene_with("model: " + model), "s.yaml", "", {"contact.solver=lemke"}}), "taken")
        << model;
  }
}

TEST(IgnoredOptions, WhatJudgesTheEndOfAStepIsUsedWithRelineariseOnly) {
  const Texts tolerance = {"contact.gap_tolerance=1e-8"};
  EXPECT_NE(refusal({scene_with("model: peg"), "s.yaml", "", tolerance}), "taken");
  EXPECT_EQ(refusal({scene_with("model: peg, relinearise: true"), "s.yaml", "", tolerance}), "taken");
}

// ---- surfaces --------------------------------------------------------------------------------------------

/// Every law with every number of a surface: taken where the law uses it.
TEST(IgnoredOptions, NumbersThatTheFrictionLawDoesNotUseAreRefused) {
  struct Case {
    std::string law, given, answer;
  };
  const std::string kCones =
      "the friction law does not use it; laws that do: linear, quadratic, static-kinetic";
  const std::string kViscous = "the friction law does not use it; the law that does: viscous";
  for (const auto& [law, given, answer] :
       std::vector<Case>{{"linear, friction: 0.5", "friction=1", ""},
                         {"quadratic, friction: 0.5", "friction=1", ""},
                         {"no-slip", "friction=1", kCones},
                         {"viscous", "friction=1", kCones},
                         {"none", "friction=1", kCones},
                         {"none", "friction=0", ""},
                         {"viscous", "viscosity=2", ""},
                         {"linear, friction: 0.5", "viscosity=2", kViscous},
                         {"no-slip", "viscosity=2", kViscous}}) {
    const std::string wanted = answer.empty() ? "taken"
                                              : "--set contact." + given + ": contact." +
                                                    given.substr(0, given.find('=')) + ": " + answer;
    EXPECT_EQ(refusal({scene_with("law: " + law), "s.yaml", "", {"contact." + given}}), wanted) << law;
  }
}

TEST(IgnoredOptions, DirectionsAreThoseOfALinearConeInSpace) {
  const auto scene = [](int dimension, const std::string& law) {
    return "touchstone: 1\ndimension: " + std::to_string(dimension) +
           "\ncontact: {friction: 0.5, law: " + law + "}\nbodies: []\n";
  };
  const Texts six = {"contact.directions=6"};
  EXPECT_EQ(refusal({scene(3, "linear"), "s.yaml", "", six}), "taken");
  EXPECT_EQ(
      refusal({scene(3, "quadratic"), "s.yaml", "", six}),
      "--set contact.directions=6: contact.directions: the friction law does not use it; the law that does: "
      "linear");
  EXPECT_EQ(
      refusal({scene(2, "linear"), "s.yaml", "", six}),
      "--set contact.directions=6: contact.directions: a cone in the plane has no directions to choose");
}

TEST(IgnoredOptions, OfAFileEachReasonIsOneWarning) {
  EXPECT_EQ(warnings("law: no-slip, friction: 1, viscosity: 2, margin: 0.1, restitution_law: poisson"),
            (Texts{"no friction law of the scene uses contact.friction, contact.viscosity",
                   "the model plane does not use contact.margin",
                   "surfaces without restitution do not use contact.restitution_law"}));
  EXPECT_EQ(warnings("law: quadratic"),
            Texts{"surfaces without a coefficient of friction do not use contact.law"});
  EXPECT_EQ(warnings("law: quadratic, friction: 0.3, restitution: 0.5, restitution_law: poisson"), Texts());
}

TEST(IgnoredOptions, MaterialsAndPairsAreAskedForTheirOwnSurfaces) {
  const std::string text =
      "touchstone: 1\ndimension: 3\ncontact: {friction: 0.3}\n"
      "materials: {ice: {friction: 0.1}, tar: {viscosity: 3}}\n"
      "pairs: [{materials: [ice, tar], law: viscous, viscosity: 2, directions: 5}]\nbodies: []\n";
  EXPECT_EQ(parse_scene({text, "s.yaml", "", {}}).warnings,
            Texts{"no friction law of the scene uses pairs[0].directions"})
      << "the viscosity of tar is that of the pair";
  EXPECT_EQ(refusal({text, "s.yaml", "", {"pairs[0].law=quadratic"}}), "taken");
  EXPECT_EQ(
      refusal({text, "s.yaml", "", {"materials.ice.viscosity=1", "pairs[0].law=linear"}}),
      "--set materials.ice.viscosity=1: materials.ice.viscosity: the friction law does not use it; the law "
      "that does: viscous");
}

TEST(IgnoredOptions, FormulationsAndSolversAreAskedToo) {
  EXPECT_EQ(refusal({scene_with("model: manifold"), "s.yaml", "", {"contact.stabilisation=0.5"}}),
            "--set contact.stabilisation=0.5: contact.stabilisation: the formulation stewart-trinkle does "
            "not use it; "
            "formulations that do: anitescu-potra, anitescu-potra-mixed");
  EXPECT_EQ(refusal({scene_with("model: manifold, formulation: anitescu-potra"),
                     "s.yaml",
                     "",
                     {"contact.stabilisation=0.5"}}),
            "taken");
  EXPECT_NE(refusal({scene_with("solver: pgs"), "s.yaml", "", {"contact.relaxation=1.2"}}), "taken");
  EXPECT_EQ(refusal({scene_with("solver: psor"), "s.yaml", "", {"contact.relaxation=1.2"}}), "taken");
}

}  // namespace
}  // namespace touchstone

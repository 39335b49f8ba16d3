// Options of contact models that the model of a scene does not use: refused or told, never silently dropped.

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

TEST(ModelOptions, AnOptionFromOutsideThatTheModelDoesNotUseIsRefused) {
  EXPECT_EQ(
      refusal({scene_with(""), "s.yaml", "", {"contact.margin=0.1"}}),
      "--set contact.margin=0.1: contact.margin: the model plane does not use it; models that do: manifold, "
      "peg, peg-printed, lnc, standard, standard-all, corrective, corrective-overlap");
  EXPECT_EQ(refusal({scene_with(""), "s.yaml", "", {"contact.margin=0.1", "contact.model=peg"}}), "taken");
  EXPECT_EQ(refusal({scene_with(""), "s.yaml", "", {"contact.plane_rule=toi2"}}), "taken");
  EXPECT_NE(refusal({scene_with("model: peg"), "s.yaml", "", {"contact.plane_rule=toi2"}}), "taken");
}

TEST(ModelOptions, AnOptionOfAFileIsToldWhereItRunsUnderAnotherModel) {
  EXPECT_EQ(warnings("plane_rule: toi2, max_updates: 9", {"contact.model=peg"}),
            Texts{"the model peg does not use contact.max_updates, contact.plane_rule"});
  EXPECT_EQ(warnings("model: plane, margin: 0.1"), Texts{"the model plane does not use contact.margin"});
  EXPECT_EQ(warnings("margin: 0.1"), Texts())
      << "the file names no model: its margin is for those that use it";
  EXPECT_EQ(warnings("margin: 0.1, model: peg"), Texts());
}

TEST(ModelOptions, AStudyMayGiveOptionsOfSeveralModels) {
  const Scene scene =
      parse_scene({scene_with(""), "s.yaml", "", {"contact.margin=0.1"}, true, IgnoredOptions::told});
  EXPECT_EQ(scene.warnings, Texts{"the model plane does not use contact.margin"});
}

TEST(ModelOptions, ASceneMadeInCodeIsRefused) {
  const auto make = [](const Texts& overrides) {
    const nlohmann::json contact = {{"margin", 0.1}};
    return make_scene(
        {{"touchstone", 1}, {"dimension", 2}, {"bodies", nlohmann::json::array()}, {"contact", contact}}, "s",
        overrides);
  };
  EXPECT_THROW(make({}), BadScene);
  EXPECT_EQ(make({"contact.model=standard"}).warnings, Texts());
}

TEST(ModelOptions, WhatASolverIsToldIsRefusedWhereAModelSolvesItsStepsByItself) {
  const Texts iterations = {"contact.iterations=7"};
  EXPECT_NE(refusal({scene_with("model: peg"), "s.yaml", "", iterations}), "taken");
  EXPECT_EQ(refusal({scene_with("model: peg, solver: lemke"), "s.yaml", "", iterations}), "taken");
  EXPECT_EQ(refusal({scene_with("model: peg, friction: 0.5"), "s.yaml", "", iterations}), "taken");
  EXPECT_EQ(refusal({scene_with("model: peg, formulation: peg-lcp"), "s.yaml", "", iterations}), "taken");
  EXPECT_EQ(refusal({scene_with("model: plane"), "s.yaml", "", iterations}), "taken");
}

TEST(ModelOptions, ASolverThatIsNamedIsObeyedByEveryModel) {
  for (const std::string model : {"plane", "peg", "manifold"}) {
    EXPECT_EQ(refusal({scene_with("model: " + model), "s.yaml", "", {"contact.solver=lemke"}}), "taken")
        << model;
  }
}

TEST(ModelOptions, WhatJudgesTheEndOfAStepIsUsedWithRelineariseOnly) {
  const Texts tolerance = {"contact.gap_tolerance=1e-8"};
  EXPECT_NE(refusal({scene_with("model: peg"), "s.yaml", "", tolerance}), "taken");
  EXPECT_EQ(refusal({scene_with("model: peg, relinearise: true"), "s.yaml", "", tolerance}), "taken");
}

}  // namespace
}  // namespace touchstone

#include "touchstone/contact/model_settings.h"

namespace touchstone {

ModelSettings heard_by(std::string_view model, const ModelSettings& settings) {
  const bool plane = model == "plane", peg = model == "peg" || model == "peg-printed" || model == "lnc";
  ModelSettings heard;
  if (plane) heard.plane_rule = settings.plane_rule;
  if (peg) heard.tests = settings.tests, heard.relinearise = settings.relinearise;
  if (plane || heard.relinearise) heard.gap_tolerance = settings.gap_tolerance;
  return heard;
}

std::string_view unheard_setting(std::string_view model, const ModelSettings& settings) {
  const ModelSettings heard = heard_by(model, settings);
  if (heard.gap_tolerance != settings.gap_tolerance) return "gap_tolerance";
  if (heard.plane_rule != settings.plane_rule) return "plane_rule";
  if (heard.relinearise != settings.relinearise) return "relinearise";
  if (heard.tests != settings.tests) return "tests";
  return "";
}

}  // namespace touchstone

#include "touchstone/scene/yaml_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <ctime>

namespace touchstone {
namespace {

using nlohmann::json;

/// "line: message" with which a text is refused.
std::string refusal(const std::string& text) {
  try {
    parse_yaml(text);
  } catch (const BadYaml& error) {
    return std::to_string(error.line()) + ": " + error.what();
  }
  return "it was accepted";
}

TEST(YamlText, PlainWordsMeanWhatTheCoreSchemaSays) {
  const json value = parse_yaml(
      "{a: 1, b: -2.5e-3, c: true, d: ~, e: null, f: word, g: '1', h: \"true\", i: .5, j: +3, k: 1e3, l: "
      "007, "
      "m: 1.2.3, n: 0x10, o: yes, p: '', q: -, r: 12abc}");
  EXPECT_EQ(value["a"], 1);
  EXPECT_TRUE(value["a"].is_number_integer());
  EXPECT_EQ(value["b"], -2.5e-3);
  EXPECT_EQ(value["c"], true);
  EXPECT_TRUE(value["d"].is_null());
  EXPECT_TRUE(value["e"].is_null());
  EXPECT_EQ(value["f"], "word");
  EXPECT_EQ(value["g"], "1");
  EXPECT_EQ(value["h"], "true");
  EXPECT_EQ(value["i"], 0.5);
  EXPECT_EQ(value["j"], 3);
  EXPECT_EQ(value["k"], 1000.0);
  EXPECT_EQ(value["l"], 7);
  for (const char* text : {"m", "n", "o", "p", "q", "r"}) EXPECT_TRUE(value[text].is_string()) << text;
}

TEST(YamlText, NumbersBeyondAllDoublesAreInfiniteAndSmallOnesVanish) {
  EXPECT_TRUE(std::isinf(parse_yaml("1e999").get<double>()));
  EXPECT_TRUE(std::isinf(parse_yaml("-.inf").get<double>()));
  EXPECT_TRUE(std::isnan(parse_yaml(".nan").get<double>()));
  EXPECT_EQ(parse_yaml("1e-999").get<double>(), 0.0);
  EXPECT_EQ(parse_yaml("123456789012345678901234567890").get<double>(), 123456789012345678901234567890.0);
}

TEST(YamlText, AliasesAndMergeKeysRepeatWhatTheyName) {
  const json value = parse_yaml(
      "base: &b {x: 1, y: 2}\n"
      "copy: *b\n"
      "more: {<<: *b, y: 3, z: 4}\n"
      "both: {<<: [{x: 5}, *b]}\n");
  EXPECT_EQ(value["copy"], (json{{"x", 1}, {"y", 2}}));
  EXPECT_EQ(value["more"], (json{{"x", 1}, {"y", 3}, {"z", 4}}));
  EXPECT_EQ(value["both"], (json{{"x", 5}, {"y", 2}}));
}

TEST(YamlText, RefusalsTellTheLine) {
  EXPECT_EQ(refusal("a: 1\nb: 2\na: 3\n"), "3: the key \"a\" is given twice");
  EXPECT_EQ(refusal("a:\n  - [1, 2\nb: 3\n").substr(0, 3), "2: ");
  EXPECT_EQ(refusal("a: 1\nb: !!python/object x\n").substr(0, 3), "2: ");
  EXPECT_EQ(refusal("? {a: 1}\n: 2\n").substr(0, 24), "1: not YAML: expected a ");
  EXPECT_EQ(refusal("a: 1\n---\nb: 2\n"), "0: expected one YAML document, got several");
  EXPECT_EQ(refusal(std::string("a: \0 1", 6)), "0: not YAML: a zero byte");
  EXPECT_EQ(refusal("a: *b\n").substr(0, 3), "1: ");
  EXPECT_EQ(refusal("a: &b [*b]\n").substr(0, 3), "1: ");
  EXPECT_EQ(refusal("\t- a: 1").substr(0, 3), "1: ");
}

TEST(YamlText, WhatIsNestedTooDeepIsRefused) {
  const auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(refusal(nested(60)), "it was accepted");
  EXPECT_NE(refusal(nested(70)).find("nested deeper"), std::string::npos);
  EXPECT_NE(refusal(nested(100000)).find("nested deeper"), std::string::npos);
  EXPECT_NE(refusal(std::string(100000, '[')), "it was accepted");
  EXPECT_NE(refusal(std::string(100000, '{')), "it was accepted");
}

/// "Billion laughs": nine lists of nine aliases each make 9^9 values out of 300 characters.
TEST(YamlText, AFileThatMultipliesItselfIsRefusedAtOnce) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string n = std::to_string(i), before = "*a" + std::to_string(i - 1);
    text += "a" + n + ": &a" + n + " [" + before;
    for (int k = 1; k < 9; ++k) text += ", " + before;
    text += "]\n";
  }
  const std::clock_t begin = std::clock();  // time of the processor: a busy machine is not the file's fault
  const std::string told = refusal(text);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 20.0);
  EXPECT_NE(told.find("more than 5000000 values"), std::string::npos) << told;
}

TEST(YamlText, TheLineOfAFieldIsWhereItsKeyStands) {
  const std::string text =
      "touchstone: 1\n"
      "# a comment\n"
      "bodies:\n"
      "  - {name: a, mass: 1}\n"
      "  - name: b\n"
      "    shape:\n"
      "      box: [1,\n"
      "            2]\n";
  EXPECT_EQ(line_of_field(text, "touchstone"), 1);
  EXPECT_EQ(line_of_field(text, "bodies"), 3);
  EXPECT_EQ(line_of_field(text, "bodies[0]"), 4);
  EXPECT_EQ(line_of_field(text, "bodies[0].mass"), 4);
  EXPECT_EQ(line_of_field(text, "bodies[1]"), 5);
  EXPECT_EQ(line_of_field(text, "bodies[1].shape.box"), 7);
  EXPECT_EQ(line_of_field(text, "bodies[1].shape.box[1]"), 8);
  // What is not there is told by what is nearest around it.
  EXPECT_EQ(line_of_field(text, "bodies[1].shape.sphere"), 6);
  EXPECT_EQ(line_of_field(text, "bodies[1].mass"), 5);
  EXPECT_EQ(line_of_field(text, ""), 1);
}

}  // namespace
}  // namespace touchstone

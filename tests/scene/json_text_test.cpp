#include "touchstone/scene/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <limits>

#include "touchstone/math/random.h"
#include "touchstone/scene/shape_reader.h"

namespace touchstone {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_json(text);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "it was accepted";
}

TEST(JsonText, EveryDoubleComesBackWithAllItsBits) {
  Random random(3);
  int tried = 0;
  while (tried < 20000) {
    const double x = std::bit_cast<double>(random.bits());
    if (!std::isfinite(x)) continue;
    const double back = parse_json(JsonWriter().value(x).text()).get<double>();
    ASSERT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(x)) << x;
    ++tried;
  }
}

TEST(JsonText, NumbersHaveSeventeenDigitsAsPrintfWritesThem) {
  Random random(4);
  for (int i = 0; i < 1000; ++i) {
    const double x = random.uniform(-1, 1) * std::pow(10, random.uniform(-30, 30));
    char expected[40];
    std::snprintf(expected, sizeof expected, "%.17g", x);
    EXPECT_EQ(JsonWriter().value(x).text(), expected);
  }
  EXPECT_EQ(JsonWriter().value(0.1).text(), "0.10000000000000001");
  EXPECT_EQ(JsonWriter().value(-0.0).text(), "0");
  EXPECT_EQ(JsonWriter().value(std::numeric_limits<double>::infinity()).text(), "null");
}

TEST(JsonText, WhatIsWrittenIsJson) {
  JsonWriter writer;
  writer.open('{').key("a").open('[').value(1).value(true).open('[').close(']').close(']');
  writer.key("b").value("quote \" and \xff byte").key("c").value<2>(Vec<2>(1, 2.5)).close('}');
  const auto value = nlohmann::json::parse(writer.text());
  EXPECT_EQ(value["a"].size(), 3u);
  EXPECT_EQ(value["c"][1], 2.5);
}

TEST(JsonText, HostileTextIsRefusedWithAReason) {
  EXPECT_NE(refusal("").find("column"), std::string::npos);
  EXPECT_NE(refusal("{\"a\": 1,}").find("column 9: not JSON"), std::string::npos) << refusal("{\"a\": 1,}");
  EXPECT_NE(refusal("{\"a\": NaN}").find("not JSON"), std::string::npos);
  EXPECT_NE(refusal("[1e999]").find("not JSON"), std::string::npos) << refusal("[1e999]");
  EXPECT_NE(refusal("{\"a\": 1, \"a\": 2}").find("given twice"), std::string::npos);
  EXPECT_NE(refusal(std::string(100000, '[')).find("nested deeper"), std::string::npos);
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "{\"a\":";
  EXPECT_NE(refusal(deep).find("nested deeper"), std::string::npos);
  EXPECT_NE(refusal("\xff\xfe\x00garbage").find("not JSON"), std::string::npos);
  EXPECT_NE(refusal(std::string("{\"a\": 1}\0", 9)).find("not JSON"), std::string::npos);
  EXPECT_NE(refusal("1 2").find("not JSON"), std::string::npos);
  std::string many = "[0";
  for (int i = 0; i < 5'000'001; ++i) many += ",0";
  EXPECT_NE(refusal(many + "]").find("more than"), std::string::npos);
}

}  // namespace
}  // namespace touchstone

#include "touchstone/geometry/mesh_text.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

namespace touchstone {
namespace {

constexpr std::string_view kWhite = " \t\r\v\f";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// std::from_chars takes no plus sign.
std::string_view without_plus(std::string_view word) {
  const bool plus = word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+';
  return plus ? word.substr(1) : word;
}

}  // namespace

std::string MeshField::text() const {
  std::string text(thing);
  if (number >= 0) text.append(" ").append(std::to_string(number));
  if (!part.empty()) text.append(" ").append(part);
  return text;
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::string quoted(std::string_view word) {
  constexpr std::size_t kLongest = 24;
  std::string text = "\"";
  for (unsigned char c : word.substr(0, kLongest)) text += std::isprint(c) ? static_cast<char>(c) : '?';
  return text + (word.size() > kLongest ? "...\"" : "\"");
}

MeshLines::MeshLines(std::string_view bytes, const std::string& name, Style style)
    : bytes_(bytes), name_(name), style_(std::move(style)) {
  if (bytes_.starts_with(kByteOrderMark)) offset_ = kByteOrderMark.size();
}

std::string_view MeshLines::next_line() {
  assert(offset_ <= bytes_.size());
  const std::size_t end = std::min(bytes_.find('\n', offset_), bytes_.size());
  std::string_view line = bytes_.substr(offset_, end - offset_);
  offset_ = std::min(end + 1, bytes_.size());
  ++line_;
  for (std::string_view mark : style_.comments) line = line.substr(0, line.find(mark));
  return line;
}

/// Adds the words of a line; true when the line is continued by the next.
bool MeshLines::add_words(std::string_view line) {
  const auto parts = [&](char c) {
    return kWhite.find(c) != std::string_view::npos || style_.blanks.find(c) != std::string_view::npos;
  };
  for (auto it = line.begin(); it != line.end();) {
    it = std::find_if_not(it, line.end(), parts);
    const auto end = std::find_if(it, line.end(), parts);
    if (it != end) words_.emplace_back(it, end);
    it = end;
  }
  if (!style_.continued || words_.empty() || words_.back().back() != '\\') return false;
  words_.back().remove_suffix(1);
  if (words_.back().empty()) words_.pop_back();
  return true;
}

bool MeshLines::next() {
  words_.clear();
  while (words_.empty() && offset_ < bytes_.size()) {
    while (add_words(next_line()) && offset_ < bytes_.size()) {
    }
  }
  return !words_.empty();
}

void MeshLines::need(const MeshField& field, const std::string& expected) {
  if (!next()) fail(field, expected + ", but the file ends here");
}

double MeshLines::number(std::size_t i, const MeshField& field) const {
  if (i >= words_.size()) fail(field, "a number, but the line ends here");
  const std::string_view word = without_plus(words_[i]);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size()) fail_word(i, field, "a number");
  if (error == std::errc::result_out_of_range) {
    if (word.find("e-") == std::string_view::npos && word.find("E-") == std::string_view::npos) {
      fail_word(i, field, "a number below 1e308");
    }
    return 0;  // below the smallest double
  }
  if (error != std::errc() || !std::isfinite(value)) fail_word(i, field, "a finite number");
  return value;
}

long long MeshLines::integer(std::size_t i, const MeshField& field) const {
  if (i >= words_.size()) fail(field, "an integer, but the line ends here");
  const std::string_view word = without_plus(words_[i]);
  long long value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) fail_word(i, field, "an integer");
  return value;
}

long long MeshLines::integer_within(std::size_t i, const MeshField& field, long long low,
                                    long long high) const {
  const long long value = integer(i, field);
  if (value < low || value > high) {
    fail_word(i, field, "an integer from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return value;
}

Vec<3> MeshLines::point(std::size_t i, const MeshField& field) const {
  Vec<3> x;
  for (std::size_t k = 0; k < 3; ++k) {
    x[static_cast<int>(k)] = number(i + k, {field.thing, field.number, std::string_view("xyz").substr(k, 1)});
  }
  return x;
}

void MeshLines::fail_at(long long line, const MeshField& field, const std::string& expected) const {
  throw BadMeshFile(name_ + ":" + std::to_string(line) + ": " + field.text() + ": expected " + expected);
}

void MeshLines::fail_word(std::size_t i, const MeshField& field, const std::string& expected) const {
  assert(i < words_.size());
  fail(field, expected + ", not " + quoted(words_[i]));
}

}  // namespace touchstone

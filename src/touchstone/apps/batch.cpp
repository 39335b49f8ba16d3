// Queries from a file, one a line.

#include <cstdio>
#include <fstream>
#include <iostream>

#include "touchstone/apps/commands.h"
#include "touchstone/apps/query.h"
#include "touchstone/scene/contact_query.h"

namespace touchstone {
namespace {

/// Longest line that is read [bytes]: a hull of a million points with all digits fits.
constexpr std::size_t kLongestLine = std::size_t{128} << 20;

struct Line {
  std::string text;
  bool too_long = false;

  bool blank() const { return !too_long && text.find_first_not_of(" \t\r") == std::string::npos; }
};

/// The next line, with or without an end; of one that is too long, the rest is thrown away.
bool read_line(std::streambuf& in, Line& line) {
  constexpr int end = std::char_traits<char>::eof();
  line.text.clear();
  line.too_long = false;
  int c = in.sbumpc();
  if (c == end) return false;
  for (; c != end && c != '\n'; c = in.sbumpc()) {
    if (line.text.size() < kLongestLine) {
      line.text.push_back(static_cast<char>(c));
    } else {
      line.too_long = true;
    }
  }
  return true;
}

struct Tally {
  long asked = 0, faulty = 0, failed = 0;
};

QueryAnswer answer_to(const Line& line, ContactQueries& queries, const std::string& where) {
  if (!line.too_long) return queries.answer_line(line.text, where);
  return refused_line(where, "the line is longer than 128 MiB");
}

Tally answer_lines(std::streambuf& in, const std::string& name, ContactQueries& queries, bool at_once) {
  Tally tally;
  Line line;
  for (long number = 1; read_line(in, line); ++number) {
    if (line.blank()) continue;
    const QueryAnswer answer = answer_to(line, queries, name + ":" + std::to_string(number));
    std::fwrite(answer.text.data(), 1, answer.text.size(), stdout);
    std::fputc('\n', stdout);
    if (at_once) std::fflush(stdout);
    ++tally.asked;
    tally.faulty += answer.outcome == QueryOutcome::bad_input;
    tally.failed += answer.outcome == QueryOutcome::failed;
  }
  return tally;
}

int conclude(const Tally& tally, bool quiet) {
  const long unanswered = tally.faulty + tally.failed;
  if (unanswered > 0 && !quiet) {
    std::fprintf(stderr, "touchstone: %ld of %ld queries could not be answered; see their \"error\"\n",
                 unanswered, tally.asked);
  }
  return tally.failed > 0 ? kNumbersFailed : tally.faulty > 0 ? kBadInput : kDone;
}

}  // namespace

int answer_batch(const std::string& file, bool quiet) {
  std::ios::sync_with_stdio(false);
  if (file == "-") {
    // Who pipes queries in may wait for each answer before asking the next.
    ContactQueries queries("");
    return conclude(answer_lines(*std::cin.rdbuf(), "stdin", queries, true), quiet);
  }
  const std::filesystem::path path = file;
  std::error_code ignored;
  std::ifstream in(path, std::ios::binary);
  if (std::filesystem::is_directory(path, ignored)) throw BadInput(file + ": expected a file, not a folder");
  if (!in) throw BadInput(file + ": there is no such file, or it cannot be read");
  ContactQueries queries(path.parent_path());
  return conclude(answer_lines(*in.rdbuf(), file, queries, false), quiet);
}

}  // namespace touchstone

#pragma once
// The lines and words of mesh files, with messages that name file, line and field. Private to geometry/.

#include <string>
#include <string_view>
#include <vector>

#include "touchstone/geometry/mesh_file.h"

namespace touchstone {

/// The most vertices, faces or corners that a file may announce.
inline constexpr long long kLargestCount = 2147483647;

/// What a value in a file stands for; put into words only when it is faulty.
struct MeshField {
  std::string_view thing;      ///< e.g. "vertex"
  long long number = -1;       ///< which of them; negative: there is but one
  std::string_view part = {};  ///< e.g. "y"

  std::string text() const;
};

/// The words of a text file, line by line.
class MeshLines {
 public:
  struct Style {
    std::vector<std::string_view> comments;  ///< each ends a line
    std::string_view blanks;                 ///< characters that part words, besides white space
    bool continued = false;                  ///< a backslash at its end joins a line to the next
  };
  MeshLines(std::string_view bytes, const std::string& name, Style style);

  /// Goes on to the next line that holds a word; false at the end of the file.
  bool next();
  /// The same, but refuses a file that ends here; `expected` names the missing text.
  void need(const MeshField& field, const std::string& expected);

  std::size_t size() const { return words_.size(); }
  std::string_view word(std::size_t i) const { return words_[i]; }
  long long line() const { return line_; }
  /// How many bytes were read: where the line after this one begins.
  std::size_t offset() const { return offset_; }

  /// Word i as a finite number, as an integer, words i to i+2 as a point.
  double number(std::size_t i, const MeshField& field) const;
  long long integer(std::size_t i, const MeshField& field) const;
  Vec<3> point(std::size_t i, const MeshField& field) const;
  /// Word i as an integer from low to high.
  long long integer_within(std::size_t i, const MeshField& field, long long low, long long high) const;

  [[noreturn]] void fail(const MeshField& field, const std::string& expected) const {
    fail_at(line_, field, expected);
  }
  [[noreturn]] void fail_at(long long line, const MeshField& field, const std::string& expected) const;
  /// ..., not "word i".
  [[noreturn]] void fail_word(std::size_t i, const MeshField& field, const std::string& expected) const;

 private:
  std::string_view next_line();
  bool add_words(std::string_view line);

  std::string_view bytes_;
  std::string name_;
  Style style_;
  std::size_t offset_ = 0;
  long long line_ = 0;
  std::vector<std::string_view> words_;
};

/// Whether two words are the same but for capitals.
bool same_word(std::string_view a, std::string_view b);

/// A word as it stands in messages: in quotes, cut when long, without what cannot be printed.
std::string quoted(std::string_view word);

// ---- formats --------------------------------------------------------------------------------------------

Mesh read_obj(std::string_view bytes, const std::string& name);
Mesh read_stl(std::string_view bytes, const std::string& name);
Mesh read_ply(std::string_view bytes, const std::string& name);
Mesh read_off(std::string_view bytes, const std::string& name);
Mesh read_poly(std::string_view bytes, const std::string& name);

}  // namespace touchstone

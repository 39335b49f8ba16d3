#include "touchstone/problems/siconos_text.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace touchstone {
namespace {

/// The storage of a matrix, as the text numbers it.
constexpr int kDense = 0, kBlocks = 1;

/// The words of a text with their lines. Whoever asks for a number says what it means.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  double number(const std::string& meaning) {
    const std::string_view word = next(meaning);
    double value = 0;
    const char* first = word.data() + (word.front() == '+' ? 1 : 0);
    const auto [end, error] = std::from_chars(first, word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
      refuse(meaning, "a number", word);
    return value;
  }

  int whole(const std::string& meaning, int least, int most = 0x3fffffff) {
    const std::string_view word = next(meaning);
    int value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool read = error == std::errc() && end == word.data() + word.size();
    if (!read || value < least || value > most) refuse(meaning, "a whole number in its range", word);
    return value;
  }

  /// Refuses a count of numbers that the rest of the text is too short for, before memory is taken for them.
  void expect_room(double numbers, const std::string& meaning) const {
    assert(numbers >= 0 && at_ <= text_.size());
    if (2 * numbers > static_cast<double>(text_.size() - at_) + 1)
      throw ProblemFileError("line " + std::to_string(line_) + ": the text ends before " + meaning + " does");
  }

  VectorX vector(int size, const std::string& meaning) {
    expect_room(size, meaning);
    VectorX vector(size);
    for (double& value : vector) value = number(meaning);
    return vector;
  }

  MatrixX row_major(int rows, int cols, const std::string& meaning) {
    expect_room(1.0 * rows * cols, meaning);
    MatrixX matrix(rows, cols);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) matrix(i, j) = number(meaning);
    return matrix;
  }

  [[noreturn]] void refuse(const std::string& meaning, const std::string& expected,
                           std::string_view got) const {
    throw ProblemFileError("line " + std::to_string(line_) + ": " + meaning + ": expected " + expected +
                           ", got \"" + std::string(got.substr(0, 40)) + "\"");
  }

 private:
  std::string_view next(const std::string& meaning) {
    while (at_ < text_.size() && is_space(text_[at_])) line_ += text_[at_++] == '\n';
    const std::size_t first = at_;
    while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
    if (first == at_)
      throw ProblemFileError("line " + std::to_string(line_) + ": the text ends before " + meaning);
    return text_.substr(first, at_ - first);
  }
  static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

/// Entries stand column by column.
MatrixX read_dense(Words& words, int rows, int cols) {
  words.whole("the rows of M once more", rows, rows);
  words.whole("the columns of M once more", cols, cols);
  words.expect_room(1.0 * rows * cols, "M");
  MatrixX matrix(rows, cols);
  for (double& entry : matrix.reshaped()) entry = words.number("M");
  return matrix;
}

/// The bounds of block rows or columns: each is the end of its block.
std::vector<int> read_bounds(Words& words, int count, int total, const std::string& meaning) {
  std::vector<int> bounds = {0};
  for (int i = 0; i < count; ++i) bounds.push_back(words.whole(meaning, bounds.back(), total));
  if (bounds.back() != total) words.refuse(meaning, "an end at the size of M", std::to_string(bounds.back()));
  assert(std::is_sorted(bounds.begin(), bounds.end()));
  return bounds;
}

/// Blocks by compressed rows, each led by its number and itself stored column by column.
SparseMatrix read_blocks(Words& words, int rows, int cols) {
  const int count = words.whole("the number of blocks", 0);
  const int block_rows = words.whole("the block rows", 0, rows),
            block_cols = words.whole("the block columns", 0, cols);
  const std::vector<int> row_end = read_bounds(words, block_rows, rows, "the bounds of block rows");
  const std::vector<int> col_end = read_bounds(words, block_cols, cols, "the bounds of block columns");
  const int pointers = words.whole("the number of row pointers", block_rows + 1, block_rows + 1);
  words.whole("the number of block indices", count, count);
  words.expect_room(count, "the block indices");
  std::vector<int> first(pointers), column(count);
  for (int& pointer : first) pointer = words.whole("a row pointer", 0, count);
  for (int& index : column) index = words.whole("a block column", 0, block_cols - 1);
  std::vector<Eigen::Triplet<double>> entries;
  for (int row = 0; row < block_rows; ++row) {
    for (int k = first[row]; k < first[row + 1]; ++k) {
      words.whole("the number of the block", k, k);
      for (int j = col_end[column[k]]; j < col_end[column[k] + 1]; ++j)
        for (int i = row_end[row]; i < row_end[row + 1]; ++i)
          entries.emplace_back(i, j, words.number("the entries of a block"));
    }
  }
  SparseMatrix matrix(rows, cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

ProblemMatrix read_matrix(Words& words, int size) {
  const int storage = words.whole("the storage of M (0 dense, 1 blocks)", kDense, kBlocks);
  words.whole("the rows of M", size, size);
  words.whole("the columns of M", size, size);
  if (storage == kBlocks) return read_blocks(words, size, size);
  return read_dense(words, size, size);
}

Problem read_lcp(Words words) {
  Lcp problem;
  const int n = words.whole("the size n", 1);
  problem.M = read_matrix(words, n);
  problem.q = words.vector(n, "q");
  return problem;
}

Problem read_friction(Words words) {
  FrictionProblem problem;
  problem.dimension = words.whole("the dimension", 2, 3);
  const int contacts = words.whole("the number of contacts", 1, 0x0fffffff);
  problem.W = read_matrix(words, problem.dimension * contacts);
  problem.q = words.vector(problem.dimension * contacts, "q");
  problem.mu = words.vector(contacts, "mu");
  return problem;
}

/// One flag per row, from block bounds "0 .. n+m" and a flag per block (1: complementarity).
std::vector<bool> read_free_rows(Words& words, int size) {
  std::vector<int> bounds = {words.whole("the first block bound", 0, 0)};
  while (bounds.back() < size) bounds.push_back(words.whole("a block bound", bounds.back() + 1, size));
  std::vector<bool> free(size);
  for (std::size_t block = 0; block + 1 < bounds.size(); ++block) {
    const bool equations = words.whole("the flag of a block", 0, 1) == 0;
    for (int i = bounds[block]; i < bounds[block + 1]; ++i) free[i] = equations;
  }
  return free;
}

/// M = [A C; D B] and q = (a, b), said a second time, row by row: checked, for it shows M rightly read.
void check_parts(Words& words, const Mlcp& problem, int n) {
  assert(n >= 0 && n <= problem.q.size());
  const int m = static_cast<int>(problem.q.size()) - n;
  MatrixX M(n + m, n + m);
  VectorX q(n + m);
  M.topLeftCorner(n, n) = words.row_major(n, n, "A");
  M.bottomRightCorner(m, m) = words.row_major(m, m, "B");
  M.topRightCorner(n, m) = words.row_major(n, m, "C");
  M.bottomLeftCorner(m, n) = words.row_major(m, n, "D");
  q << words.vector(n, "a"), words.vector(m, "b");
  if (M != problem.M.to_dense() || q != problem.q)
    throw ProblemFileError("A, B, C, D, a, b: expected the parts of M and q");
}

Problem read_mlcp(Words words) {
  const int whole = words.whole("the flag of M and q", 0, 1), parts = words.whole("the flag of A to b", 0, 1);
  if (!whole) throw ProblemFileError("line 1: an MLCP by its parts only, without M and q, is not read");
  const int n = words.whole("the number of equations", 0), m = words.whole("the complementarities", 0);
  words.expect_room(n + m, "the blocks");
  Mlcp problem;
  problem.free = read_free_rows(words, n + m);
  problem.M = read_matrix(words, n + m);
  problem.q = words.vector(n + m, "q");
  if (parts) check_parts(words, problem, n);
  return problem;
}

/// The kind that the first numbers allow: an LCP has its size thrice, a friction problem its dimension times
/// its contacts twice, an MLCP a zero as its first bound.
std::string kind_of_head(std::string_view text) {
  Words words(text);
  int head[5];
  try {
    for (int& number : head) number = words.whole("the head of a problem", 0);
  } catch (const ProblemFileError&) {
    throw ProblemFileError("expected HDF5, JSON, or Siconos' text, which begins with whole numbers");
  }
  if (head[0] <= 1 && head[1] <= 1 && head[4] == 0) return "mlcp";
  if (head[1] <= kBlocks && head[0] == head[2] && head[0] == head[3]) return "lcp";
  const bool cones = (head[0] == 2 || head[0] == 3) && head[2] <= kBlocks;
  if (cones && head[3] == static_cast<long>(head[0]) * head[1] && head[4] == head[3]) return "friction";
  throw ProblemFileError("line 1: expected the head of an LCP, an MLCP or a friction problem");
}

// --- writing ---

void add_numbers(std::string& text, const VectorX& numbers) {
  char word[40];
  for (const double number : numbers) {
    std::snprintf(word, sizeof word, "%.17g ", number);
    text += word;
  }
  text += "\n";
}

void add_matrix(std::string& text, const MatrixX& matrix) {
  const std::string rows = std::to_string(matrix.rows()), cols = std::to_string(matrix.cols());
  text += "0\n" + rows + "\n" + cols + "\n" + rows + "\t" + cols + "\n";
  for (const auto& column : matrix.colwise()) add_numbers(text, column);
}

std::string text_of(const Lcp& problem) {
  std::string text = std::to_string(problem.q.size()) + "\n";
  add_matrix(text, problem.M.to_dense());
  add_numbers(text, problem.q);
  return text;
}

std::string text_of(const Mlcp& problem) {
  assert(static_cast<Eigen::Index>(problem.free.size()) == problem.q.size());
  const int size = static_cast<int>(problem.free.size());
  std::string bounds = "0 ", flags;
  int equations = 0;
  for (int i = 0; i < size; ++i) {
    equations += problem.free[i];
    if (i + 1 < size && problem.free[i] == problem.free[i + 1]) continue;
    bounds += std::to_string(i + 1) + " ";
    flags += problem.free[i] ? "0 " : "1 ";
  }
  std::string text = "1\n0\n" + std::to_string(equations) + "\n" + std::to_string(size - equations) + "\n";
  text += bounds + "\n" + flags + "\n";
  add_matrix(text, problem.M.to_dense());
  add_numbers(text, problem.q);
  return text;
}

std::string text_of(const FrictionProblem& problem) {
  std::string text = std::to_string(problem.dimension) + "\n" + std::to_string(problem.mu.size()) + "\n";
  add_matrix(text, problem.W.to_dense());
  add_numbers(text, problem.q);
  add_numbers(text, problem.mu);
  return text + "0\n";
}

template <class Other>
std::string text_of(const Other& problem) {
  throw ProblemFileError("Siconos' text has no form for the kind " + kind_of(Problem(problem)));
}

}  // namespace

Problem problem_of_siconos(std::string_view text, std::string_view kind) {
  const std::string found = kind.empty() ? kind_of_head(text) : std::string(kind);
  if (found == "lcp") return read_lcp(Words(text));
  if (found == "mlcp") return read_mlcp(Words(text));
  if (found == "friction") return read_friction(Words(text));
  throw ProblemFileError("kind: expected lcp, mlcp or friction for Siconos' text, got \"" + found + "\"");
}

std::string siconos_of_problem(const Problem& problem) {
  return std::visit([](const auto& p) { return text_of(p); }, problem);
}

}  // namespace touchstone

#include "touchstone/scene/xml_text.h"

#include <algorithm>

namespace touchstone {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
/// Characters of a name that a message shows.
constexpr std::size_t kShown = 40;

class Outliner {
 public:
  explicit Outliner(std::string_view text) : text_(text) {}

  std::vector<XmlElement> run() {
    while ((at_ = seek(text_.find('<', at_))) != text_.npos) {
      if (starts("<!--")) {
        skip_past("-->");
      } else if (starts("<![CDATA[")) {
        skip_past("]]>");
      } else if (starts("<?") || starts("<!")) {
        skip_past(">");
      } else if (starts("</")) {
        close();
      } else {
        open();
      }
    }
    if (!open_.empty())
      refuse("the text ends inside of <" + std::string(open_.back().substr(0, kShown)) + ">");
    if (elements_.empty()) refuse("expected an element such as <robot>");
    return std::move(elements_);
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const { throw BadXml(line_, "not XML: " + message); }
  bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }

  /// Counts the lines up to there.
  std::size_t seek(std::size_t to) {
    const std::size_t end = std::min(to, text_.size());
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(seen_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    seen_ = end;
    return to;
  }

  void skip_past(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    if (found == text_.npos) refuse("expected " + std::string(end));
    at_ = seek(found + end.size());
  }

  std::string_view word(std::size_t from) const {
    const std::size_t end = text_.find_first_of(" \t\r\n/>=<\"'", from);
    return text_.substr(from, std::min(end, text_.size()) - from);
  }

  void close() {
    const std::string_view tag = word(at_ + 2);
    const std::string given = "</" + std::string(tag.substr(0, kShown)) + ">";
    if (open_.empty()) refuse(given + " closes nothing");
    if (open_.back() != tag)
      refuse("expected </" + std::string(open_.back().substr(0, kShown)) + ">, got " + given);
    open_.pop_back();
    skip_past(">");
  }

  void open() {
    const std::string_view tag = word(at_ + 1);
    if (tag.empty()) refuse("expected a name after <");
    if (open_.empty() && !elements_.empty()) refuse("expected one root element");
    if (open_.size() >= kDeepestXml)
      throw BadXml(line_, "nested deeper than " + std::to_string(kDeepestXml) + " levels");
    elements_.push_back({std::string(tag), "", line_, static_cast<int>(open_.size())});
    at_ += 1 + tag.size();
    while (read_attribute(elements_.back())) {
    }
    const bool empty = starts("/>");
    if (!empty && !starts(">")) refuse("expected > at the end of <" + std::string(tag.substr(0, kShown)));
    if (!empty) open_.push_back(tag);
    at_ += empty ? 2 : 1;
  }

  bool read_attribute(XmlElement& element) {
    at_ = seek(text_.find_first_not_of(kSpace, at_));
    if (at_ == text_.npos) refuse("the text ends inside of a tag");
    const std::string_view key = word(at_);
    if (key.empty()) return false;
    const std::size_t equals = text_.find_first_not_of(kSpace, at_ + key.size());
    const std::size_t quote = equals == text_.npos || text_[equals] != '='
                                  ? text_.npos
                                  : text_.find_first_not_of(kSpace, equals + 1);
    const bool quoted = quote != text_.npos && (text_[quote] == '"' || text_[quote] == '\'');
    const std::size_t end = quoted ? text_.find(text_[quote], quote + 1) : text_.npos;
    if (end == text_.npos) refuse("expected a value in quotes after " + std::string(key.substr(0, kShown)));
    if (key == "name") element.name = text_.substr(quote + 1, end - quote - 1);
    at_ = seek(end + 1);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0, seen_ = 0;
  int line_ = 1;
  std::vector<std::string_view> open_;
  std::vector<XmlElement> elements_;
};

}  // namespace

std::vector<XmlElement> outline_xml(std::string_view text) { return Outliner(text).run(); }

bool looks_like_xml(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != text.npos && text[first] == '<';
}

}  // namespace touchstone

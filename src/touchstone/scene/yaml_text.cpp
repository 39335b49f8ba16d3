#include "touchstone/scene/yaml_text.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <sstream>

#include "touchstone/scene/json_text.h"
#include "touchstone/scene/names.h"
#include "touchstone/scene/yaml_scalar.h"

namespace touchstone {
namespace {

using nlohmann::json;

/// Largest text [bytes].
constexpr std::size_t kLargestText = 256u << 20;
constexpr const char* kMergeKey = "<<";

/// A list or a map while it is being read.
struct Level {
  json value;
  std::string key;       ///< of the member that comes next
  bool has_key = false;  ///< maps: the key was read, its value was not
  YAML::anchor_t anchor = 0;
  long values_before = 0;  ///< how many values had been read when it began
};

/// Keeps the line of one field, or of the nearest around it, while a document goes by.
class LineKeeper {
 public:
  explicit LineKeeper(std::string_view field) : field_(field) {}

  void see(const std::string& name, int line) {
    const bool around =
        field_.starts_with(name) &&
        (name.size() == field_.size() || field_[name.size()] == '.' || field_[name.size()] == '[');
    if (!around && !name.empty()) return;
    if (line_ != 0 && name.size() <= length_) return;
    line_ = line, length_ = name.size();
  }
  int line() const { return line_; }

 private:
  std::string_view field_;
  std::size_t length_ = 0;
  int line_ = 0;
};

class Builder : public YAML::EventHandler {
 public:
  explicit Builder(LineKeeper* keeper = nullptr) : keeper_(keeper) {}
  json take() { return std::move(document_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark&, const std::string&) override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(mark, nullptr, anchor, 1); }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (expects_key()) refuse(mark, "expected a key, got an alias");
    const auto it = anchors_.find(anchor);
    if (it == anchors_.end()) refuse(mark, "an alias stands inside of what it names");
    add(mark, it->second.value, 0, it->second.count);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    if (expects_key()) return read_key(mark, text);
    add(mark, scalar(mark, tag, text), anchor, 1);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, json::array());
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, json::object());
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Anchored {
    json value;
    long count;
  };

  [[noreturn]] static void refuse(const YAML::Mark& mark, const std::string& message) {
    throw BadYaml(mark.line + 1, message);
  }

  bool expects_key() const {
    return !levels_.empty() && levels_.back().value.is_object() && !levels_.back().has_key;
  }

  static json scalar(const YAML::Mark& mark, const std::string& tag, const std::string& text) {
    const bool plain = tag == "?" || tag.empty();
    if (plain) return plain_scalar(text);
    if (tag == "!" || tag == "tag:yaml.org,2002:str") return text;
    refuse(mark, "the tag " + in_quotes(tag) + " is not known; scenes need no tags");
  }

  void read_key(const YAML::Mark& mark, const std::string& key) {
    Level& level = levels_.back();
    if (level.value.contains(key)) refuse(mark, "the key " + in_quotes(key) + " is given twice");
    level.key = key, level.has_key = true;
    if (keeper_) keeper_->see(name_of_next(), mark.line + 1);
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, json empty) {
    if (expects_key())
      refuse(mark, "not YAML: expected a key, got a list or a map; is a bracket before it left open?");
    if (!tag.empty() && tag != "?" && tag != "!") {
      refuse(mark, "the tag " + in_quotes(tag) + " is not known; scenes need no tags");
    }
    if (levels_.size() >= kDeepest) {
      refuse(mark, "nested deeper than " + std::to_string(kDeepest) + " levels");
    }
    begin_value(mark);
    count(mark, 1);
    levels_.push_back({std::move(empty), {}, false, anchor, values_ - 1});
  }

  void close() {
    Level level = std::move(levels_.back());
    levels_.pop_back();
    merge(level.value);
    remember(level.anchor, level.value, values_ - level.values_before);
    attach(std::move(level.value));
  }

  void add(const YAML::Mark& mark, json value, YAML::anchor_t anchor, long values) {
    if (expects_key()) refuse(mark, "expected a key, got nothing");
    begin_value(mark);
    count(mark, values);
    remember(anchor, value, values);
    attach(std::move(value));
  }

  void begin_value(const YAML::Mark& mark) {
    const bool named_by_key = !levels_.empty() && levels_.back().has_key;
    if (keeper_ && !named_by_key) keeper_->see(name_of_next(), mark.line + 1);
  }

  void count(const YAML::Mark& mark, long values) {
    values_ += values;
    if (values_ > kMostValues) refuse(mark, "holds more than " + std::to_string(kMostValues) + " values");
  }

  void remember(YAML::anchor_t anchor, const json& value, long values) {
    if (anchor != 0) anchors_[anchor] = {value, values};
  }

  void attach(json value) {
    if (levels_.empty()) {
      document_ = std::move(value);
      return;
    }
    Level& level = levels_.back();
    if (level.value.is_array()) {
      level.value.push_back(std::move(value));
    } else {
      level.value[level.key] = std::move(value);
      level.has_key = false;
    }
  }

  /// `<<: *base` adds the keys of `base` that the map lacks; of a list of maps the first one that has a key
  /// counts.
  static void merge(json& map) {
    if (!map.is_object() || !map.contains(kMergeKey)) return;
    const json base = map[kMergeKey];
    map.erase(kMergeKey);
    const json list = base.is_array() ? base : json::array({base});
    for (const json& other : list) {
      if (!other.is_object()) throw BadYaml(0, "\"<<\": expected a map or a list of maps");
      for (const auto& item : other.items()) {
        if (!map.contains(item.key())) map[item.key()] = item.value();
      }
    }
  }

  /// The name of the value that comes next: bodies[3].mass
  std::string name_of_next() const {
    std::string name;
    for (const Level& level : levels_) {
      if (level.value.is_array()) {
        name += "[" + std::to_string(level.value.size()) + "]";
      } else {
        name += (name.empty() ? "" : ".") + level.key;
      }
    }
    return name;
  }

  LineKeeper* keeper_;
  json document_;
  std::vector<Level> levels_;
  std::map<YAML::anchor_t, Anchored> anchors_;
  long values_ = 0;
};

void read_document(const std::string& text, Builder& builder) {
  std::istringstream stream(text);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return;
    Builder second;
    if (parser.HandleNextDocument(second)) throw BadYaml(0, "expected one YAML document, got several");
  } catch (const YAML::Exception& error) {
    throw BadYaml(error.mark.line + 1, "not YAML: " + error.msg);
  }
}

/// JSON is YAML too, but of a torn one YAML's readers say odd things.
void refuse_as_json(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '{') return;
  try {
    [[maybe_unused]] const json value = json::parse(text);
  } catch (const json::parse_error& error) {
    const std::size_t place = std::min(text.size(), error.byte);
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n');
    const bool torn = error.byte > text.size();
    const std::string what = torn ? "the text ends inside of a list or a map" : "unexpected character";
    throw BadYaml(static_cast<int>(line), "neither JSON nor YAML: " + what);
  }
}

}  // namespace

json parse_yaml(const std::string& text) {
  if (text.size() > kLargestText) throw BadYaml(0, "larger than 256 MiB");
  if (text.find('\0') != std::string::npos) throw BadYaml(0, "not YAML: a zero byte");
  Builder builder;
  try {
    read_document(text, builder);
  } catch (const BadYaml&) {
    refuse_as_json(text);
    throw;
  }
  return builder.take();
}

int line_of_field(const std::string& text, std::string_view field) {
  LineKeeper keeper(field);
  Builder builder(&keeper);
  read_document(text, builder);
  return keeper.line();
}

}  // namespace touchstone

#include "touchstone/scene/urdf_file.h"

#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

#include "touchstone/scene/names.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

/// Most links of a robot: every pair of them is named where links do not touch each other.
constexpr int kMostLinks = 1000;

/// Where a name stands in a text, not as a part of a longer one.
std::size_t find_word(const std::string& text, const std::string& name) {
  const auto in_name = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
  };
  std::size_t at = text.rfind(name);
  while (at != text.npos && ((at > 0 && in_name(at - 1)) || in_name(at + name.size())))
    at = at == 0 ? text.npos : text.rfind(name, at - 1);
  return at;
}

/// What urdfdom has to say about a file, in place of printing it.
class Complaints : public console_bridge::OutputHandler {
 public:
  Complaints() { console_bridge::useOutputHandler(this); }
  ~Complaints() override { console_bridge::restorePreviousOutputHandler(); }
  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR && first_.empty()) first_ = text;
  }
  const std::string& first() const { return first_; }

 private:
  std::string first_;
};

}  // namespace

UrdfFile::UrdfFile(const Field& robot, const fs::path& folder) : UrdfFile(robot) {
  const Field file = required(robot, "urdf", "a URDF file");
  path_ = folder / touchstone::read_text(file, "a URDF file");
  std::error_code ignored;
  if (!fs::is_regular_file(path_, ignored)) refuse(file, "there is no file " + in_quotes(path_.string()));
  parse(read_text());
}

UrdfFile::~UrdfFile() {
  if (!model_) return;
  for (auto& [name, link] : model_->links_) link->child_links.clear(), link->child_joints.clear();
}

void UrdfFile::fail_at(int line, const std::string& what) const {
  const std::string place = line > 0 ? path_.string() + ":" + std::to_string(line) : path_.string();
  refuse(robot_.member("urdf"), place + ": " + what);
}

void UrdfFile::fail(const char* thing, const std::string& name, const std::string& what) const {
  fail_at(line_of(thing, name), std::string(thing) + " " + in_quotes(name) + ": " + what);
}

int UrdfFile::line_of(const char* thing, const std::string& name) const {
  for (const XmlElement& element : outline_) {
    if (element.depth == 1 && element.tag == thing && element.name == name) return element.line;
  }
  return 0;
}

/// The line of the link or joint that a complaint of urdfdom names last; that of the root where it names
/// none.
int UrdfFile::line_of_complaint(const std::string& text) const {
  std::size_t last = 0;
  int line = outline_.front().line;
  for (const XmlElement& element : outline_) {
    if (element.depth != 1 || element.name.empty()) continue;
    const std::size_t at = find_word(text, element.name);
    if (at != text.npos && at >= last) last = at, line = element.line;
  }
  return line;
}

std::string UrdfFile::read_text() const {
  std::ifstream in(path_, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void UrdfFile::outline(const std::string& text) {
  try {
    outline_ = outline_xml(text);
  } catch (const BadXml& error) {
    fail_at(error.line(), error.what());
  }
  const XmlElement& root = outline_.front();
  if (root.tag == "mujoco")
    fail_at(root.line, "is MJCF, MuJoCo's format, which is not read yet; give a URDF");
  if (root.tag == "sdf") fail_at(root.line, "is SDF, Gazebo's format, which is not read; give a URDF");
  if (root.tag != "robot")
    fail_at(root.line, "is no URDF: expected <robot>, got <" + root.tag.substr(0, 40) + ">");
  const auto links = std::count_if(outline_.begin(), outline_.end(), [](const XmlElement& element) {
    return element.depth == 1 && element.tag == "link";
  });
  if (links > kMostLinks) fail_at(root.line, "has more than " + std::to_string(kMostLinks) + " links");
}

void UrdfFile::parse(const std::string& text) {
  outline(text);
  Complaints complaints;
  try {
    model_ = urdf::parseURDF(text);
  } catch (const std::exception& error) {
    fail_at(line_of_complaint(error.what()), error.what());
  }
  if (model_ && model_->getRoot()) return;
  const std::string& why = complaints.first();
  fail_at(line_of_complaint(why), "is no URDF" + (why.empty() ? why : " (" + why + ")"));
}

}  // namespace touchstone

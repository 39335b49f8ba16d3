#pragma once
// A robot in a URDF file, as urdfdom reads it, and what is wrong with it: told with file, line and name.

#include <urdf_model/model.h>
#include <urdf_world/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "touchstone/scene/fields.h"
#include "touchstone/scene/xml_text.h"

namespace touchstone {

class UrdfFile {
 public:
  /// The file that the field `urdf` of a robot names, relative to the folder. Throws BadInput.
  UrdfFile(const Field& robot, const std::filesystem::path& folder);
  UrdfFile(const UrdfFile&) = delete;
  UrdfFile& operator=(const UrdfFile&) = delete;
  /// Links own each other along the joints: a loop that hangs on nothing would never be freed.
  ~UrdfFile();

  const urdf::ModelInterface& model() const { return *model_; }
  const std::filesystem::path& path() const { return path_; }
  /// `thing`: "link" or "joint". 0: there is none of that name.
  int line_of(const char* thing, const std::string& name) const;
  [[noreturn]] void fail(const char* thing, const std::string& name, const std::string& what) const;

 private:
  explicit UrdfFile(const Field& robot) : robot_(robot) {}  ///< so that what is half read is freed, too
  std::string read_text() const;
  void outline(const std::string& text);
  void parse(const std::string& text);
  int line_of_complaint(const std::string& text) const;
  [[noreturn]] void fail_at(int line, const std::string& what) const;

  const Field& robot_;
  std::filesystem::path path_;
  std::vector<XmlElement> outline_;
  urdf::ModelInterfaceSharedPtr model_;
};

}  // namespace touchstone

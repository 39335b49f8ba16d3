#pragma once
// The outline of an XML text: which elements it has, under which names and on which lines. urdfdom, which
// reads robots, neither tells lines nor bounds how deep it descends. Private to scene/.

#include <string>
#include <string_view>
#include <vector>

#include "touchstone/scene/bad_input.h"

namespace touchstone {

/// Deepest nesting of elements: a robot needs six levels; every level costs stack where the text is read.
inline constexpr int kDeepestXml = 64;

/// Text that is no XML, or none that we take.
class BadXml : public BadInput {
 public:
  BadXml(int line, const std::string& message) : BadInput(message), line_(line) {}
  int line() const { return line_; }  ///< from 1 on

 private:
  int line_;
};

struct XmlElement {
  std::string tag;   ///< "link"
  std::string name;  ///< its attribute `name`; empty: none
  int line = 1;
  int depth = 0;  ///< 0: the root
};

/// Every element, in the order in which they begin; the first is the root. Throws BadXml where elements are
/// not closed in turn, or are nested deeper than kDeepestXml.
std::vector<XmlElement> outline_xml(std::string_view text);

/// Is this XML and no scene of ours?
bool looks_like_xml(std::string_view text);

}  // namespace touchstone

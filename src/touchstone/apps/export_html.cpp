#include <algorithm>

#include "touchstone/apps/export.h"
#include "touchstone/apps/viewer_page.h"
#include "touchstone/scene/json_text.h"

namespace touchstone {
namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64(const std::string& bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? kDigits[word >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

/// JSON in a page: no tag and no comment may begin in it. '<' stands in JSON only within texts.
std::string for_page(const std::string& json) {
  std::string text;
  for (const char c : json) c == '<' ? text += "\\u003c" : text += c;
  return text;
}

struct Element {
  std::string id, type, content;
};

std::ostream& operator<<(std::ostream& out, const Element& e) {
  return out << "<script type=\"" << e.type << "\" id=\"touchstone-" << e.id << "\">" << e.content
             << "</script>\n";
}

void write_chunks(const Show& show, std::size_t chunk, std::ostream& out) {
  constexpr const char* kBytes = "text/plain";
  const std::size_t frames = show.progress().frames;
  out << Element{"series-0", kBytes, base64(show.series({0, frames}))};
  for (std::size_t i = 0; i * chunk < frames; ++i) {
    const FrameRange range{i * chunk, std::min(chunk, frames - i * chunk)};
    const std::string number = std::to_string(i);
    out << Element{std::string("poses-") + number, kBytes, base64(show.poses(range))};
    out << Element{std::string("velocities-") + number, kBytes, base64(show.velocities(range))};
    out << Element{std::string("joints-") + number, kBytes, base64(show.joints(range))};
    out << Element{std::string("contacts-") + number, kBytes, base64(show.contacts(range))};
  }
}

}  // namespace

void export_html(const Show& show, std::ostream& out) {
  const std::string page = viewer_page(), head = show.head();
  const std::size_t at = page.find(kPageData);
  JsonWriter progress;
  progress.open('{').key("frames").value(static_cast<double>(show.progress().frames));
  progress.key("running").value(false).key("message").value("").close('}');
  out.write(page.data(), static_cast<std::streamsize>(at));
  out << Element{"head", "application/json", for_page(head)};
  out << Element{"progress", "application/json", progress.text()};
  write_chunks(show, parse_json(head).at("chunk").get<std::size_t>(), out);
  out << page.substr(at + std::string_view(kPageData).size());
}

}  // namespace touchstone

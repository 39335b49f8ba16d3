#include "touchstone/apps/http_message.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace touchstone {
namespace {

constexpr std::string_view kEndOfHead = "\r\n\r\n";

const char* reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 206:
      return "Partial Content";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 416:
      return "Range Not Satisfiable";
    default:
      return "Internal Server Error";
  }
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// The text up to the mark, which goes away with it.
std::string_view take_until(std::string_view& text, std::string_view mark) {
  const std::size_t end = text.find(mark);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + mark.size());
  return part;
}

/// Without a method where it makes no sense, or where a body follows.
HttpRequest parse(std::string_view head) {
  HttpRequest request;
  std::string_view line = take_until(head, "\r\n");
  const std::string_view method = take_until(line, " "), target = take_until(line, " ");
  if (!target.starts_with('/') || !line.starts_with("HTTP/1.")) return {};
  while (!head.empty()) {
    std::string_view value = take_until(head, "\r\n");
    const std::string name = lower(take_until(value, ":"));
    if (name.empty() || name.find(' ') != name.npos) return {};
    request.headers[name] = trimmed(value);
  }
  const std::string length = request.header("content-length");
  if ((!length.empty() && length != "0") || request.headers.contains("transfer-encoding")) return {};
  request.method = method;
  request.path = target.substr(0, target.find('?'));
  const std::string connection = lower(request.header("connection"));
  request.keep_alive = line == "HTTP/1.1" ? connection != "close" : connection == "keep-alive";
  return request;
}

struct ByteRange {
  std::size_t first = 0, last = 0;
};

bool is_number(std::string_view text, std::size_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// Of a text "bytes=first-last", "bytes=first-" or "bytes=-count"; nothing where it is none, or several. An
/// empty range (last < first) cannot be satisfied.
std::optional<ByteRange> range_of(std::string_view text, std::size_t size) {
  if (!text.starts_with("bytes=") || text.find(',') != text.npos) return {};
  text.remove_prefix(6);
  const std::string_view first_text = trimmed(take_until(text, "-")), last_text = trimmed(text);
  std::size_t first = 0, last = size - 1;
  if (first_text.empty()) {
    std::size_t count = 0;
    if (!is_number(last_text, count)) return {};
    return count == 0 || size == 0 ? ByteRange{1, 0} : ByteRange{size - std::min(count, size), size - 1};
  }
  if (!is_number(first_text, first) || (!last_text.empty() && !is_number(last_text, last))) return {};
  return first >= size || last < first ? ByteRange{1, 0} : ByteRange{first, std::min(last, size - 1)};
}

/// Cuts the answer down to the range that was asked for, if one was.
void keep_range(const HttpRequest& request, HttpAnswer& answer) {
  const auto range = range_of(request.header("range"), answer.body.size());
  if (answer.status != 200 || !range) return;
  const std::string size = std::to_string(answer.body.size());
  if (range->last < range->first) {
    answer = refusal(416, "there are no such bytes");
    answer.more_headers += "Content-Range: bytes */" + size + "\r\n";
    return;
  }
  answer.status = 206;
  answer.more_headers += "Content-Range: bytes " + std::to_string(range->first) + "-" +
                         std::to_string(range->last) + "/" + size + "\r\n";
  answer.body = answer.body.substr(range->first, range->last - range->first + 1);
}

}  // namespace

HttpAnswer refusal(int status, const std::string& why) { return {status, "text/plain", why + "\n"}; }

std::optional<HttpRequest> take_request(std::string& bytes) {
  const std::size_t end = bytes.find(kEndOfHead);
  if (end == bytes.npos) {
    if (bytes.size() <= kLongestRequest) return {};
    bytes.clear();
    return HttpRequest{};
  }
  const HttpRequest request =
      end <= kLongestRequest ? parse(std::string_view(bytes).substr(0, end)) : HttpRequest{};
  bytes.erase(0, end + kEndOfHead.size());
  return request;
}

std::string answer_bytes(const HttpRequest& request, HttpAnswer answer) {
  keep_range(request, answer);
  std::string bytes = "HTTP/1.1 " + std::to_string(answer.status) + " " + reason_of(answer.status) + "\r\n";
  bytes += "Content-Type: " + answer.type + "\r\n";
  bytes += "Content-Length: " + std::to_string(answer.body.size()) + "\r\n";
  bytes += answer.more_headers + (request.keep_alive ? "" : "Connection: close\r\n") + "\r\n";
  return request.method == "HEAD" ? bytes : bytes + answer.body;
}

}  // namespace touchstone

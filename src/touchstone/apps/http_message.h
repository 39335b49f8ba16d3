#pragma once
// The little of HTTP/1.1 that a page on this machine needs: requests without a body, answers with one.

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace touchstone {

/// [bytes] A request that is longer than this is no request of a page.
inline constexpr std::size_t kLongestRequest = 16384;

struct HttpRequest {
  std::string method, path;                    ///< the path as it was sent, without a query
  std::map<std::string, std::string> headers;  ///< names in lower case
  bool keep_alive = true;

  /// Empty where there is none.
  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

struct HttpAnswer {
  int status = 200;
  std::string type = "text/plain", body;
  std::string more_headers = {};  ///< "Name: value\r\n" each
};

HttpAnswer refusal(int status, const std::string& why);

/// Takes the first request off the bytes that came in; nothing where it is not complete yet. A request that
/// makes no sense has no method.
std::optional<HttpRequest> take_request(std::string& bytes);

/// The bytes to send. HEAD gets no body, and a request for one range of bytes gets that range; whoever asks
/// for several gets all.
std::string answer_bytes(const HttpRequest& request, HttpAnswer answer);

}  // namespace touchstone

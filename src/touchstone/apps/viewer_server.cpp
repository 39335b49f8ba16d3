#include "touchstone/apps/viewer_server.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>

#include "touchstone/apps/http_server.h"
#include "touchstone/scene/bad_input.h"
#include "touchstone/scene/json_text.h"

namespace touchstone {
namespace {

/// Tried first, so that a tunnel to it works from one day to the next.
constexpr int kUsualPort = 8642;
constexpr std::size_t kTokenBytes = 16;
constexpr const char* kBytes = "application/octet-stream";

/// The page is whole in itself and asks only here; nobody is told its address.
constexpr const char* kPageHeaders =
    "Cache-Control: no-store\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
    "'none'\r\n";

/// A text that nobody guesses: other users of this machine can reach the port, but do not know it.
std::string random_token() {
  unsigned char bytes[kTokenBytes];
  if (getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
    throw BadInput("the viewer has no random numbers to protect its page with");
  std::string text;
  for (const unsigned char byte : bytes) {
    constexpr const char* kDigits = "0123456789abcdef";
    text += kDigits[byte >> 4], text += kDigits[byte & 15];
  }
  return text;
}

/// In a time that does not tell how many letters were right.
bool is_same_secret(std::string_view a, std::string_view b) {
  unsigned differ = a.size() != b.size();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) differ |= static_cast<unsigned>(a[i] ^ b[i]);
  return differ == 0;
}

std::string progress_text(const ShowProgress& progress) {
  JsonWriter w;
  w.open('{').key("frames").value(static_cast<double>(progress.frames));
  w.key("running").value(progress.running).key("message").value(progress.message).close('}');
  return w.text();
}

/// At most nine digits, which fit.
bool is_count(std::string_view text, std::size_t& number) {
  if (text.empty() || text.size() > 9) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

struct ViewerServer::State {
  std::shared_ptr<const Show> show;
  std::string page, address, token = random_token(), own_names[2];
  std::size_t chunk;
  std::unique_ptr<HttpServer> server;  ///< the last: it ends before what it serves

  State(std::shared_ptr<const Show> s, std::string p) : show(std::move(s)), page(std::move(p)) {
    chunk = parse_json(show->head()).at("chunk").get<std::size_t>();
  }

  /// The name that the client used must be ours: another site's name that leads here could read the recording
  /// otherwise.
  HttpAnswer answer(const HttpRequest& request) const {
    const std::string host = request.header("host");
    const std::string_view path = request.path;
    const std::size_t end = path.find('/', 1);
    const bool ours = (host == own_names[0] || host == own_names[1]) && end != path.npos &&
                      is_same_secret(path.substr(1, end - 1), token);
    HttpAnswer answer;
    if (!ours) {
      answer = refusal(403, "expected the address that the program printed");
    } else if (request.method != "GET" && request.method != "HEAD") {
      answer = refusal(405, "expected GET");
      answer.more_headers = "Allow: GET, HEAD\r\n";
    } else {
      answer = answer_path(path.substr(end + 1));
    }
    answer.more_headers += kPageHeaders;
    return answer;
  }

  HttpAnswer answer_path(std::string_view path) const {
    if (path.empty()) return {200, "text/html; charset=utf-8", page};
    if (path == "data/head") return {200, "application/json", show->head()};
    if (path == "data/progress") return {200, "application/json", progress_text(show->progress())};
    using Part = std::string (Show::*)(FrameRange) const;
    static const std::map<std::string_view, Part> parts = {{"data/poses", &Show::poses},
                                                           {"data/velocities", &Show::velocities},
                                                           {"data/joints", &Show::joints},
                                                           {"data/contacts", &Show::contacts}};
    const std::size_t slash = path.rfind('/');
    const std::string_view name = path.substr(0, slash);
    const auto part = parts.find(name);
    std::size_t number = 0;
    const bool known = part != parts.end() || name == "data/series";
    if (slash == path.npos || !known || !is_count(path.substr(slash + 1), number))
      return refusal(404, "there is nothing here");
    return part == parts.end() ? series_from(number) : chunk_of(part->second, number);
  }

  HttpAnswer series_from(std::size_t first) const {
    const std::size_t frames = show->progress().frames;
    if (first > frames) return refusal(404, "there are no such frames");
    return {200, kBytes, show->series({first, frames - first})};
  }

  HttpAnswer chunk_of(std::string (Show::*part)(FrameRange) const, std::size_t number) const {
    const std::size_t first = number * chunk, frames = show->progress().frames;
    if (first >= frames) return refusal(404, "there are no such frames");
    return {200, kBytes, ((*show).*part)({first, std::min(chunk, frames - first)})};
  }

  void listen(int wanted) {
    server = HttpServer::listen(wanted == 0 ? kUsualPort : wanted);
    if (!server && wanted != 0) {
      throw BadInput("--port: port " + std::to_string(wanted) +
                     " is taken or not allowed; 0 takes a free one");
    }
    if (!server) server = HttpServer::listen(0);
    if (!server) throw BadInput("the viewer cannot listen on 127.0.0.1");
    const std::string port = ":" + std::to_string(server->port());
    own_names[0] = "127.0.0.1" + port;
    own_names[1] = "localhost" + port;
    address = "http://" + own_names[0] + "/" + token + "/";
    server->serve([this](const HttpRequest& request) { return answer(request); });
  }
};

ViewerServer::ViewerServer(std::shared_ptr<const Show> show, std::string page, int port)
    : state_(std::make_unique<State>(std::move(show), std::move(page))) {
  state_->listen(port);
}
ViewerServer::~ViewerServer() = default;

const std::string& ViewerServer::address() const { return state_->address; }

bool open_browser(const std::string& address) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return false;
  const pid_t child = fork();
  if (child < 0) return false;
  if (child > 0) return waitpid(child, nullptr, 0) == child;
  // Its own child opens the browser, so that nobody has to wait for it.
  if (fork() == 0) {
    const int nothing = open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
    setsid();
    execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
    _exit(1);
  }
  _exit(0);
}

}  // namespace touchstone

#include "touchstone/apps/viewer_server.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "touchstone/scene/bad_input.h"
#include "touchstone/scene/json_text.h"

// The last: it brings resolv.h, whose macro _res hurts Eigen.
#include <httplib.h>

namespace touchstone {
namespace {

constexpr const char* kHost = "127.0.0.1";
/// Tried first, so that a bookmark works from one day to the next.
constexpr int kUsualPort = 8642;
/// [s] A client that stops in the middle of a request or an answer for so long is let go.
constexpr time_t kPatience = 5;
/// [s] A connection over which nothing is asked for so long is closed: a server that ends waits for it, and
/// the page asks four times as often while it follows a run.
constexpr time_t kIdle = 1;
/// Each connection holds a thread, and a browser opens six for a page.
constexpr std::size_t kConnections = 32;
/// No request of the page has a body.
constexpr std::size_t kLongestBody = 0;
constexpr std::size_t kRequestsPerConnection = 10'000;
constexpr const char* kBytes = "application/octet-stream";

/// The page is whole in itself and asks only here.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A second server on a port that is taken must fail: no SO_REUSEPORT, which httplib would set.
void set_options(socket_t socket) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

/// The number behind the last slash of a path that a route has matched.
std::size_t number_of(const httplib::Request& request) {
  const std::string digits = request.matches[1];
  std::size_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

void refuse(httplib::Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(why + "\n", "text/plain");
  response.set_header("Connection", "close");
}

std::string progress_text(const ShowProgress& progress) {
  JsonWriter w;
  w.open('{').key("frames").value(static_cast<double>(progress.frames));
  w.key("running").value(progress.running).key("message").value(progress.message).close('}');
  return w.text();
}

}  // namespace

struct ViewerServer::State {
  std::shared_ptr<const Show> show;
  std::string page, address, own_names[2];
  std::size_t chunk;
  httplib::Server server;
  std::thread thread;

  State(std::shared_ptr<const Show> s, std::string p) : show(std::move(s)), page(std::move(p)) {
    chunk = parse_json(show->head()).at("chunk").get<std::size_t>();
    server.set_socket_options(set_options);
    server.set_read_timeout(kPatience);
    server.set_write_timeout(kPatience);
    server.set_keep_alive_timeout(kIdle);
    server.new_task_queue = [] { return new httplib::ThreadPool(kConnections); };
    server.set_keep_alive_max_count(kRequestsPerConnection);
    server.set_payload_max_length(kLongestBody);
    server.set_tcp_nodelay(true);
    server.set_default_headers({{"Cache-Control", "no-store"},
                                {"X-Content-Type-Options", "nosniff"},
                                {"Cross-Origin-Resource-Policy", "same-origin"},
                                {"Content-Security-Policy", kPolicy}});
    add_door();
    add_routes();
  }

  /// Whoever asks otherwise than the page does is sent away before anything is read. The name that the
  /// client used must be ours: another site's name that leads here could read the recording otherwise.
  void add_door() {
    server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      const std::string host = request.get_header_value("Host");
      const bool ours = host == own_names[0] || host == own_names[1];
      if (!ours) refuse(response, 403, "expected the address that the program printed");
      if (ours && request.method != "GET" && request.method != "HEAD") {
        refuse(response, 405, "expected GET");
        response.set_header("Allow", "GET, HEAD");
      }
      using Verdict = httplib::Server::HandlerResponse;
      return response.status > 0 ? Verdict::Handled : Verdict::Unhandled;
    });
    server.set_exception_handler([](const auto&, httplib::Response& response, std::exception_ptr error) {
      try {
        std::rethrow_exception(error);
      } catch (const std::exception& e) {
        refuse(response, 500, e.what());
      }
    });
    server.set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty()) refuse(response, response.status, "there is nothing here");
    });
  }

  void add_routes() {
    const auto text = [this](const char* path, const char* type, auto make) {
      server.Get(path, [make, type](const httplib::Request&, httplib::Response& response) {
        response.set_content(make(), type);
      });
    };
    text("/", "text/html; charset=utf-8", [this] { return page; });
    text("/data/head", "application/json", [this] { return show->head(); });
    text("/data/progress", "application/json", [this] { return progress_text(show->progress()); });
    server.Get(R"(/data/series/(\d{1,9}))", [this](const httplib::Request& in, httplib::Response& out) {
      const std::size_t first = number_of(in), frames = show->progress().frames;
      if (first > frames) return refuse(out, 404, "there are no such frames");
      out.set_content(show->series({first, frames - first}), kBytes);
    });
    add_chunks("poses", &Show::poses);
    add_chunks("velocities", &Show::velocities);
    add_chunks("joints", &Show::joints);
    add_chunks("contacts", &Show::contacts);
  }

  void add_chunks(const std::string& name, std::string (Show::*part)(FrameRange) const) {
    server.Get("/data/" + name + R"(/(\d{1,9}))",
               [this, part](const httplib::Request& in, httplib::Response& out) {
                 const std::size_t first = number_of(in) * chunk, frames = show->progress().frames;
                 if (first >= frames) return refuse(out, 404, "there are no such frames");
                 out.set_content(((*show).*part)({first, std::min(chunk, frames - first)}), kBytes);
               });
  }

  void listen(int wanted) {
    int port = wanted;
    if (wanted != 0) {
      if (!server.bind_to_port(kHost, wanted)) {
        throw BadInput("--port: port " + std::to_string(wanted) +
                       " is taken or not allowed; 0 takes a free one");
      }
    } else if (server.bind_to_port(kHost, kUsualPort)) {
      port = kUsualPort;
    } else {
      port = server.bind_to_any_port(kHost);
    }
    if (port <= 0) throw BadInput("the viewer cannot listen on 127.0.0.1");
    own_names[0] = std::string(kHost) + ":" + std::to_string(port);
    own_names[1] = "localhost:" + std::to_string(port);
    address = "http://" + own_names[0] + "/";
    thread = std::thread([this] { server.listen_after_bind(); });
    // stop() is heard only by a server that runs.
    while (!server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  ~State() {
    server.stop();
    if (thread.joinable()) thread.join();
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

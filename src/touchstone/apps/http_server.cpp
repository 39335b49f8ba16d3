#include "touchstone/apps/http_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <list>
#include <thread>
#include <vector>

namespace touchstone {
namespace {

using Clock = std::chrono::steady_clock;

/// A browser opens six for a page. Where more want in, the connection goes that has said nothing new for the
/// longest time.
constexpr std::size_t kConnections = 64;
/// A request must be complete, and an answer taken, within this time; a connection may be silent for as long
/// between them.
constexpr auto kPatience = std::chrono::seconds(5);
/// For an answer of any length that is taken bit by bit.
constexpr auto kLongestAnswer = std::chrono::seconds(60);
constexpr std::size_t kPiece = 65536;  ///< [bytes] read or written at once

}  // namespace

/// Owns a descriptor.
class HttpServer::Socket {
 public:
  explicit Socket(int descriptor = -1) : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Socket() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

struct HttpServer::Connection {
  Socket socket;
  std::string in, out;
  std::size_t sent = 0;                    ///< of `out`
  Clock::time_point since = Clock::now();  ///< it waits for the rest of a request, or for its answer to go
  Clock::time_point moved = Clock::now();  ///< when the client last took a part of its answer
  bool ends = false;                       ///< once the answer is sent

  bool answers() const { return sent < out.size(); }
  bool is_late(Clock::time_point now) const {
    return answers() ? now - moved > kPatience || now - since > kLongestAnswer : now - since > kPatience;
  }
};

HttpServer::Socket HttpServer::listen_on(int port) {
  Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int yes = 1;
  setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool good = bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
                    ::listen(socket.get(), SOMAXCONN) == 0;
  return good ? std::move(socket) : Socket();
}

int HttpServer::port_of(const Socket& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

struct HttpServer::State {
  Socket door, wake, waker;  ///< a byte from waker to wake ends the thread
  Handler handler;
  std::list<Connection> connections;
  std::thread thread;

  ~State() {
    const char end = 0;
    if (thread.joinable() && write(waker.get(), &end, 1) == 1) thread.join();
  }

  void run();
  bool look(std::vector<pollfd>& places) const;
  void let_in();
  bool talk(Connection& c, short events) const;
  bool hear(Connection& c) const;
  bool go_on(Connection& c) const;
  void answer(Connection& c) const;
  static bool send_some(Connection& c);
};

/// Waits until something happens; false: the server is to end.
bool HttpServer::State::look(std::vector<pollfd>& places) const {
  constexpr int kLook = 500;  // [ms] late clients are noticed so soon
  places = {{wake.get(), POLLIN, 0}, {door.get(), POLLIN, 0}};
  for (const Connection& c : connections)
    places.push_back({c.socket.get(), static_cast<short>(c.answers() ? POLLOUT : POLLIN), 0});
  while (poll(places.data(), places.size(), connections.empty() ? -1 : kLook) < 0 && errno == EINTR) {
  }
  return places[0].revents == 0;
}

void HttpServer::State::run() {
  for (std::vector<pollfd> places; look(places);) {
    auto place = places.begin() + 2;
    const auto now = Clock::now();
    for (auto c = connections.begin(); c != connections.end(); ++place) {
      const bool stays = talk(*c, place->revents) && !c->is_late(now);
      c = stays ? std::next(c) : connections.erase(c);
    }
    if (places[1].revents != 0) let_in();
  }
}

void HttpServer::State::let_in() {
  for (;;) {
    Socket socket(accept4(door.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.get() < 0) return;
    const int yes = 1;
    setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connections.size() >= kConnections) {
      const auto before = [](const Connection& a, const Connection& b) { return a.since < b.since; };
      connections.erase(std::min_element(connections.begin(), connections.end(), before));
    }
    connections.emplace_back().socket = std::move(socket);
  }
}

/// False: the connection is over.
bool HttpServer::State::talk(Connection& c, short events) const {
  if (events & (POLLERR | POLLNVAL)) return false;
  if (events & POLLOUT) return go_on(c);
  if (events & (POLLIN | POLLHUP)) return hear(c);
  return true;
}

bool HttpServer::State::hear(Connection& c) const {
  char piece[kPiece];
  const ssize_t count = recv(c.socket.get(), piece, sizeof piece, 0);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  if (count == 0) return false;
  // The time of a request runs from its first byte on; each further byte does not make it longer.
  if (c.in.empty()) c.since = Clock::now();
  c.in.append(piece, static_cast<std::size_t>(count));
  answer(c);
  return !c.answers() || go_on(c);
}

/// Sends what there is and, once it is sent, answers what came behind.
bool HttpServer::State::go_on(Connection& c) const {
  if (!send_some(c)) return false;
  if (c.answers()) return true;
  if (!c.ends && !c.in.empty()) answer(c);
  return !c.ends || c.answers();
}

/// One request at a time: the next one waits until its answer is taken.
void HttpServer::State::answer(Connection& c) const {
  std::optional<HttpRequest> request = take_request(c.in);
  if (!request) return;
  HttpAnswer found;
  if (request->method.empty()) {
    request->keep_alive = false;
    found = refusal(400, "expected a request without a body");
  } else {
    try {
      found = handler(*request);
    } catch (const std::exception& error) {
      found = refusal(500, error.what());
    }
  }
  c.ends = !request->keep_alive;
  c.out = answer_bytes(*request, std::move(found)), c.sent = 0;
  c.since = c.moved = Clock::now();
}

bool HttpServer::State::send_some(Connection& c) {
  while (c.answers()) {
    const ssize_t count =
        send(c.socket.get(), c.out.data() + c.sent, std::min(kPiece, c.out.size() - c.sent), MSG_NOSIGNAL);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    c.sent += static_cast<std::size_t>(count), c.moved = Clock::now();
  }
  c.out.clear(), c.sent = 0;
  c.since = Clock::now();
  return true;
}

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}
HttpServer::~HttpServer() = default;

std::unique_ptr<HttpServer> HttpServer::listen(int port) {
  auto state = std::make_unique<State>();
  state->door = listen_on(port);
  int ends[2];
  if (state->door.get() < 0 || pipe2(ends, O_CLOEXEC) != 0) return nullptr;
  state->wake = Socket(ends[0]), state->waker = Socket(ends[1]);
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(state)));
}

int HttpServer::port() const { return port_of(state_->door); }

void HttpServer::serve(Handler handler) {
  state_->handler = std::move(handler);
  state_->thread = std::thread([state = state_.get()] { state->run(); });
}

}  // namespace touchstone

#pragma once
// A server for one page and its data on this machine. One thread looks at all connections, so that no client
// can hold up another, however slowly it talks; each has limits of time and length, and all together of
// number.

#include <functional>
#include <memory>

#include "touchstone/apps/http_message.h"

namespace touchstone {

class HttpServer {
 public:
  using Handler = std::function<HttpAnswer(const HttpRequest&)>;

  /// Listens on 127.0.0.1; 0: on any free port. Null: the port is taken or not allowed.
  static std::unique_ptr<HttpServer> listen(int port);
  ~HttpServer();  ///< closes all connections at once

  int port() const;
  /// From here on requests are answered, in a thread of the server's own.
  void serve(Handler handler);

 private:
  class Socket;
  struct Connection;
  struct State;
  static Socket listen_on(int port);
  static int port_of(const Socket& socket);
  explicit HttpServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace touchstone

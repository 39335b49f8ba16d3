#pragma once
// Serves the viewer's page and the data of one show to browsers on this machine: loopback only, GET only,
// nothing that lies in files but the page, and only to those who know its address, which holds a random text.

#include <memory>
#include <string>

#include "touchstone/apps/show.h"

namespace touchstone {

class ViewerServer {
 public:
  /// Listens on 127.0.0.1 from here on. Port 0: any that is free. Throws BadInput when it cannot.
  ViewerServer(std::shared_ptr<const Show> show, std::string page, int port);
  ~ViewerServer();

  /// "http://127.0.0.1:8642/0123456789abcdef0123456789abcdef/"
  const std::string& address() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Opens the address in the user's browser, where there is a display; false where there is none.
bool open_browser(const std::string& address);

}  // namespace touchstone

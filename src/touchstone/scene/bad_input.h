#pragma once
// What the doors of scene/ throw for input that they cannot take.

#include <stdexcept>

namespace touchstone {

/// Faulty input; the message names the field, the expected value and the nearest valid name.
class BadInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace touchstone

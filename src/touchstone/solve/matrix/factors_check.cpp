#include "touchstone/solve/matrix/factors_check.h"

#include <stdexcept>
#include <utility>
#include <vector>

namespace touchstone {
namespace {

[[noreturn]] void refuse(const std::string& words) { throw std::invalid_argument(words); }

std::string entry(const std::string& list, int index) { return list + "[" + std::to_string(index) + "]"; }

void require_block_size(const std::string& name, int block) {
  if (block != 3 && block != 6) refuse(name + ".block is " + std::to_string(block) + ", expected 3 or 6");
}

/// -1, or an index below `count`.
bool is_index(int index, int count) { return index >= -1 && index < count; }
void require_index(const std::string& name, int index, int count, const char* what) {
  if (is_index(index, count)) return;
  refuse(name + " is " + std::to_string(index) + ", expected -1 or one of " + std::to_string(count) + " " +
         what);
}

/// Round once, counter-clockwise and by less than half a turn each time; or the two ways along the first
/// tangent.
bool go_round(const Eigen::Vector2d* side, int count) {
  if (count == 2) return side[0].x() > 0 && side[0].y() == 0 && side[1] == -side[0];
  int turns = 0;
  for (int k = 0; k < count; ++k) {
    const Eigen::Vector2d &a = side[k], &b = side[(k + 1) % count];
    if (!(a.x() * b.y() - a.y() * b.x() > 0)) return false;
    turns += a.y() < 0 && b.y() >= 0;
  }
  return turns == 1;
}

bool has_sides(const PyramidFactors& factors, const PyramidContact& contact) {
  const int count = contact.side_count;
  if (contact.slip < 0) return count == 0;
  return count >= 2 && contact.sides >= 0 && contact.sides <= factors.size - count &&
         go_round(&factors.side[contact.sides], count);
}

bool fits(const PyramidFactors& factors, const PyramidContact& contact) {
  const int blocks = factors.block_count();
  const bool apart = contact.first < 0 || contact.first != contact.second;
  return is_index(contact.first, blocks) && is_index(contact.second, blocks) && apart &&
         is_index(contact.normal, factors.size) && is_index(contact.slip, factors.size) &&
         has_sides(factors, contact) && contact.mu >= 0;
}

[[noreturn]] void refuse_contact(const std::string& name, const PyramidFactors& factors,
                                 const PyramidContact& contact) {
  require_index(name + ".first", contact.first, factors.block_count(), "blocks");
  require_index(name + ".second", contact.second, factors.block_count(), "blocks");
  require_index(name + ".normal", contact.normal, factors.size, "unknowns");
  require_index(name + ".slip", contact.slip, factors.size, "unknowns");
  if (!(contact.mu >= 0)) refuse(name + ".mu is not a number from 0 on");
  if (!has_sides(factors, contact))
    refuse(name +
           ": expected at least two sides with a slip, whose directions go round once "
           "counter-clockwise, and none without");
  refuse(name + ".first and .second are the same block");
}

/// Every unknown is that of one contact.
void check_unknowns(const std::string& name, const PyramidFactors& factors) {
  std::vector<int> uses(factors.size, 0);
  for (const PyramidContact& contact : factors.contacts) {
    if (contact.normal >= 0) ++uses[contact.normal];
    if (contact.slip >= 0) ++uses[contact.slip];
    for (int k = contact.sides; k < contact.sides + contact.side_count; ++k) ++uses[k];
  }
  for (int i = 0; i < factors.size; ++i)
    if (uses[i] != 1)
      refuse(name + ": unknown " + std::to_string(i) + " is that of " + std::to_string(uses[i]) +
             " contacts, expected one");
}

}  // namespace

void require_length(const std::string& name, long length, long expected) {
  if (length == expected) return;
  refuse(name + " has " + std::to_string(length) + " entries, expected " + std::to_string(expected));
}

void check_factors(const std::string& name, const GramFactors& factors) {
  require_block_size(name, factors.block);
  const long B = factors.block, rows = factors.row_count();
  require_length(name + ".second", static_cast<long>(factors.second.size()), rows);
  require_length(name + ".G", static_cast<long>(factors.G.size()), 2 * B * rows);
  require_length(name + ".NG", static_cast<long>(factors.NG.size()), 2 * B * rows);
  require_length(name + ".N", static_cast<long>(factors.N.size()), B * B * factors.block_count());
  const int blocks = factors.block_count();
  for (int i = 0; i < factors.row_count(); ++i) {
    const int a = factors.first[i], b = factors.second[i];
    if (is_index(a, blocks) && is_index(b, blocks) && (a < 0 || a != b)) continue;
    // Names are made only where they are needed: a step has thousands of rows.
    require_index(entry(name + ".first", i), a, blocks, "blocks");
    require_index(entry(name + ".second", i), b, blocks, "blocks");
    refuse(entry(name + ".first", i) + " and " + entry(".second", i) + " are the same block");
  }
}

void check_factors(const std::string& name, const PyramidFactors& factors) {
  require_block_size(name, factors.block);
  const long B = factors.block, contacts = factors.contact_count();
  if (factors.size < 0) refuse(name + ".size is negative");
  require_length(name + ".G", static_cast<long>(factors.G.size()), 6 * B * contacts);
  require_length(name + ".N", static_cast<long>(factors.N.size()), B * B * factors.block_count());
  require_length(name + ".side", static_cast<long>(factors.side.size()), factors.size);
  for (int c = 0; c < factors.contact_count(); ++c)
    if (!fits(factors, factors.contacts[c]))
      refuse_contact(entry(name + ".contacts", c), factors, factors.contacts[c]);
  check_unknowns(name, factors);
}

void check_factors(const std::string& name, const ConeFactors& factors) {
  if (factors.dimension != 2 && factors.dimension != 3)
    refuse(name + ".dimension is " + std::to_string(factors.dimension) + ", expected 2 or 3");
  if (factors.rows.size != 0) refuse(name + ".rows has unknowns of its own, expected none");
  check_factors(name + ".rows", factors.rows);
  require_length(name + ".compliance", static_cast<long>(factors.compliance.size()), factors.contact_count());
  require_length(name + ".yielding", static_cast<long>(factors.yielding.size()), factors.contact_count());
  for (int c = 0; c < factors.contact_count(); ++c) {
    if (!(factors.yielding[c] > 0)) refuse(entry(name + ".yielding", c) + " is not positive");
    if (!(factors.compliance[c].minCoeff() >= 0)) refuse(entry(name + ".compliance", c) + " is negative");
  }
}

}  // namespace touchstone

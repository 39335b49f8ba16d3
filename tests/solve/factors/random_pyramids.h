#pragma once
// Random matrices of contacts with linearised friction, for the tests of pyramid_*.

#include <cmath>
#include <numbers>
#include <tuple>

#include "support/random_blocks.h"
#include "touchstone/math/random.h"
#include "touchstone/solve/matrix/pyramid_matrix.h"

namespace touchstone {

/// Contacts between random pairs of blocks. Some have one block, some no friction, some no normal, some are
/// said twice; pyramids have three to eight sides, or two.
class RandomPyramids {
 public:
  RandomPyramids(Random& random, int block, int blocks, int contacts) : random_(random) {
    made.block = block, made.N = support::random_masses(random, block, blocks);
    for (int c = 0; c < contacts; ++c) add(blocks);
    made.side.resize(made.size, Eigen::Vector2d::Zero());
  }
  PyramidFactors made;
  int twins = 0, frictionless = 0, motors = 0, lines = 0;

 private:
  void add(int blocks) {
    const int B = made.block, kind = random_.index(8);
    PyramidContact contact;
    const bool twin = !made.contacts.empty() && random_.index(6) == 0;
    if (twin) contact.first = made.contacts.back().first, contact.second = made.contacts.back().second;
    if (!twin) std::tie(contact.first, contact.second) = support::random_pair(random_, blocks);
    MatrixX rows = support::random_matrix(random_, 2 * B, 3);
    if (twin) rows = Eigen::Map<const MatrixX>(made.rows(made.contact_count() - 1), 2 * B, 3);
    const bool motor = kind == 0 && !twin, plain = kind == 1, line = kind == 2;
    if (contact.second < 0) rows.bottomRows(B).setZero();
    if (contact.second < 0 && !twin && random_.index(2) == 0) {
      std::swap(contact.first, contact.second);
      rows.topRows(B).swap(rows.bottomRows(B));
    }
    if (motor) rows.col(0).setZero();
    if (line) rows.col(2).setZero();
    made.G.insert(made.G.end(), rows.data(), rows.data() + rows.size());
    if (!motor) contact.normal = made.size++;
    if (!plain) add_sides(contact, line ? 2 : 3 + random_.index(6));
    contact.mu = motor || plain || random_.index(20) == 0 ? 0 : random_.uniform(0.1, 1);
    made.contacts.push_back(contact);
    twins += twin, motors += motor, frictionless += plain, lines += line;
  }

  void add_sides(PyramidContact& contact, int count) {
    contact.sides = made.size, contact.side_count = count;
    made.size += count;
    made.side.resize(made.size, Eigen::Vector2d::Zero());
    for (int k = 0; k < count; ++k) {
      const double angle = 2 * std::numbers::pi * k / count;
      made.side[contact.sides + k] = {std::cos(angle), count == 2 ? 0 : std::sin(angle)};
    }
    contact.slip = made.size++;
  }

  Random& random_;
};

}  // namespace touchstone

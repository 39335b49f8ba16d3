#pragma once
// Islands of a world, stepped apart from each other: each in as many parts as it needs. Inside stepping only.

#include "touchstone/proximity/box.h"
#include "touchstone/stepping/attempt.h"

namespace touchstone {

/// A step made in parts.
template <int D>
struct Course {
  World<D> world;
  StepMemory<D> memory = {};
  StepReport<D> report = {};
  int parts = 0;                   ///< of the step, made so far
  int impacts = 0;                 ///< at which the step goes from one part to the next
  std::vector<Box<D>> boxes = {};  ///< per shape: holds it all the way
};

/// Follows the course further by h, in as many parts as it needs; false: its report says why it cannot.
template <int D>
bool follow(const Stages<D>& stages, double h, int halvings, Course<D>& course);

/// The same after an attempt at it was refused: in two parts, where it says, or in the middle.
template <int D>
bool follow_in_two(const Attempt<D>& refused, const Stages<D>& stages, int halvings, Course<D>& course);

using IslandBodies =
    std::vector<int>;  ///< bodies that may meet on their paths, directly or through others, or are joined

/// The islands of the bodies that move by forces: those that `pairs` of parts, or joints, may bring together.
template <int D>
std::vector<IslandBodies> find_islands(const World<D>& world, const std::vector<std::pair<int, int>>& pairs);

/// Some islands, stepped apart from the others.
template <int D>
struct GroupCourse : Course<D> {
  std::vector<IslandBodies> islands = {};
};

template <int D>
class IslandCourses {
 public:
  IslandCourses(const World<D>& world, const StepMemory<D>& memory, const Stages<D>& stages,
                StepReport<D>& report)
      : world_(world), memory_(memory), stages_(stages), report_(report) {}

  /// The islands as a whole, and where that is refused each half of them; an island alone is divided in time.
  /// So the islands that need no shorter steps are found in few attempts. False: the report says why not.
  bool follow_group(const std::vector<IslandBodies>& islands);
  bool follow_halves(const std::vector<IslandBodies>& islands);
  /// The island to the fraction `time` of the step, at which the two bodies touch and before which they are
  /// known to be apart, and on from there.
  bool follow_impact(const IslandBodies& island, double time, std::pair<int, int> bodies);
  /// Do islands that were followed meet bodies of others, on the paths that those have in the attempt at the
  /// whole step? (Islands move to the bit as if alone, so these are the paths on which they will be
  /// followed.)
  bool meet_others(const Attempt<D>& whole) const;
  /// Those that were followed apart, behind the groups of this.
  void append(IslandCourses followed);
  /// Makes islands of different groups that met on the paths found once more, together; false: it cannot be
  /// done.
  bool join_those_that_met();
  void take_ends(World<D>& world) const;
  StepMemory<D> take_memory();

 private:
  std::vector<std::size_t> group_of_bodies() const;
  void take_joints(World<D>& world) const;
  void take_sticking(World<D>& world) const;
  struct Meeting {
    std::pair<int, int> bodies;
    std::pair<std::size_t, std::size_t> groups;
  };
  std::optional<Meeting> find_meeting(double margin) const;
  std::optional<EndCloseness> common_ends() const;

  const World<D>& world_;
  const StepMemory<D>& memory_;
  const Stages<D>& stages_;
  StepReport<D>& report_;
  std::vector<GroupCourse<D>> courses_;
};

}  // namespace touchstone

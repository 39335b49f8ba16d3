// A contact model of one's own: vertices of a box over the floor. It judges how far they went, and asks for
// a shorter step where one would fall by more than a centimetre in one go.
#include <cstdio>

#include "touchstone/geometry/bounds.h"
#include "touchstone/stepping/build_world.h"
#include "touchstone/stepping/step.h"

using namespace touchstone;

struct Vertices : StepContacts<2> {
  ConstraintSet<2> contacts;
  const ConstraintSet<2>& set() const override { return contacts; }

  Verdict judge(const TriedMotion<2>& motion, const Reaction&) override {
    for (const auto& [floor, box] : motion.pairs) {
      for (const Vec<2>& v : polytope_of(*motion.shapes[box].shape)->vertices()) {
        if ((motion.start[box] * v - motion.end[box] * v).y() > 0.01)
          return {Verdict::Word::too_long, 0.5, "a vertex fell too far"};
      }
    }
    return {};
  }
};

struct VertexModel : ContactModel<2> {
  Promise promises() const override { return {.gap = true}; }

  std::unique_ptr<StepContacts<2>> propose(const TriedMotion<2>& motion,
                                           const ModelMemoryPtr&) const override {
    auto found = std::make_unique<Vertices>();
    ConstraintSet<2>& set = found->contacts;
    for (const auto& [floor, box] : motion.pairs) {
      for (const Vec<2>& v : polytope_of(*motion.shapes[box].shape)->vertices()) {
        const Vec<2> p = motion.start[box] * v;
        if (p.y() > motion.margin) continue;
        set.unilateral.push_back(static_cast<int>(set.contacts.size()));
        set.contacts.push_back({motion.shapes[box].body,
                                motion.shapes[floor].body,
                                0,
                                0,
                                p,
                                {0, 1},
                                p.y(),
                                set.contacts.size()});
      }
    }
    return found;
  }
};

int main() {
  World<2> world;
  world.gravity = {0, -9.81};
  add_body(world, "floor", HalfSpace<2>{{Vec<2>::UnitY(), 0}}, {.kind = BodyKind::fixed});
  const int crate = add_body(world, "crate", make_box<2>({1, 1}),
                             {.mass = 1, .position = {0, 1}, .angular_velocity = Spin<2>(3)});
  Stepper<2> stepper({.h = 0.02}, std::make_shared<const VertexModel>());
  int divided = 0;
  for (int i = 0; i < 150; ++i) divided += stepper.step(world).substeps > 1;
  std::printf("the crate rests at %.4f m; %d of 150 steps were divided\n", world.bodies[crate].position.y(),
              divided);
}

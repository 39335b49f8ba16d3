// A contact model of one's own: the vertices of a box below a margin over the floor, each a contact.
#include <cstdio>
#include "touchstone/scene/simulation.h"

using namespace touchstone;

struct VertexModel : ContactModel<2> {
  void relate(const ContactScene<2>& scene, PairMemory<2>&, ConstraintSet<2>& set) const override {
    set.clear();
    for (const auto& [floor, box] : scene.pairs) {
      for (const Vec<2>& v : std::get<Polytope<2>>(*scene.shapes[box].shape).vertices()) {
        const Vec<2> p = scene.X_WS[box] * v;
        if (p.y() > scene.margin) continue;
        set.unilateral.push_back(static_cast<int>(set.contacts.size()));
        set.contacts.push_back(
            {scene.shapes[box].body, scene.shapes[floor].body, 0, 0, p, {0, 1}, p.y(), set.contacts.size()});
      }
    }
  }
};

int main() {
  const char* crate = "{name: crate, shape: {box: [1, 1]}, mass: 1, position: [0, 1]}";
  const char* floor = "{name: floor, shape: {half_space: {normal: [0, 1]}}, fixed: true}";
  Simulation sim(load_scene("slide", {std::string("bodies=[") + floor + ", " + crate + "]"}));
  sim.stepper<2>().set_model(std::make_shared<VertexModel>());
  sim.run_until(1);
  const double height = sim.world<2>().bodies[1].position.y();
  std::printf("the crate rests at %.6f m on %d contacts\n", height, sim.report<2>().contacts);
}

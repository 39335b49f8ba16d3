// A study over step sizes: a square slides off a table. How far is it from the truth [PEG 3.6] after 1 s?
#include <cstdio>

#include "touchstone/scene/simulation.h"

using namespace touchstone;

int main() {
  const Vec<2> truth(0.83709, -0.07357);
  for (const char* model : {"plane", "standard", "peg"}) {
    for (const char* step : {"0.04", "0.02", "0.01", "0.005"}) {
      Simulation sim(
          load_scene("slide-off", {std::string("step=") + step, std::string("contact.model=") + model}));
      sim.run_until(1);
      const World<2>& world = sim.world<2>();
      const double error = (world.bodies[world.find_body("square")].position - truth).norm();
      std::printf("%-8s step %-5s s: error %.4f m\n", model, step, error);
    }
  }
}

#pragma once
// What passes between peers_bench and Siconos: plain numbers behind C names, because the two share no
// library, not even that of C++ (../siconos_peer.cpp tells why).

namespace touchstone::bench {

/// A body as Siconos states it.
struct SiconosBody {
  bool fixed = false;
  double mass = 1;                 ///< [kg]
  double moments[3] = {1, 1, 1};   ///< [kg m^2] principal, along the axes of the frame
  double sides[3] = {0, 0, 0};     ///< [m] of a box; zero where the shape is a hull
  const double* points = nullptr;  ///< [m] the hull's corners in the frame, three numbers each
  int point_count = 0;
  double pose[7] = {0, 0, 0, 1,
                    0, 0, 0};  ///< [m] the centre of mass in the world, then a unit quaternion w x y z
  double velocity[6] = {};     ///< [m/s] of the centre of mass, world axes, then [rad/s] in the frame
};

class SiconosWorld;

extern "C" {
/// `h` [s], `gravity` [m/s^2] three numbers.
SiconosWorld* siconos_make(double h, const double* gravity, double friction);
void siconos_free(SiconosWorld* world);
/// Before a step; the points are copied.
void siconos_add(SiconosWorld* world, const SiconosBody* body);
/// False when the solver missed its tolerance or Siconos threw.
bool siconos_step(SiconosWorld* world);
/// Seven numbers and six, as in SiconosBody; bodies count from 0 in the order of adding.
void siconos_state(const SiconosWorld* world, int body, double* pose, double* velocity);
}

}  // namespace touchstone::bench

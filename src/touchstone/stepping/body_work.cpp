// The identity of balance.cpp, body by body. From M (V+ - V) = h f + sum G p, multiplied by V+,
//
//     dK + 1/2 |V+ - V|_M^2  =  h V+.f + sum p (G.V+)
//
// where the sum is over the rows that act on the body. An impulse works along the mean of the velocities
// before and after it, p G.(V + V+)/2, also where it strikes one body and others are joined to that: of the
// terms above, 1/2 p G.(V+ - V) is taken from the row's, and from what the implicit step takes. The rest of
// that, h/2 f.(V+ - V), stands with the contacts, or with the joints of bodies that nothing touches. Of the
// work of a row, -p carried is that of the script of the other body. A body that falls freely moves by h U,
// U = V+ - h a/2, instead.

#include "touchstone/stepping/body_work.h"

#include <Eigen/LU>
#include <cassert>

namespace touchstone {
namespace {

template <int D>
class Works {
 public:
  Works(const Attempt<D>& attempt, const World<D>& world)
      : assembly_(attempt.solved.assembly),
        found_(attempt.solved.impulses),
        world_(world),
        paths_(attempt.paths),
        swinging_(attempt.swinging),
        works_(world.bodies.size()),
        half_jumps_(assembly_.dynamic.size(), 0.),
        touched_(world.bodies.size(), false),
        joined_(world.bodies.size(), false) {}

  std::vector<BodyWork> run() {
    const StepEquations<D>& eq = assembly_.equations;
    add_rows(eq.bilateral, assembly_.bilateral, found_.bilateral);
    add_rows(eq.unilateral, assembly_.unilateral, found_.unilateral);
    add_rows(eq.tangent, assembly_.tangent, found_.tangent);
    const std::vector<char> driven = find_driven();
    for (int b = 0; b < eq.body_count(); ++b) {
      const int body = assembly_.dynamic[b];
      swinging_.contains(body) ? add_swing(body) : add_loads(b, driven[body]);
    }
    return std::move(works_);
  }

 private:
  std::vector<char> find_driven() const;
  void add_loads(int b, bool driven);
  void add_swing(int body);
  void add_rows(const std::vector<Row<D>>& rows, const std::vector<RowNote>& notes,
                const std::vector<double>& p);
  void add_row(const RowNote& note, int b, double p, const Twist<D>& G);
  double lost(int b, const Path<D>& path) const;

  const Assembly<D>& assembly_;
  const StepImpulses<D>& found_;
  const World<D>& world_;
  std::span<const Path<D>> paths_;
  const SwingingBodies<D>& swinging_;
  std::vector<BodyWork> works_;
  std::vector<double> half_jumps_;      ///< [J] per body of the equations: the sum of 1/2 p G.(V+ - V)
  std::vector<char> touched_, joined_;  ///< bodies that contacts, and joints, push
};

/// Bodies on which joints act with a force that was set. (What is left of the loads of other bodies, without
/// gravity and forces, is round-off.)
template <int D>
std::vector<char> Works<D>::find_driven() const {
  std::vector<char> driven(world_.bodies.size(), false);
  for (const Joint<D>& joint : world_.joints) {
    bool any = false;
    for (const JointAxis& axis : joint.axes) any = any || axis.force != 0;
    for (const int body : {joint.body_A, joint.body_B}) {
      if (any && body >= 0) driven[body] = true;
    }
  }
  return driven;
}

/// [J] by the implicit step.
template <int D>
double Works<D>::lost(int b, const Path<D>& path) const {
  const StepEquations<D>& eq = assembly_.equations;
  const Twist<D> jump = found_.V[b] - assembly_.V_start[b];
  const Vec<D> v = linear<D>(jump);
  const Spin<D> w = angular<D>(jump);
  const double by_fall = path.h * v.dot(path.acceleration);
  return 0.5 *
         ((v.squaredNorm() - by_fall) / eq.inverse_mass[b] + w.dot(eq.inverse_inertia[b].inverse() * w));
}

template <int D>
void Works<D>::add_loads(int b, bool driven) {
  const int body = assembly_.dynamic[b];
  const Path<D>& path = paths_[body];
  const Twist<D> weight = twist<D>(world_.bodies[body].mass * world_.gravity, Spin<D>::Zero());
  const Twist<D> way = path.h * (found_.V[b] - twist<D>((0.5 * path.h) * path.acceleration, Spin<D>::Zero()));
  BodyWork& work = works_[body];
  work.gravity += way.dot(weight);
  work.forces += way.dot(world_.bodies[body].force);
  if (driven) work.motors += way.dot(assembly_.external[b] - weight - world_.bodies[body].force);
  (touched_[body] || !joined_[body] ? work.contacts : work.joints) -= lost(b, path) - half_jumps_[b];
}

template <int D>
void Works<D>::add_swing(int body) {
  const SwingWork& swing = swinging_.works[body];
  BodyWork& work = works_[body];
  work = {};  // the rows of the whole step, whose impulses are not those of the swing
  work.gravity = world_.bodies[body].mass * paths_[body].shift().dot(world_.gravity);
  work.forces = swing.external - work.gravity;
  work.motors = swing.motors + swing.dampers;
  work.joints = swing.joints;
}

template <int D>
void Works<D>::add_row(const RowNote& note, int b, double p, const Twist<D>& G) {
  const int body = assembly_.dynamic[b];
  const double half_jump = 0.5 * p * G.dot(found_.V[b] - assembly_.V_start[b]);
  const double by_script = -p * note.carried;  // then one of the row's bodies does not move by forces
  half_jumps_[b] += half_jump;
  works_[body].scripts += by_script;
  const double rest = p * G.dot(found_.V[b]) - half_jump - by_script;
  switch (note.kind) {
    case RowKind::contact:
    case RowKind::friction:
      works_[body].contacts += rest, touched_[body] = true;
      return;
    case RowKind::drive:
      works_[body].motors += rest;
      return;
    default:
      works_[body].joints += rest, joined_[body] = true;
  }
}

template <int D>
void Works<D>::add_rows(const std::vector<Row<D>>& rows, const std::vector<RowNote>& notes,
                        const std::vector<double>& p) {
  assert(rows.size() == notes.size() && rows.size() == p.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row<D>& row = rows[i];
    if (p[i] == 0) continue;
    if (row.body_A >= 0) add_row(notes[i], row.body_A, p[i], row.G_A);
    if (row.body_B >= 0) add_row(notes[i], row.body_B, p[i], row.G_B);
  }
}

}  // namespace

template <int D>
std::vector<BodyWork> body_works(const Attempt<D>& attempt, const World<D>& world) {
  assert(attempt.paths.size() == world.bodies.size());
  return Works<D>(attempt, world).run();
}

template <int D>
double kinetic_energy(const Body<D>& body) {
  const Spin<D> w = angular<D>(body.velocity);
  if (!body.is_dynamic()) return 0;
  return 0.5 * (body.mass * linear<D>(body.velocity).squaredNorm() + w.dot(angular_momentum(body, w)));
}

#define TOUCHSTONE_INSTANTIATE(D)                                                \
  template std::vector<BodyWork> body_works(const Attempt<D>&, const World<D>&); \
  template double kinetic_energy(const Body<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

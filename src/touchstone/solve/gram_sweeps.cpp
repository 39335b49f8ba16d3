#include "touchstone/solve/gram_sweeps.h"

#include <algorithm>

#include "touchstone/solve/gram_products.h"

namespace touchstone {
namespace {

/// z with v = N G^T z.
template <int B>
struct State {
  VectorX z;
  BlockVector<B> v;
};

template <int B>
void sweep(const LinearProblem& problem, const VectorX& sizes, State<B>& state) {
  const GramFactors& factors = problem.M.gram()->factors();
  for (int i = 0; i < factors.row_count(); ++i) {
    const double *G = &factors.G[2 * B * i], *NG = &factors.NG[2 * B * i];
    const int a = factors.first[i], b = factors.second[i];
    double w = problem.q[i];
    if (a >= 0) w += BlockPart<B>(G).dot(state.v[a]);
    if (b >= 0) w += BlockPart<B>(G + B).dot(state.v[b]);
    const double next = std::max(0., state.z[i] - w / sizes[i]), change = next - state.z[i];
    if (change == 0) continue;
    state.z[i] = next;
    if (a >= 0) state.v[a] += change * BlockPart<B>(NG);
    if (b >= 0) state.v[b] += change * BlockPart<B>(NG + B);
  }
}

/// x += a y
template <int B>
void add(State<B>& x, double a, const State<B>& y) {
  x.z += a * y.z;
  for (std::size_t b = 0; b < x.v.size(); ++b) x.v[b] += a * y.v[b];
}

/// Not by a product: memory that was never written may hold numbers that no product makes zero.
template <int B>
void clear(State<B>& x) {
  x.z.setZero();
  for (auto& v : x.v) v.setZero();
}

template <int B>
void scale(State<B>& x, double a) {
  x.z *= a;
  for (auto& v : x.v) v *= a;
}

}  // namespace

template <int B>
VectorX conjugate_gram_sweeps(const LinearProblem& problem, const VectorX& sizes, VectorX z, int count) {
  const GramFactors& factors = problem.M.gram()->factors();
  State<B> now{std::move(z), BlockVector<B>(factors.block_count())}, before = now, direction = now;
  velocities_of<B>(factors, now.z, now.v);
  clear(direction);
  double last = 0;  // squared length of the last step
  for (int k = 0; k < count; ++k) {
    before = now;
    sweep(problem, sizes, now);
    const double length = (now.z - before.z).squaredNorm(), beta = last > 0 ? length / last : 0;
    last = length;
    if (beta > 1) {
      clear(direction);  // the steps grew: begin again
      continue;
    }
    // The next direction is this step and beta of the last direction; beta of that is gone at once.
    State<B>& step = before;
    scale(step, -1);
    add(step, 1, now);
    scale(direction, beta);
    add(now, 1, direction);
    add(direction, 1, step);
  }
  return now.z.cwiseMax(0.);
}

template VectorX conjugate_gram_sweeps<3>(const LinearProblem&, const VectorX&, VectorX, int);
template VectorX conjugate_gram_sweeps<6>(const LinearProblem&, const VectorX&, VectorX, int);

}  // namespace touchstone

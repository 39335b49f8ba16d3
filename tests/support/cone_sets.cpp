#include "support/cone_sets.h"

#include <algorithm>
#include <stdexcept>

namespace touchstone::support {

FrictionProblem cone_form(const GlobalFrictionProblem& problem) {
  const int D = problem.dimension, B = D == 2 ? 3 : 6;
  const MatrixX H = problem.H, M = problem.M;
  const int bodies = static_cast<int>(M.rows()) / B, contacts = static_cast<int>(problem.mu.size());
  ConeFactors factors;
  factors.dimension = D, factors.rows.block = B;
  for (int b = 0; b < bodies; ++b) {
    const MatrixX N = M.block(B * b, B * b, B, B).diagonal().cwiseInverse().asDiagonal();
    factors.rows.N.insert(factors.rows.N.end(), N.data(), N.data() + B * B);
  }
  factors.rows.G.assign(6 * B * contacts, 0.);
  for (int c = 0; c < contacts; ++c) {
    std::vector<int> met;
    for (int b = 0; b < bodies; ++b)
      if (!H.block(B * b, D * c, B, D).isZero(0)) met.push_back(b);
    if (met.size() > 2) throw std::logic_error("a contact of three bodies");
    met.resize(2, -1);
    factors.rows.contacts.push_back({met[0], met[1]});
    Eigen::Map<MatrixX> rows(&factors.rows.G[6 * B * c], 2 * B, 3);
    for (const int part : {0, 1})
      if (met[part] >= 0) rows.block(part * B, 0, B, D) = H.block(B * met[part], D * c, B, D);
    factors.compliance.push_back(Eigen::Vector3d(0, 0, D == 2 ? 1 : 0));
    factors.yielding.push_back(1);
  }
  const VectorX q = problem.w + H.transpose() * M.diagonal().cwiseInverse().cwiseProduct(problem.f);
  return {D, std::move(factors), q, problem.mu};
}

FrictionProblem reordered(const FrictionProblem& problem, const std::vector<int>& order) {
  const ConeFactors& from = problem.W.cones()->factors();
  const int D = problem.dimension, B = from.rows.block;
  ConeFactors factors = from;
  FrictionProblem made{D, MatrixX(), problem.q, problem.mu};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int c = order[i];
    factors.rows.contacts[i] = {from.rows.contacts[c].second, from.rows.contacts[c].first};
    for (int k = 0; k < 3; ++k) {
      const double* row = from.rows.rows(c) + 2 * B * k;
      double* to = &factors.rows.G[6 * B * i + 2 * B * k];
      std::copy_n(row, B, to + B), std::copy_n(row + B, B, to);
    }
    factors.compliance[i] = from.compliance[c], factors.yielding[i] = from.yielding[c];
    made.q.segment(D * i, D) = problem.q.segment(D * c, D), made.mu[i] = problem.mu[c];
  }
  made.W = ProblemMatrix(std::move(factors));
  return made;
}

}  // namespace touchstone::support

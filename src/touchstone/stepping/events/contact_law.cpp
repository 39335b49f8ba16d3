#include "touchstone/stepping/events/contact_law.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

constexpr double kSoftest =
    100;  ///< e where the path begins, in units of the mean inverse mass that contacts feel
constexpr double kHardest = 1e-6;   ///< e where it ends: impulses are known to round-off/e there
constexpr double kProximal = 1e-4;  ///< e of the proximal steps behind it, around the last answer
constexpr double kFall = 0.1;       ///< of e from one level to the next
constexpr double kSlowest = 0.97;   ///< a level that lies nearer than this to the last one ends the path
constexpr int kNewtonSteps = 60;
constexpr double kRoundOff = 1e-14;  ///< of the size of the loads, over e: what Newton's method can reach
constexpr double kLoose = 1e3;       ///< times that is still taken where no step makes it smaller
constexpr int kPolish = 6;           ///< proximal steps
constexpr int kTurns = 20;           ///< of the directions in which contacts slide, until they fit the motion
constexpr double kSameDirection = 1e-15;
constexpr double kArrived = 1e-12;  ///< of the motion: changes that are round-off
constexpr double kNear =
    1e-5;  ///< of the motion: what an exact answer may differ from the one it makes exact
constexpr double kRank = 1e-10;  ///< of the largest pivot: rows that depend on others more closely than this

/// The law with the compliance e R and its centre c, as an equation F(x, l) = 0 with its derivative.
class SoftLaw {
 public:
  explicit SoftLaw(const LawProblem& problem)
      : P_(problem), contacts_(static_cast<int>(problem.contacts.size())) {
    R_ = contacts_ > 0 ? mean_response() : 1;
    cn_ = Eigen::VectorXd::Zero(contacts_), ct_ = Eigen::VectorXd::Zero(contacts_ * P_.tangents);
    pn_ = cn_, pt_ = ct_;
    pieces_.assign(contacts_, LawPiece::open);
    // Where there is no load at all, impulses are judged by what stops the offsets.
    scale_ = P_.f.norm() + (P_.N.transpose() * (P_.bn / R_)).norm() +
             (P_.T.transpose() * (P_.bt / R_)).norm() + P_.g.norm() / R_ + 1e-300;
  }

  void soften(double e) { assert(e > 0), yield_ = e * R_, solved_ = kRoundOff * std::max(1., 1 / e); }
  double solved() const { return solved_; }  ///< the error that counts as none
  void set_centre() { cn_ = pn_, ct_ = pt_; }
  const Eigen::VectorXd& pn() const { return pn_; }
  const Eigen::VectorXd& pt() const { return pt_; }
  const std::vector<LawPiece>& pieces() const { return pieces_; }
  int unknowns() const { return static_cast<int>(P_.M.rows() + P_.G.rows()); }

  /// F at z = (x, l), relative to the loads; sets impulses and pieces.
  double error(const Eigen::VectorXd& z, Eigen::VectorXd& F) {
    assert(z.size() == unknowns());
    const auto n = P_.M.rows();
    set_impulses(z.head(n));
    F.resize(z.size());
    F.head(n) = P_.M * z.head(n) - P_.f - P_.N.transpose() * pn_ - P_.T.transpose() * pt_ -
                P_.G.transpose() * z.tail(P_.G.rows());
    F.tail(P_.G.rows()) = (P_.G * z.head(n) + P_.g) / R_;
    return F.norm() / scale_;
  }

  Eigen::MatrixXd derivative() const {
    const auto n = P_.M.rows(), m = P_.G.rows();
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(n + m, n + m);
    J.topLeftCorner(n, n) = P_.M;
    J.topRightCorner(n, m) = -P_.G.transpose();
    J.bottomLeftCorner(m, n) = P_.G / R_;
    for (int i = 0; i < contacts_; ++i) add_contact(i, J);
    return J;
  }

 private:
  /// The mean inverse mass that contacts, and drives along their tangent, feel.
  double mean_response() const {
    const Eigen::LLT<Eigen::MatrixXd> mass(P_.M);
    double sum = 0;
    for (int i = 0; i < contacts_; ++i) {
      const Eigen::VectorXd row = P_.contacts[i].is_drive() ? P_.T.row(i * P_.tangents) : P_.N.row(i);
      sum += row.dot(mass.solve(row));
    }
    return sum / contacts_;
  }
  auto tangents_of(int i) const { return P_.T.middleRows(i * P_.tangents, P_.tangents); }
  Eigen::VectorXd direction(int i) const {
    assert(is_index(i, contacts_));
    return P_.contacts[i].direction.head(P_.tangents);
  }

  void set_impulses(const Eigen::VectorXd& x) {
    const int k = P_.tangents;
    const Eigen::VectorXd un = P_.N * x + P_.bn, ut = P_.T * x + P_.bt;
    for (int i = 0; i < contacts_; ++i) {
      const double mu = P_.contacts[i].mu;
      pn_[i] = std::max(0., cn_[i] - un[i] / yield_);
      pieces_[i] = pn_[i] > 0 ? LawPiece::stick : LawPiece::open;
      auto pt = pt_.segment(i * k, k);
      if (P_.contacts[i].is_drive()) {
        pull(i, ut.segment(i * k, k));
        continue;
      }
      if (P_.contacts[i].slides) {
        pt = -mu * pn_[i] * direction(i);
        if (pn_[i] > 0) pieces_[i] = LawPiece::slide;
        continue;
      }
      pt = ct_.segment(i * k, k) - ut.segment(i * k, k) / yield_;
      const double most = mu * pn_[i], length = pt.norm();
      if (length <= most) continue;
      lengths_[i] = length;
      pt *= most / length;
      if (pn_[i] > 0) pieces_[i] = LawPiece::slide;
    }
  }

  /// The force of a drive: what its rate asks for, as far as it goes.
  void pull(int i, const Eigen::VectorXd& ut) {
    const int k = P_.tangents;
    const LawContact& drive = P_.contacts[i];
    auto pt = pt_.segment(i * k, k);
    pn_[i] = 0;
    pt = drive.slides ? Eigen::VectorXd(-drive.bound * direction(i))
                      : Eigen::VectorXd(ct_.segment(i * k, k) - ut / yield_);
    const bool most = drive.slides || pt.norm() > drive.bound;
    if (most && !drive.slides) pt *= drive.bound / pt.norm();
    pieces_[i] = most ? LawPiece::slide : LawPiece::stick;
  }

  /// -d(N^T p_n + T^T p_t)/dx.
  void add_contact(int i, Eigen::MatrixXd& J) const {
    if (pieces_[i] == LawPiece::open) return;
    const auto n = P_.M.rows();
    const int k = P_.tangents;
    const Eigen::RowVectorXd N = P_.N.row(i);
    const Eigen::MatrixXd T = tangents_of(i);
    auto H = J.topLeftCorner(n, n);
    H += N.transpose() * N / yield_;
    if (pieces_[i] == LawPiece::stick) {
      H += T.transpose() * T / yield_;
      return;
    }
    if (P_.contacts[i].is_drive()) return;  // a constant force
    const double mu = P_.contacts[i].mu;
    const Eigen::VectorXd d = P_.contacts[i].slides || pn_[i] == 0 || mu == 0
                                  ? direction(i)
                                  : Eigen::VectorXd(-pt_.segment(i * k, k) / (mu * pn_[i]));
    H -= mu * (T.transpose() * d) * N / yield_;
    if (P_.contacts[i].slides || k == 1) return;
    const Eigen::MatrixXd turning = Eigen::MatrixXd::Identity(k, k) - d * d.transpose();
    H += (mu * pn_[i] / (lengths_.at(i) * yield_)) * T.transpose() * turning * T;
  }

  const LawProblem& P_;
  int contacts_;
  double R_ = 1, yield_ = 1, scale_ = 1, solved_ = kRoundOff;
  Eigen::VectorXd cn_, ct_, pn_, pt_;
  std::vector<LawPiece> pieces_;
  std::vector<double> lengths_ = std::vector<double>(contacts_, 0.);
};

/// d of a contact that slides: that of its motion.
Eigen::VectorXd direction_of(const LawProblem& P, const LawAnswer& answer, int i) {
  const int k = P.tangents;
  if (P.contacts[i].slides) return P.contacts[i].direction.head(k);
  const Eigen::VectorXd u = P.T.middleRows(k * i, k) * answer.x + P.bt.segment(k * i, k);
  return u.norm() > 0 ? Eigen::VectorXd(u.normalized()) : Eigen::VectorXd::Zero(k);
}

/// Newton's method with halved steps; false where it does not arrive.
bool solve_level(SoftLaw& law, Eigen::VectorXd& z) {
  Eigen::VectorXd F, trial_F;
  double error = law.error(z, F);
  for (int step = 0; step < kNewtonSteps; ++step) {
    const Eigen::VectorXd dz = law.derivative().partialPivLu().solve(-F);
    if (!dz.allFinite()) return false;
    double t = 1;
    Eigen::VectorXd trial;
    double found = 0;
    for (;; t /= 2) {
      trial = z + t * dz, found = law.error(trial, trial_F);
      if (found < (1 - 1e-4 * t) * error || found <= law.solved()) break;
      if (t < 1e-6) {
        law.error(z, F);
        return error <= kLoose * law.solved();  // round-off lets it fall no further
      }
    }
    z = trial, error = found, F = trial_F;
    if (error <= law.solved()) return true;
  }
  return error <= kLoose * law.solved();
}

/// From soft contacts to hard ones.
bool follow_path(SoftLaw& law, Eigen::VectorXd& z) {
  double e = kSoftest, fall = kFall;
  law.soften(e);
  if (!solve_level(law, z)) return false;
  while (e > kHardest) {
    Eigen::VectorXd next = z;
    law.soften(std::max(e * fall, kHardest));
    if (solve_level(law, next)) {
      z = next, e = std::max(e * fall, kHardest), fall = std::max(kFall, fall * fall);
    } else if ((fall = std::sqrt(fall)) > kSlowest) {
      return false;
    }
  }
  return true;
}

/// The problem where each contact keeps its piece: rows of what is held, and the loads of drives that give
/// way.
struct HeldPieces {
  std::vector<int> normals, sticks;
  Eigen::MatrixXd J;  ///< joints, normals, tangents that stick
  Eigen::VectorXd b, load;

  HeldPieces(const LawProblem& P, const LawAnswer& answer) : load(P.f) {
    const int k = P.tangents, contacts = static_cast<int>(P.contacts.size());
    for (int i = 0; i < contacts; ++i) {
      const bool drive = P.contacts[i].is_drive();
      if (answer.pieces[i] != LawPiece::open && !drive) normals.push_back(i);
      if (answer.pieces[i] == LawPiece::stick) sticks.push_back(i);
      if (drive && answer.pieces[i] == LawPiece::slide)
        load += P.T.middleRows(k * i, k).transpose() * answer.pt.segment(k * i, k);
    }
    J.resize(stick(static_cast<int>(sticks.size()), P), P.M.rows()), b.resize(J.rows());
    J.topRows(P.G.rows()) = P.G, b.head(P.G.rows()) = P.g;
    for (std::size_t i = 0; i < normals.size(); ++i)
      J.row(normal(i, P)) = P.N.row(normals[i]), b[normal(i, P)] = P.bn[normals[i]];
    for (std::size_t i = 0; i < sticks.size(); ++i) {
      J.middleRows(stick(i, P), k) = P.T.middleRows(k * sticks[i], k);
      b.segment(stick(i, P), k) = P.bt.segment(k * sticks[i], k);
    }
  }
  long normal(std::size_t i, const LawProblem& P) const { return P.G.rows() + static_cast<long>(i); }
  long stick(std::size_t i, const LawProblem& P) const {
    return P.G.rows() + static_cast<long>(normals.size() + P.tangents * i);
  }
};

/// One step of Newton's method: friction that slides turns with the motion, d(x) = d + (1 - d d^T) T (x -
/// x_k)/|u|, which adds to the mass what resists turning. Returns the change of the motion.
double turn_slides(const LawProblem& P, const HeldPieces& held, LawAnswer& answer) {
  const int k = P.tangents;
  Eigen::MatrixXd M = P.M, B = held.J.transpose();
  Eigen::VectorXd load = held.load;
  for (std::size_t i = 0; i < held.normals.size(); ++i) {
    const int c = held.normals[i];
    if (answer.pieces[c] != LawPiece::slide) continue;
    const double mu = P.contacts[c].mu;
    const Eigen::MatrixXd T = P.T.middleRows(k * c, k);
    const Eigen::VectorXd d = direction_of(P, answer, c);
    B.col(held.normal(i, P)) -= mu * (T.transpose() * d);
    const double slip = (T * answer.x + P.bt.segment(k * c, k)).norm();
    if (P.contacts[c].slides || k == 1 || slip == 0 || answer.pn[c] <= 0) continue;
    const Eigen::MatrixXd turning = Eigen::MatrixXd::Identity(k, k) - d * d.transpose();
    const Eigen::MatrixXd resists = (mu * answer.pn[c] / slip) * T.transpose() * turning * T;
    M += resists, load += resists * answer.x;
  }
  const Eigen::LLT<Eigen::MatrixXd> mass(M);
  const Eigen::VectorXd free = mass.solve(load);
  const Eigen::MatrixXd response = mass.solve(B);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposed;
  decomposed.setThreshold(kRank);
  decomposed.compute(held.J * response);
  const Eigen::VectorXd l = decomposed.solve(-(held.J * free + held.b)), x = free + response * l;
  const double change = (x - answer.x).norm();
  answer.x = x;
  for (std::size_t i = 0; i < held.normals.size(); ++i) answer.pn[held.normals[i]] = l[held.normal(i, P)];
  for (std::size_t i = 0; i < held.sticks.size(); ++i)
    answer.pt.segment(k * held.sticks[i], k) = l.segment(held.stick(i, P), k);
  return change;
}

/// The motion and the impulses of least norm where each contact keeps its piece, if they are near the answer;
/// else the answer stays.
void solve_pieces(const LawProblem& P, LawAnswer& answer) {
  const HeldPieces held(P, answer);
  if (held.J.rows() == 0) {
    answer.x = P.M.llt().solve(held.load);
    return;
  }
  LawAnswer exact = answer;
  double change = 0, last = std::numeric_limits<double>::infinity();
  for (int turn = 0; turn < kTurns; ++turn) {
    change = turn_slides(P, held, exact);
    if (change <= kSameDirection * exact.x.norm() || (turn > 2 && change >= last)) break;
    last = change;
  }
  const bool near = P.contacts.empty() || (exact.x - answer.x).norm() <= kNear * answer.x.norm();
  if (near && std::min(change, last) <= kArrived * exact.x.norm()) answer = exact;
}

/// Do the parts of a problem fit each other?
[[maybe_unused]] bool is_whole(const LawProblem& P) {
  const auto n = P.M.rows(), contacts = static_cast<Eigen::Index>(P.contacts.size());
  return is_self_adjoint(P.M) && P.f.size() == n && P.N.rows() == contacts && P.bn.size() == contacts &&
         P.T.rows() == contacts * P.tangents && P.bt.size() == P.T.rows() && P.G.rows() == P.g.size();
}

/// Joints alone.
LawAnswer without_contacts(const LawProblem& problem) {
  LawAnswer answer;
  answer.found = true, answer.x = Eigen::VectorXd::Zero(problem.M.rows());
  solve_pieces(problem, answer);
  return answer;
}

}  // namespace

LawAnswer solve_law(const LawProblem& problem) {
  assert(is_whole(problem));
  if (problem.contacts.empty()) return without_contacts(problem);
  SoftLaw law(problem);
  Eigen::VectorXd z = Eigen::VectorXd::Zero(law.unknowns()), F;
  LawAnswer answer;
  answer.found = follow_path(law, z);
  const auto n = problem.M.rows();
  if (answer.found) {
    law.soften(kProximal);
    for (int i = 0; i < kPolish; ++i) {
      law.set_centre();
      if (!solve_level(law, z)) break;
    }
  }
  law.error(z, F);
  answer.x = z.head(n), answer.pn = law.pn(), answer.pt = law.pt(), answer.pieces = law.pieces();
  if (answer.found) solve_pieces(problem, answer);
  return answer;
}

}  // namespace touchstone

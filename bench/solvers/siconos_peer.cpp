#include "siconos_peer.h"

#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/GlobalFrictionContactProblem.h>
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/MLCP_Solvers.h>
#include <siconos/numerics/MixedLinearComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/NumericsVerbose.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>
#include <siconos/numerics/lcp_cst.h>
#include <siconos/numerics/mlcp_cst.h>

#include <cstring>

namespace touchstone::bench {
namespace {

using Storage = SiconosSolver::Storage;

constexpr int kIterations = 100000;

std::vector<SiconosSolver> lcp_solvers() {
  return {{"LEMKE", SICONOS_LCP_LEMKE},
          {"PGS", SICONOS_LCP_PGS},
          {"PSOR", SICONOS_LCP_PSOR},
          {"RPGS", SICONOS_LCP_RPGS},
          {"CPG", SICONOS_LCP_CPG},
          {"LATIN", SICONOS_LCP_LATIN},
          {"LATIN_W", SICONOS_LCP_LATIN_W},
          {"NEWTONMIN", SICONOS_LCP_NEWTONMIN},
          {"NEWTON_FB_FBLSA", SICONOS_LCP_NEWTON_FB_FBLSA},
          {"NEWTON_MIN_FBLSA", SICONOS_LCP_NEWTON_MIN_FBLSA},
          {"ENUM", SICONOS_LCP_ENUM},
          {"AVI_CAOFERRIS", SICONOS_LCP_AVI_CAOFERRIS},
          {"PIVOT", SICONOS_LCP_PIVOT},
          {"BARD", SICONOS_LCP_BARD},
          {"MURTY", SICONOS_LCP_MURTY},
          {"PATHSEARCH", SICONOS_LCP_PATHSEARCH},
          {"PIVOT_LUMOD", SICONOS_LCP_PIVOT_LUMOD},
          {"CONVEXQP_PG", SICONOS_LCP_CONVEXQP_PG}};
}

std::vector<SiconosSolver> mlcp_solvers() {
  return {{"PGS", SICONOS_MLCP_PGS},
          {"RPGS", SICONOS_MLCP_RPGS},
          {"PSOR", SICONOS_MLCP_PSOR},
          {"RPSOR", SICONOS_MLCP_RPSOR},
          {"ENUM", SICONOS_MLCP_ENUM},
          {"DIRECT_ENUM", SICONOS_MLCP_DIRECT_ENUM},
          {"FB", SICONOS_MLCP_FB},
          {"DIRECT_FB", SICONOS_MLCP_DIRECT_FB},
          {"LCP_LEMKE", SICONOS_MLCP_LCP_LEMKE}};
}

std::vector<SiconosSolver> in_every_storage(const std::vector<SiconosSolver>& solvers) {
  std::vector<SiconosSolver> all;
  for (const SiconosSolver& solver : solvers) {
    all.push_back({solver.name + " (dense)", solver.id, Storage::dense});
    all.push_back({solver.name + " (sparse)", solver.id, Storage::sparse});
    all.push_back({solver.name + " (blocks)", solver.id, Storage::blocks});
  }
  return all;
}

std::vector<SiconosSolver> friction_solvers(int dimension) {
  if (dimension == 2)
    return in_every_storage({{"NSGS", SICONOS_FRICTION_2D_NSGS},
                             {"CPG", SICONOS_FRICTION_2D_CPG},
                             {"LEMKE", SICONOS_FRICTION_2D_LEMKE},
                             {"ENUM", SICONOS_FRICTION_2D_ENUM}});
  return in_every_storage({{"NSGS", SICONOS_FRICTION_3D_NSGS},
                           {"PROX", SICONOS_FRICTION_3D_PROX},
                           {"TFP", SICONOS_FRICTION_3D_TFP},
                           {"NSN_AC", SICONOS_FRICTION_3D_NSN_AC},
                           {"NSN_FB", SICONOS_FRICTION_3D_NSN_FB},
                           {"NSN_NM", SICONOS_FRICTION_3D_NSN_NM},
                           {"DSFP", SICONOS_FRICTION_3D_DSFP},
                           {"EG", SICONOS_FRICTION_3D_EG},
                           {"ACLMFP", SICONOS_FRICTION_3D_ACLMFP},
                           {"SOCLCP", SICONOS_FRICTION_3D_SOCLCP},
                           {"PFP", SICONOS_FRICTION_3D_PFP},
                           {"ADMM", SICONOS_FRICTION_3D_ADMM}});
}

std::vector<SiconosSolver> global_solvers() {
  return {{"NSGS_WR", SICONOS_GLOBAL_FRICTION_3D_NSGS_WR, Storage::sparse},
          {"PROX_WR", SICONOS_GLOBAL_FRICTION_3D_PROX_WR, Storage::sparse},
          {"DSFP_WR", SICONOS_GLOBAL_FRICTION_3D_DSFP_WR, Storage::sparse},
          {"TFP_WR", SICONOS_GLOBAL_FRICTION_3D_TFP_WR, Storage::sparse},
          {"NSGS", SICONOS_GLOBAL_FRICTION_3D_NSGS, Storage::sparse},
          {"NSN_AC_WR", SICONOS_GLOBAL_FRICTION_3D_NSN_AC_WR, Storage::sparse},
          {"NSN_AC", SICONOS_GLOBAL_FRICTION_3D_NSN_AC, Storage::sparse},
          {"VI_EG", SICONOS_GLOBAL_FRICTION_3D_VI_EG, Storage::sparse},
          {"ACLMFP", SICONOS_GLOBAL_FRICTION_3D_ACLMFP, Storage::sparse},
          {"ADMM", SICONOS_GLOBAL_FRICTION_3D_ADMM, Storage::sparse},
          {"ADMM_WR", SICONOS_GLOBAL_FRICTION_3D_ADMM_WR, Storage::sparse},
          {"IPM", SICONOS_GLOBAL_FRICTION_3D_IPM, Storage::sparse}};
}

NumericsMatrix* dense_matrix(const MatrixX& A) {
  NumericsMatrix* M = NM_create(NM_DENSE, static_cast<int>(A.rows()), static_cast<int>(A.cols()));
  std::memcpy(M->matrix0, A.data(), sizeof(double) * static_cast<std::size_t>(A.size()));
  return M;
}

NumericsMatrix* sparse_matrix(const SparseMatrix& A) {
  NumericsMatrix* M = NM_create(NM_SPARSE, static_cast<int>(A.rows()), static_cast<int>(A.cols()));
  NM_triplet_alloc(M, A.nonZeros());
  for (int i = 0; i < A.outerSize(); ++i)
    for (SparseMatrix::InnerIterator it(A, i); it; ++it)
      NM_entry(M, i, static_cast<int>(it.col()), it.value());
  return M;
}

NumericsMatrix* block_matrix(const SparseMatrix& A, int block) {
  NumericsMatrix* source = sparse_matrix(A);
  SparseBlockStructuredMatrix* blocks = SBM_new();
  SBM_from_csparse(block, NM_csc(source), blocks);
  return NM_new_SBM(static_cast<int>(A.rows()), static_cast<int>(A.cols()), blocks);
}

NumericsMatrix* matrix(const ProblemMatrix& A, Storage storage, int block) {
  if (storage == Storage::dense) return dense_matrix(A.to_dense());
  if (storage == Storage::sparse) return sparse_matrix(A.to_sparse());
  return block_matrix(A.to_sparse(), block);
}

}  // namespace

std::vector<SiconosSolver> siconos_solvers(const Problem& problem) {
  if (std::holds_alternative<Lcp>(problem)) return lcp_solvers();
  if (std::holds_alternative<Mlcp>(problem)) return mlcp_solvers();
  if (const auto* friction = std::get_if<FrictionProblem>(&problem))
    return friction_solvers(friction->dimension);
  if (std::holds_alternative<GlobalFrictionProblem>(problem)) return global_solvers();
  return {};
}

/// Everything is left to the end of the child process, as Siconos' own programs do.
struct SiconosPeer::State {
  SolverOptions* options = nullptr;
  VectorX q, f, mu, z, w, v;
  LinearComplementarityProblem lcp{};
  MixedLinearComplementarityProblem* mlcp = nullptr;
  FrictionContactProblem* friction = nullptr;
  GlobalFrictionContactProblem* global = nullptr;

  void set(const Lcp& problem, const SiconosSolver&, const std::filesystem::path&) {
    q = problem.q;
    lcp = {static_cast<int>(q.size()), dense_matrix(problem.M.to_dense()), q.data()};
    z = w = VectorX::Zero(q.size());
  }
  void set(const Mlcp& problem, const SiconosSolver&, const std::filesystem::path& file) {
    mlcp = mixedLinearComplementarity_new();
    mixedLinearComplementarity_newFromFilename(mlcp, file.c_str());
    z = w = VectorX::Zero(problem.q.size());
  }
  void set(const FrictionProblem& problem, const SiconosSolver& solver, const std::filesystem::path&) {
    q = problem.q;
    mu = problem.mu;
    friction = frictionContactProblem_new_with_data(problem.dimension, static_cast<int>(mu.size()),
                                                    matrix(problem.W, solver.storage, problem.dimension),
                                                    q.data(), mu.data());
    z = w = VectorX::Zero(q.size());
  }
  void set(const GlobalFrictionProblem& problem, const SiconosSolver&, const std::filesystem::path&) {
    f = problem.f;
    q = problem.w;
    mu = problem.mu;
    global = globalFrictionContactProblem_new();
    global->dimension = problem.dimension;
    global->numberOfContacts = static_cast<int>(mu.size());
    global->M = sparse_matrix(problem.M);
    global->H = sparse_matrix(problem.H);
    global->q = f.data();
    global->b = q.data();
    global->mu = mu.data();
    v = VectorX::Zero(f.size());
    z = w = VectorX::Zero(q.size());
  }
  void set(const Qp&, const SiconosSolver&, const std::filesystem::path&) {}
};

SiconosPeer::SiconosPeer(const Problem& problem, const std::filesystem::path& file,
                         const SiconosSolver& solver, double tolerance)
    : state_(std::make_unique<State>()) {
  numerics_set_verbose(0);
  std::visit([&](const auto& p) { state_->set(p, solver, file); }, problem);
  state_->options = solver_options_create(solver.id);
  state_->options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  state_->options->iparam[SICONOS_IPARAM_MAX_ITER] = kIterations;
  if (state_->mlcp) mlcp_driver_init(state_->mlcp, state_->options);
}

SiconosPeer::~SiconosPeer() = default;

void SiconosPeer::prepare() {
  state_->z.setZero();
  state_->w.setZero();
  state_->v.setZero();
}

void SiconosPeer::solve() {
  State& s = *state_;
  if (s.lcp.M) linearComplementarity_driver(&s.lcp, s.z.data(), s.w.data(), s.options);
  if (s.mlcp) mlcp_driver(s.mlcp, s.z.data(), s.w.data(), s.options);
  if (s.friction && s.friction->dimension == 2) fc2d_driver(s.friction, s.z.data(), s.w.data(), s.options);
  if (s.friction && s.friction->dimension == 3) fc3d_driver(s.friction, s.z.data(), s.w.data(), s.options);
  if (s.global) gfc3d_driver(s.global, s.z.data(), s.w.data(), s.v.data(), s.options);
}

VectorX SiconosPeer::z() const {
  if (!state_->global) return state_->z;
  VectorX all(state_->v.size() + state_->z.size());
  all << state_->v, state_->z;
  return all;
}

}  // namespace touchstone::bench

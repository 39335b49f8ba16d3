// PATH [Ferris, Munson] where the user has it: libpath50.so or libpath.so is loaded at run time. The
// declarations below restate the C interface of that library; nothing of PATH is part of Touchstone.

#include <dlfcn.h>

#include <mutex>

#include "touchstone/solve/lcp/linear_solvers.h"

namespace touchstone {
namespace {

/// PATH's number for "no bound".
constexpr double kInfinite = 1e20;

/// The callbacks, in the order of PATH's header. Rows and columns count from 1, matrices go by columns.
struct McpInterface {
  void* data;
  void (*size)(void*, int* n, int* entries);
  void (*bounds)(void*, int n, double* z, double* low, double* high);
  int (*function)(void*, int n, double* z, double* f);
  int (*jacobian)(void*, int n, double* z, int want_f, double* f, int* entries, int* column, int* length,
                  int* row, double* value);
  void *hessian, *start, *finish, *variable_name, *constraint_name, *basis;
};

struct Information {
  double residual, distance, step_length, total_time, basis_time, maximum_distance;
  int major_iterations, minor_iterations, crash_iterations, function_evaluations, jacobian_evaluations,
      gradient_steps, restarts, generate_output, generated_output;
  bool forward, backtrace, gradient, use_start, use_basics, used_start, used_basics;
};

struct OutputInterface {
  void* data;
  void (*print)(void*, int mode, char* text);
  void (*flush)(void*, int mode);
};

/// The functions of the library; `complete` if all were found.
struct Library {
  void* (*options_create)() = nullptr;
  void (*options_destroy)(void*) = nullptr;
  void (*options_default)(void*) = nullptr;
  void (*path_add_options)(void*) = nullptr;
  void (*output_set_interface)(OutputInterface*) = nullptr;
  void* (*mcp_create)(int n, int entries) = nullptr;
  void (*mcp_destroy)(void*) = nullptr;
  void (*mcp_set_interface)(void*, McpInterface*) = nullptr;
  void (*structure_constant)(void*, int) = nullptr;
  int (*path_solve)(void*, Information*) = nullptr;
  double* (*mcp_get_x)(void*) = nullptr;
  bool complete = false;

  Library() {
    void* handle = dlopen("libpath50.so", RTLD_NOW | RTLD_LOCAL);
    if (!handle) handle = dlopen("libpath.so", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return;
    complete =
        load(handle, "Options_Create", options_create) && load(handle, "Options_Destroy", options_destroy) &&
        load(handle, "Options_Default", options_default) &&
        load(handle, "Path_AddOptions", path_add_options) &&
        load(handle, "Output_SetInterface", output_set_interface) && load(handle, "MCP_Create", mcp_create) &&
        load(handle, "MCP_Destroy", mcp_destroy) && load(handle, "MCP_SetInterface", mcp_set_interface) &&
        load(handle, "MCP_Jacobian_Structure_Constant", structure_constant) &&
        load(handle, "Path_Solve", path_solve) && load(handle, "MCP_GetX", mcp_get_x);
  }
  template <class Function>
  static bool load(void* handle, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    return function != nullptr;
  }
};

/// What the callbacks read.
struct Model {
  const LinearProblem& problem;
  VectorX start;
  Eigen::SparseMatrix<double> columns;
};

Model& model_of(void* data) { return *static_cast<Model*>(data); }

void tell_size(void* data, int* n, int* entries) {
  *n = model_of(data).problem.size();
  *entries = static_cast<int>(model_of(data).columns.nonZeros());
}

void tell_bounds(void* data, int n, double* z, double* low, double* high) {
  const Model& model = model_of(data);
  for (int i = 0; i < n; ++i) {
    z[i] = model.start[i];
    low[i] = model.problem.is_free(i) ? -kInfinite : 0;
    high[i] = kInfinite;
  }
}

int tell_function(void* data, int n, double* z, double* f) {
  const Model& model = model_of(data);
  Eigen::Map<VectorX>(f, n) = model.columns * Eigen::Map<const VectorX>(z, n) + model.problem.q;
  return 0;
}

int tell_jacobian(void* data, int n, double* z, int want_f, double* f, int* entries, int* column, int* length,
                  int* row, double* value) {
  const Eigen::SparseMatrix<double>& M = model_of(data).columns;
  if (want_f) tell_function(data, n, z, f);
  int next = 0;
  for (int j = 0; j < n; ++j) {
    column[j] = next + 1;
    for (Eigen::SparseMatrix<double>::InnerIterator it(M, j); it; ++it, ++next)
      row[next] = static_cast<int>(it.row()) + 1, value[next] = it.value();
    length[j] = next + 1 - column[j];
  }
  *entries = next;
  return 0;
}

void stay_silent(void*, int, char*) {}

Candidate run(const Library& library, Model& model) {
  OutputInterface output{nullptr, stay_silent, nullptr};
  library.output_set_interface(&output);
  void* options = library.options_create();
  library.path_add_options(options);
  library.options_default(options);
  const int n = model.problem.size();
  void* mcp = library.mcp_create(n, static_cast<int>(model.columns.nonZeros()) + 1);
  library.structure_constant(mcp, 1);
  McpInterface interface {
    &model, tell_size, tell_bounds, tell_function, tell_jacobian, nullptr, nullptr, nullptr, nullptr, nullptr,
        nullptr
  };
  library.mcp_set_interface(mcp, &interface);
  Information information{};
  information.use_start = true;
  library.path_solve(mcp, &information);
  Candidate attempt{Eigen::Map<const VectorX>(library.mcp_get_x(mcp), n), SolveStatus::solved,
                    information.major_iterations + information.minor_iterations};
  library.mcp_destroy(mcp);
  library.options_destroy(options);
  return attempt;
}

}  // namespace

Candidate path(const LinearProblem& problem, const SolveSettings& settings) {
  static const Library library;
  static std::mutex one_at_a_time;  // PATH keeps its state in global variables
  const int n = problem.size();
  if (!library.complete) return {VectorX::Zero(n), SolveStatus::absent, 0};
  if (n == 0) return {VectorX(), SolveStatus::solved, 0};
  const std::lock_guard lock(one_at_a_time);
  Model model{problem, settings.start.size() == n ? settings.start : VectorX::Zero(n), problem.M.to_sparse()};
  return run(library, model);
}

}  // namespace touchstone

#pragma once
// FCLIB's HDF5 layout of friction problems [FCLIB]: fclib_local (W, q, mu) or fclib_global (M, H, f, w, mu),
// and `solution`.

#include "touchstone/problems/problem_file.h"
#include "touchstone/store/array_file.h"

namespace touchstone {

bool holds_fclib_problem(const ArrayFile& file);
/// Throws ProblemFileError or StoreError. Problems with equations (V, R or G) are refused.
StoredProblem problem_of_fclib(const ArrayFile& file);
/// Of the two friction problems; for another kind throws ProblemFileError.
void write_fclib(ArrayFile& file, const StoredProblem& stored);

}  // namespace touchstone

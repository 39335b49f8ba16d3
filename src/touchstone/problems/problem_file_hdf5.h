#pragma once
// Problems in HDF5, in our own layout.

#include "touchstone/problems/problem_file.h"
#include "touchstone/store/array_file.h"

namespace touchstone {

/// Is this file in our own layout?
bool holds_own_problem(const ArrayFile& file);
/// Throws ProblemFileError or StoreError.
StoredProblem problem_of_hdf5(const ArrayFile& file);
void write_problem_hdf5(ArrayFile& file, const StoredProblem& stored);

/// Vectors as arrays, for every layout.
VectorX read_vector(const ArrayFile& file, const std::string& name);
void write_vector(ArrayFile& file, const std::string& name, const VectorX& vector);

}  // namespace touchstone

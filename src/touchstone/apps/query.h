#pragma once
// The parts of the command `query`.

#include <nlohmann/json.hpp>
#include <string>

namespace touchstone {

/// Prints an answer for a person; `quiet`: status and gap only.
void print_answer(const nlohmann::json& answer, bool quiet);

/// Answers every line of a file ("-": of standard input) and returns the exit code.
int answer_batch(const std::string& file, bool quiet);

}  // namespace touchstone

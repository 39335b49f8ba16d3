#pragma once
// Whole files as text, and text as fields of tables.

#include <filesystem>
#include <string>

namespace touchstone {

/// Empty where the file cannot be read.
std::string text_in(const std::filesystem::path& file);

/// A field of a line of CSV: in quotes where a comma, a quote or a line's end stands in it [RFC 4180].
std::string csv_field(const std::string& text);

}  // namespace touchstone

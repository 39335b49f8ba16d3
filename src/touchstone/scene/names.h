#pragma once
// Names that people type: the nearest valid name, and quoting for messages.

#include <span>
#include <string>
#include <string_view>

namespace touchstone {

/// Edits (insert, delete, replace, swap neighbours) that lead from one word to the other, capitals aside;
/// '-', '_' and ' ' count as the same letter.
int edit_distance(std::string_view a, std::string_view b);

/// The valid name nearest to a wrong one; empty when none is near enough to be meant.
std::string nearest_name(std::string_view wrong, std::span<const std::string> valid);

/// `; did you mean "box"?` or, where nothing is near, `; valid: box, cube, ...`.
std::string name_hint(std::string_view wrong, std::span<const std::string> valid);

/// What a user wrote, in quotes, cut when it is long, without control characters: fit for a message.
std::string in_quotes(std::string_view text);

}  // namespace touchstone

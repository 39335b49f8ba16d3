#pragma once
// Checkpoints as rows of the arrays in /checkpoint. Private to record/.

#include <optional>

#include "touchstone/record/checkpoint.h"
#include "touchstone/record/recording_layout.h"

namespace touchstone {

template <int D>
void make_checkpoint_rows(ArrayFile& file, const Checkpoint<D>& example);
template <int D>
void append_checkpoint(ArrayFile& file, const Checkpoint<D>& checkpoint);

/// The last one that lies wholly in the file, together with all that was recorded before it; none where
/// there is none. Throws StoreError.
template <int D>
std::optional<Checkpoint<D>> read_last_checkpoint(const ArrayFile& file);

/// Removes all that was recorded after the last checkpoint.
template <int D>
void cut_after(ArrayFile& file, const Checkpoint<D>& last);

}  // namespace touchstone

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

/// How much of a recording there is.
struct RecordedLength {
  std::int64_t frames = 0, contacts = 0, events = 0;
};

/// Up to the last frame that every array holds, together with all that led to it; at least up to the
/// checkpoint. Throws StoreError.
template <int D>
RecordedLength whole_length(const ArrayFile& file, const Checkpoint<D>& at_least);

/// Removes all that lies beyond.
void cut_after(ArrayFile& file, const RecordedLength& length);

/// The arrays of a recording that have one row per frame. Those of earlier versions, and of other programs,
/// lack some of them.
const std::vector<std::string>& frame_arrays();

}  // namespace touchstone

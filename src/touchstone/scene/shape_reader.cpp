#include "touchstone/scene/shape_reader.h"

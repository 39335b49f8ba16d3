# What recording costs, on a calm machine: slow, for others that use the machine would fail it.
add_test(NAME recording_overhead
  COMMAND record_tests --gtest_also_run_disabled_tests --gtest_filter=RecordingOverhead.DISABLED_InTime*)
set_tests_properties(recording_overhead PROPERTIES LABELS slow RUN_SERIAL ON)

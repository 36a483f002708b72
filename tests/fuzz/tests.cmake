# Fuzz targets: replayed over their seeds and regressions with any compiler; with -DCNM_FUZZ=ON
# (clang) also one libFuzzer program each, fuzz_TARGET, which scripts/fuzz runs. CNM_SANITIZE must
# then hold fuzzer-no-link: the preset `fuzz` has all of it.
option(CNM_FUZZ "Build the libFuzzer programs" OFF)
if(NOT CMOCKA_LIBRARY) # the models of the unit tests are used here too
  return()
endif()
set(CNM_FUZZ_TARGETS libsvm csv arff npy idx gzip labels model fields checkpoint options cells
  encoder)
add_library(fuzz_targets OBJECT fuzz/fuzz_rows.c fuzz/fuzz_bytes.c fuzz/fuzz_models.c fuzz/fuzz_fields.c
  fuzz/fuzz_changes.c fuzz/fuzz_checkpoint.c fuzz/fuzz_options.c fuzz/fuzz_cells.c
  fuzz/fuzz_encoder.c)
cnm_defaults(fuzz_targets)
cnm_uses_posix(fuzz_targets)
target_include_directories(fuzz_targets PUBLIC ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(fuzz_targets PUBLIC cnm_test_support cnm_api ${CMOCKA_LIBRARY})

add_executable(fuzz_replay fuzz/replay.c)
cnm_defaults(fuzz_replay)
cnm_uses_posix(fuzz_replay)
target_link_libraries(fuzz_replay PRIVATE fuzz_targets)
add_test(NAME fuzz_replay COMMAND fuzz_replay ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/seeds
  ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/regressions)
set_tests_properties(fuzz_replay PROPERTIES LABELS unit)

if(CNM_FUZZ)
  add_custom_target(fuzzers)
  foreach(target IN LISTS CNM_FUZZ_TARGETS)
    add_executable(fuzz_${target} fuzz/fuzzer.c)
    cnm_defaults(fuzz_${target})
    target_compile_definitions(fuzz_${target} PRIVATE FUZZ_TARGET=fuzz_${target})
    target_link_libraries(fuzz_${target} PRIVATE fuzz_targets)
    target_link_options(fuzz_${target} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzzers fuzz_${target})
  endforeach()
endif()

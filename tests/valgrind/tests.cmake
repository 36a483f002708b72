# A short set under valgrind, which finds what the sanitizers do not: reads of memory that was never
# written, and errors of the command as users get it.
find_program(VALGRIND valgrind)
if(NOT VALGRIND OR CNM_SANITIZE OR NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  return()
endif()
set(valgrind ${VALGRIND} -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,possible)
foreach(name base_test_safetensors base_test_file data_test_labels data_test_scaling math_test_arrays model_test_golden
        model_test_evaluate api_test_api_data)
  if(TARGET ${name})
    add_test(NAME valgrind_${name} COMMAND ${valgrind} $<TARGET_FILE:${name}>)
  endif()
endforeach()
if(TARGET cnm)
  add_test(NAME valgrind_command COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/valgrind/command.sh $<TARGET_FILE:cnm> ${valgrind})
endif()

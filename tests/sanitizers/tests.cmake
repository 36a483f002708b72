# Sanitized builds: seeded faults must be reported, so that a clean run of the other tests counts.
if(NOT CNM_SANITIZE)
  return()
endif()

if(CNM_SANITIZE STREQUAL "thread")
  set(seeded race_data\ race)
else()
  set(seeded overflow_heap-buffer-overflow undefined_signed\ integer\ overflow leak_LeakSanitizer)
endif()

# NAME_MESSAGE: seeded_NAME.c must end in a report that holds MESSAGE.
foreach(fault IN LISTS seeded)
  string(REGEX MATCH "^([a-z]+)_(.*)$" fault "${fault}")
  set(name ${CMAKE_MATCH_1})
  set(message ${CMAKE_MATCH_2})
  add_executable(seeded_${name} sanitizers/seeded_${name}.c)
  cnm_defaults(seeded_${name})
  target_link_libraries(seeded_${name} PRIVATE Threads::Threads)
  add_test(NAME sanitizers_report_${name} COMMAND seeded_${name})
  set_tests_properties(sanitizers_report_${name} PROPERTIES LABELS unit PASS_REGULAR_EXPRESSION "${message}")
endforeach()

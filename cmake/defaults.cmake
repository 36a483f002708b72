# cnm_defaults(TARGET): the compiler settings that every target of the project shares.
#
# -ffp-contract=off: a compiler may not fuse a*b+c, so that a model keeps its bits from one compiler to the next.
# -fno-math-errno:   lets sqrt and friends be vectorised; the library never reads errno after them.
# Never -ffast-math (it would drop NaN and the order of sums) and never -march=native (a binary must run elsewhere).
set(CNM_WARNINGS -Wall -Wextra -Wconversion -Wshadow)
if(CNM_WERROR)
  list(APPEND CNM_WARNINGS -Werror)
endif()

function(cnm_defaults target)
  set_target_properties(${target} PROPERTIES
    C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE ${CNM_WARNINGS} -ffp-contract=off -fno-math-errno)
  if(CNM_FAULTS)
    target_compile_definitions(${target} PRIVATE CNM_FAULTS)
  endif()
  if(CNM_TEST_ROWS)
    target_compile_definitions(${target} PRIVATE CNM_TEST_ROWS)
  endif()
  if(CNM_COVERAGE)
    target_compile_options(${target} PRIVATE --coverage) # threads may lose a count, no line that was reached
    target_link_options(${target} PUBLIC --coverage)
  endif()
  if(CNM_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${CNM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${CNM_SANITIZE})
  endif()
endfunction()

# The library, the command and the tests use POSIX; the examples show that a user need not.
function(cnm_uses_posix target)
  target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L _FILE_OFFSET_BITS=64)
  if(APPLE)
    target_compile_definitions(${target} PRIVATE _DARWIN_C_SOURCE) # else _SC_NPROCESSORS_ONLN is hidden
  endif()
endfunction()

# Tests of the project around the code: its tools, its symbols, its installation, its README, other readers of its files.
file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/tools/test_*.sh)
foreach(script IN LISTS scripts)
  get_filename_component(name ${script} NAME_WE)
  add_test(NAME tools_${name} COMMAND ${script})
  set_tests_properties(tools_${name} PROPERTIES LABELS project)
endforeach()

# Tests of the project around the code: its tools, symbols and installation, and other
# programs' view of its files.
file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/tools/test_*.sh)
foreach(script IN LISTS scripts)
  get_filename_component(name ${script} NAME_WE)
  add_test(NAME tools_${name} COMMAND ${script})
endforeach()

# Sanitizers add names and libraries of their own, and a user gets none of those builds.
if(CNM_SANITIZE)
  return()
endif()
add_test(NAME symbols COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tools/check_symbols.sh
  $<TARGET_FILE:cnm_shared> $<TARGET_FILE:cnm_static> ${PROJECT_SOURCE_DIR}/include/cnm/symbols.txt)
if(NOT TARGET cnm)
  return()
endif()
add_test(NAME clashes COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tools/check_clashes.sh
  $<TARGET_FILE:$<IF:$<TARGET_EXISTS:cnm_modules>,cnm_modules,cnm_static>> $<TARGET_OBJECTS:cnm> COMMAND_EXPAND_LISTS)
add_test(NAME install COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/install/test_install.sh
  ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})

# What Python's packages read from the same files; $CNM_DATA is the folder of the public data sets,
# if there is one.
set(with_python ${CMAKE_CURRENT_SOURCE_DIR}/tools/with_python.sh)
add_test(NAME python_read_back
  COMMAND ${with_python} ${CMAKE_CURRENT_SOURCE_DIR}/model/read_back.py $<TARGET_FILE:cnm>)
add_test(NAME python_compare_readers COMMAND sh -c "exec \"$0\" \"$1\" \"\${CNM_DATA:-none}\" \"$2\""
  ${with_python} ${CMAKE_CURRENT_SOURCE_DIR}/data/compare_readers.py $<TARGET_FILE:cnm>)

# Exported models beside the library: in C, with onnxruntime, on a Cortex-M4.
set(exported ${CMAKE_CURRENT_SOURCE_DIR}/export)
add_test(NAME export_compare COMMAND ${with_python} ${exported}/compare.py $<TARGET_FILE:cnm>)
add_test(NAME export_arm COMMAND ${exported}/arm.sh $<TARGET_FILE:cnm>)

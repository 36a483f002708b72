# libcnm.so and libcnm.a from the modules' objects, compiled once for both.
set(CNM_OBJECTS)
foreach(module_target IN LISTS CNM_MODULE_TARGETS)
  list(APPEND CNM_OBJECTS $<TARGET_OBJECTS:${module_target}>)
endforeach()

# What libcnm.a needs behind it, as plain names, so that a user's project need not find packages it has not heard of.
set(CNM_PLAIN_LIBRARIES z pthread m)
set(CNM_FOUND_LIBRARIES ZLIB::ZLIB Threads::Threads m)

add_library(cnm_shared SHARED ${CNM_OBJECTS})
add_library(cnm::cnm ALIAS cnm_shared)
set_target_properties(cnm_shared PROPERTIES
  OUTPUT_NAME cnm EXPORT_NAME cnm LINKER_LANGUAGE C VERSION ${PROJECT_VERSION} SOVERSION 0)
target_link_libraries(cnm_shared PRIVATE ${CNM_FOUND_LIBRARIES})
if(CNM_SANITIZE)
  target_link_options(cnm_shared PUBLIC -fsanitize=${CNM_SANITIZE})
elseif(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  target_link_options(cnm_shared PRIVATE -Wl,--no-undefined -Wl,--as-needed)
endif()

# The modules call each other by short names such as map_create, which must not meet a user's own map_create. So libcnm.a
# holds one object, linked from all and with every hidden name made local. Where objcopy is missing (macOS, cross
# compilers) it is the plain archive, and those names are taken. The command has none of them, so that it links either
# way (tests/tools/check_clashes.sh).
if(CMAKE_OBJCOPY AND CMAKE_LINKER AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  # By way of an archive: Make, unlike Ninja, has no rule for the objects of another target.
  add_library(cnm_modules STATIC ${CNM_OBJECTS})
  set_target_properties(cnm_modules PROPERTIES LINKER_LANGUAGE C)
  set(combined ${PROJECT_BINARY_DIR}/cnm_combined.o)
  add_custom_command(OUTPUT ${combined}
    COMMAND ${CMAKE_LINKER} -r -o ${combined} --whole-archive $<TARGET_FILE:cnm_modules>
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${combined}
    DEPENDS cnm_modules VERBATIM COMMENT "Hiding the inner names of libcnm.a")
  add_library(cnm_static STATIC ${combined})
  set_source_files_properties(${combined} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
else()
  add_library(cnm_static STATIC ${CNM_OBJECTS})
endif()
add_library(cnm::static ALIAS cnm_static)
set_target_properties(cnm_static PROPERTIES OUTPUT_NAME cnm EXPORT_NAME static LINKER_LANGUAGE C)
target_link_libraries(cnm_static INTERFACE
  "$<BUILD_INTERFACE:${CNM_FOUND_LIBRARIES}>" "$<INSTALL_INTERFACE:${CNM_PLAIN_LIBRARIES}>")
if(CNM_SANITIZE)
  target_link_options(cnm_static INTERFACE -fsanitize=${CNM_SANITIZE})
endif()
if(CNM_COVERAGE)
  target_link_options(cnm_static INTERFACE --coverage)
  target_link_options(cnm_shared PUBLIC --coverage)
endif()

foreach(library IN ITEMS cnm_shared cnm_static)
  target_include_directories(${library} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()

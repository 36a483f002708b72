# One static library a module, each linking only the modules below it: a test of a module needs nothing above it, and a call
# upwards does not link. scripts/check-layers holds includes to the same order; keep the two alike.
#
#   src/MODULE/**/*.c           cnm_MODULE
#   src/learn/MODULE/*.c        cnm_learn_MODULE; cnm_learn is all of them
set(CNM_MODULES base math data map model engine)
set(base_uses)
set(math_uses base)
set(data_uses math)
set(map_uses math)
set(model_uses map data)
set(engine_uses model)

set(CNM_MODULE_TARGETS)
function(cnm_module name uses)
  add_library(cnm_${name} STATIC ${ARGN})
  cnm_defaults(cnm_${name})
  cnm_uses_posix(cnm_${name})
  target_compile_definitions(cnm_${name} PRIVATE CNM_BUILDING)
  target_include_directories(cnm_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_include_directories(cnm_${name} SYSTEM PRIVATE ${RANDOM123_INCLUDE_DIR})
  foreach(used IN LISTS uses)
    target_link_libraries(cnm_${name} PUBLIC cnm_${used})
  endforeach()
  target_link_libraries(cnm_${name} PUBLIC Threads::Threads m)
  set(CNM_MODULE_TARGETS ${CNM_MODULE_TARGETS} cnm_${name} PARENT_SCOPE)
endfunction()

foreach(module IN LISTS CNM_MODULES)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/${module}/*.c)
  cnm_module(${module} "${${module}_uses}" ${sources})
endforeach()
target_link_libraries(cnm_data PUBLIC ZLIB::ZLIB)

file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/learn/*.c)
cnm_module(learn engine ${sources})

file(GLOB sources CONFIGURE_DEPENDS src/api/*.c)
cnm_module(api learn ${sources})
list(APPEND CNM_MODULES learn api)

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

# With -DCNM_TEST_ROWS=ON tables have one row more, from a file of tests/rows that joins the table's
# module.
set(map_test_rows tests/rows/projection_test.c)
set(engine_test_rows tests/rows/augment_test.c)
set(learn_objective_test_rows tests/rows/loss_test.c)
set(learn_evaluate_test_rows tests/rows/metric_test.c)

set(CNM_MODULE_TARGETS)
function(cnm_module name uses)
  list(REMOVE_ITEM uses "")
  add_library(cnm_${name} STATIC ${ARGN})
  if(CNM_TEST_ROWS)
    target_sources(cnm_${name} PRIVATE ${${name}_test_rows})
  endif()
  cnm_defaults(cnm_${name})
  cnm_uses_posix(cnm_${name})
  target_compile_definitions(cnm_${name} PRIVATE CNM_BUILDING)
  target_include_directories(cnm_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
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

# The modules of learn, in their order; the files of src/learn itself are for all of them.
set(CNM_LEARN_MODULES objective dataset evaluate krr fit detect calibrate compress distill search train)
set(objective_uses)
set(dataset_uses learn_objective)
set(evaluate_uses learn_dataset)
set(krr_uses learn_evaluate)
set(fit_uses learn_krr)
set(detect_uses learn_krr)
set(calibrate_uses learn_fit learn_detect)
set(compress_uses learn_fit learn_detect)
set(distill_uses learn_fit learn_detect)
set(search_uses learn_fit learn_detect)
set(train_uses learn_calibrate learn_compress learn_distill learn_search)
file(GLOB sources CONFIGURE_DEPENDS src/learn/*.c)
cnm_module(learn_common engine ${sources})
foreach(module IN LISTS CNM_LEARN_MODULES)
  file(GLOB sources CONFIGURE_DEPENDS src/learn/${module}/*.c)
  cnm_module(learn_${module} "${${module}_uses};learn_common" ${sources})
endforeach()
add_library(cnm_learn INTERFACE)
target_link_libraries(cnm_learn INTERFACE cnm_learn_train)

file(GLOB sources CONFIGURE_DEPENDS src/api/*.c)
cnm_module(api learn ${sources})
list(APPEND CNM_MODULES learn api)

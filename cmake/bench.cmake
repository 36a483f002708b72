# bench/NAME.c becomes the program NAME in the build's folder bench, with -DCNM_BENCH=ON; the target benchmarks builds them all.
# Like a user's program they see the public header and link the library. Those in bench/inner time a part that no public function runs
# alone, and see the modules; inner_convolve wants FFTW. Those in bench/peers run beside a peer's library, where that is installed. scripts/bench builds
# and runs them.
option(CNM_BENCH "Build the measurements of bench/" OFF)

function(cnm_benchmark source)
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  cnm_defaults(${name})
  cnm_uses_posix(${name})
  target_link_libraries(${name} PRIVATE ${ARGN} m)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  add_dependencies(benchmarks ${name})
endfunction()

if(CNM_BENCH)
  file(GLOB sources CONFIGURE_DEPENDS bench/*.c)
  add_custom_target(benchmarks)
  foreach(source IN LISTS sources)
    cnm_benchmark(${source} cnm_static)
  endforeach()
  cnm_benchmark(bench/inner/inner_stack.c cnm_model)
  find_library(FFTW3F_LIBRARY fftw3f)
  if(FFTW3F_LIBRARY)
    cnm_benchmark(bench/inner/inner_convolve.c cnm_math ${FFTW3F_LIBRARY})
  endif()
  find_library(SVM_LIBRARY svm)
  find_path(SVM_INCLUDE_DIR svm.h PATH_SUFFIXES libsvm)
  if(SVM_LIBRARY AND SVM_INCLUDE_DIR AND EXISTS ${PROJECT_SOURCE_DIR}/bench/peers/peer_predict.c)
    cnm_benchmark(bench/peers/peer_predict.c cnm_static ${SVM_LIBRARY})
    target_include_directories(peer_predict SYSTEM PRIVATE ${SVM_INCLUDE_DIR})
  endif()
endif()

# cmake --install: headers, both libraries, the command, cnm.pc and the CMake package. All of it may be moved afterwards:
# the paths inside are relative to the files that hold them.
include(CMakePackageConfigHelpers)

# The Python package (pip install .) wants the shared library beside its modules, under a plain name, for a wheel has no links; and
# the command, which pip puts where programs are.
if(SKBUILD)
  install(TARGETS cnm RUNTIME DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT python)
  install(FILES $<TARGET_FILE:cnm_shared> DESTINATION cnm RENAME libcnm${CMAKE_SHARED_LIBRARY_SUFFIX} COMPONENT python)
endif()

install(TARGETS cnm_shared EXPORT cnmTargets)
install(TARGETS cnm_static EXPORT cnmTargets)
if(TARGET cnm)
  install(TARGETS cnm)
endif()
install(FILES include/cnm/cnm.h include/cnm/types.h include/cnm/data.h include/cnm/advanced.h include/cnm/bindings.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cnm)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Manual pages and completions, which the command writes from its tables: build/share, as they are installed.
set(CNM_COMMANDS train tune predict transform inspect export convert demo help version)
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "Cross compiling: manual pages and completions are left out, since the command that writes them does not run here")
elseif(TARGET cnm AND NOT SKBUILD)
  set(share ${PROJECT_BINARY_DIR}/share)
  set(CNM_SHARED_FILES)
  # cnm_writes(FILE WORD...): FILE below build/share is what `cnm help WORD...` prints.
  function(cnm_writes file)
    get_filename_component(folder ${share}/${file} DIRECTORY)
    add_custom_command(OUTPUT ${share}/${file}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND cnm help ${ARGN} > ${share}/${file}
      DEPENDS cnm VERBATIM COMMENT "Writing share/${file}")
    set(CNM_SHARED_FILES ${CNM_SHARED_FILES} ${share}/${file} PARENT_SCOPE)
  endfunction()
  cnm_writes(man/man1/cnm.1 --format man)
  foreach(name IN LISTS CNM_COMMANDS)
    cnm_writes(man/man1/cnm-${name}.1 --format man ${name})
  endforeach()
  cnm_writes(bash-completion/completions/cnm --format bash)
  cnm_writes(zsh/site-functions/_cnm --format zsh)
  cnm_writes(fish/vendor_completions.d/cnm.fish --format fish)
  add_custom_target(cnm_share ALL DEPENDS ${CNM_SHARED_FILES})
  install(DIRECTORY ${share}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(DIRECTORY ${share}/bash-completion ${share}/zsh ${share}/fish DESTINATION ${CMAKE_INSTALL_DATADIR})
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cnm)
install(EXPORT cnmTargets NAMESPACE cnm:: DESTINATION ${package_dir})
configure_package_config_file(cmake/cnmConfig.cmake.in ${PROJECT_BINARY_DIR}/cnmConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cnmConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cnmConfig.cmake ${PROJECT_BINARY_DIR}/cnmConfigVersion.cmake
  DESTINATION ${package_dir})

file(RELATIVE_PATH CNM_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" CNM_PC_TO_PREFIX "${CNM_PC_TO_PREFIX}")
list(TRANSFORM CNM_PLAIN_LIBRARIES PREPEND -l OUTPUT_VARIABLE CNM_PC_PRIVATE)
list(JOIN CNM_PC_PRIVATE " " CNM_PC_PRIVATE)
configure_file(cmake/cnm.pc.in ${PROJECT_BINARY_DIR}/cnm.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cnm.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

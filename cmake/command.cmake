# The command. It holds the library inside it: one file that can be copied to another place or machine, always with the
# library it was tested with, and no search path baked in.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS cli/*.c)
if(sources)
  add_executable(cnm ${sources})
  cnm_defaults(cnm)
  cnm_uses_posix(cnm)
  target_include_directories(cnm PRIVATE cli)
  target_link_libraries(cnm PRIVATE cnm_static)
endif()

# The examples. Like a user's program: the public header, the shared library, plain C11.
file(GLOB sources CONFIGURE_DEPENDS examples/*.c)
set(CNM_EXAMPLES)
foreach(source IN LISTS sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(example_${name} ${source})
  cnm_defaults(example_${name})
  target_link_libraries(example_${name} PRIVATE cnm_shared m)
  list(APPEND CNM_EXAMPLES example_${name})
endforeach()

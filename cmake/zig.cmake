# A toolchain file: builds for any Linux of a given age and processor with the C compiler of Zig (ziglang on PyPI), which
# brings the headers and the symbols of every glibc.
#
#   cmake -DCMAKE_TOOLCHAIN_FILE=cmake/zig.cmake -DCNM_ZIG_TARGET=aarch64-linux-gnu.2.28 -DCNM_ZIG=/path/to/zig ...
#
# CNM_ZIG_TARGET is ARCHITECTURE-linux-gnu.GLIBC, x86_64-linux-gnu.2.28 by default; CNM_ZIG is the program zig. Either may
# also stand in the environment. zlib is not among what Zig brings: see CNM_ZLIB_SOURCE in cmake/dependencies.cmake.
foreach(name IN ITEMS CNM_ZIG_TARGET CNM_ZIG)
  if(NOT DEFINED ${name} AND DEFINED ENV{${name}})
    set(${name} "$ENV{${name}}")
  endif()
endforeach()
if(NOT CNM_ZIG_TARGET)
  set(CNM_ZIG_TARGET x86_64-linux-gnu.2.28)
endif()
if(NOT CNM_ZIG)
  find_program(CNM_ZIG zig REQUIRED)
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CNM_ZIG_TARGET CNM_ZIG) # CMake's own small programs get them too

set(CMAKE_SYSTEM_NAME Linux)
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR "${CNM_ZIG_TARGET}")
set(CMAKE_C_COMPILER "${CNM_ZIG}" cc)
set(CMAKE_C_COMPILER_TARGET "${CNM_ZIG_TARGET}")
set(CMAKE_AR "${CNM_ZIG}" CACHE FILEPATH "")
set(CMAKE_RANLIB "${CNM_ZIG}" CACHE FILEPATH "")
# zig is many programs in one, named by their first argument.
set(CMAKE_C_ARCHIVE_CREATE "<CMAKE_AR> ar qc <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_C_ARCHIVE_APPEND "<CMAKE_AR> ar q <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_C_ARCHIVE_FINISH "<CMAKE_RANLIB> ranlib <TARGET>")
# The linker and the tools of this machine may not know the other's object files: the linker strips instead, and libcnm.a
# is the plain archive (cmake/library.cmake).
set(CMAKE_OBJCOPY "" CACHE FILEPATH "")
set(CMAKE_STRIP "" CACHE FILEPATH "")
set(CMAKE_C_FLAGS_INIT "-fno-sanitize=undefined")
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  # zig switches each extension off that the oldest processor lacks, and vectors of 512 bits count as one, which
  # target("avx512f") does not switch on again. By itself it lets no compiler use them.
  string(APPEND CMAKE_C_FLAGS_INIT " -mcpu=x86_64+evex512")
endif()
foreach(kind IN ITEMS EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-s")
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)

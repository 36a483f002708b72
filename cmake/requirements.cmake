# What must be installed to build: each missing piece gets a sentence with the package that brings it. Included before
# project(), whose own messages name no package.
#
# cnm_missing(WHAT PIECE) ends the configuration. CNM_PACKAGES_PIECE lists the packages of Debian, Fedora and Alpine, and what
# to do on macOS.
set(CNM_PACKAGES_COMPILER "gcc libc6-dev" "gcc glibc-devel" "gcc musl-dev" "xcode-select --install")
set(CNM_PACKAGES_CMAKE "cmake" "cmake" "cmake" "brew install cmake")
set(CNM_PACKAGES_NINJA "ninja-build" "ninja-build" "samurai" "brew install ninja")
set(CNM_PACKAGES_ZLIB "zlib1g-dev" "zlib-devel" "zlib-dev" "xcode-select --install")

function(cnm_missing what piece)
  list(GET CNM_PACKAGES_${piece} 0 debian)
  list(GET CNM_PACKAGES_${piece} 1 fedora)
  list(GET CNM_PACKAGES_${piece} 2 alpine)
  list(GET CNM_PACKAGES_${piece} 3 macos)
  message(FATAL_ERROR "${what} Install it, then run the same command again:\n"
    "  Debian, Ubuntu:  sudo apt-get install ${debian}\n"
    "  Fedora:          sudo dnf install ${fedora}\n"
    "  Alpine:          sudo apk add ${alpine}\n"
    "  macOS:           ${macos}\n"
    "On Debian and Ubuntu scripts/bootstrap installs all that is missing.")
endfunction()

if(CMAKE_VERSION VERSION_LESS 3.22)
  cnm_missing("cnm needs CMake 3.22 or newer, and this is ${CMAKE_VERSION}. (`pip install cmake` brings a new one, too.)" CMAKE)
endif()

# The names that CMake itself looks for.
if(CMAKE_GENERATOR MATCHES "Ninja" AND NOT CMAKE_MAKE_PROGRAM)
  find_program(ninja NAMES ninja-build ninja samu NO_CACHE)
  if(NOT ninja)
    cnm_missing("cnm is built with Ninja, and there is none. (Without a preset, `cmake -B build` works with Make.)" NINJA)
  endif()
endif()
# The compiler is the one that CC names (pip sets it), or one of the names that CMake itself looks for. It must find the
# headers of the C library, which are a package of their own.
if(NOT CMAKE_C_COMPILER AND NOT CMAKE_TOOLCHAIN_FILE AND NOT DEFINED ENV{CMAKE_TOOLCHAIN_FILE}
    AND NOT CMAKE_GENERATOR MATCHES "Visual Studio|Xcode")
  separate_arguments(words UNIX_COMMAND "$ENV{CC}")
  list(POP_FRONT words names)
  if(NOT names)
    set(names cc gcc cl bcc xlc icx clang)
  endif()
  find_program(compiler NAMES ${names} NO_CACHE)
  if(NOT compiler)
    list(JOIN names ", " names)
    cnm_missing("cnm needs a C compiler, gcc or clang, and there is none (looked for ${names})." COMPILER)
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo "#include <stdio.h>" COMMAND ${compiler} ${words} -E -x c -
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    cnm_missing("The C compiler ${compiler} finds no stdio.h: the headers of the C library are missing." COMPILER)
  endif()
endif()
